//! A guard that a condition variable gives up for a while.

use std::sync::{Condvar, Mutex};

pub struct Gate {
    open: Mutex<bool>,
    changed: Condvar,
}

impl Gate {
    pub fn pass(&self) {
        let mut open = self.open.lock().unwrap();
        while !*open {
            open = self.changed.wait(open).unwrap();
        }
        *open = false;
    }

    pub fn pass_while(&self) {
        let open = self.open.lock().unwrap();
        let _open = self.changed.wait_while(open, |open| !*open).unwrap();
    }
}

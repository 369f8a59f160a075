//! One wait with a timeout, after which it is looked again, not believed.
use std::sync::{Condvar, Mutex};
use std::time::Duration;

#[derive(Default)]
pub struct Signal {
    raised: Mutex<u32>,
    changed: Condvar,
}

impl Signal {
    pub fn raise(&self) {
        *self.raised.lock().unwrap() += 1;
        self.changed.notify_all();
    }
    /// Whether there was one, within a second.
    pub fn wait(&self) -> bool {
        let mut raised = self.raised.lock().unwrap();
        if *raised == 0 {
            raised = self.changed.wait_timeout(raised, Duration::from_secs(1)).unwrap().0;
        }
        if *raised == 0 {
            return false;
        }
        *raised -= 1;
        true
    }
}

//! A door is locked if it is closed, with `let … else` and `matches!`.
//@ finding: House::lock_door
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

#[derive(Clone, Debug)]
pub enum Door {
    Open { since: u64 },
    Closed,
    Locked { by: u32 },
}

#[derive(Clone, Default)]
pub struct House {
    doors: Arc<Mutex<HashMap<&'static str, Door>>>,
}

impl House {
    pub fn open(&self, name: &'static str, since: u64) -> bool {
        let mut doors = self.doors.lock().unwrap();
        let Some(door) = doors.get_mut(name) else { return false };
        if !matches!(door, Door::Closed) {
            return false;
        }
        *door = Door::Open { since };
        true
    }
    fn look(&self, name: &str) -> Option<Door> {
        self.doors.lock().unwrap().get(name).cloned()
    }
    #[cfg(not(fixed))]
    pub fn lock_door(&self, name: &'static str, by: u32) -> bool {
        let Some(door) = self.look(name) else { return false };
        if !matches!(door, Door::Closed) {
            return false;
        }
        self.doors.lock().unwrap().insert(name, Door::Locked { by });
        true
    }
    #[cfg(fixed)]
    pub fn lock_door(&self, name: &'static str, by: u32) -> bool {
        let mut doors = self.doors.lock().unwrap();
        let Some(door) = doors.get_mut(name) else { return false };
        if !matches!(door, Door::Closed) {
            return false;
        }
        *door = Door::Locked { by };
        true
    }
}

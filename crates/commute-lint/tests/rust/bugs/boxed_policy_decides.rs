//! A policy in a box decides about what a lock guarded a moment ago.
//@ finding: Admission::admit
use std::sync::Mutex;

type Policy = Box<dyn Fn(usize) -> bool + Send + Sync>;

pub struct Admission {
    active: Mutex<Vec<u32>>,
    policy: Policy,
}

impl Admission {
    pub fn new(policy: Policy) -> Admission {
        Admission { active: Mutex::new(Vec::new()), policy }
    }
    #[cfg(not(fixed))]
    pub fn admit(&self, id: u32) -> bool {
        let active = self.active.lock().unwrap().len();
        if !(self.policy)(active) {
            return false;
        }
        self.active.lock().unwrap().push(id);
        true
    }
    #[cfg(fixed)]
    pub fn admit(&self, id: u32) -> bool {
        let mut active = self.active.lock().unwrap();
        if !(self.policy)(active.len()) {
            return false;
        }
        active.push(id);
        true
    }
    pub fn leave(&self, id: u32) {
        self.active.lock().unwrap().retain(|other| *other != id);
    }
}

//! One value is used twice: while a lock is held that everybody takes who
//! changes it, and after that was given up.
//@ suppression: OuterLock
//@ finding: Tank::step

use std::sync::Mutex;

#[derive(Default)]
struct Level {
    value: u64,
    limit: u64,
}

#[derive(Default)]
pub struct Tank {
    gate: Mutex<()>,
    level: Mutex<Level>,
}

impl Tank {
    pub fn fill(&self) {
        let _gate = self.gate.lock().unwrap();
        self.level.lock().unwrap().value += 1;
    }

    pub fn step(&self) {
        let gate = self.gate.lock().unwrap();
        let now = self.level.lock().unwrap().value;
        self.level.lock().unwrap().value = now + 2;
        #[cfg(not(fixed))]
        drop(gate);
        self.level.lock().unwrap().limit = now * 2;
        #[cfg(fixed)]
        drop(gate);
    }
}

//! A barrier: who waits looks at the generation in a loop.
use std::sync::{Condvar, Mutex};

#[derive(Default)]
struct Gate {
    waiting: usize,
    generation: usize,
}

pub struct Barrier {
    gate: Mutex<Gate>,
    opened: Condvar,
    parties: usize,
}

impl Barrier {
    pub fn new(parties: usize) -> Barrier {
        Barrier {
            gate: Mutex::default(),
            opened: Condvar::new(),
            parties,
        }
    }
    pub fn wait(&self) -> bool {
        let mut gate = self.gate.lock().unwrap();
        let generation = gate.generation;
        gate.waiting += 1;
        if gate.waiting < self.parties {
            while gate.generation == generation {
                gate = self.opened.wait(gate).unwrap();
            }
            return false;
        }
        gate.waiting = 0;
        gate.generation = gate.generation.wrapping_add(1);
        self.opened.notify_all();
        true
    }
}

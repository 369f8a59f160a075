//! A state machine in an atomic: looked at, then replaced whatever it is by now.
//@ finding: Valve::close
use std::sync::atomic::{AtomicU8, Ordering};

const OPEN: u8 = 0;
const CLOSING: u8 = 1;
const CLOSED: u8 = 2;
const FAILED: u8 = 3;

pub struct Valve {
    state: AtomicU8,
    id: u32,
}

impl Valve {
    pub fn new(id: u32) -> Valve {
        Valve {
            state: AtomicU8::new(OPEN),
            id,
        }
    }
    pub fn id(&self) -> u32 {
        self.id
    }
    pub fn fail(&self) {
        self.state.store(FAILED, Ordering::SeqCst);
    }
    pub fn reopen(&self) -> bool {
        self.state
            .compare_exchange(CLOSED, OPEN, Ordering::SeqCst, Ordering::SeqCst)
            .is_ok()
    }
    #[cfg(not(fixed))]
    pub fn close(&self, motor: &dyn Fn(u32)) -> bool {
        match self.state.load(Ordering::SeqCst) {
            OPEN => {
                self.state.store(CLOSING, Ordering::SeqCst);
                motor(self.id);
                true
            }
            CLOSING | CLOSED => false,
            _ => false,
        }
    }
    #[cfg(fixed)]
    pub fn close(&self, motor: &dyn Fn(u32)) -> bool {
        let claimed =
            self.state
                .compare_exchange(OPEN, CLOSING, Ordering::SeqCst, Ordering::SeqCst);
        if claimed.is_ok() {
            motor(self.id);
        }
        claimed.is_ok()
    }
}

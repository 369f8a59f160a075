//! Hysteresis of a CPU governor (watt #27): the first state is stored before
//! the flag is taken, so those who lose the flag have overwritten the state of
//! the one that won. The flag is now taken first.
//@ finding: Hysteresis::initialize_with
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

pub struct Hysteresis {
    previous_state: AtomicBool,
    initialized: AtomicBool,
}

impl Hysteresis {
    pub const fn new() -> Self {
        Hysteresis {
            previous_state: AtomicBool::new(false),
            initialized: AtomicBool::new(false),
        }
    }

    pub fn get_previous_state(&self) -> Option<bool> {
        if self.initialized.load(Ordering::Acquire) {
            Some(self.previous_state.load(Ordering::Acquire))
        } else {
            None
        }
    }

    #[cfg(not(fixed))]
    pub fn initialize_with(&self, initial: bool) -> bool {
        if let Some(state) = self.get_previous_state() {
            return state;
        }
        self.previous_state.store(initial, Ordering::Release);
        let taken =
            self.initialized
                .compare_exchange(false, true, Ordering::AcqRel, Ordering::Acquire);
        match taken {
            Ok(_) => initial,
            Err(_) => self.previous_state.load(Ordering::Acquire),
        }
    }

    #[cfg(fixed)]
    pub fn initialize_with(&self, initial: bool) -> bool {
        let taken =
            self.initialized
                .compare_exchange(false, true, Ordering::AcqRel, Ordering::Acquire);
        match taken {
            Ok(_) => {
                self.previous_state.store(initial, Ordering::Release);
                initial
            }
            Err(_) => self.previous_state.load(Ordering::Acquire),
        }
    }

    pub fn update_state(&self, state: bool) {
        self.previous_state.store(state, Ordering::Release);
        self.initialized.store(true, Ordering::Release);
    }
}

static STATES: OnceLock<Hysteresis> = OnceLock::new();

pub fn decide(load: f32, high: f32, low: f32, now: bool) -> bool {
    let states = STATES.get_or_init(Hysteresis::new);
    let before = states.initialize_with(now);
    let next = if load >= high {
        true
    } else if load <= low {
        false
    } else {
        before
    };
    states.update_state(next);
    next
}

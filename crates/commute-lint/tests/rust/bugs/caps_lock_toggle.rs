//! The keyboard driver of a kernel toggles a flag by reading it and storing
//! the opposite: two interrupts on two processors leave it as it was once.
//@ finding: toggle
use std::sync::atomic::{AtomicBool, Ordering};

static CAPS_LOCK: AtomicBool = AtomicBool::new(false);
static SHIFT: AtomicBool = AtomicBool::new(false);

#[derive(Clone, Copy, PartialEq)]
pub enum Key {
    CapsLock,
    ShiftDown,
    ShiftUp,
    Letter(char),
}

#[cfg(not(fixed))]
fn toggle() {
    CAPS_LOCK.store(!CAPS_LOCK.load(Ordering::Relaxed), Ordering::Relaxed);
}

#[cfg(fixed)]
fn toggle() {
    CAPS_LOCK.fetch_xor(true, Ordering::Relaxed);
}

pub fn handle_key(key: Key) -> Option<char> {
    match key {
        Key::CapsLock => {
            toggle();
            None
        }
        Key::ShiftDown => {
            SHIFT.store(true, Ordering::Relaxed);
            None
        }
        Key::ShiftUp => {
            SHIFT.store(false, Ordering::Relaxed);
            None
        }
        Key::Letter(letter) => {
            let upper = CAPS_LOCK.load(Ordering::Relaxed) ^ SHIFT.load(Ordering::Relaxed);
            Some(if upper {
                letter.to_ascii_uppercase()
            } else {
                letter
            })
        }
    }
}

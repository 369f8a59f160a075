//! Hints to whoever runs the program: `std::hint`, with a `spin_loop` that tests that are
//! explored understand.

pub use std::hint::*;

/// As [`std::hint::spin_loop`].
#[cfg(commute)]
#[inline(always)]
pub fn spin_loop() {
    match commute_explore::runtime::is_inside() {
        true => commute_explore::runtime::yields(),
        false => std::hint::spin_loop(),
    }
}

//! A test of `#[commute::test]`.

use std::fmt::Debug;

/// What a test may return.
pub trait Ended {
    /// Panics if it failed.
    fn check(self);
}

impl Ended for () {
    fn check(self) {}
}

impl<E: Debug> Ended for Result<(), E> {
    #[track_caller]
    fn check(self) {
        if let Err(error) = self {
            panic!("the test returned an error: {error:?}");
        }
    }
}

/// Runs a test once, or explores it if the command asks for that. `name` is the path of
/// the module that the attribute makes.
pub fn test<R: Ended + 'static>(name: &'static str, body: fn() -> R) {
    if !explores(name, body) {
        body().check();
    }
}

/// Explores a test if the command asks for that, and does nothing else.
pub fn explored_only<R: Ended + 'static>(name: &'static str, body: fn() -> R) {
    explores(name, body);
}

#[cfg(commute)]
fn explores<R: Ended + 'static>(name: &'static str, body: fn() -> R) -> bool {
    let wanted = crate::exploring::wanted();
    if wanted {
        crate::exploring::explore(name, move || body().check());
    }
    wanted
}

#[cfg(not(commute))]
fn explores<R: Ended + 'static>(_name: &'static str, _body: fn() -> R) -> bool {
    false
}

pub use crate::future::block_on;

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
pub fn test(name: &'static str, body: fn()) {
    if !explores(name, body) {
        body();
    }
}

/// Explores a test if the command asks for that, and does nothing else.
pub fn explored_only(name: &'static str, body: fn()) {
    explores(name, body);
}

#[cfg(commute)]
fn explores(name: &'static str, body: fn()) -> bool {
    let wanted = crate::exploring::wanted();
    if wanted {
        crate::exploring::explore(name, body);
    }
    wanted
}

/// A test with `#[should_panic]`. Of one that is explored every outcome has to be a
/// panic; of any other the harness sees to it.
#[cfg(commute)]
#[track_caller]
pub fn must_panic(body: fn(), expected: &str) {
    use std::panic::{catch_unwind, resume_unwind};
    if !crate::exploring::wanted() {
        return body();
    }
    let Err(payload) = catch_unwind(body) else {
        panic!("the test did not panic, and it should");
    };
    if commute_explore::runtime::is_stopped() {
        resume_unwind(payload);
    }
    let said = payload.downcast_ref::<String>().map(String::as_str);
    let said = said.or_else(|| payload.downcast_ref::<&str>().copied());
    let said = said.unwrap_or_default();
    assert!(
        said.contains(expected),
        "the test panicked, but did not say `{expected}`: {said}"
    );
}

#[cfg(not(commute))]
fn explores(_name: &'static str, _body: fn()) -> bool {
    false
}

/// A test with `#[should_panic]`: the harness sees to it.
#[cfg(not(commute))]
pub fn must_panic(body: fn(), _expected: &str) {
    body();
}

pub use crate::future::block_on;

//! Runtimes of other crates: their tasks run where no exploration sees them.
//!
//! An operation whose stack has an executor of another crate on it is done in a task that
//! this executor schedules. The stack is looked at when an operation is reached at a place
//! in the source for the first time, and only if the program has such an executor in it.
//! Gaps: executors that are not among [`EXECUTORS`], programs whose symbols were stripped,
//! and tasks without any operation.

use std::backtrace::Backtrace;
use std::panic::Location;
use std::sync::OnceLock;

use super::fiber::Fiber;
use super::site::{self, EXECUTORS};
use super::symbols;
use crate::cause::Cause;
use crate::program::Trouble;

/// Parts of the panic messages of crates whose runtime is not there, or is entered in a
/// place where it must not be.
const SAID: &[&str] = &[
    "no reactor running",
    "no timer running",
    "must be called from the context of",
    "A Tokio 1.x context was found",
    "on the Tokio runtime",
    "from within a runtime",
    "called from outside of a `task::LocalSet`",
    "executor from within another executor",
];

/// Looks whether an executor of another crate polls the caller of an operation.
#[inline]
pub(super) fn look(fiber: &Fiber, at: &'static Location<'static>) {
    let site = std::ptr::from_ref(at).addr();
    if is_there() && fiber.noted.sites.borrow_mut().insert(site) {
        look_at_stack(fiber);
    }
}

#[cold]
fn look_at_stack(fiber: &Fiber) {
    let stack = Backtrace::force_capture().to_string();
    if let Some(site) = site::executor(&stack) {
        let executor = site.name.unwrap_or_default();
        let location = site.location;
        let cause = Cause::ForeignExecutor { executor, location };
        fiber.noted.trouble(Trouble::Unexplored(cause));
    }
}

/// Whether the program has an executor of another crate in it.
fn is_there() -> bool {
    static THERE: OnceLock<bool> = OnceLock::new();
    *THERE.get_or_init(|| {
        let executors = symbols::known_functions(EXECUTORS);
        executors.is_some_and(|executors| !executors.is_empty())
    })
}

/// The runtime that is not there, if a panic message says so.
pub(super) fn missing(message: &str, at: Option<&Location<'_>>) -> Option<Cause> {
    let is_said = SAID.iter().any(|said| message.contains(said));
    is_said.then(|| Cause::NoRuntime {
        message: message.lines().next().unwrap_or_default().to_owned(),
        location: at.map(|at| format!("{}:{}", at.file(), at.line())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_runtimes_are_known() {
        let said =
            "there is no reactor running, must be called from the context of a Tokio 1.x runtime";
        assert!(missing(said, None).is_some());
        assert_eq!(missing("assertion `left == right` failed", None), None);
    }
}

//! The few words that the recorder says by itself.

/// A line on standard error.
#[expect(
    clippy::print_stderr,
    reason = "a program that is recorded has no other place for our problems"
)]
pub(crate) fn say(message: &str) {
    eprintln!("commute: {message}");
}

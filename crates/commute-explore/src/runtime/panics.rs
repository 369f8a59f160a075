//! Panics of threads of tests: kept, not printed.

use std::panic;
use std::sync::Once;

use super::fiber::current;
use super::runtimes;
use crate::program::Trouble;

/// What std says when it must end the process because of a panic.
const UNWINDING: &[&str] = &[
    "panic in a destructor during cleanup",
    "panic in a function that cannot unwind",
];

/// Whoever panics outside of a test is told of as before.
#[expect(clippy::print_stderr, reason = "nobody is left to return it to")]
pub(super) fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let noted = current(|fiber| {
                let message = info.payload_as_str().unwrap_or("a value that is no text");
                let text = match info.location() {
                    Some(at) => format!("{message}\n  at {at}"),
                    None => message.to_owned(),
                };
                if let Some(cause) = runtimes::missing(message, info.location()) {
                    fiber.noted.trouble(Trouble::Unexplored(cause));
                }
                let last = fiber.panic.borrow_mut().replace(text);
                if UNWINDING.contains(&message) {
                    let before = fiber.panic_before.borrow_mut().take();
                    eprintln!("commute: {}", last_words(before, last));
                } else {
                    *fiber.panic_before.borrow_mut() = last;
                }
                fiber.unwinding.set(true);
            });
            if noted.is_none() {
                before(info);
            }
        }));
    });
}

/// What to say of a panic in a destructor, while the thread unwinds.
fn last_words(before: Option<String>, last: Option<String>) -> String {
    let line = |text: String| format!("\n  panic: {}", text.replace("\n  at ", ", at "));
    let panics: String = before.into_iter().chain(last).map(line).collect();
    format!("a destructor panicked while its thread was unwinding, which ends the process{panics}")
}

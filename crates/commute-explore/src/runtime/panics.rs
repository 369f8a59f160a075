//! Panics of threads of tests: kept, not printed.

use std::panic;
use std::sync::Once;

use super::fiber::current;

/// Whoever panics outside of a test is told of as before.
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
                *fiber.panic.borrow_mut() = Some(text);
                fiber.unwinding.set(true);
            });
            if noted.is_none() {
                before(info);
            }
        }));
    });
}

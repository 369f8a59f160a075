//! A test of `#[commute::test]`.

use std::fmt::Debug;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

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

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Unpark>) {
        self.0.unpark();
    }
}

/// Runs a future to its end, on this thread.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

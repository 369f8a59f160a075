//! Futures, driven by threads.
//!
//! A small executor for tests: every task has a thread of its own, which waits when its
//! future does. So a task switch is what a switch between threads is, and a test that is
//! explored sees every order of them.

use std::any::Any;
use std::future::Future;
use std::panic::resume_unwind;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Wake, Waker};

#[cfg(commute)]
use crate::explored::task;
use crate::sync::{Arc, Mutex, PoisonError};
use crate::thread::{self, JoinHandle, Thread};

/// Unparks the thread of a task.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Unpark>) {
        self.0.unpark();
    }
}

/// Runs a future to its end, on this thread.
///
/// ```
/// assert_eq!(commute::future::block_on(async { 7 }), 7);
/// ```
#[track_caller]
pub fn block_on<F: Future>(future: F) -> F::Output {
    #[cfg(commute)]
    if commute_explore::runtime::is_inside() {
        return task::block_on(future);
    }
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

/// A task that was started: a future of what its own future returns.
#[derive(Debug)]
pub struct Task<T> {
    shared: Arc<Mutex<Shared<T>>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared<T> {
    output: Option<T>,
    is_over: bool,
    waker: Option<Waker>,
}

/// Says that a task is over, also if it panicked.
struct Over<T>(Arc<Mutex<Shared<T>>>);

impl<T> Drop for Over<T> {
    fn drop(&mut self) {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shared.is_over = true;
        let waker = shared.waker.take();
        drop(shared);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// Starts a task.
///
/// ```
/// use commute::future::{block_on, spawn};
///
/// let task = spawn(async { 3 });
/// assert_eq!(block_on(async { task.await + 4 }), 7);
/// ```
#[track_caller]
pub fn spawn<F>(future: F) -> Task<F::Output>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    let shared = Arc::new(Mutex::new(Shared {
        output: None,
        is_over: false,
        waker: None,
    }));
    let over = Over(Arc::clone(&shared));
    let thread = thread::spawn(move || {
        let output = block_on(future);
        let mut shared = over.0.lock().unwrap_or_else(PoisonError::into_inner);
        shared.output = Some(output);
        drop(shared);
    });
    Task {
        shared,
        thread: Some(thread),
    }
}

impl<T> Future for Task<T> {
    type Output = T;

    /// Panics if the task has.
    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let shared = Arc::clone(&self.shared);
        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        if !shared.is_over {
            #[cfg(commute)]
            let waker = task::keep(context.waker());
            #[cfg(not(commute))]
            let waker = context.waker().clone();
            shared.waker = Some(waker);
            return Poll::Pending;
        }
        let output = shared.output.take();
        drop(shared);
        #[expect(clippy::manual_map, reason = "a closure would be the caller of `join`")]
        let ended = match self.thread.take() {
            Some(thread) => Some(thread.join()),
            None => None,
        };
        match (ended, output) {
            (Some(Err(payload)), _) => again(payload),
            (_, Some(output)) => Poll::Ready(output),
            (_, None) => panic!("a task was asked again after it was over"),
        }
    }
}

/// Who waits for a task that panicked panics with what it said.
#[track_caller]
fn again(payload: Box<dyn Any + Send>) -> ! {
    let said = payload.downcast_ref::<String>().map(String::as_str);
    match said.or_else(|| payload.downcast_ref::<&str>().copied()) {
        Some(said) => panic!("{said}"),
        None => resume_unwind(payload),
    }
}

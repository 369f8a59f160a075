//! Threads that all do the same.

#[cfg(not(commute))]
use std::thread::{JoinHandle, Result, spawn};

#[cfg(commute)]
use {
    super::{JoinHandle, spawn},
    crate::explored::thread::Group,
    commute_explore::runtime::is_inside,
    std::panic::Location,
    std::thread::Result,
};

/// Starts `count` threads that all do `f`, each with a clone of what it captured, and of
/// which nobody cares which is which.
///
/// ```
/// use commute::sync::Arc;
/// use commute::sync::atomic::{AtomicU32, Ordering};
/// use commute::thread;
///
/// let next = Arc::new(AtomicU32::new(0));
/// let tickets = thread::interchangeable(3, move || next.fetch_add(1, Ordering::SeqCst));
/// let mut tickets = tickets.join().unwrap();
/// tickets.sort();
/// assert_eq!(tickets, [0, 1, 2]);
/// ```
///
/// When a test is explored, two outcomes that differ only in which of these threads did
/// what count as one, and one of them is run: the test above has one outcome, and six if
/// each thread is [spawned](crate::thread::spawn) by itself.
///
/// Any difference between the threads has to come from what they find when they run. One
/// that asks [who it is](std::thread::Thread::id) makes the test inconclusive, and so do
/// two that got the same and then do something else.
#[cfg_attr(commute, track_caller)]
pub fn interchangeable<F, T>(count: usize, f: F) -> Interchangeable<T>
where
    F: FnOnce() -> T + Clone + Send + 'static,
    T: Send + 'static,
{
    // A clone may be an operation; nobody runs before all are there.
    let all = vec![f; count];
    #[cfg(commute)]
    if is_inside() {
        let group = Group::start(all, Location::caller());
        return Interchangeable(Threads::Explored(group));
    }
    Interchangeable(Threads::Real(all.into_iter().map(spawn).collect()))
}

/// Threads that [all do the same](interchangeable). They run on if this is dropped.
#[derive(Debug)]
pub struct Interchangeable<T>(Threads<T>);

#[derive(Debug)]
enum Threads<T> {
    Real(Vec<JoinHandle<T>>),
    #[cfg(commute)]
    Explored(Group<T>),
}

impl<T> Interchangeable<T> {
    /// Waits until all have ended. What they returned, in no particular order.
    ///
    /// # Errors
    /// What one of them panicked with, if any did.
    #[cfg_attr(commute, track_caller)]
    pub fn join(self) -> Result<Vec<T>> {
        match self.0 {
            Threads::Real(threads) => {
                // All of them, also after a panic.
                let results: Vec<Result<T>> = threads.into_iter().map(JoinHandle::join).collect();
                results.into_iter().collect()
            }
            #[cfg(commute)]
            Threads::Explored(group) => group.join(Location::caller()),
        }
    }
}

//! Scoped threads, observable. The end of a scope joins every thread that nobody
//! has joined.

use std::fmt;
use std::io;
use std::panic::Location;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use commute_record::{Child, is_on};

use super::park::Thread;
use super::spawn::{Builder, Forked};

/// As [`std::thread::Scope`].
pub struct Scope<'scope, 'env> {
    inner: &'scope thread::Scope<'scope, 'env>,
    children: Arc<Children>,
}

/// Threads of a scope that nobody has joined, with rising numbers.
#[derive(Debug)]
struct Children {
    list: Mutex<Vec<(u64, Child)>>,
}

impl Children {
    fn lock(&self) -> MutexGuard<'_, Vec<(u64, Child)>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of the child in the list.
    fn add(&self, child: Child) -> u64 {
        if !is_on() {
            return 0;
        }
        let mut list = self.lock();
        let number = list.last().map_or(0, |(last, _)| last + 1);
        list.push((number, child));
        number
    }

    fn remove(&self, number: u64) {
        let mut list = self.lock();
        if let Ok(place) = list.binary_search_by_key(&number, |(number, _)| *number) {
            list.remove(place);
        }
    }
}

/// The end of a scope: all threads have returned.
struct End<'scope, 'env> {
    children: Arc<Children>,
    at: &'static Location<'static>,
    scope: Option<*mut Scope<'scope, 'env>>,
}

impl Drop for End<'_, '_> {
    #[expect(unsafe_code, reason = "a box that only we know")]
    fn drop(&mut self) {
        for (_, child) in self.children.lock().drain(..) {
            child.join(self.at);
        }
        if let Some(scope) = self.scope {
            // SAFETY: the pointer came from `Box::into_raw` in `scope`, nothing else
            // frees it. References to it have the lifetime `'scope`, which ended
            // when std's `scope` returned or unwound: we are dropped after that.
            drop(unsafe { Box::from_raw(scope) });
        }
    }
}

/// As [`std::thread::scope`].
#[track_caller]
pub fn scope<'env, F, T>(f: F) -> T
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T,
{
    let children = Arc::new(Children {
        list: Mutex::new(Vec::new()),
    });
    let mut end = End {
        children: Arc::clone(&children),
        at: Location::caller(),
        scope: None,
    };
    #[expect(unsafe_code, reason = "it outlives the closure that makes it")]
    thread::scope(|inner| {
        // Threads may use the scope after this closure has returned, so it is not
        // one of its variables.
        let scope = Box::into_raw(Box::new(Scope { inner, children }));
        // Only the lifetimes change, which dropping it does not look at.
        end.scope = Some(scope.cast());
        // SAFETY: just allocated, and freed by `end` after std's `scope`, with which
        // the lifetime `'scope` ends.
        f(unsafe { &*scope })
    })
}

impl<'scope, 'env> Scope<'scope, 'env> {
    /// As [`std::thread::Scope::spawn`].
    #[track_caller]
    pub fn spawn<F, T>(&'scope self, f: F) -> ScopedJoinHandle<'scope, T>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        let spawned = Builder::new().spawn_scoped(self, f);
        spawned.expect("failed to spawn thread")
    }
}

impl Builder {
    /// As [`std::thread::Builder::spawn_scoped`].
    #[track_caller]
    pub fn spawn_scoped<'scope, 'env, F, T>(
        self,
        scope: &'scope Scope<'scope, 'env>,
        f: F,
    ) -> io::Result<ScopedJoinHandle<'scope, T>>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        let forked = self.fork(Location::caller());
        let begin = forked.clone();
        let inner = self.inner.spawn_scoped(scope.inner, move || {
            begin.start();
            // Also if `f` panics: the scope ends when this closure has.
            let _stop = Stop(begin.child);
            f()
        })?;
        let number = scope.children.add(forked.child.clone());
        Ok(ScopedJoinHandle {
            thread: Thread::new(inner.thread().clone(), forked.parking.clone()),
            inner,
            forked,
            number,
            children: Arc::clone(&scope.children),
        })
    }
}

struct Stop(Child);

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// As [`std::thread::ScopedJoinHandle`].
pub struct ScopedJoinHandle<'scope, T> {
    inner: thread::ScopedJoinHandle<'scope, T>,
    forked: Forked,
    number: u64,
    children: Arc<Children>,
    thread: Thread,
}

impl<T> ScopedJoinHandle<'_, T> {
    /// As [`std::thread::ScopedJoinHandle::thread`].
    #[must_use]
    pub fn thread(&self) -> &Thread {
        &self.thread
    }

    /// As [`std::thread::ScopedJoinHandle::join`].
    #[track_caller]
    pub fn join(self) -> thread::Result<T> {
        let result = self.inner.join();
        self.children.remove(self.number);
        self.forked.child.join(Location::caller());
        result
    }

    /// As [`std::thread::ScopedJoinHandle::is_finished`].
    pub fn is_finished(&self) -> bool {
        self.inner.is_finished()
    }
}

impl fmt::Debug for Scope<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl<T> fmt::Debug for ScopedJoinHandle<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

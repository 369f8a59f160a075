//! Scoped threads, observable. The end of a scope joins every thread that nobody
//! has joined.

use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use commute_explore::runtime::is_inside;
use commute_record::{Child, is_on};

use super::park::Thread;
use super::spawn::{Builder, Forked};
use crate::explored;
use crate::explored::thread::{Explored, Packet};

/// As [`std::thread::Scope`].
pub struct Scope<'scope, 'env> {
    /// None in a test that is explored.
    inner: Option<&'scope thread::Scope<'scope, 'env>>,
    children: Arc<Children>,
}

/// Threads of a scope that nobody has joined, with rising numbers.
#[derive(Debug)]
struct Children {
    list: Mutex<Vec<(u64, Child)>>,
    /// In a test that is explored.
    explored: Mutex<Vec<Arc<Explored>>>,
}

impl Children {
    fn lock(&self) -> MutexGuard<'_, Vec<(u64, Child)>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn explored(&self) -> MutexGuard<'_, Vec<Arc<Explored>>> {
        self.explored.lock().unwrap_or_else(PoisonError::into_inner)
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
        explored: Mutex::new(Vec::new()),
    });
    if is_inside() {
        return scope_explored(f, children, Location::caller());
    }
    let mut end = End {
        children: Arc::clone(&children),
        at: Location::caller(),
        scope: None,
    };
    #[expect(unsafe_code, reason = "it outlives the closure that makes it")]
    thread::scope(|inner| {
        // Threads may use the scope after this closure has returned, so it is not
        // one of its variables.
        let inner = Some(inner);
        let scope = Box::into_raw(Box::new(Scope { inner, children }));
        // Only the lifetimes change, which dropping it does not look at.
        end.scope = Some(scope.cast());
        // SAFETY: just allocated, and freed by `end` after std's `scope`, with which
        // the lifetime `'scope` ends.
        f(unsafe { &*scope })
    })
}

/// The same in a test that is explored: whatever happens, all threads end before.
#[track_caller]
fn scope_explored<'env, F, T>(f: F, children: Arc<Children>, at: &'static Location<'static>) -> T
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T,
{
    let scope = Scope {
        inner: None,
        children,
    };
    let result = catch_unwind(AssertUnwindSafe(|| f(&scope)));
    let mut has_panicked = false;
    loop {
        let next = scope.children.explored().pop();
        let Some(child) = next else { break };
        has_panicked |= explored::thread::wait_for(&child, at);
    }
    match result {
        Err(payload) => resume_unwind(payload),
        Ok(_) if has_panicked => panic!("a scoped thread panicked"),
        Ok(value) => value,
    }
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
        let Some(inside) = scope.inner else {
            let (thread, packet) =
                explored::thread::spawn(self.into_name(), Box::new(f), Location::caller());
            scope.children.explored().push(Arc::clone(&thread));
            return Ok(ScopedJoinHandle {
                thread: Thread::explored(Arc::clone(&thread)),
                inner: Inner::Explored(thread, packet),
                children: Arc::clone(&scope.children),
            });
        };
        let forked = self.fork(Location::caller());
        let begin = forked.clone();
        let inner = self.inner.spawn_scoped(inside, move || {
            begin.start();
            // Also if `f` panics: the scope ends when this closure has.
            let _stop = Stop(begin.child);
            f()
        })?;
        let number = scope.children.add(forked.child.clone());
        Ok(ScopedJoinHandle {
            thread: Thread::new(inner.thread().clone(), forked.parking.clone()),
            inner: Inner::Real(inner, forked, number),
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
    inner: Inner<'scope, T>,
    children: Arc<Children>,
    thread: Thread,
}

enum Inner<'scope, T> {
    /// With its number among the children.
    Real(thread::ScopedJoinHandle<'scope, T>, Forked, u64),
    /// Of a test that is explored.
    Explored(Arc<Explored>, Packet<T>),
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
        match self.inner {
            Inner::Real(inner, forked, number) => {
                let result = inner.join();
                self.children.remove(number);
                forked.child.join(Location::caller());
                result
            }
            Inner::Explored(thread, packet) => {
                let is = |other: &Arc<Explored>| !Arc::ptr_eq(other, &thread);
                self.children.explored().retain(is);
                explored::thread::join(&thread, &packet, Location::caller())
            }
        }
    }

    /// As [`std::thread::ScopedJoinHandle::is_finished`].
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        match &self.inner {
            Inner::Real(inner, ..) => inner.is_finished(),
            Inner::Explored(thread, _) => explored::thread::is_finished(thread, Location::caller()),
        }
    }
}

impl fmt::Debug for Scope<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.inner {
            Some(inner) => inner.fmt(f),
            None => f.debug_struct("Scope").finish_non_exhaustive(),
        }
    }
}

impl<T> fmt::Debug for ScopedJoinHandle<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScopedJoinHandle").finish_non_exhaustive()
    }
}

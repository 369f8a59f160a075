//! Threads that are spawned, observable: `fork` in the parent, `join` in whoever
//! waits for them.

use std::fmt;
use std::io;
use std::panic::Location;
use std::thread;

use commute_record::Child;

use super::park::{Parking, Thread};

/// As [`std::thread::spawn`].
#[track_caller]
pub fn spawn<F, T>(f: F) -> JoinHandle<T>
where
    F: FnOnce() -> T,
    F: Send + 'static,
    T: Send + 'static,
{
    Builder::new().spawn(f).expect("failed to spawn thread")
}

/// As [`std::thread::Builder`].
#[must_use = "must eventually spawn the thread"]
pub struct Builder {
    pub(super) inner: thread::Builder,
    name: Option<String>,
}

impl Builder {
    /// As [`std::thread::Builder::new`].
    #[expect(clippy::new_without_default, reason = "std's has none")]
    pub fn new() -> Builder {
        Builder {
            inner: thread::Builder::new(),
            name: None,
        }
    }

    /// As [`std::thread::Builder::name`].
    pub fn name(self, name: String) -> Builder {
        Builder {
            inner: self.inner.name(name.clone()),
            name: Some(name),
        }
    }

    /// As [`std::thread::Builder::stack_size`].
    pub fn stack_size(self, size: usize) -> Builder {
        let inner = self.inner.stack_size(size);
        Builder { inner, ..self }
    }

    /// As [`std::thread::Builder::spawn`].
    #[track_caller]
    pub fn spawn<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T,
        F: Send + 'static,
        T: Send + 'static,
    {
        let forked = self.fork(Location::caller());
        let begin = forked.clone();
        let inner = self.inner.spawn(move || {
            begin.start();
            f()
        })?;
        Ok(JoinHandle::new(inner, forked))
    }

    /// As [`std::thread::Builder::spawn_unchecked`].
    ///
    /// # Safety
    /// The thread must be joined before what it borrows is gone, as std's says.
    #[track_caller]
    #[expect(unsafe_code, reason = "std's is unsafe too")]
    pub unsafe fn spawn_unchecked<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T,
        F: Send,
        T: Send,
    {
        let forked = self.fork(Location::caller());
        let begin = forked.clone();
        let f = move || {
            begin.start();
            f()
        };
        // SAFETY: the closure borrows what `f` borrows, for which the caller answers,
        // and otherwise nothing.
        let inner = unsafe { self.inner.spawn_unchecked(f) }?;
        Ok(JoinHandle::new(inner, forked))
    }

    pub(super) fn fork(&self, at: &'static Location<'static>) -> Forked {
        Forked {
            child: Child::fork(self.name.as_deref(), at),
            parking: Parking::new(),
        }
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

/// A thread that is being spawned, as parent and child share it.
#[derive(Clone)]
pub(super) struct Forked {
    pub(super) child: Child,
    pub(super) parking: std::sync::Arc<Parking>,
}

impl Forked {
    /// In the child, before anything else.
    pub(super) fn start(&self) {
        // The recorder first: then it is also the last to know of the thread.
        self.child.start();
        Parking::adopt(self.parking.clone());
    }
}

/// As [`std::thread::JoinHandle`].
pub struct JoinHandle<T> {
    inner: thread::JoinHandle<T>,
    child: Child,
    thread: Thread,
}

impl<T> JoinHandle<T> {
    fn new(inner: thread::JoinHandle<T>, forked: Forked) -> JoinHandle<T> {
        let thread = Thread::new(inner.thread().clone(), forked.parking);
        let child = forked.child;
        JoinHandle {
            inner,
            child,
            thread,
        }
    }

    /// As [`std::thread::JoinHandle::thread`].
    #[must_use]
    pub fn thread(&self) -> &Thread {
        &self.thread
    }

    /// As [`std::thread::JoinHandle::join`].
    #[track_caller]
    pub fn join(self) -> thread::Result<T> {
        let result = self.inner.join();
        self.child.join(Location::caller());
        result
    }

    /// As [`std::thread::JoinHandle::is_finished`].
    pub fn is_finished(&self) -> bool {
        self.inner.is_finished()
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

#[cfg(unix)]
impl<T> std::os::unix::thread::JoinHandleExt for JoinHandle<T> {
    fn as_pthread_t(&self) -> std::os::unix::thread::RawPthread {
        self.inner.as_pthread_t()
    }

    fn into_pthread_t(self) -> std::os::unix::thread::RawPthread {
        self.inner.into_pthread_t()
    }
}

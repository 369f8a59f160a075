//! Threads that are spawned, observable: `fork` in the parent, `join` in whoever
//! waits for them.

use std::fmt;
use std::io;
use std::panic::Location;
use std::thread;

use std::sync::Arc;

use commute_explore::runtime::is_inside;
use commute_record::Child;

use super::park::{Parking, Thread};
use crate::explored;
use crate::explored::thread::{Explored, Packet};

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
        if is_inside() {
            let at = Location::caller();
            return Ok(JoinHandle::explored(self.name, Box::new(f), at));
        }
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
        if is_inside() {
            let at = Location::caller();
            return Ok(JoinHandle::explored(self.name, Box::new(f), at));
        }
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

    pub(super) fn into_name(self) -> Option<String> {
        self.name
    }

    pub(super) fn fork(&self, at: &'static Location<'static>) -> Forked {
        Forked {
            child: Child::fork(self.name.as_deref(), at),
            parking: Parking::new(at),
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
    pub(super) parking: Arc<Parking>,
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
    inner: Inner<T>,
    thread: Thread,
}

enum Inner<T> {
    Real(thread::JoinHandle<T>, Child),
    /// Of a test that is explored.
    Explored(Arc<Explored>, Packet<T>),
}

// SAFETY: a handle gives out what a thread has returned, to whoever has the handle, and
// nothing else. There is a handle only for what could be sent: `spawn` asks for that.
#[expect(unsafe_code, reason = "std's asks for nothing of `T`")]
unsafe impl<T> Send for JoinHandle<T> {}
// SAFETY: as above.
#[expect(unsafe_code, reason = "std's asks for nothing of `T`")]
unsafe impl<T> Sync for JoinHandle<T> {}

impl<T> JoinHandle<T> {
    fn new(inner: thread::JoinHandle<T>, forked: Forked) -> JoinHandle<T> {
        let thread = Thread::new(inner.thread().clone(), forked.parking);
        JoinHandle {
            inner: Inner::Real(inner, forked.child),
            thread,
        }
    }

    /// Starts a thread of a test that is explored.
    fn explored(
        name: Option<String>,
        f: Box<dyn FnOnce() -> T + '_>,
        at: &'static Location<'static>,
    ) -> JoinHandle<T> {
        let (explored, packet) = explored::thread::spawn(name, f, at);
        JoinHandle {
            thread: Thread::explored(Arc::clone(&explored)),
            inner: Inner::Explored(explored, packet),
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
        match self.inner {
            Inner::Real(inner, child) => {
                let result = inner.join();
                child.join(Location::caller());
                result
            }
            Inner::Explored(thread, packet) => {
                explored::thread::join(&thread, &packet, Location::caller())
            }
        }
    }

    /// As [`std::thread::JoinHandle::is_finished`].
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        match &self.inner {
            Inner::Real(inner, _) => inner.is_finished(),
            Inner::Explored(thread, _) => explored::thread::is_finished(thread, Location::caller()),
        }
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinHandle").finish_non_exhaustive()
    }
}

#[cfg(unix)]
impl<T> std::os::unix::thread::JoinHandleExt for JoinHandle<T> {
    fn as_pthread_t(&self) -> std::os::unix::thread::RawPthread {
        match &self.inner {
            Inner::Real(inner, _) => inner.as_pthread_t(),
            Inner::Explored(..) => no_pthread(),
        }
    }

    fn into_pthread_t(self) -> std::os::unix::thread::RawPthread {
        match self.inner {
            Inner::Real(inner, _) => inner.into_pthread_t(),
            Inner::Explored(..) => no_pthread(),
        }
    }
}

#[cfg(unix)]
fn no_pthread() -> ! {
    panic!("threads of a test that is explored are no threads of the operating system")
}

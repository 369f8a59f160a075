//! Threads: who forks and joins them.

use std::panic::Location;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::event::Code;
use crate::operations;
use crate::registry::Kind;
use crate::tag::Tag;
use crate::taken::{adopt, stop_now, unless_interrupting};

/// A thread, as others see it. Its tag counts fork, start, stop and joins.
#[derive(Debug)]
pub(crate) struct Identity {
    tag: Tag,
    ended: AtomicBool,
}

impl Identity {
    #[track_caller]
    pub(crate) fn new(name: Option<&str>) -> Arc<Identity> {
        let tag = Tag::new(&Kind::THREAD);
        tag.register(name, None);
        Arc::new(Identity {
            tag,
            ended: AtomicBool::new(false),
        })
    }

    pub(crate) fn tag(&self) -> &Tag {
        &self.tag
    }

    /// Whether this is the first time that its end is said.
    pub(crate) fn end(&self) -> bool {
        !self.ended.swap(true, Relaxed)
    }
}

/// A thread that is being forked: made by the parent, moved into the child, with
/// a clone for whoever joins it.
///
/// ```
/// # use std::panic::Location;
/// use commute_record::Child;
///
/// let child = Child::fork(Some("worker"), Location::caller());
/// let inside = child.clone();
/// let handle = std::thread::spawn(move || {
///     inside.start();
///     // … the thread's work …
/// });
/// handle.join().unwrap();
/// child.join(Location::caller());
/// ```
#[derive(Clone, Debug)]
pub struct Child(Option<Arc<Identity>>);

impl Child {
    /// In the parent, before the thread can start. Nothing if nothing is recorded.
    pub fn fork(name: Option<&str>, at: &'static Location<'static>) -> Child {
        if !crate::is_on() {
            return Child(None);
        }
        let Some(identity) = unless_interrupting(|| Identity::new(name)) else {
            return Child(None);
        };
        operations::on_thread(Code::Fork, identity.tag(), at);
        Child(Some(identity))
    }

    /// In the child, before anything else. Its end is known when its thread-local
    /// values are dropped, this crate's last of all because it was first.
    pub fn start(&self) {
        if let Child(Some(identity)) = self {
            adopt(identity);
        }
    }

    /// In the child, as the last thing, if somebody may go on as soon as its
    /// function has returned: a scope does not wait for thread-local values.
    pub fn stop(&self) {
        if let Child(Some(_)) = self {
            stop_now();
        }
    }

    /// In whoever has waited for the end of the thread.
    pub fn join(&self, at: &'static Location<'static>) {
        if let Child(Some(identity)) = self
            && crate::is_on()
        {
            operations::on_thread(Code::Join, identity.tag(), at);
        }
    }
}

//! Objects that from outside have no moment at which an operation happens: while
//! they are recorded, operations come one after the other, so that their order is
//! known. A thread that is in an operation may do another one on the same object:
//! comparing keys and showing values is code of the program.
//!
//! In a test that is explored an operation is one step, which finds a version of the
//! object and leaves another: that is all that is known of it.
//!
//! Nothing that can wait for another thread is done in a turn.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use commute_record::{Kind, Method, Order, Raw, Tag, action, is_on};

#[cfg(any(feature = "crossbeam", feature = "papaya"))]
use crate::compose::offered;
use crate::explored;
use crate::this_thread::{self, Inside};

pub(crate) type At = &'static std::panic::Location<'static>;

/// An identity, and whose turn it is.
#[derive(Debug)]
pub(crate) struct Turns {
    pub(crate) tag: Tag,
    lock: Mutex<()>,
    /// The number of the thread whose turn it is, plus one.
    owner: AtomicU32,
}

/// This thread is the only one in an operation of the object.
#[derive(Debug)]
pub(crate) struct Turn<'a> {
    turns: &'a Turns,
    /// `None` in an operation that is part of another.
    held: Option<MutexGuard<'a, ()>>,
    /// Where no code of the program runs in a turn.
    inside: Option<Inside>,
}

impl Turns {
    #[track_caller]
    pub(crate) const fn new(kind: &'static Kind) -> Turns {
        Turns {
            tag: Tag::new(kind),
            lock: Mutex::new(()),
            owner: AtomicU32::new(0),
        }
    }

    /// Whether operations have turns, or are steps of a test that is explored.
    #[cfg(any(feature = "crossbeam", feature = "papaya"))]
    #[inline]
    pub(crate) fn is_watched(&self) -> bool {
        is_on() || explored::is_on(&self.tag)
    }

    /// Somebody looks at all of it. That is not recorded, but is a step of a test that is
    /// explored.
    #[cfg(any(feature = "crossbeam", feature = "papaya"))]
    pub(crate) fn look(&self) {
        if explored::is_on(&self.tag) {
            explored::object::step(&self.tag);
        }
    }

    /// Waits for a turn; `None` if nothing is recorded.
    #[cfg(any(feature = "crossbeam", feature = "papaya"))]
    #[inline]
    pub(crate) fn turn(&self) -> Option<Turn<'_>> {
        if explored::is_on(&self.tag) {
            explored::object::step(&self.tag);
            return None;
        }
        match is_on() {
            true if self.is_mine() => Some(Turn {
                turns: self,
                held: None,
                inside: None,
            }),
            true => {
                let mut turn = self.take()?;
                turn.inside = None;
                Some(turn)
            }
            false => None,
        }
    }

    /// The same, of an operation on a key of these.
    #[cfg(any(feature = "crossbeam", feature = "papaya"))]
    #[inline]
    pub(crate) fn turn_of<K: ?Sized, Q: ?Sized>(&self, key: &Q) -> Option<Turn<'_>> {
        self.note::<K, Q>(key);
        self.turn()
    }

    /// Somebody has come across a key, which others may use, too.
    #[cfg(any(feature = "crossbeam", feature = "papaya"))]
    #[inline]
    pub(crate) fn note<K: ?Sized, Q: ?Sized>(&self, key: &Q) {
        if explored::is_on(&self.tag) {
            offered::key::<K, Q>(&self.tag, key);
        }
    }

    /// A turn of an object in whose turns no code of the program runs, but for signal
    /// handlers. What a handler does that interrupts a turn is not recorded: it would have
    /// to wait, for its own thread, or for one that is interrupted in the turn that this
    /// thread would have to wait for.
    #[cfg(feature = "arc-swap")]
    #[inline]
    pub(crate) fn turn_unless_interrupting(&self) -> Option<Turn<'_>> {
        if explored::is_on(&self.tag) {
            explored::object::step(&self.tag);
            return None;
        }
        match is_on() {
            true => self.take(),
            false => None,
        }
    }

    #[cfg(any(feature = "crossbeam", feature = "papaya"))]
    fn is_mine(&self) -> bool {
        // Nobody else writes our number.
        self.owner.load(Relaxed) == me()
    }

    fn take(&self) -> Option<Turn<'_>> {
        // A handler that comes before it is known whose turn it is must not wait.
        let inside = this_thread::enter()?;
        // A panic in the program's code leaves nothing half done here.
        let held = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.owner.store(me(), Relaxed);
        Some(Turn {
            turns: self,
            held: Some(held),
            inside: Some(inside),
        })
    }
}

impl Turn<'_> {
    /// Records what was done in it.
    pub(crate) fn say(&self, method: &Method, at: At, args: &[Raw<'_>], results: &[Raw<'_>]) {
        action(&self.turns.tag, method, Order::Alone, at, args, results);
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if self.held.is_some() {
            // As in `take`.
            let _inside = self.inside.take().or_else(this_thread::enter);
            self.turns.owner.store(0, Relaxed);
            self.held = None;
        }
    }
}

/// The number of this thread, plus one.
fn me() -> u32 {
    this_thread::number().wrapping_add(1)
}

//! Operations as steps of a test that is explored.
//!
//! Where `commute_explore` runs a test, the types here do every operation by
//! [`visit`](commute_explore::runtime::visit): it is done when it is its turn, and its
//! model says what comes of it. The real object, which is inside as always, does the
//! same, and is never waited for.

pub(crate) mod barrier;
pub(crate) mod channel;
pub(crate) mod condvar;
#[cfg(any(feature = "dashmap", feature = "scc"))]
mod key_names;
#[cfg(any(feature = "dashmap", feature = "scc"))]
pub(crate) mod keyed;
pub(crate) mod lock;
#[cfg(feature = "crossbeam")]
pub(crate) mod mpmc;
pub(crate) mod object;
pub(crate) mod once;
pub(crate) mod own_model;
pub(crate) mod plain;
#[cfg(feature = "parking_lot")]
pub(crate) mod raw_lock;
pub(crate) mod task;
pub(crate) mod thread;

use std::sync::Arc;

use commute_explore::Model;
use commute_explore::runtime::{First, explores};
use commute_record::{Tag, Value};

/// Whether operations of this object are steps of a test.
#[inline(always)]
pub(crate) fn is_on(tag: &Tag) -> bool {
    explores(tag.mark())
}

/// What an object is when it is first used.
pub(crate) fn first(tag: &Tag, model: impl Model + 'static, initial: Value) -> First {
    first_of(tag, Arc::new(model), initial)
}

/// The same, of a model that there is already.
pub(crate) fn first_of(tag: &Tag, model: Arc<dyn Model>, initial: Value) -> First {
    First::new(model, initial, tag.word(), tag.birthplace())
}

/// From now on it is another object: somebody has it alone, and may change it without a
/// step.
#[inline]
pub(crate) fn forget(tag: &Tag) {
    if is_on(tag) {
        tag.mark()[0].store(0, std::sync::atomic::Ordering::Relaxed);
    }
}

/// Something that threads share and no step shows: a test that uses it is inconclusive.
pub(crate) fn unseen(what: &str) {
    if commute_explore::runtime::is_inside() {
        commute_explore::runtime::misuse(format!("{what} is not seen by an exploration"));
    }
}

/// What can be given a name.
pub(crate) trait Called {
    /// Gives it one, in a trace or in a test that is explored.
    fn call(&self, name: &str);
}

impl Called for Tag {
    fn call(&self, name: &str) {
        self.name(name);
        commute_explore::runtime::name(self.mark(), name);
    }
}

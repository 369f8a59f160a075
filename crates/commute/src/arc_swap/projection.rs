//! Access to a part of what is pointed to.

use std::ops::Deref;
use std::sync::Arc;

use ::arc_swap::access::{Access, Map};
use ::arc_swap::strategy::Strategy;
use ::arc_swap::{Guard, RefCnt};

use super::any::ArcSwapAny;

impl<T: RefCnt, S: Strategy<T>> ArcSwapAny<T, S> {
    /// As the original's.
    pub fn map<I, R, F>(&self, f: F) -> Map<&Self, I, F>
    where
        F: Fn(&I) -> &R + Clone,
        Self: Access<I>,
    {
        Map::new(self, f)
    }
}

/// Recorded where the object was made, because the trait does not know its caller.
impl<T: RefCnt, S: Strategy<T>> Access<T> for ArcSwapAny<T, S> {
    type Guard = Guard<T, S>;

    fn load(&self) -> Self::Guard {
        self.load_at(self.turns.tag.created())
    }
}

/// What is pointed to.
#[doc(hidden)]
#[derive(Debug)]
pub struct DirectDeref<T: RefCnt, S: Strategy<T>>(Guard<T, S>);

impl<T, S: Strategy<Arc<T>>> Deref for DirectDeref<Arc<T>, S> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T, S: Strategy<Arc<T>>> Access<T> for ArcSwapAny<Arc<T>, S> {
    type Guard = DirectDeref<Arc<T>, S>;

    fn load(&self) -> Self::Guard {
        DirectDeref(self.load_at(self.turns.tag.created()))
    }
}

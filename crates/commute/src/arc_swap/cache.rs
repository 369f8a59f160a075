//! Copies that are made anew only if they are old.

use std::ops::Deref;
use std::panic::Location;

use ::arc_swap::strategy::Strategy;
use ::arc_swap::{Guard, RefCnt};

pub use ::arc_swap::cache::Access;

use super::any::ArcSwapAny;
use crate::turns::At;

/// As [`arc_swap::Cache`](::arc_swap::Cache).
#[derive(Clone, Debug)]
pub struct Cache<A, T> {
    arc_swap: A,
    cached: T,
}

impl<A, T, S> Cache<A, T>
where
    A: Deref<Target = ArcSwapAny<T, S>>,
    T: RefCnt,
    S: Strategy<T>,
{
    /// As the original's.
    #[track_caller]
    pub fn new(arc_swap: A) -> Self {
        let cached = arc_swap.load_full();
        Cache { arc_swap, cached }
    }

    /// As the original's.
    pub fn arc_swap(&self) -> &A::Target {
        &self.arc_swap
    }

    /// As the original's. It looks whether the copy is old, which is a load.
    #[track_caller]
    pub fn load(&mut self) -> &T {
        self.renewed(Location::caller())
    }

    /// As the original's. Loads are recorded where the object was made, because the
    /// trait by which it is done does not know its caller.
    pub fn map<F, U>(self, f: F) -> MapCache<A, T, F>
    where
        F: FnMut(&T) -> &U,
    {
        MapCache { of: self, f }
    }

    fn renewed(&mut self, at: At) -> &T {
        let now = self.arc_swap.load_at(at);
        if T::as_ptr(&*now) != T::as_ptr(&self.cached) {
            self.cached = Guard::into_inner(now);
        }
        &self.cached
    }
}

impl<A, T, S> Access<T::Target> for Cache<A, T>
where
    A: Deref<Target = ArcSwapAny<T, S>>,
    T: Deref<Target = <T as RefCnt>::Base> + RefCnt,
    S: Strategy<T>,
{
    fn load(&mut self) -> &T::Target {
        let at = self.arc_swap.turns.tag.created();
        self.renewed(at)
    }
}

impl<A, T, S> From<A> for Cache<A, T>
where
    A: Deref<Target = ArcSwapAny<T, S>>,
    T: RefCnt,
    S: Strategy<T>,
{
    #[track_caller]
    fn from(arc_swap: A) -> Self {
        Self::new(arc_swap)
    }
}

/// As [`arc_swap::cache::MapCache`](::arc_swap::cache::MapCache).
#[derive(Clone, Debug)]
pub struct MapCache<A, T, F> {
    of: Cache<A, T>,
    f: F,
}

impl<A, T, S, F, U> Access<U> for MapCache<A, T, F>
where
    A: Deref<Target = ArcSwapAny<T, S>>,
    T: RefCnt,
    S: Strategy<T>,
    F: FnMut(&T) -> &U,
{
    fn load(&mut self) -> &U {
        let at = self.of.arc_swap.turns.tag.created();
        (self.f)(self.of.renewed(at))
    }
}

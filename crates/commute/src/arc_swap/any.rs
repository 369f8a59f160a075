//! A place for a counted pointer.

use std::fmt;
use std::panic::Location;
use std::sync::{Arc, Weak};

use ::arc_swap as original;
use commute_record::{Kind, Method, Raw};
use original::strategy::{CaS, Strategy};
use original::{AsRaw, DefaultStrategy, Guard, IndependentStrategy, RefCnt};

use crate::turns::{At, Turns};

static ARC_SWAP: Kind = Kind::object("arc_swap", "atomic");
static LOAD: Method = Method::new("load");
static STORE: Method = Method::new("store");
static SWAP: Method = Method::new("swap");
static CAS_CUR: Method = Method::new("cas_cur");

/// As [`arc_swap::ArcSwapAny`](original::ArcSwapAny).
pub struct ArcSwapAny<T: RefCnt, S: Strategy<T> = DefaultStrategy> {
    inner: original::ArcSwapAny<T, S>,
    pub(crate) turns: Turns,
}

/// As [`arc_swap::ArcSwap`](original::ArcSwap).
pub type ArcSwap<T> = ArcSwapAny<Arc<T>>;

/// As [`arc_swap::ArcSwapOption`](original::ArcSwapOption).
pub type ArcSwapOption<T> = ArcSwapAny<Option<Arc<T>>>;

/// As [`arc_swap::ArcSwapWeak`](original::ArcSwapWeak), which the original has only with
/// its feature `weak`.
pub type ArcSwapWeak<T> = ArcSwapAny<Weak<T>>;

/// As [`arc_swap::IndependentArcSwap`](original::IndependentArcSwap).
pub type IndependentArcSwap<T> = ArcSwapAny<Arc<T>, IndependentStrategy>;

fn address<T: RefCnt>(pointer: &T) -> Raw<'static> {
    raw(T::as_ptr(pointer))
}

fn raw<B>(pointer: *mut B) -> Raw<'static> {
    Raw::Int(pointer.addr() as i128)
}

impl<T: RefCnt, S: Strategy<T>> ArcSwapAny<T, S> {
    #[track_caller]
    const fn of(inner: original::ArcSwapAny<T, S>) -> Self {
        let turns = Turns::new(&ARC_SWAP);
        ArcSwapAny { inner, turns }
    }

    /// As the original's.
    #[track_caller]
    pub fn new(val: T) -> Self
    where
        S: Default,
    {
        Self::of(original::ArcSwapAny::new(val))
    }

    /// As the original's.
    #[track_caller]
    pub fn with_strategy(val: T, strategy: S) -> Self {
        Self::of(original::ArcSwapAny::with_strategy(val, strategy))
    }

    /// As the original's.
    pub fn into_inner(self) -> T {
        self.inner.into_inner()
    }

    /// As the original's.
    #[track_caller]
    pub fn load_full(&self) -> T {
        Guard::into_inner(self.load())
    }

    /// As the original's.
    #[track_caller]
    pub fn load(&self) -> Guard<T, S> {
        self.load_at(Location::caller())
    }

    pub(super) fn load_at(&self, at: At) -> Guard<T, S> {
        let turn = self.turns.turn_unless_interrupting();
        let loaded = self.inner.load();
        if let Some(turn) = turn {
            turn.say(&LOAD, at, &[], &[address(&*loaded)]);
        }
        loaded
    }

    /// As the original's.
    #[track_caller]
    pub fn store(&self, val: T) {
        let turn = self.turns.turn_unless_interrupting();
        if let Some(turn) = &turn {
            turn.say(&STORE, Location::caller(), &[address(&val)], &[]);
        }
        let before = self.inner.swap(val);
        drop(turn);
        // After the turn, because it may take code of the program.
        drop(before);
    }

    /// As the original's.
    #[track_caller]
    pub fn swap(&self, new: T) -> T {
        let turn = self.turns.turn_unless_interrupting();
        let args = [address(&new)];
        let before = self.inner.swap(new);
        if let Some(turn) = turn {
            turn.say(&SWAP, Location::caller(), &args, &[address(&before)]);
        }
        before
    }

    /// As the original's.
    #[track_caller]
    pub fn compare_and_swap<C>(&self, current: C, new: T) -> Guard<T, S>
    where
        C: AsRaw<T::Base>,
        S: CaS<T>,
    {
        let turn = self.turns.turn_unless_interrupting();
        // If it is not stored it is dropped, but not in the turn; nor is `current`.
        let _new = turn.is_some().then(|| new.clone());
        let (expected, stored) = (current.as_raw(), T::as_ptr(&new));
        let found = self.inner.compare_and_swap(expected, new);
        if let Some(turn) = turn {
            let ok = T::as_ptr(&*found) == expected;
            let results = [Raw::Bool(ok), address(&*found)];
            let args = [raw(expected), raw(stored)];
            turn.say(&CAS_CUR, Location::caller(), &args, &results);
        }
        found
    }

    /// As the original's.
    #[track_caller]
    pub fn rcu<R, F>(&self, mut f: F) -> T
    where
        F: FnMut(&T) -> R,
        R: Into<T>,
        S: CaS<T>,
    {
        let mut found = self.inner.load();
        loop {
            // Not in a turn, because it may wait for others who use this.
            let new = f(&found).into();
            let turn = self.turns.turn_unless_interrupting();
            let _new = turn.is_some().then(|| new.clone());
            let stored = address(&new);
            let before = self.inner.compare_and_swap(&*found, new);
            if T::as_ptr(&*before) == T::as_ptr(&*found) {
                if let Some(turn) = turn {
                    let results = [Raw::Bool(true), address(&*before)];
                    let args = [address(&*before), stored];
                    turn.say(&CAS_CUR, Location::caller(), &args, &results);
                }
                return Guard::into_inner(before);
            }
            // What follows drops things, which may take code of the program.
            drop(turn);
            found = before;
        }
    }
}

impl<T, S: Strategy<Arc<T>>> ArcSwapAny<Arc<T>, S> {
    /// As the original's.
    #[track_caller]
    pub fn from_pointee(val: T) -> Self
    where
        S: Default,
    {
        Self::new(Arc::new(val))
    }
}

impl<T, S: Strategy<Option<Arc<T>>>> ArcSwapAny<Option<Arc<T>>, S> {
    /// As the original's.
    #[track_caller]
    pub fn from_pointee<V: Into<Option<T>>>(val: V) -> Self
    where
        S: Default,
    {
        Self::new(val.into().map(Arc::new))
    }

    /// As the original's.
    #[track_caller]
    pub fn empty() -> Self
    where
        S: Default,
    {
        Self::new(None)
    }
}

impl<T> ArcSwapOption<T> {
    /// As the original's.
    #[track_caller]
    pub const fn const_empty() -> Self {
        Self::of(original::ArcSwapOption::const_empty())
    }
}

impl<T: RefCnt, S: Default + Strategy<T>> From<T> for ArcSwapAny<T, S> {
    #[track_caller]
    fn from(val: T) -> Self {
        Self::new(val)
    }
}

impl<T: RefCnt + Default, S: Default + Strategy<T>> Default for ArcSwapAny<T, S> {
    #[track_caller]
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T: RefCnt + fmt::Debug, S: Strategy<T>> fmt::Debug for ArcSwapAny<T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl<T: RefCnt + fmt::Display, S: Strategy<T>> fmt::Display for ArcSwapAny<T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

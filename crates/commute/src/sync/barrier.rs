//! `std::sync::Barrier`, observable: all who arrive come before all who leave.
//!
//! Events are `arrive` before a thread waits and `leave` when it goes on, on an object of
//! the type `barrier(n)` for `n` parties. Both are recorded while the state of the barrier
//! is locked, so every `leave` follows all `arrive` of its round. Events before two
//! arrivals stay unordered, and so do events after two departures.
//!
//! Std's cannot be told when somebody arrives, so this one is our own.

use std::fmt;
use std::panic::Location;
use std::sync::{Condvar, Mutex, PoisonError};

use commute_record::{Kind, Method, Order, Tag, action, is_on};

use crate::explored;

static BARRIER: Kind = Kind::object("barrier", "barrier");
static ARRIVE: Method = Method::new("arrive");
static LEAVE: Method = Method::new("leave");

/// As [`std::sync::Barrier`].
pub struct Barrier {
    pub(crate) tag: Tag,
    state: Mutex<State>,
    opened: Condvar,
    threads: usize,
}

struct State {
    /// How many have arrived.
    arrived: usize,
    /// How often all have.
    rounds: usize,
}

/// As [`std::sync::BarrierWaitResult`].
pub struct BarrierWaitResult(bool);

impl Barrier {
    /// As [`std::sync::Barrier::new`].
    #[track_caller]
    #[inline]
    #[must_use]
    pub const fn new(n: usize) -> Barrier {
        Barrier {
            tag: Tag::new(&BARRIER),
            state: Mutex::new(State {
                arrived: 0,
                rounds: 0,
            }),
            opened: Condvar::new(),
            threads: n,
        }
    }

    /// As [`std::sync::Barrier::wait`].
    #[track_caller]
    pub fn wait(&self) -> BarrierWaitResult {
        let at = Location::caller();
        if explored::is_on(&self.tag) {
            let is_last = explored::barrier::wait(self, &self.tag, self.threads, at);
            return BarrierWaitResult(is_last);
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.arrived += 1;
        self.record(&ARRIVE, at);
        if state.arrived >= self.threads {
            state.arrived = 0;
            state.rounds = state.rounds.wrapping_add(1);
            self.record(&LEAVE, at);
            drop(state);
            self.opened.notify_all();
            return BarrierWaitResult(true);
        }
        let round = state.rounds;
        let opened = self.opened.wait_while(state, |state| state.rounds == round);
        let _state = opened.unwrap_or_else(PoisonError::into_inner);
        self.record(&LEAVE, at);
        BarrierWaitResult(false)
    }

    /// Returns the number of threads that wait for each other: of none and of one, each
    /// waits for itself alone.
    pub(crate) fn parties(&self) -> u64 {
        self.threads.max(1) as u64
    }

    /// Records an event; its state must be locked.
    fn record(&self, method: &'static Method, at: &'static Location<'static>) {
        if is_on() {
            self.tag.parameter(self.parties());
            action(&self.tag, method, Order::Alone, at, &[], &[]);
        }
    }
}

impl BarrierWaitResult {
    /// As [`std::sync::BarrierWaitResult::is_leader`].
    #[must_use]
    pub fn is_leader(&self) -> bool {
        self.0
    }
}

impl fmt::Debug for Barrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Barrier").finish_non_exhaustive()
    }
}

impl fmt::Debug for BarrierWaitResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BarrierWaitResult")
            .field("is_leader", &self.is_leader())
            .finish()
    }
}

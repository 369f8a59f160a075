//! `std::sync::Barrier`, observable: all who arrive come before all who leave.
//!
//! As events it is an integer, changed and read while the barrier is locked: who
//! arrives adds one, which nobody notices but those who leave and find the sum. What
//! threads did before they arrived stays unordered, and what they do when they have
//! left.
//!
//! Std's cannot be told when somebody arrives, so this one is our own.

use std::fmt;
use std::panic::Location;
use std::sync::{Condvar, Mutex, PoisonError};

use commute_record::Kind;

use super::tally::Tally;
use crate::explored;

static BARRIER: Kind = Kind::object("barrier", "atomic");

/// As [`std::sync::Barrier`].
pub struct Barrier {
    pub(crate) arrivals: Tally,
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
            arrivals: Tally::new(&BARRIER, Location::caller()),
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
        if explored::is_on(&self.arrivals.tag) {
            let is_last = explored::barrier::wait(self, &self.arrivals.tag, self.threads, at);
            return BarrierWaitResult(is_last);
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.arrived += 1;
        self.arrivals.add(at);
        if state.arrived >= self.threads {
            state.arrived = 0;
            state.rounds = state.rounds.wrapping_add(1);
            self.arrivals.find(at);
            drop(state);
            self.opened.notify_all();
            return BarrierWaitResult(true);
        }
        let round = state.rounds;
        let opened = self.opened.wait_while(state, |state| state.rounds == round);
        let _state = opened.unwrap_or_else(PoisonError::into_inner);
        self.arrivals.find(at);
        BarrierWaitResult(false)
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

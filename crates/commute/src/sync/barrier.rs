//! `std::sync::Barrier`, observable: all who arrive come before all who leave.
//!
//! As events, all of them while the barrier is locked: who arrives leaves a short
//! shared section behind; the last to arrive passes a section alone, which comes
//! after all of them; who leaves passes a shared section, which comes after that.
//! Two who arrive are not ordered, nor are two who leave.
//!
//! Std's cannot be told when all have arrived, so this one is our own.

use std::fmt;
use std::panic::Location;
use std::sync::{Condvar, Mutex, PoisonError};

use commute_record::{Kind, Tag};

use super::held::{Held, How};

static BARRIER: Kind = Kind::lock("barrier");

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
        let pass = |how| drop(Held::new(&self.tag, how, at));
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.arrived += 1;
        if state.arrived >= self.threads {
            // It knows all and tells all, which is arriving and leaving as well.
            pass(How::Alone);
            state.arrived = 0;
            state.rounds = state.rounds.wrapping_add(1);
            drop(state);
            self.opened.notify_all();
            return BarrierWaitResult(true);
        }
        pass(How::Shared);
        let round = state.rounds;
        let opened = self.opened.wait_while(state, |state| state.rounds == round);
        let _state = opened.unwrap_or_else(PoisonError::into_inner);
        pass(How::Shared);
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

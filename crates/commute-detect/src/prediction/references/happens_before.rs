//! Pairs that happens-before does not order (Definition 2.2.1 of the thesis).
//!
//! Claims: an event is the later half of a pair iff an earlier event of another
//! thread in conflict with it does not happen before it. Of each other thread
//! and way of access the last such event is named.
//!
//! Symbols: HB → the clocks of `Threads`; L and RL of the table in
//! [`crate::hb`] → `exclusive` and `shared`.
//!
//! Deviations: the order is that of [`crate::hb`], so that fork, join, shared
//! locks, atomics, channels and barriers order too. Conflicts are those of the
//! other references, `free` and condition variables among them, so that the
//! same pairs are compared.
//!
//! Cost: per access, the number of threads that touched the points it conflicts
//! with; per acquisition and release, the width of a clock.

use commute_clock::VectorClock;
use commute_model::{LockId, ThreadId};
use rustc_hash::FxHashMap;

use super::Pair;
use super::accesses::{Access, Accesses};
use super::analysis::Algorithm;
use super::places::{PlaceId, Touched};
use super::threads::{Section, Threads};

/// Finds pairs that happens-before does not order.
#[derive(Clone, Debug, Default)]
pub(super) struct Unordered {
    accesses: Accesses,
    locks: FxHashMap<LockId, Released>,
}

/// What the releases of one lock published.
#[derive(Clone, Debug, Default)]
struct Released {
    exclusive: VectorClock,
    /// Since the last exclusive one.
    shared: VectorClock,
}

impl Algorithm for Unordered {
    fn copy(&self) -> Box<dyn Algorithm> {
        Box::new(self.clone())
    }

    fn touch(
        &mut self,
        access: &Access,
        touched: &Touched,
        threads: &mut Threads,
        found: &mut Vec<Pair>,
    ) {
        let t = access.thread;
        let unordered = self.accesses.unordered(t, touched, threads.clock(t));
        found.extend(unordered.iter().map(|earlier| Pair {
            earlier: earlier.index,
            later: access.index,
            racy: true,
        }));
        self.accesses.record(touched, access);
    }

    fn acquired(&mut self, t: ThreadId, section: &Section, threads: &mut Threads) {
        if let Some(lock) = self.locks.get(&section.lock) {
            threads.learn(t, &lock.exclusive);
            if section.exclusive {
                threads.learn(t, &lock.shared);
            }
        }
    }

    fn released(
        &mut self,
        t: ThreadId,
        section: &Section,
        threads: &mut Threads,
        _found: &mut Vec<Pair>,
    ) {
        let lock = self.locks.entry(section.lock).or_default();
        if section.exclusive {
            lock.exclusive.copy_from(threads.clock(t));
            lock.shared.clear();
        } else {
            lock.shared.join(threads.clock(t));
        }
    }

    fn forget(&mut self, place: PlaceId) {
        self.accesses.forget(place);
    }
}

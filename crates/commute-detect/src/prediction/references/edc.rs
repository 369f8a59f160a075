//! Extended doesn't-commute (thesis §3.4, Algorithm 2), corrected.
//!
//! Claims: an event is reported as the later half of a *racy* pair iff an
//! earlier event of another thread in conflict with it, without a lock in
//! common, is not ordered before it by EDC; and of one that is not racy iff
//! there is a lock in common and EDC does not order the earlier event before the
//! end of the later one's critical section. EDC is program order, fork, join,
//! and from the release of a critical section to an event that is in conflict
//! with one inside it, communicates with it, and is in a later section of the
//! same lock. The text says that a pair that is not racy is always a true order
//! violation. It is not: values also flow through other locks, and outside any.
//! Nor are all found: two sections that write the same variable may well be
//! swapped, but are ordered here.
//!
//! Symbols: C_t → the clocks of `Threads`; C_p → `accesses`; MSet → the locks of
//! an access; Cand_{t,m} → `deferred`; L_{m,p} → `ReleaseClocks::places`; P_m →
//! `ReleaseClocks::open`; η, active, C_o → `Touched`.
//!
//! Deviations: line 2 joins C_t into L_{m,p}. As printed, line 13 orders the
//! earlier section before the very event whose order is in question, so that
//! nothing but races is ever reported; Figure 3.3 shows what is meant: only
//! communicating conflicts order sections, order-only ones (free against use,
//! close against send) do not. As printed, C_p keeps one access per thread;
//! those with different locks are kept apart. As printed, a candidate is checked
//! at the end of every section in common; here when the last of them ends, or
//! the trace, because all of them have to be swapped. A candidate that the
//! section order of the same event already decides is not kept. Fork and join
//! order events, and so do atomics, channels and barriers. Shared sections
//! neither order each other nor are a lock in common.
//!
//! Cost: per event, the points it conflicts with × threads × lock sets, and the
//! locks held × the width of a clock; per release, the points touched in the
//! section and the candidates of the thread.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use commute_clock::VectorClock;
use commute_model::{LockId, ThreadId};
use rustc_hash::FxHashMap;

use super::accesses::{Access, Accesses};
use super::analysis::Algorithm;
use super::lock_clocks::LockClocks;
use super::places::{PlaceId, Touch, Touched};
use super::threads::{Section, Threads, in_common};
use super::{Candidate, Pair};

/// The order that critical sections imply.
pub(super) trait SectionOrder: Clone + fmt::Debug + Send + 'static {
    /// `t` touches points in its open sections: it comes after the sections that
    /// it communicates with.
    fn touch(&mut self, t: ThreadId, touched: &Touched, threads: &mut Threads);

    /// A section ends at `clock`.
    fn released(&mut self, section: &Section, clock: &VectorClock);

    /// Nobody will touch the place again.
    fn forget(&mut self, place: PlaceId);

    /// How often order was assumed.
    fn assumed(&self) -> u64 {
        0
    }
}

/// The state of Algorithm 2.
#[derive(Clone, Debug)]
pub(super) struct Edc<S> {
    sections: S,
    accesses: Accesses,
    deferred: BTreeMap<ThreadId, Vec<Deferred>>,
}

/// A candidate for a pair that is not racy.
#[derive(Clone, Debug)]
struct Deferred {
    earlier: Access,
    later: u64,
    /// The locks in common that are still held.
    locks: Vec<LockId>,
}

impl<S: SectionOrder> Edc<S> {
    pub(super) fn new(sections: S) -> Edc<S> {
        Edc {
            sections,
            accesses: Accesses::with_lock_sets_apart(),
            deferred: BTreeMap::new(),
        }
    }
}

impl<S: SectionOrder> Algorithm for Edc<S> {
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
        self.sections.touch(t, touched, threads);
        for earlier in unordered {
            let locks = in_common(&earlier.held, &access.held);
            if locks.is_empty() {
                found.push(Pair {
                    earlier: earlier.index,
                    later: access.index,
                    racy: true,
                });
            } else if !threads.clock(t).knows(earlier.epoch) {
                self.deferred.entry(t).or_default().push(Deferred {
                    earlier,
                    later: access.index,
                    locks,
                });
            }
        }
        self.accesses.record(touched, access);
    }

    fn released(
        &mut self,
        t: ThreadId,
        section: &Section,
        threads: &mut Threads,
        found: &mut Vec<Pair>,
    ) {
        self.sections.released(section, threads.clock(t));
        if let Some(deferred) = self.deferred.get_mut(&t)
            && !threads.holds(t, section.lock)
        {
            deferred.retain_mut(|candidate| {
                candidate.locks.retain(|lock| *lock != section.lock);
                if candidate.locks.is_empty() {
                    found.extend(candidate.decide(threads.clock(t)));
                }
                !candidate.locks.is_empty()
            });
        }
    }

    fn forget(&mut self, place: PlaceId) {
        self.accesses.forget(place);
        self.sections.forget(place);
    }

    fn finish(&mut self, threads: &Threads, found: &mut Vec<Pair>) {
        for (t, deferred) in &self.deferred {
            let clock = threads.clock(*t);
            found.extend(deferred.iter().filter_map(|open| open.decide(clock)));
        }
    }

    fn candidates(&self, t: ThreadId) -> Vec<Candidate> {
        let deferred = self.deferred.get(&t).into_iter().flatten();
        let candidate = |Deferred { earlier, later, .. }: &Deferred| Candidate {
            earlier: earlier.index,
            thread: earlier.thread,
            time: earlier.epoch.time,
            later: *later,
        };
        deferred.map(candidate).collect()
    }

    fn assumed(&self) -> u64 {
        self.sections.assumed()
    }
}

impl Deferred {
    /// The pair, unless the earlier event turned out to be ordered.
    fn decide(&self, clock: &VectorClock) -> Option<Pair> {
        (!clock.knows(self.earlier.epoch)).then_some(Pair {
            earlier: self.earlier.index,
            later: self.later,
            racy: false,
        })
    }
}

/// The release times of the sections that touched each point, without bound.
#[derive(Clone, Debug, Default)]
pub(super) struct ReleaseClocks {
    places: FxHashMap<PlaceId, Vec<(Touch, LockClocks)>>,
    /// The points touched in each open section, by where they are in `places`.
    open: FxHashMap<(LockId, u64), BTreeSet<(PlaceId, usize)>>,
}

impl SectionOrder for ReleaseClocks {
    fn touch(&mut self, t: ThreadId, touched: &Touched, threads: &mut Threads) {
        let mut learned = VectorClock::default();
        for (place, touch) in &touched.points {
            let points = self.places.entry(*place).or_default();
            let communicates = |earlier: &Touch| {
                let conflict = touched.conflict(earlier, touch);
                conflict.is_some_and(|conflict| conflict.communicates)
            };
            for (_, clocks) in points.iter().filter(|(earlier, _)| communicates(earlier)) {
                for section in threads.open(t) {
                    clocks.learn(section, &mut learned);
                }
            }
            let known = points.iter().position(|(known, _)| known == touch);
            let point = known.unwrap_or_else(|| {
                points.push((touch.clone(), LockClocks::default()));
                points.len() - 1
            });
            for section in threads.open(t) {
                let open = self.open.entry((section.lock, section.number));
                open.or_default().insert((*place, point));
            }
        }
        threads.learn(t, &learned);
    }

    fn released(&mut self, section: &Section, clock: &VectorClock) {
        let inside = self.open.remove(&(section.lock, section.number));
        for (place, point) in inside.into_iter().flatten() {
            if let Some(points) = self.places.get_mut(&place) {
                points[point].1.add(section, clock);
            }
        }
    }

    fn forget(&mut self, place: PlaceId) {
        self.places.remove(&place);
    }
}

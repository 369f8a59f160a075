//! Weak doesn't-commute (thesis §2.2, Algorithm 1; SmartTrack's unoptimised
//! WDC).
//!
//! Claims: an access is reported as the later half of a pair iff the last read
//! or write of another thread in conflict with it is not ordered before it by
//! WDC: program order, fork, join, and from the release of a critical section
//! to an access that conflicts with one inside it and is in a later section of
//! the same lock. WDC is unsound: not every reported pair is a race that can
//! happen. It is incomplete too, because it compares after the access was
//! ordered (lines 10, 11 and 17): an access outside a lock is lost when its
//! thread accesses the variable again inside.
//!
//! Symbols: C_t → the clocks of `Threads`; R_x, W_x → `reads`, `writes`;
//! L^r_{m,x}, L^w_{m,x} → `read_sections`, `write_sections`; R_m, W_m → `open`.
//!
//! Deviations: fork and join order events, and so do atomics, channels and
//! barriers. Shared sections of a lock do not order each other. Of nested
//! sections of one lock only the outermost counts. `free` is a write, as data
//! race detectors have it. An action is a read of its object, or a write if it
//! may change it (the text lifts accesses inside a library to its invocations
//! in the same way); that orders sections but is not reported, because a library
//! looks after its own accesses. A check that fails names the events.
//!
//! Cost: per access, the locks held × the width of a clock, and the threads that
//! accessed the variable; per release, the variables accessed in the section.

use std::collections::BTreeSet;

use commute_clock::VectorClock;
use commute_model::{LockId, ThreadId};
use rustc_hash::FxHashMap;

use super::Pair;
use super::accesses::{Access, record};
use super::analysis::Algorithm;
use super::lock_clocks::LockClocks;
use super::places::{PlaceId, Touch, Touched};
use super::threads::{Section, Threads};

/// The state of Algorithm 1.
#[derive(Clone, Debug, Default)]
pub(super) struct Wdc {
    variables: FxHashMap<PlaceId, Variable>,
    /// What was read (`false`) and written in each open section.
    open: FxHashMap<(LockId, u64), BTreeSet<(PlaceId, bool)>>,
}

#[derive(Clone, Debug, Default)]
struct Variable {
    reads: Vec<Access>,
    writes: Vec<Access>,
    read_sections: LockClocks,
    write_sections: LockClocks,
}

impl Wdc {
    /// Lines 7 to 9 and 14 to 16: comes after the sections in conflict.
    fn order(&mut self, t: ThreadId, place: PlaceId, write: bool, threads: &mut Threads) {
        let variable = self.variables.entry(place).or_default();
        let mut learned = VectorClock::default();
        for section in threads.open(t) {
            variable.write_sections.learn(section, &mut learned);
            if write {
                variable.read_sections.learn(section, &mut learned);
            }
            let open = self.open.entry((section.lock, section.number));
            open.or_default().insert((place, write));
        }
        threads.learn(t, &learned);
    }

    /// Lines 10 to 12, 17 and 18.
    fn check(
        &mut self,
        access: &Access,
        place: PlaceId,
        write: bool,
        threads: &Threads,
        found: &mut Vec<Pair>,
    ) {
        let variable = self.variables.entry(place).or_default();
        let clock = threads.clock(access.thread);
        let reads: &[Access] = if write { &variable.reads } else { &[] };
        let conflicting = variable.writes.iter().chain(reads);
        let unordered = conflicting.filter(|earlier| !clock.knows(earlier.epoch));
        found.extend(unordered.map(|earlier| Pair {
            earlier: earlier.index,
            later: access.index,
            racy: true,
        }));
        match write {
            true => record(&mut variable.writes, access, false),
            false => record(&mut variable.reads, access, false),
        }
    }
}

impl Algorithm for Wdc {
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
        if let Some((object, mutates)) = touched.object {
            self.order(t, object, mutates, threads);
            return;
        }
        for (place, touch) in &touched.points {
            let write = match touch {
                Touch::Read => false,
                Touch::Write | Touch::Free => true,
                _ => continue,
            };
            self.order(t, *place, write, threads);
            self.check(access, *place, write, threads, found);
        }
    }

    fn released(
        &mut self,
        t: ThreadId,
        section: &Section,
        threads: &mut Threads,
        _found: &mut Vec<Pair>,
    ) {
        let inside = self.open.remove(&(section.lock, section.number));
        for (place, write) in inside.into_iter().flatten() {
            if let Some(variable) = self.variables.get_mut(&place) {
                let sections = match write {
                    true => &mut variable.write_sections,
                    false => &mut variable.read_sections,
                };
                sections.add(section, threads.clock(t));
            }
        }
    }

    fn forget(&mut self, place: PlaceId) {
        self.variables.remove(&place);
    }
}

//! The accesses that later ones are compared with: C_p of the thesis.
//!
//! Of each thread the last access to a point is kept, and if lock sets are kept
//! apart, the last with each set of locks. That is enough: an earlier one with
//! the same locks is ordered before whatever the last one is ordered before.

use std::sync::Arc;

use commute_clock::{Epoch, VectorClock};
use commute_model::ThreadId;
use rustc_hash::FxHashMap;

use super::places::{PlaceId, Touch, Touched};
use super::threads::Held;

/// An event that touches something.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) thread: ThreadId,
    /// Its index in the trace.
    pub(super) index: u64,
    pub(super) epoch: Epoch,
    pub(super) held: Arc<[Held]>,
}

/// The last accesses of every point.
#[derive(Clone, Debug, Default)]
pub(super) struct Accesses {
    lock_sets_apart: bool,
    places: FxHashMap<PlaceId, Vec<Point>>,
}

#[derive(Clone, Debug)]
struct Point {
    touch: Touch,
    last: Vec<Access>,
}

impl Accesses {
    /// No access yet; one of each thread and set of locks is to be kept.
    pub(super) fn with_lock_sets_apart() -> Accesses {
        Accesses {
            lock_sets_apart: true,
            ..Accesses::default()
        }
    }

    /// The accesses of other threads in conflict with an event of `t` that
    /// `clock` does not know, in the order of the trace.
    pub(super) fn unordered(
        &self,
        t: ThreadId,
        touched: &Touched,
        clock: &VectorClock,
    ) -> Vec<Access> {
        let mut found: Vec<Access> = Vec::new();
        for (place, touch) in &touched.points {
            for point in self.places.get(place).into_iter().flatten() {
                let conflict = touched.conflict(&point.touch, touch);
                if conflict.is_some_and(|conflict| conflict.counts) {
                    let open = |a: &&Access| a.thread != t && !clock.knows(a.epoch);
                    found.extend(point.last.iter().filter(open).cloned());
                }
            }
        }
        // An action may touch several points that conflict with one access.
        found.sort_unstable_by_key(|access| access.index);
        found.dedup_by_key(|access| access.index);
        found
    }

    /// Remembers an access.
    pub(super) fn record(&mut self, touched: &Touched, access: &Access) {
        for (place, touch) in &touched.points {
            let points = self.places.entry(*place).or_default();
            match points.iter_mut().find(|point| point.touch == *touch) {
                Some(point) => record(&mut point.last, access, self.lock_sets_apart),
                None => points.push(Point {
                    touch: touch.clone(),
                    last: vec![access.clone()],
                }),
            }
        }
    }

    /// Nobody will touch the place again.
    pub(super) fn forget(&mut self, place: PlaceId) {
        self.places.remove(&place);
    }
}

/// Makes `access` the last of its thread, or of its thread with these locks.
pub(super) fn record(last: &mut Vec<Access>, access: &Access, lock_sets_apart: bool) {
    let same = |old: &&mut Access| {
        old.thread == access.thread && (!lock_sets_apart || old.held == access.held)
    };
    match last.iter_mut().find(same) {
        Some(old) => old.clone_from(access),
        None => last.push(access.clone()),
    }
}

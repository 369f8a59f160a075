//! Clocks that many access points share.
//!
//! Equal clocks stay equal, so `end` raises a snapshot and not the points that
//! refer to it. A snapshot lives as long as a point refers to it; the memory is
//! used again for the next.

use commute_clock::VectorClock;

/// Refers to a snapshot, and keeps it alive if it is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SnapshotId(u32);

/// Refers to a snapshot without keeping it alive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Weak {
    id: SnapshotId,
    generation: u32,
}

#[derive(Debug, Default)]
struct Snapshot {
    clock: VectorClock,
    references: u32,
    /// How many snapshots were at this place before.
    generation: u32,
}

/// All snapshots.
#[derive(Debug, Default)]
pub(super) struct Snapshots {
    snapshots: Vec<Snapshot>,
    free: Vec<SnapshotId>,
}

impl Snapshots {
    /// A snapshot of `clock`, with one reference.
    pub(super) fn take(&mut self, clock: &VectorClock) -> SnapshotId {
        let id = self.free.pop().unwrap_or_else(|| {
            let id = u32::try_from(self.snapshots.len()).expect("fewer than 2³² snapshots");
            self.snapshots.push(Snapshot::default());
            SnapshotId(id)
        });
        let snapshot = &mut self.snapshots[id.0 as usize];
        snapshot.clock.copy_from(clock);
        snapshot.references = 1;
        id
    }

    /// The clock.
    #[inline]
    pub(super) fn clock(&self, id: SnapshotId) -> &VectorClock {
        &self.snapshots[id.0 as usize].clock
    }

    /// The clock, to be raised.
    pub(super) fn clock_mut(&mut self, id: SnapshotId) -> &mut VectorClock {
        &mut self.snapshots[id.0 as usize].clock
    }

    /// One more reference.
    #[inline]
    pub(super) fn hold(&mut self, id: SnapshotId) {
        self.snapshots[id.0 as usize].references += 1;
    }

    /// One reference less.
    #[inline]
    pub(super) fn release(&mut self, id: SnapshotId) {
        let snapshot = &mut self.snapshots[id.0 as usize];
        snapshot.references -= 1;
        if snapshot.references == 0 {
            snapshot.generation = snapshot.generation.wrapping_add(1);
            self.free.push(id);
        }
    }

    /// A reference that does not count.
    pub(super) fn weak(&self, id: SnapshotId) -> Weak {
        Weak {
            id,
            generation: self.snapshots[id.0 as usize].generation,
        }
    }

    /// The snapshot, if it is still alive.
    pub(super) fn alive(&self, weak: Weak) -> Option<SnapshotId> {
        let snapshot = &self.snapshots[weak.id.0 as usize];
        (snapshot.generation == weak.generation).then_some(weak.id)
    }
}

//! Clocks that many access points share.
//!
//! Equal clocks stay equal, so `end` raises a snapshot and not the points that
//! refer to it. References are not counted, which would cost two misses of the
//! cache with every access: from time to time the snapshots that nobody refers
//! to are found, and their memory is used again, in order.

use commute_clock::VectorClock;

/// Refers to a snapshot, and keeps it alive if a collection gets to see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SnapshotId(u32);

/// Refers to a snapshot without keeping it alive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Weak {
    id: SnapshotId,
    generation: u32,
}

/// All snapshots.
#[derive(Clone, Debug, Default)]
pub(crate) struct Snapshots {
    clocks: Vec<VectorClock>,
    /// How many snapshots were at each place before.
    generations: Vec<u32>,
    /// From the last to the first, so that neighbours are used after another.
    free: Vec<SnapshotId>,
    /// Snapshots taken since the last collection.
    taken: usize,
    /// Snapshots that survived it.
    survivors: usize,
    /// References that it looked at.
    references: usize,
}

/// This much memory may be taken before the first collection.
const LEAST_BYTES: usize = 1 << 16;

/// References that a collection may look at per snapshot taken since the last.
const MOST_REFERENCES: usize = 8;

impl Snapshots {
    /// A snapshot of `clock`.
    pub(crate) fn take(&mut self, clock: &VectorClock) -> SnapshotId {
        self.taken += 1;
        let id = self.free.pop().unwrap_or_else(|| {
            let id = u32::try_from(self.clocks.len()).expect("fewer than 2³² snapshots");
            self.clocks.push(VectorClock::default());
            self.generations.push(0);
            SnapshotId(id)
        });
        self.clock_mut(id).copy_from(clock);
        id
    }

    /// The clock.
    #[inline]
    pub(crate) fn clock(&self, id: SnapshotId) -> &VectorClock {
        &self.clocks[id.0 as usize]
    }

    /// The clock, to be raised.
    #[inline]
    pub(crate) fn clock_mut(&mut self, id: SnapshotId) -> &mut VectorClock {
        &mut self.clocks[id.0 as usize]
    }

    /// A reference that does not count.
    pub(crate) fn weak(&self, id: SnapshotId) -> Weak {
        Weak {
            id,
            generation: self.generations[id.0 as usize],
        }
    }

    /// The snapshot, unless it was collected.
    pub(crate) fn alive(&self, weak: Weak) -> Option<SnapshotId> {
        let same = self.generations[weak.id.0 as usize] == weak.generation;
        same.then_some(weak.id)
    }

    /// Whether a collection is worth its time, if clocks have so many components.
    #[inline]
    pub(crate) fn is_due(&self, components: usize) -> bool {
        let least = LEAST_BYTES / (size_of::<VectorClock>() + size_of::<u32>() * components);
        let expected = self.survivors.max(self.references / MOST_REFERENCES);
        self.taken > least.max(expected)
    }

    /// Frees the snapshots that `each` does not show.
    pub(crate) fn collect(&mut self, each: impl FnOnce(&mut dyn FnMut(SnapshotId))) {
        let mut used = vec![false; self.clocks.len()];
        self.references = 0;
        each(&mut |id| {
            used[id.0 as usize] = true;
            self.references += 1;
        });
        // A place that is free already only loses a generation.
        self.free.clear();
        for id in (0..used.len()).rev().filter(|&id| !used[id]) {
            self.generations[id] = self.generations[id].wrapping_add(1);
            self.free.push(SnapshotId(id as u32));
        }
        self.survivors = used.len() - self.free.len();
        self.taken = 0;
    }
}

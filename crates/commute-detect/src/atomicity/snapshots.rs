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

/// All snapshots. What is used often is kept apart from what is not: references
/// are counted with every access.
#[derive(Debug, Default)]
pub(super) struct Snapshots {
    references: Vec<u32>,
    clocks: Vec<VectorClock>,
    /// How many snapshots were at each place before.
    generations: Vec<u32>,
    free: Vec<SnapshotId>,
}

impl Snapshots {
    /// A snapshot of `clock`, with one reference.
    pub(super) fn take(&mut self, clock: &VectorClock) -> SnapshotId {
        let id = self.free.pop().unwrap_or_else(|| {
            let id = u32::try_from(self.clocks.len()).expect("fewer than 2³² snapshots");
            self.references.push(0);
            self.clocks.push(VectorClock::default());
            self.generations.push(0);
            SnapshotId(id)
        });
        self.clock_mut(id).copy_from(clock);
        self.references[id.0 as usize] = 1;
        id
    }

    /// The clock.
    #[inline]
    pub(super) fn clock(&self, id: SnapshotId) -> &VectorClock {
        &self.clocks[id.0 as usize]
    }

    /// The clock, to be raised.
    #[inline]
    pub(super) fn clock_mut(&mut self, id: SnapshotId) -> &mut VectorClock {
        &mut self.clocks[id.0 as usize]
    }

    /// How many references there are.
    #[inline]
    pub(super) fn references(&self, id: SnapshotId) -> usize {
        self.references[id.0 as usize] as usize
    }

    /// One more reference.
    #[inline]
    pub(super) fn hold(&mut self, id: SnapshotId) {
        self.references[id.0 as usize] += 1;
    }

    /// One reference less.
    #[inline]
    pub(super) fn release(&mut self, id: SnapshotId) {
        let references = &mut self.references[id.0 as usize];
        *references -= 1;
        if *references == 0 {
            let generation = &mut self.generations[id.0 as usize];
            *generation = generation.wrapping_add(1);
            self.free.push(id);
        }
    }

    /// A reference that does not count.
    pub(super) fn weak(&self, id: SnapshotId) -> Weak {
        Weak {
            id,
            generation: self.generations[id.0 as usize],
        }
    }

    /// The snapshot, if it is still alive.
    pub(super) fn alive(&self, weak: Weak) -> Option<SnapshotId> {
        let same = self.generations[weak.id.0 as usize] == weak.generation;
        same.then_some(weak.id)
    }
}

//! Cone clocks: what must have happened before an event, in whatever order a
//! program runs.
//!
//! Claims: an event is in every correct reordering that has e, if e's cone has
//! it. So what is not in the cone may be left out; whether it can, is for the
//! certification to say.
//!
//! Deviations from happens-before: no edge from the release of a lock to the next
//! acquisition, none from a write to a write, none from a read to a write. A
//! clock counts events of threads: a component is how many must have happened.

use commute_clock::VectorClock;

use crate::snapshots::{SnapshotId, Snapshots};

/// The cones of all threads.
#[derive(Clone, Debug, Default)]
pub(super) struct Cones {
    threads: Vec<Thread>,
    pub(super) snapshots: Snapshots,
}

#[derive(Clone, Debug, Default)]
struct Thread {
    /// What the next event needs. The own component is how many events there
    /// were.
    clock: VectorClock,
    /// A snapshot of what it needs of others.
    current: Option<SnapshotId>,
    /// Whether the current event needs more than the last one.
    has_learned: bool,
}

/// What is remembered of an event: whoever needs it needs its cone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stamp {
    pub(super) thread: u32,
    /// How many events its thread has up to it.
    pub(super) count: u32,
    snapshot: SnapshotId,
}

impl Cones {
    fn thread(&mut self, t: u32) -> &mut Thread {
        let place = t as usize;
        if place >= self.threads.len() {
            self.threads.resize_with(place + 1, Thread::default);
        }
        &mut self.threads[place]
    }

    /// The next event is one of `t`: its place among them, from 1.
    #[inline]
    pub(super) fn count(&mut self, t: u32) -> u32 {
        self.thread(t).clock.get(t) + 1
    }

    /// The event of `t` is over.
    #[inline]
    pub(super) fn tick(&mut self, t: u32) {
        self.thread(t).clock.tick(t);
    }

    /// Whether the next event of `t` needs this event of `u`.
    #[inline]
    pub(super) fn needs(&self, t: u32, u: u32, count: u32) -> bool {
        count <= self.threads[t as usize].clock.get(u)
    }

    /// The next event of `t` needs an event, and what that one needs.
    #[inline]
    pub(super) fn learn(&mut self, t: u32, stamp: &Stamp) {
        if stamp.thread == t || self.needs(t, stamp.thread, stamp.count) {
            return;
        }
        let thread = &mut self.threads[t as usize];
        thread.clock.join(self.snapshots.clock(stamp.snapshot));
        if thread.clock.get(stamp.thread) < stamp.count {
            thread.clock.set(stamp.thread, stamp.count);
        }
        thread.current = None;
        thread.has_learned = true;
    }

    /// Whether `t` has learned something since this was asked last.
    #[inline]
    pub(super) fn has_learned(&mut self, t: u32) -> bool {
        std::mem::take(&mut self.threads[t as usize].has_learned)
    }

    /// The current event of `t`.
    #[inline]
    pub(super) fn stamp(&mut self, t: u32) -> Stamp {
        let Cones { threads, snapshots } = self;
        let thread = &mut threads[t as usize];
        let snapshot =
            *{ &mut thread.current }.get_or_insert_with(|| snapshots.take(&thread.clock));
        Stamp {
            thread: t,
            count: thread.clock.get(t) + 1,
            snapshot,
        }
    }

    /// The next event of `u` needs the current event of `t`.
    pub(super) fn fork(&mut self, t: u32, u: u32) {
        self.thread(u);
        let stamp = self.stamp(t);
        self.learn(u, &stamp);
    }

    /// The next event of `t` needs all events of `u`, and that it was forked.
    pub(super) fn join(&mut self, t: u32, u: u32) {
        let clock = std::mem::take(&mut self.thread(u).clock);
        let thread = self.thread(t);
        thread.clock.join(&clock);
        thread.current = None;
        self.thread(u).clock = clock;
    }

    /// From time to time: `each` shows the stamps that are still wanted.
    pub(super) fn collect(&mut self, each: impl FnOnce(&mut dyn FnMut(&Stamp))) {
        let Cones { threads, snapshots } = self;
        if !snapshots.is_due(threads.len()) {
            return;
        }
        snapshots.collect(|show| {
            each(&mut |stamp| show(stamp.snapshot));
            threads.iter().filter_map(|t| t.current).for_each(show);
        });
    }
}

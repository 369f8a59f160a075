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
//!
//! Threads are slots ([`slots`](crate::slots)), whose events are counted on. A thread that
//! `t` forks takes over the slot u of a joined thread if the fork needs all events of u.
//! They are then in every correct reordering that has an event of the new thread: forks and
//! joins keep their order in each. So an event that needs one of the new thread needs all of
//! u, as the component says, and for two threads of one slot no order but the recorded one
//! is possible. Certification knows threads and not slots. What a thread needed whose slot
//! was taken over is forgotten: cones need not be complete for the few threads that are
//! joined again or forked again later.

use commute_clock::VectorClock;
use commute_model::ThreadId;

use super::access::Access;
use crate::slots::{Given, SLOTS_KEPT_APART, Slots};
use crate::snapshots::{SnapshotId, Snapshots};

/// The cones of all threads.
#[derive(Clone, Debug)]
pub(super) struct Cones {
    /// By slot, as all numbers of threads below.
    threads: Vec<Thread>,
    pub(super) slots: Slots,
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
    /// The slot of its thread.
    pub(super) thread: u32,
    /// How many events its slot has up to it.
    pub(super) count: u32,
    snapshot: SnapshotId,
}

impl Default for Cones {
    fn default() -> Cones {
        Cones {
            threads: Vec::new(),
            slots: Slots::by_number(SLOTS_KEPT_APART),
            snapshots: Snapshots::default(),
        }
    }
}

impl Cones {
    /// The slot of a thread, which has the event with this index.
    #[inline]
    pub(super) fn start(&mut self, t: ThreadId, index: u64) -> u32 {
        match self.slots.running(t) {
            Some(slot) => slot,
            None => self.start_slow(t, index),
        }
    }

    #[cold]
    fn start_slow(&mut self, t: ThreadId, index: u64) -> u32 {
        let before = self.slots.last(t);
        let given = self.slots.give(t, None, index, |_, _| false);
        self.begin(t, given, before);
        given.slot()
    }

    /// `t` begins to use a slot, perhaps one that it did not have `before`.
    fn begin(&mut self, t: ThreadId, given: Given, before: Option<u32>) {
        let slot = given.slot();
        match given {
            Given::Kept(_) => return,
            Given::New(_) => self.slots.name(slot, 0, t),
            Given::TakenOver(..) => {
                let thread = self.thread(slot);
                let count = thread.clock.get(slot);
                *thread = Thread::default();
                thread.clock.set(slot, count);
                self.slots.name(slot, count + 1, t);
            }
        }
        if let Some(before) = before {
            self.need_all(slot, t, before);
        }
    }

    /// The next event of `t` needs all events of `u`, of which the slot was taken over.
    fn need_all(&mut self, t: u32, u: ThreadId, slot: u32) {
        let end = self.slots.end(u, slot).unwrap_or_default();
        let thread = self.thread(t);
        if t != slot && thread.clock.get(slot) < end {
            thread.clock.set(slot, end);
            thread.current = None;
        }
    }

    /// The slot that a thread has or had last.
    pub(super) fn slot(&self, t: ThreadId) -> u32 {
        self.slots.last(t).unwrap_or(t.0)
    }

    /// An access with its thread instead of the slot of its thread.
    pub(super) fn named(&self, mut access: Access) -> Access {
        access.thread = self.slots.user(access.thread, access.count).0;
        access
    }

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
        let Cones {
            threads, snapshots, ..
        } = self;
        let thread = &mut threads[t as usize];
        let snapshot =
            *{ &mut thread.current }.get_or_insert_with(|| snapshots.take(&thread.clock));
        Stamp {
            thread: t,
            count: thread.clock.get(t) + 1,
            snapshot,
        }
    }

    /// The thread `parent`, of which `t` is the slot, forks `u` by the event with this
    /// index: the next event of `u` needs the current event of `t`. `is_idle` tells of which
    /// slots the threads hold no locks.
    pub(super) fn fork(
        &mut self,
        (parent, t): (ThreadId, u32),
        u: ThreadId,
        index: u64,
        is_idle: impl Fn(u32) -> bool,
    ) {
        let before = self.slots.last(u);
        let (threads, clock) = (&self.threads, &self.threads[t as usize].clock);
        let is_known = |free: u32, _| {
            let count = { threads.get(free as usize) }.map_or(0, |thread| thread.clock.get(free));
            count <= clock.get(free) && is_idle(free)
        };
        let given = self.slots.give(u, Some(parent), index, is_known);
        self.begin(u, given, before);
        let u = given.slot();
        self.thread(u);
        let stamp = self.stamp(t);
        self.learn(u, &stamp);
    }

    /// The thread `joiner`, of which `t` is the slot, joins `u`: its next event needs all
    /// events of `u`, and that it was forked.
    pub(super) fn join(&mut self, (joiner, t): (ThreadId, u32), u: ThreadId) {
        let Some(slot) = self.slots.last(u) else {
            return;
        };
        if !self.slots.is_last_user(u, slot) {
            self.need_all(t, u, slot);
            return;
        }
        let clock = std::mem::take(&mut self.thread(slot).clock);
        let thread = self.thread(t);
        thread.clock.join(&clock);
        thread.current = None;
        self.thread(slot).clock = clock;
        self.slots.join(u, joiner);
    }

    /// From time to time: `each` shows the stamps that are still wanted.
    pub(super) fn collect(&mut self, each: impl FnOnce(&mut dyn FnMut(&Stamp))) {
        let Cones {
            threads, snapshots, ..
        } = self;
        if !snapshots.is_due(threads.len()) {
            return;
        }
        snapshots.collect(|show| {
            each(&mut |stamp| show(stamp.snapshot));
            threads.iter().filter_map(|t| t.current).for_each(show);
        });
    }
}

//! What threads know and which locks they hold.
//!
//! All orders have program order, fork and join in common, and what atomics,
//! channels and barriers imply. They differ in what a critical section orders,
//! so locks change no clock here.
//!
//! A *section* lasts from the outermost acquisition of a lock to its release.
//! Exclusive and shared acquisitions of one lock make sections of their own: a
//! thread that goes over from writing to reading lets other readers in.

use std::collections::BTreeMap;
use std::sync::Arc;

use commute_clock::{Epoch, VectorClock};
use commute_model::{Id, LockId, Names, Op, ThreadId};

use crate::hb::HappensBefore;

/// A critical section that is open, or ends with the current event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Section {
    pub(super) lock: LockId,
    pub(super) exclusive: bool,
    /// Counts the sections of this lock.
    pub(super) number: u64,
    /// How often its thread acquired the lock without releasing it.
    depth: u32,
}

/// A lock that is held, and whether exclusively.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Held {
    lock: LockId,
    exclusive: bool,
}

/// The locks that keep two accesses apart: held by both, and not only shared.
pub(super) fn in_common(a: &[Held], b: &[Held]) -> Vec<LockId> {
    let apart = |x: &&Held| {
        let mut others = b.iter().filter(|y| y.lock == x.lock);
        others.any(|y| x.exclusive || y.exclusive)
    };
    let mut locks: Vec<LockId> = a.iter().filter(apart).map(|held| held.lock).collect();
    locks.dedup();
    locks
}

/// The clocks and locks of all threads.
#[derive(Clone, Debug, Default)]
pub(super) struct Threads {
    /// Its locks are not used.
    pub(super) clocks: HappensBefore,
    threads: Vec<Thread>,
    /// How many sections each lock had.
    sections: Vec<u64>,
}

#[derive(Clone, Debug, Default)]
struct Thread {
    open: Vec<Section>,
    /// The locks of `open`, each once; shared by the accesses that held them.
    held: Arc<[Held]>,
    /// How often a lock was held by a wait that gave it up.
    given_up: BTreeMap<LockId, u32>,
}

impl Threads {
    /// What `t` knows. It must have had an event.
    pub(super) fn clock(&self, t: ThreadId) -> &VectorClock {
        self.clocks.clock(t)
    }

    /// The epoch of `t`.
    pub(super) fn epoch(&mut self, t: ThreadId) -> Epoch {
        self.thread(t);
        self.clocks.epoch(t)
    }

    /// `t` learns what `learned` knows.
    pub(super) fn learn(&mut self, t: ThreadId, learned: &VectorClock) {
        self.clocks.learn(t, learned);
    }

    /// The open sections of `t`, in the order in which they were entered.
    pub(super) fn open(&self, t: ThreadId) -> &[Section] {
        let thread = self.threads.get(t.index());
        thread.map_or(&[], |thread| &thread.open)
    }

    /// The locks `t` holds.
    pub(super) fn held(&self, t: ThreadId) -> Arc<[Held]> {
        let thread = self.threads.get(t.index());
        thread.map_or_else(Arc::default, |thread| thread.held.clone())
    }

    /// Whether `t` holds a lock, in whatever way.
    pub(super) fn holds(&self, t: ThreadId, lock: LockId) -> bool {
        self.open(t).iter().any(|section| section.lock == lock)
    }

    /// `t` forks `u`.
    pub(super) fn fork(&mut self, t: ThreadId, u: ThreadId) {
        self.thread(u);
        self.clocks.step(t, &Op::Fork(u));
    }

    /// `t` joins `u`.
    pub(super) fn join(&mut self, t: ThreadId, u: ThreadId) {
        self.clocks.step(t, &Op::Join(u));
    }

    /// `t` acquires a lock; the section that begins, if it is the outermost.
    pub(super) fn acquire(
        &mut self,
        t: ThreadId,
        lock: LockId,
        exclusive: bool,
    ) -> Option<Section> {
        let same = |s: &&mut Section| s.lock == lock && s.exclusive == exclusive;
        let thread = self.thread(t);
        if let Some(section) = thread.open.iter_mut().find(same) {
            section.depth += 1;
            return None;
        }
        if lock.index() >= self.sections.len() {
            self.sections.resize(lock.index() + 1, 0);
        }
        self.sections[lock.index()] += 1;
        let section = Section {
            lock,
            exclusive,
            number: self.sections[lock.index()],
            depth: 1,
        };
        let thread = self.thread(t);
        thread.open.push(section);
        thread.list_held();
        Some(section)
    }

    /// `t` releases a lock; the section that ends, if it was the outermost.
    pub(super) fn release(
        &mut self,
        t: ThreadId,
        lock: LockId,
        exclusive: bool,
    ) -> Option<Section> {
        let thread = self.thread(t);
        let same = |s: &Section| s.lock == lock && s.exclusive == exclusive;
        let place = thread.open.iter().position(same)?;
        thread.open[place].depth -= 1;
        if thread.open[place].depth > 0 {
            return None;
        }
        let section = thread.open.remove(place);
        thread.list_held();
        Some(section)
    }

    /// `t` begins to wait, which releases a lock however often it is held.
    pub(super) fn give_up(&mut self, t: ThreadId, lock: LockId) -> Option<Section> {
        let thread = self.thread(t);
        let mut open = thread.open.iter_mut();
        let section = open.find(|s| s.lock == lock && s.exclusive)?;
        thread.given_up.insert(lock, section.depth);
        section.depth = 1;
        self.release(t, lock, true)
    }

    /// `t` has waited, and has its lock again.
    pub(super) fn take_back(&mut self, t: ThreadId, lock: LockId) -> Option<Section> {
        let depth = self.thread(t).given_up.remove(&lock);
        let begun = self.acquire(t, lock, true);
        let thread = self.thread(t);
        if let (Some(_), Some(depth), Some(section)) = (begun, depth, thread.open.last_mut()) {
            section.depth = depth;
        }
        begun
    }

    /// The clock of `t` as the thesis prints it, in the order of `names`.
    pub(super) fn display(&self, t: ThreadId, names: &Names) -> String {
        if t.index() < self.threads.len() {
            return self.clocks.display(t, names);
        }
        let mut start = VectorClock::default();
        start.set(t.0, 1);
        format!("{start:0$}", names.threads.len())
    }

    fn thread(&mut self, t: ThreadId) -> &mut Thread {
        if t.index() >= self.threads.len() {
            self.threads.resize_with(t.index() + 1, Thread::default);
        }
        &mut self.threads[t.index()]
    }
}

impl Thread {
    fn list_held(&mut self) {
        let mut held: Vec<Held> = self.open.iter().map(Held::of).collect();
        held.sort_unstable();
        self.held = held.into();
    }
}

impl Held {
    fn of(section: &Section) -> Held {
        let Section {
            lock, exclusive, ..
        } = *section;
        Held { lock, exclusive }
    }
}

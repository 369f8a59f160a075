//! Happens-before (RD2, Table 1), with the other operations of a trace.
//!
//! Claims: for the events taken so far, `a` happens before `b` in the sense of
//! the table below iff `clock(b)` knows the epoch of `a`. Nothing else orders.
//!
//! | operation | effect |
//! |---|---|
//! | `fork(u)` | C_u ⊔= C_t, tick u and t |
//! | `join(u)` | C_t ⊔= C_u |
//! | `acq(l)`, `wake(c,l)` | C_t ⊔= L ⊔ RL |
//! | `rel(l)`, `wait(c,l)` | L := C_t, RL := ⊥, tick t |
//! | `racq(l)` | C_t ⊔= L |
//! | `rrel(l)` | RL ⊔= C_t, tick t |
//! | action on a library object | by the `orders` of its type: [`order`](crate::order) |
//!
//! Symbols: C_t → `threads[slot of t].clock`, L → `locks[l].clock`, RL → `locks[l].readers`.
//!
//! Deviations: every thread starts at tick_t(⊥), with ⊥ the races of threads
//! that nobody forked would be missed. Reentrant acquisitions need no counting:
//! while the outer one is held nobody else can see what the inner release
//! published. A clock is indexed by *slot* ([`slots`](crate::slots)): a forked thread
//! takes over the slot of a joined one whose end its parent knows. The component of a slot
//! grows when its thread is forked, so the last time of a thread is in no clock but by a
//! join, and the clock of a thread that knows this time knows all of the thread. The two
//! are ordered, so they count as one thread, and clocks stay as wide as there are threads
//! at a time. Of the threads whose slots were taken over, the clocks of the last few are
//! kept, for threads that join them or fork them again and do not know their end.
//!
//! Gaps: a thread that joins or forks again a thread which ended long ago, without
//! knowledge of its end, comes after everything that the slot of that thread knows: races
//! may be missing, none is wrong.
//!
//! Cost: constant per event, plus the width of a clock for an event that
//! learns something new or publishes.

use commute_clock::{Epoch, VectorClock};
use commute_model::{Id, LockId, Names, Op, ThreadId};

use crate::ill_formed::{IllFormed, Impossible};
use crate::lock::Lock;
use crate::locksets::{LockSetId, LockSets};
use crate::order::Knowledge;
use crate::settled::Settled;
pub use crate::slots::SLOTS_KEPT_APART;
use crate::slots::{Excess, Given, Past, Slots};

/// The clocks of all threads and locks.
#[derive(Clone, Debug)]
pub struct HappensBefore {
    /// By slot.
    threads: Vec<Thread>,
    locks: Vec<Lock>,
    slots: Slots,
    /// The clocks of threads whose slots were taken over.
    past: Past<VectorClock>,
    /// By thread: its first fork.
    forks: Vec<PackedFork>,
    /// All sets of locks that were held.
    pub locksets: LockSets,
    ill_formed: Option<IllFormed>,
    /// The index of the current event.
    index: u64,
    /// What every thread knows.
    pub settled: Settled,
}

impl Default for HappensBefore {
    fn default() -> HappensBefore {
        HappensBefore::keeping_apart(SLOTS_KEPT_APART)
    }
}

/// The thread of a slot.
#[derive(Clone, Debug, Default)]
struct Thread {
    clock: VectorClock,
    held: Option<LockSetId>,
    /// How many acquisitions have not been released.
    depth: u32,
}

/// A [`Fork`] in little memory; the index is 0 if there is none.
#[derive(Clone, Copy, Debug, Default)]
struct PackedFork {
    parent: u32,
    index: [u32; 2],
}

/// Who forked a thread, and when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fork {
    /// The thread that forked.
    pub parent: ThreadId,
    /// The index of the fork.
    pub index: u64,
}

impl HappensBefore {
    /// No event yet. From `slots` slots on, slots of joined threads are taken
    /// over; tests use small numbers.
    pub fn keeping_apart(slots: usize) -> HappensBefore {
        HappensBefore {
            threads: Vec::new(),
            locks: Vec::new(),
            slots: Slots::keeping_apart(slots),
            past: Past::default(),
            forks: Vec::new(),
            locksets: LockSets::default(),
            ill_formed: None,
            index: 0,
            settled: Settled::default(),
        }
    }

    /// Whether `op` changes clocks or held locks.
    #[inline]
    pub fn orders(op: &Op) -> bool {
        matches!(
            op,
            Op::Acquire(_)
                | Op::Release(_)
                | Op::ReadAcquire(_)
                | Op::ReadRelease(_)
                | Op::Fork(_)
                | Op::Join(_)
                | Op::Wait(..)
                | Op::Wake(..)
        )
    }

    /// The next event, of whatever kind, has this index.
    #[inline]
    pub fn at(&mut self, index: u64) {
        self.index = index;
    }

    /// Notes that thread `t` runs: the next event is one of its events.
    #[inline]
    pub fn run(&mut self, t: ThreadId) {
        self.start(t);
    }

    /// Finds out from time to time what every thread knows.
    #[inline]
    pub(crate) fn settle(&mut self) {
        if self.settled.is_due(self.index) {
            let clocks = self.slots.live();
            let clocks = clocks.map(|slot| &self.threads[slot as usize].clock);
            self.settled.ask(self.index, self.threads.len(), clocks);
        }
    }

    /// Takes one synchronisation event; others change nothing.
    #[inline]
    pub fn step(&mut self, t: ThreadId, op: &Op) {
        match *op {
            Op::Acquire(l) => {
                self.acquire(t, l, true);
                self.hold(t, l, true);
            }
            Op::Wake(_, l) => {
                self.acquire(t, l, true);
                self.hold(t, l, true);
                self.locks[l.index()].restore(t);
            }
            Op::ReadAcquire(l) => {
                self.acquire(t, l, false);
                self.hold(t, l, false);
            }
            Op::Release(l) => {
                self.release(t, l);
                self.let_go(t, l, true);
            }
            Op::Wait(_, l) => {
                self.release(t, l);
                self.let_go(t, l, true);
                self.locks[l.index()].give_up(t);
            }
            Op::ReadRelease(l) => {
                self.release_shared(t, l);
                self.let_go(t, l, false);
            }
            Op::Fork(u) => self.fork(t, u),
            Op::Join(u) => self.join(t, u),
            _ => {}
        }
    }

    /// The epoch of thread `t` now.
    #[inline]
    pub fn epoch(&mut self, t: ThreadId) -> Epoch {
        let slot = self.start(t);
        let time = self.threads[slot as usize].clock.get(slot);
        Epoch { slot, time }
    }

    /// The same, if it is a thread that is known to run.
    #[inline]
    pub(crate) fn known_epoch(&self, t: ThreadId) -> Option<Epoch> {
        let slot = self.slots.running(t)?;
        let time = self.threads[slot as usize].clock.get(slot);
        Some(Epoch { slot, time })
    }

    /// What thread `t` knows now. The thread must have had an event.
    ///
    /// # Panics
    /// If it has had none.
    #[inline]
    pub fn clock(&self, t: ThreadId) -> &VectorClock {
        let slot = self.slots.last(t).expect("a thread with an event");
        &self.threads[slot as usize].clock
    }

    /// The locks thread `t` holds now.
    #[inline]
    pub fn held(&self, t: ThreadId) -> LockSetId {
        let slot = self.slots.running(t);
        let held = slot.and_then(|slot| self.threads[slot as usize].held);
        held.unwrap_or(LockSetId::EMPTY)
    }

    /// The thread whose epoch this is.
    pub fn thread(&self, epoch: Epoch) -> ThreadId {
        self.slots.user(epoch.slot, epoch.time)
    }

    /// The slot of thread `t`, which runs: threads with one slot are ordered.
    pub(crate) fn slot(&self, t: ThreadId) -> u32 {
        self.slots.running(t).unwrap_or(u32::MAX)
    }

    /// The slots of the threads.
    #[cfg(test)]
    pub(crate) fn slots(&self) -> &Slots {
        &self.slots
    }

    /// The first start of a thread for which the clocks have no room.
    #[inline]
    pub(crate) fn excess(&self) -> Option<Excess> {
        self.slots.excess()
    }

    /// The first event that no program has.
    pub fn ill_formed(&self) -> Option<IllFormed> {
        self.ill_formed
    }

    /// Who forked `t`.
    pub fn forked(&self, t: ThreadId) -> Option<Fork> {
        let fork = self.forks.get(t.index())?;
        let index = u64::from(fork.index[1]) << 32 | u64::from(fork.index[0]);
        let parent = ThreadId(fork.parent);
        (index > 0).then_some(Fork { parent, index })
    }

    /// The clock of `t` as the papers print it, in the order of `names`.
    pub fn display(&self, t: ThreadId, names: &Names) -> String {
        let mut clock = VectorClock::default();
        for id in names.threads.ids() {
            if let Some(slot) = self.slots.last(id) {
                clock.set(id.0, self.clock(t).get(slot));
            }
        }
        format!("{clock:0$}", names.threads.len())
    }

    /// An atomic cell: `t` comes after everyone who used it.
    pub fn atomic(&mut self, t: ThreadId, cell: &mut VectorClock) {
        let slot = self.start(t);
        let clock = &mut self.threads[slot as usize].clock;
        clock.join(cell);
        cell.copy_from(clock);
        clock.tick(slot);
    }

    /// `t` learns what was published in `clock`.
    pub fn learn(&mut self, t: ThreadId, clock: &VectorClock) {
        let slot = self.start(t);
        self.threads[slot as usize].clock.join(clock);
    }

    /// What `t` does from now on is later than what it did.
    pub(crate) fn tick(&mut self, t: ThreadId) {
        let slot = self.start(t);
        self.threads[slot as usize].clock.tick(slot);
    }

    /// Adds what `t` knows to `clock`; what `t` does from now on is later.
    pub fn publish(&mut self, t: ThreadId, clock: &mut VectorClock) {
        let slot = self.start(t);
        let thread = &mut self.threads[slot as usize];
        clock.join(&thread.clock);
        thread.clock.tick(slot);
    }

    /// Makes sure that `t` has a slot, and returns it.
    #[inline(always)]
    fn start(&mut self, t: ThreadId) -> u32 {
        match self.slots.running(t) {
            Some(slot) => slot,
            None => self.start_slow(t),
        }
    }

    /// The slot of a thread that no thread forked, or that was joined.
    #[cold]
    fn start_slow(&mut self, t: ThreadId) -> u32 {
        if self.slots.last(t).is_some() {
            self.note(Impossible::AfterJoin(t));
            self.settled.stop();
        }
        let before = self.slots.last(t);
        let given = self.slots.give(t, None, self.index, |_, _| false);
        if given != Given::Kept(given.slot()) {
            self.settled.add_root();
            self.begin(t, given, before, VectorClock::default());
        }
        given.slot()
    }

    /// `t` begins to use a slot that it did not have `before`, and knows so much.
    fn begin(&mut self, t: ThreadId, given: Given, before: Option<u32>, mut clock: VectorClock) {
        if let Some(before) = before {
            self.remember(t, before, &mut clock);
        }
        let slot = given.slot();
        clock.tick(slot);
        let time = clock.get(slot);
        let thread = Thread {
            clock,
            ..Thread::default()
        };
        match given {
            Given::TakenOver(_, last) => {
                let past = std::mem::replace(&mut self.threads[slot as usize], thread);
                self.past.push(last, past.clock);
            }
            _ => self.threads.push(thread),
        }
        self.slots.name(slot, time, t);
    }

    /// Adds to `clock` what `u`, whose slot was taken over, knew when it was joined, or
    /// more.
    fn remember(&self, u: ThreadId, slot: u32, clock: &mut VectorClock) {
        let end = self.slots.end(u, slot);
        if end.is_some_and(|time| clock.knows(Epoch { slot, time })) {
            return;
        }
        match self.past.get(u) {
            Some(past) => clock.join(past),
            None => clock.join(&self.threads[slot as usize].clock),
        }
    }

    fn fork(&mut self, t: ThreadId, u: ThreadId) {
        let slot = self.start(t);
        if self.slots.running(u).is_some() {
            self.note(Impossible::ForkOfRunning(u));
        }
        if t == u {
            return;
        }
        let before = self.slots.last(u);
        let threads = &self.threads;
        let parent = &threads[slot as usize].clock;
        let is_known = |free: u32, _| {
            let time = threads[free as usize].clock.get(free);
            parent.knows(Epoch { slot: free, time })
        };
        let given = self.slots.give(u, Some(t), self.index, is_known);
        if let Given::Kept(child) = given {
            let parent = std::mem::take(&mut self.threads[slot as usize].clock);
            let clock = &mut self.threads[child as usize].clock;
            clock.join(&parent);
            clock.tick(child);
            self.threads[slot as usize].clock = parent;
        } else {
            let clock = self.threads[slot as usize].clock.clone();
            self.begin(u, given, before, clock);
        }
        self.note_fork(u, t);
        self.threads[slot as usize].clock.tick(slot);
    }

    /// Notes which event forked `u`, if it is the first.
    fn note_fork(&mut self, u: ThreadId, parent: ThreadId) {
        if u.index() >= self.forks.len() {
            self.forks.resize(u.index() + 1, PackedFork::default());
        }
        let fork = &mut self.forks[u.index()];
        if fork.index == [0, 0] {
            *fork = PackedFork {
                parent: parent.0,
                index: [self.index as u32, (self.index >> 32) as u32],
            };
        }
    }

    fn join(&mut self, t: ThreadId, u: ThreadId) {
        let slot = self.start(t);
        if t == u {
            return;
        }
        let Some(child) = self.slots.last(u) else {
            return; // It had no event and nobody forked it: it knows nothing.
        };
        let mut clock = std::mem::take(&mut self.threads[slot as usize].clock);
        if self.slots.is_last_user(u, child) {
            clock.join(&self.threads[child as usize].clock);
            if self.slots.running(u).is_some() {
                self.threads[child as usize].held = None;
                self.slots.join(u, t);
            }
        } else if child == slot {
            // Its slot was taken over by `t` itself, which knows its end.
        } else {
            self.remember(u, child, &mut clock);
        }
        self.threads[slot as usize].clock = clock;
    }

    fn lock(&mut self, l: LockId) -> &mut Lock {
        if l.index() >= self.locks.len() {
            self.locks.resize_with(l.index() + 1, Lock::default);
        }
        &mut self.locks[l.index()]
    }

    fn acquire(&mut self, t: ThreadId, l: LockId, exclusive: bool) {
        let slot = self.start(t);
        self.lock(l);
        let lock = &self.locks[l.index()];
        let clock = &mut self.threads[slot as usize].clock;
        if !clock.knows(lock.last) {
            clock.join(&lock.clock);
        }
        if exclusive {
            clock.join(&lock.readers);
        }
    }

    fn release(&mut self, t: ThreadId, l: LockId) {
        let slot = self.start(t);
        self.lock(l);
        let lock = &mut self.locks[l.index()];
        let clock = &mut self.threads[slot as usize].clock;
        let time = clock.get(slot);
        lock.clock.copy_from(clock);
        lock.last = Epoch { slot, time };
        lock.readers.clear();
        clock.tick(slot);
    }

    fn release_shared(&mut self, t: ThreadId, l: LockId) {
        let slot = self.start(t);
        self.lock(l);
        let clock = &mut self.threads[slot as usize].clock;
        self.locks[l.index()].readers.join(clock);
        clock.tick(slot);
    }

    fn hold(&mut self, t: ThreadId, l: LockId, exclusive: bool) {
        let wrong = self.locks[l.index()].taken(t, exclusive);
        if let Some(what) = wrong {
            self.note(Impossible::Lock(what, l));
        }
        let slot = self.start(t);
        let thread = &mut self.threads[slot as usize];
        let held = thread.held.unwrap_or(LockSetId::EMPTY);
        thread.held = Some(self.locksets.with(held, l));
        thread.depth += 1;
    }

    fn let_go(&mut self, t: ThreadId, l: LockId, exclusive: bool) {
        let wrong = self.locks[l.index()].given_back(t, exclusive);
        if let Some(what) = wrong {
            self.note(Impossible::Lock(what, l));
        }
        let slot = self.start(t);
        let thread = &mut self.threads[slot as usize];
        thread.depth = thread.depth.saturating_sub(1);
        // A set that is not known becomes known again when nothing is held.
        thread.held = match thread.held {
            Some(held) if thread.depth > 0 => Some(self.locksets.without(held, l)),
            _ => None,
        };
    }

    /// Notes that the current event is one that no program has.
    #[cold]
    pub(crate) fn note(&mut self, what: Impossible) {
        let index = self.index;
        self.ill_formed.get_or_insert(IllFormed { index, what });
    }
}

impl Knowledge for HappensBefore {
    type Known = VectorClock;

    fn learn(&mut self, t: ThreadId, known: &VectorClock) {
        HappensBefore::learn(self, t, known);
    }

    fn publish(&mut self, t: ThreadId, known: &mut VectorClock) {
        HappensBefore::publish(self, t, known);
    }

    fn replace(&mut self, t: ThreadId, known: &mut VectorClock) {
        self.atomic(t, known);
    }

    fn tick(&mut self, t: ThreadId) {
        HappensBefore::tick(self, t);
    }

    fn chain(&self, t: ThreadId) -> u32 {
        self.slot(t)
    }
}

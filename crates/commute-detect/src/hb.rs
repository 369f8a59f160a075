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
//! Symbols: C_t → `threads[t].clock`, L → `locks[l].clock`, RL → `locks[l].readers`.
//!
//! Deviations: every thread starts at tick_t(⊥), with ⊥ the races of threads
//! that nobody forked would be missed. Reentrant acquisitions need no counting:
//! while the outer one is held nobody else can see what the inner release
//! published. A clock is indexed by *slot*; beyond [`SLOTS_KEPT_APART`] slots a
//! forked thread takes over the slot of a joined one whose end its parent
//! knows. The two are ordered, so they count as one thread, and clocks stay as
//! wide as there are threads at a time.
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

/// Threads are kept apart, one slot each, up to this number.
pub const SLOTS_KEPT_APART: usize = 64;
/// How many free slots a fork looks at before it takes a new one.
const FREE_SLOTS_TRIED: usize = 8;

/// The clocks of all threads and locks.
#[derive(Clone, Debug)]
pub struct HappensBefore {
    threads: Vec<Thread>,
    locks: Vec<Lock>,
    /// Who used each slot, from which time on, in order.
    slots: Vec<Vec<(u32, ThreadId)>>,
    /// Slots of joined threads, with their last time.
    free: Vec<Epoch>,
    /// All sets of locks that were held.
    pub locksets: LockSets,
    ill_formed: Option<IllFormed>,
    /// The index of the current event.
    index: u64,
    /// From this many slots on, slots are taken over.
    kept_apart: usize,
    /// What every thread knows.
    pub settled: Settled,
}

impl Default for HappensBefore {
    fn default() -> HappensBefore {
        HappensBefore::keeping_apart(SLOTS_KEPT_APART)
    }
}

#[derive(Clone, Debug, Default)]
struct Thread {
    /// `None` until its first event or fork.
    slot: Option<u32>,
    clock: VectorClock,
    held: Option<LockSetId>,
    /// How many acquisitions have not been released.
    depth: u32,
    forked: Option<Fork>,
    joined: bool,
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
            slots: Vec::new(),
            free: Vec::new(),
            locksets: LockSets::default(),
            ill_formed: None,
            index: 0,
            kept_apart: slots,
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
            let running = |thread: &&Thread| thread.slot.is_some() && !thread.joined;
            let clocks = self.threads.iter().filter(running);
            let clocks = clocks.map(|thread| &thread.clock);
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
        let time = self.threads[t.index()].clock.get(slot);
        Epoch { slot, time }
    }

    /// The same, if it is a thread that is known to run.
    #[inline]
    pub(crate) fn known_epoch(&self, t: ThreadId) -> Option<Epoch> {
        let thread = self.threads.get(t.index())?;
        let slot = thread.slot.filter(|_| !thread.joined)?;
        let time = thread.clock.get(slot);
        Some(Epoch { slot, time })
    }

    /// What thread `t` knows now. The thread must have had an event.
    #[inline]
    pub fn clock(&self, t: ThreadId) -> &VectorClock {
        &self.threads[t.index()].clock
    }

    /// The locks thread `t` holds now.
    #[inline]
    pub fn held(&self, t: ThreadId) -> LockSetId {
        let held = self.threads.get(t.index()).and_then(|thread| thread.held);
        held.unwrap_or(LockSetId::EMPTY)
    }

    /// The thread whose epoch this is.
    pub fn thread(&self, epoch: Epoch) -> ThreadId {
        let users = &self.slots[epoch.slot as usize];
        users[users.partition_point(|&(start, _)| start <= epoch.time) - 1].1
    }

    /// The first event that no program has.
    pub fn ill_formed(&self) -> Option<IllFormed> {
        self.ill_formed
    }

    /// Who forked `t`.
    pub fn forked(&self, t: ThreadId) -> Option<Fork> {
        self.threads.get(t.index())?.forked
    }

    /// The clock of `t` as the papers print it, in the order of `names`.
    pub fn display(&self, t: ThreadId, names: &Names) -> String {
        let mut clock = VectorClock::default();
        for id in names.threads.ids() {
            if let Some(thread) = self.threads.get(id.index())
                && let Some(slot) = thread.slot
            {
                clock.set(id.0, self.clock(t).get(slot));
            }
        }
        format!("{clock:0$}", names.threads.len())
    }

    /// An atomic cell: `t` comes after everyone who used it.
    pub fn atomic(&mut self, t: ThreadId, cell: &mut VectorClock) {
        let slot = self.start(t);
        let clock = &mut self.threads[t.index()].clock;
        clock.join(cell);
        cell.copy_from(clock);
        clock.tick(slot);
    }

    /// `t` learns what was published in `clock`.
    pub fn learn(&mut self, t: ThreadId, clock: &VectorClock) {
        self.start(t);
        self.threads[t.index()].clock.join(clock);
    }

    /// What `t` does from now on is later than what it did.
    pub(crate) fn tick(&mut self, t: ThreadId) {
        let slot = self.start(t);
        self.threads[t.index()].clock.tick(slot);
    }

    /// Adds what `t` knows to `clock`; what `t` does from now on is later.
    pub fn publish(&mut self, t: ThreadId, clock: &mut VectorClock) {
        let slot = self.start(t);
        let thread = &mut self.threads[t.index()];
        clock.join(&thread.clock);
        thread.clock.tick(slot);
    }

    /// Makes sure that `t` has a slot, and returns it.
    #[inline]
    fn start(&mut self, t: ThreadId) -> u32 {
        match self.threads.get(t.index()) {
            Some(Thread {
                slot: Some(slot),
                joined: false,
                ..
            }) => *slot,
            _ => self.start_slow(t),
        }
    }

    #[cold]
    fn start_slow(&mut self, t: ThreadId) -> u32 {
        self.make_thread(t);
        if self.threads[t.index()].joined {
            self.note(Impossible::AfterJoin(t));
            self.settled.stop();
        }
        self.revive(t)
    }

    /// The slot of a thread that may have been joined, or have none.
    fn revive(&mut self, t: ThreadId) -> u32 {
        if let Some(slot) = self.threads[t.index()].slot {
            // A joined thread goes on, or is forked again. It must not be
            // confused with one that took its slot.
            let users = &self.slots[slot as usize];
            if !self.threads[t.index()].joined {
                return slot;
            }
            if users.last().is_some_and(|&(_, user)| user == t) {
                self.free.retain(|free| free.slot != slot);
                self.threads[t.index()].joined = false;
                return slot;
            }
        }
        self.give_slot(t, None)
    }

    fn make_thread(&mut self, t: ThreadId) {
        if t.index() >= self.threads.len() {
            self.threads.resize_with(t.index() + 1, Thread::default);
        }
    }

    /// Gives `t` a slot: one whose last user's end `parent` knows, or a new one.
    fn give_slot(&mut self, t: ThreadId, parent: Option<ThreadId>) -> u32 {
        let reused = parent.filter(|_| self.slots.len() >= self.kept_apart);
        let reused = reused.and_then(|parent| {
            let clock = &self.threads[parent.index()].clock;
            let tried = self.free.len().saturating_sub(FREE_SLOTS_TRIED);
            let known = |epoch: &Epoch| clock.knows(*epoch);
            let place = tried + self.free[tried..].iter().rposition(known)?;
            Some(self.free.swap_remove(place).slot)
        });
        if parent.is_none() {
            self.settled.add_root();
        }
        let slot = reused.unwrap_or_else(|| {
            self.slots.push(Vec::new());
            self.slots.len() as u32 - 1
        });
        let thread = &mut self.threads[t.index()];
        thread.slot = Some(slot);
        thread.joined = false;
        thread.clock.tick(slot);
        self.slots[slot as usize].push((thread.clock.get(slot), t));
        slot
    }

    fn fork(&mut self, t: ThreadId, u: ThreadId) {
        let slot = self.start(t);
        self.make_thread(u);
        let child = &self.threads[u.index()];
        if child.slot.is_some() && !child.joined {
            self.note(Impossible::ForkOfRunning(u));
        }
        if t == u {
            return;
        }
        let parent = std::mem::take(&mut self.threads[t.index()].clock);
        self.threads[u.index()].clock.join(&parent);
        self.threads[t.index()].clock = parent;
        match self.threads[u.index()].slot {
            None => {
                self.give_slot(u, Some(t));
            }
            // A thread that ran before; if it was joined, somebody else may
            // have its slot by now, and then it gets another one.
            Some(before) => {
                let slot = self.revive(u);
                if slot == before {
                    self.threads[u.index()].clock.tick(slot);
                }
            }
        }
        let fork = Fork {
            parent: t,
            index: self.index,
        };
        self.threads[u.index()].forked.get_or_insert(fork);
        self.threads[t.index()].clock.tick(slot);
    }

    fn join(&mut self, t: ThreadId, u: ThreadId) {
        self.start(t);
        self.make_thread(u);
        if t == u {
            return;
        }
        let Some(slot) = self.threads[u.index()].slot else {
            return; // It had no event and nobody forked it: it knows nothing.
        };
        let child = std::mem::take(&mut self.threads[u.index()].clock);
        self.threads[t.index()].clock.join(&child);
        let time = child.get(slot);
        let child_thread = &mut self.threads[u.index()];
        child_thread.clock = child;
        if !child_thread.joined {
            child_thread.joined = true;
            child_thread.held = None;
            self.free.push(Epoch { slot, time });
        }
    }

    fn lock(&mut self, l: LockId) -> &mut Lock {
        if l.index() >= self.locks.len() {
            self.locks.resize_with(l.index() + 1, Lock::default);
        }
        &mut self.locks[l.index()]
    }

    fn acquire(&mut self, t: ThreadId, l: LockId, exclusive: bool) {
        self.start(t);
        self.lock(l);
        let lock = &self.locks[l.index()];
        let clock = &mut self.threads[t.index()].clock;
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
        let clock = &mut self.threads[t.index()].clock;
        let time = clock.get(slot);
        lock.clock.copy_from(clock);
        lock.last = Epoch { slot, time };
        lock.readers.clear();
        clock.tick(slot);
    }

    fn release_shared(&mut self, t: ThreadId, l: LockId) {
        let slot = self.start(t);
        self.lock(l);
        let clock = &mut self.threads[t.index()].clock;
        self.locks[l.index()].readers.join(clock);
        clock.tick(slot);
    }

    fn hold(&mut self, t: ThreadId, l: LockId, exclusive: bool) {
        let wrong = self.locks[l.index()].taken(t, exclusive);
        if let Some(what) = wrong {
            self.note(Impossible::Lock(what, l));
        }
        let thread = &mut self.threads[t.index()];
        let held = thread.held.unwrap_or(LockSetId::EMPTY);
        thread.held = Some(self.locksets.with(held, l));
        thread.depth += 1;
    }

    fn let_go(&mut self, t: ThreadId, l: LockId, exclusive: bool) {
        let wrong = self.locks[l.index()].given_back(t, exclusive);
        if let Some(what) = wrong {
            self.note(Impossible::Lock(what, l));
        }
        let thread = &mut self.threads[t.index()];
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
}

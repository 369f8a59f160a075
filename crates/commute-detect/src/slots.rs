//! Slots: the components of clocks, each used by a chain of threads.
//!
//! Claims: of two threads that have the same slot, every event of the one that had it first
//! happens before every event of the other, in the order of the analysis. So an analysis
//! may treat a slot as one thread, and an epoch of a slot belongs to one thread: the last
//! that got the slot at or before that time.
//!
//! Definition: a slot becomes *free* when its thread is joined. A thread that is forked
//! takes over a free slot if its parent knows every event of that slot, which the caller
//! decides in the order of its analysis; so it does not matter which thread joined and how
//! its parent learned of that. A thread that no thread forked gets a slot of its own.
//!
//! The first slots are kept apart: while there are fewer than [`SLOTS_KEPT_APART`], a forked
//! thread gets a new one. [By number](Slots::by_number), the first threads have the slots
//! of their numbers.
//!
//! Cost: a fork looks at every free slot at worst, which is less than the copy of a clock
//! costs. Memory: a few bytes per thread, and what the caller keeps per slot.

use std::collections::VecDeque;

use commute_model::{Id, ThreadId};

use crate::pass::EventError;

/// Threads are kept apart, one slot each, up to this number.
pub const SLOTS_KEPT_APART: usize = 64;

/// At most so many threads are live at a time.
pub(crate) const MOST_LIVE_THREADS: usize = 8192;

/// The final state of so many threads is remembered after their slots were taken over.
const MOST_PAST: usize = 64;

/// The slots of all threads.
#[derive(Clone, Debug)]
pub(crate) struct Slots {
    /// By thread: twice its last slot, plus 1 if it was joined, or [`NONE`].
    of: Vec<u32>,
    /// By slot: its threads, each with the time at which it got the slot, in order.
    users: Vec<Vec<(u32, ThreadId)>>,
    /// Slots of joined threads, in the order of the joins.
    free: Vec<Free>,
    /// How many threads run.
    live: usize,
    kept_apart: usize,
    /// Whether each of the first threads has the slot of its number.
    by_number: bool,
    excess: Option<Excess>,
}

/// The place of a thread that has had no slot: an odd number, as of joined threads.
const NONE: u32 = u32::MAX;

/// A free slot, and the thread that joined its last thread.
#[derive(Clone, Copy, Debug)]
struct Free {
    slot: u32,
    joiner: ThreadId,
}

/// The slot that a thread got.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Given {
    /// The slot that the thread had before.
    Kept(u32),
    /// A slot that no thread had.
    New(u32),
    /// A slot that this thread had.
    TakenOver(u32, ThreadId),
}

/// The start of a thread that exceeds the number of threads which clocks have room for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Excess {
    /// The index of the event that starts the thread.
    pub(crate) index: u64,
    live: usize,
    slots: usize,
}

impl Default for Slots {
    fn default() -> Slots {
        Slots::keeping_apart(SLOTS_KEPT_APART)
    }
}

impl Slots {
    /// No thread yet. From `slots` slots on, slots are taken over.
    pub(crate) fn keeping_apart(slots: usize) -> Slots {
        Slots {
            of: Vec::new(),
            users: Vec::new(),
            free: Vec::new(),
            live: 0,
            kept_apart: slots,
            by_number: false,
            excess: None,
        }
    }

    /// No thread yet. The first `slots` threads have the slots of their numbers.
    pub(crate) fn by_number(slots: usize) -> Slots {
        Slots {
            by_number: true,
            ..Slots::keeping_apart(slots)
        }
    }

    /// The slot of a thread that runs.
    #[inline(always)]
    pub(crate) fn running(&self, t: ThreadId) -> Option<u32> {
        let place = *self.of.get(t.index())?;
        (place & 1 == 0).then_some(place >> 1)
    }

    /// The last slot of a thread, which may have been taken over.
    #[inline]
    pub(crate) fn last(&self, t: ThreadId) -> Option<u32> {
        let place = *self.of.get(t.index())?;
        (place != NONE).then_some(place >> 1)
    }

    /// Whether no other thread has got this slot since `t` had it.
    pub(crate) fn is_last_user(&self, t: ThreadId, slot: u32) -> bool {
        let last = self.users[slot as usize].last();
        last.is_some_and(|&(_, user)| user == t)
    }

    /// The thread that had a slot at this time.
    pub(crate) fn user(&self, slot: u32, time: u32) -> ThreadId {
        let users = &self.users[slot as usize];
        users[users.partition_point(|&(start, _)| start <= time).max(1) - 1].1
    }

    /// The last time at which thread `t`, whose slot was taken over, may have had it.
    pub(crate) fn end(&self, t: ThreadId, slot: u32) -> Option<u32> {
        let users = &self.users[slot as usize];
        let place = users.iter().rposition(|&(_, user)| user == t)?;
        Some(users.get(place + 1)?.0 - 1)
    }

    /// How many slots there are.
    #[cfg(test)]
    pub(crate) fn count_slots(&self) -> usize {
        self.users.iter().filter(|users| !users.is_empty()).count()
    }

    /// The slots of threads that run.
    pub(crate) fn live(&self) -> impl Iterator<Item = u32> {
        (0..self.users.len() as u32).filter(|&slot| {
            let user = self.users[slot as usize].last();
            user.is_some_and(|&(_, user)| self.running(user) == Some(slot))
        })
    }

    /// The first start of a thread that exceeded the limit.
    #[inline]
    pub(crate) fn excess(&self) -> Option<Excess> {
        self.excess
    }

    /// Gives `t` a slot, by the event with this index: its own, if no other thread has got
    /// it; else, if a thread forks `t`, a free one of which `is_known` holds, rather one
    /// that its parent freed (then `is_known` is told so); else a new one. The caller
    /// [names](Slots::name) the user.
    pub(crate) fn give(
        &mut self,
        t: ThreadId,
        parent: Option<ThreadId>,
        index: u64,
        is_known: impl Fn(u32, bool) -> bool,
    ) -> Given {
        if let Some(slot) = self.running(t) {
            return Given::Kept(slot);
        }
        if let Some(slot) = self.last(t)
            && self.is_last_user(t, slot)
        {
            self.free.retain(|free| free.slot != slot);
            self.set(t, slot << 1);
            self.count(index);
            return Given::Kept(slot);
        }
        let place = parent.filter(|_| !self.is_kept_apart(t));
        let place = place.and_then(|parent| self.find(parent, is_known));
        let given = match place {
            Some(place) => {
                let slot = self.free.remove(place).slot;
                let last = self.users[slot as usize].last().expect("it was used");
                Given::TakenOver(slot, last.1)
            }
            None => Given::New(self.new_slot(t)),
        };
        self.set(t, given.slot() << 1);
        self.count(index);
        given
    }

    /// Whether `t` gets a slot of its own, because there are not many.
    fn is_kept_apart(&self, t: ThreadId) -> bool {
        if self.by_number {
            t.index() < self.kept_apart && self.users.get(t.index()).is_none_or(Vec::is_empty)
        } else {
            self.users.len() < self.kept_apart
        }
    }

    fn new_slot(&mut self, t: ThreadId) -> u32 {
        let slot = match (self.by_number, self.is_kept_apart(t)) {
            (true, true) => t.index(),
            (true, false) => self.users.len().max(self.kept_apart),
            (false, _) => self.users.len(),
        };
        if slot >= self.users.len() {
            self.users.resize_with(slot + 1, Vec::new);
        }
        slot as u32
    }

    /// Where the free slot is that a child of `parent` takes over.
    fn find(&self, parent: ThreadId, is_known: impl Fn(u32, bool) -> bool) -> Option<usize> {
        let mut found = None;
        for (place, free) in self.free.iter().enumerate().rev() {
            let is_own = free.joiner == parent;
            if (is_own || found.is_none()) && is_known(free.slot, is_own) {
                found = Some(place);
                if is_own {
                    break;
                }
            }
        }
        found
    }

    /// Names the thread that has a slot from this time on.
    pub(crate) fn name(&mut self, slot: u32, time: u32, t: ThreadId) {
        self.users[slot as usize].push((time, t));
    }

    /// `joiner` joins `u`, which has a slot: the slot is free, if it is not already.
    pub(crate) fn join(&mut self, u: ThreadId, joiner: ThreadId) {
        if let Some(slot) = self.running(u) {
            self.set(u, slot << 1 | 1);
            self.free.push(Free { slot, joiner });
            self.live -= 1;
        }
    }

    fn set(&mut self, t: ThreadId, place: u32) {
        if t.index() >= self.of.len() {
            self.of.resize(t.index() + 1, NONE);
        }
        self.of[t.index()] = place;
    }

    /// A thread has started by this event: the clocks must not become too large.
    fn count(&mut self, index: u64) {
        self.live += 1;
        let (live, slots) = (self.live, self.users.len());
        let room = MOST_LIVE_THREADS * MOST_LIVE_THREADS;
        if live > MOST_LIVE_THREADS || live.saturating_mul(slots) > room {
            self.excess.get_or_insert(Excess { index, live, slots });
        }
    }
}

impl Given {
    /// The slot.
    pub(crate) fn slot(self) -> u32 {
        match self {
            Given::Kept(slot) | Given::New(slot) | Given::TakenOver(slot, _) => slot,
        }
    }
}

impl Excess {
    /// The error of a pass that has counted the threads; `first` is the index of the first
    /// event of the slice.
    pub(crate) fn error(self, first: u64) -> EventError {
        let Excess { live, slots, .. } = self;
        let message = if live > MOST_LIVE_THREADS {
            format!(
                "more than {MOST_LIVE_THREADS} threads are live at this event, which is the limit"
            )
        } else {
            format!(
                "too many threads for the clocks: {live} are live at this event, and {} ended \
                 unknown to the threads that fork",
                slots - live
            )
        };
        EventError {
            offset: self.index.saturating_sub(first) as usize,
            message,
            help: Some(
                "a thread is live until it is joined: record joins, or analyse a run (or a part \
                 of the trace) with fewer threads"
                    .to_owned(),
            ),
        }
    }
}

/// What is remembered of threads whose slots were taken over: of the last ones only.
#[derive(Clone, Debug)]
pub(crate) struct Past<P>(VecDeque<(ThreadId, P)>);

impl<P> Default for Past<P> {
    fn default() -> Past<P> {
        Past(VecDeque::new())
    }
}

impl<P> Past<P> {
    /// Remembers the final state of `t`, perhaps instead of another thread's.
    pub(crate) fn push(&mut self, t: ThreadId, state: P) {
        if self.0.len() >= MOST_PAST {
            self.0.pop_front();
        }
        self.0.push_back((t, state));
    }

    /// The final state of `t`.
    pub(crate) fn get(&self, t: ThreadId) -> Option<&P> {
        let mut all = self.0.iter().rev();
        all.find(|(thread, _)| *thread == t).map(|(_, state)| state)
    }

    /// The final state of `t`, which runs again.
    pub(crate) fn take(&mut self, t: ThreadId) -> Option<P> {
        let place = self.0.iter().rposition(|(thread, _)| *thread == t)?;
        self.0.remove(place).map(|(_, state)| state)
    }

    /// The states.
    pub(crate) fn all(&mut self) -> impl Iterator<Item = &mut P> {
        self.0.iter_mut().map(|(_, state)| state)
    }
}

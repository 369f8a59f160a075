//! What the last events need of each other, worked out once for all windows.
//!
//! A [window](super::window) works this out for its own events. Most of them matter to no
//! set of events that a certification considers, so a [slice](super::slice) chooses those
//! that do, by the links of this file. They are made when the first candidate asks for them
//! and extended when later ones do: a trace without candidates does not pay for them.

use std::collections::VecDeque;

use commute_model::{CondvarId, Event, LockId, Op, ThreadId, VariableId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::recent::Recent;

/// The links of the last events. Events are named by their indices in the trace; 0 is none.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    /// The index of the first event that is covered.
    first: u64,
    links: VecDeque<Link>,
    threads: FxHashMap<ThreadId, ThreadLinks>,
    /// The last write of each variable.
    writers: FxHashMap<VariableId, u64>,
    /// The notifications of each condition variable.
    notifies: FxHashMap<CondvarId, Vec<u64>>,
    /// The last event that has other requirements than links tell.
    unlinked: u64,
}

/// What an event needs.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) thread: ThreadId,
    /// Its place among the events of its thread that are covered.
    pub(super) place: usize,
    /// Forks, and the last events of joined threads.
    pub(super) after: SmallVec<[u64; 1]>,
    /// The write that a read sees.
    pub(super) writer: u64,
    /// Of an acquisition, the event that ends the critical section.
    pub(super) end: u64,
    /// Of an acquisition, whether the thread acquires the lock again before that.
    pub(super) is_nested: bool,
    /// Of a wake, the last notification since its wait.
    pub(super) notify: u64,
}

/// An event that acquires a lock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Acquisition {
    pub(super) index: u64,
    pub(super) lock: LockId,
    pub(super) shared: bool,
}

#[derive(Clone, Debug, Default)]
struct ThreadLinks {
    events: Vec<u64>,
    /// Forks since the last event of the thread.
    forks: SmallVec<[u64; 1]>,
    /// Acquisitions of critical sections that have not ended, with the lock and whether it
    /// is shared.
    open: Vec<(LockId, bool, u64)>,
    acquisitions: Vec<Acquisition>,
    /// The joins of the thread.
    joins: Vec<u64>,
    /// The wait that has not ended, and how often the thread held the lock.
    wait: u64,
    levels: usize,
}

impl Links {
    /// Covers the events after the first `prefix` ones up to the last one so far. Returns
    /// whether the links tell all that these require.
    pub(super) fn cover(&mut self, prefix: u64, recent: &Recent) -> bool {
        let next = self.first + self.links.len() as u64;
        let is_long = self.links.len() > recent.most().saturating_mul(2);
        if self.first == 0 || prefix + 1 < self.first || next <= prefix || is_long {
            // Larger windows may be asked for next.
            let more = (recent.last() - prefix).max(512);
            let start = prefix.saturating_sub(more).max(recent.gone());
            *self = Links {
                first: start + 1,
                ..Links::default()
            };
        }
        let next = self.first + self.links.len() as u64;
        for (index, event) in (next..).zip(recent.after(next - 1)) {
            self.add(index, event);
        }
        self.unlinked <= prefix
    }

    fn add(&mut self, index: u64, event: &Event) {
        let t = event.thread;
        let thread = self.threads.entry(t).or_default();
        let mut link = Link {
            thread: t,
            place: thread.events.len(),
            after: std::mem::take(&mut thread.forks),
            writer: 0,
            end: 0,
            is_nested: false,
            notify: 0,
        };
        thread.events.push(index);
        match &event.op {
            Op::Read(x) => link.writer = self.writers.get(x).copied().unwrap_or(0),
            Op::Write(x) => {
                self.writers.insert(*x, index);
            }
            Op::Acquire(l) => self.acquire(t, (*l, false, index), 1),
            Op::ReadAcquire(l) => self.acquire(t, (*l, true, index), 1),
            Op::Release(l) => self.release(t, (*l, false), index),
            Op::ReadRelease(l) => self.release(t, (*l, true), index),
            Op::Wait(_, l) => {
                let is_of = |open: &&(LockId, bool, u64)| (open.0, open.1) == (*l, false);
                let levels = thread.open.iter().filter(is_of).count();
                (thread.wait, thread.levels) = (index, levels);
                (0..levels).for_each(|_| self.release(t, (*l, false), index));
            }
            Op::Wake(c, l) => {
                let last = self.notifies.get(c).and_then(|all| all.last());
                link.notify = last.copied().filter(|&n| n > thread.wait).unwrap_or(0);
                let levels = std::mem::take(&mut thread.levels).max(1);
                thread.wait = 0;
                link.is_nested = levels > 1;
                self.acquire(t, (*l, false, index), levels);
            }
            Op::Notify(c) | Op::NotifyAll(c) => self.notifies.entry(*c).or_default().push(index),
            Op::Fork(u) => self.threads.entry(*u).or_default().forks.push(index),
            Op::Join(u) => {
                let child = self.threads.entry(*u).or_default();
                link.after.extend(child.events.last().copied());
                link.after.extend(child.forks.iter().copied());
                child.joins.push(index);
            }
            Op::Alloc(_) | Op::Free(_) | Op::New(..) | Op::Drop(_) | Op::Action(_) => {
                self.unlinked = index;
            }
            Op::Begin(_) | Op::End(_) | Op::Dummy | Op::Branch => {}
        }
        self.links.push_back(link);
    }

    fn acquire(&mut self, t: ThreadId, open: (LockId, bool, u64), levels: usize) {
        let thread = self.threads.entry(t).or_default();
        let (lock, shared, index) = open;
        for outer in { thread.open.iter() }.filter(|o| (o.0, o.1) == (lock, shared)) {
            self.links[(outer.2 - self.first) as usize].is_nested = true;
        }
        thread.open.extend((0..levels).map(|_| open));
        thread.acquisitions.push(Acquisition {
            index,
            lock,
            shared,
        });
    }

    fn release(&mut self, t: ThreadId, (lock, shared): (LockId, bool), index: u64) {
        let Some(thread) = self.threads.get_mut(&t) else {
            return;
        };
        let is_of = |open: &(LockId, bool, u64)| (open.0, open.1) == (lock, shared);
        if let Some(place) = thread.open.iter().rposition(is_of) {
            let (_, _, acquired) = thread.open.remove(place);
            self.links[(acquired - self.first) as usize].end = index;
        }
    }

    /// The links of an event that is covered.
    pub(super) fn link(&self, index: u64) -> &Link {
        &self.links[(index - self.first) as usize]
    }

    /// The events of a thread that are covered.
    pub(super) fn events(&self, t: ThreadId) -> &[u64] {
        { self.threads.get(&t) }.map_or(&[], |thread| &thread.events)
    }

    /// When a window with the events after the first `prefix` ones first mentions a thread,
    /// and whether it joins it then.
    pub(super) fn first(&self, t: ThreadId, prefix: u64) -> Option<(u64, bool)> {
        let thread = self.threads.get(&t)?;
        let after = |events: &[u64]| {
            let start = events.partition_point(|&event| event <= prefix);
            events.get(start).copied()
        };
        let own = after(&thread.events).map(|event| (event, false));
        let joined = after(&thread.joins).map(|event| (event, true));
        own.into_iter().chain(joined).min()
    }

    /// The acquisitions of a thread after one event, up to another.
    pub(super) fn acquisitions(&self, t: ThreadId, (after, last): (u64, u64)) -> &[Acquisition] {
        let Some(thread) = self.threads.get(&t) else {
            return &[];
        };
        let all = &thread.acquisitions;
        let start = all.partition_point(|acquisition| acquisition.index <= after);
        let len = all[start..].partition_point(|acquisition| acquisition.index <= last);
        &all[start..start + len]
    }

    /// The notifications of a condition variable that are covered.
    pub(super) fn notifies(&self, c: CondvarId) -> &[u64] {
        self.notifies.get(&c).map_or(&[], Vec::as_slice)
    }
}

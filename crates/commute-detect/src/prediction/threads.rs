//! What threads hold, from event to event.

use commute_model::{Event, LockId, ThreadId};
use rustc_hash::FxHashMap;

use super::access::Access;
use super::held::Held;
use crate::locksets::LockSetId;

/// All threads, by their slots: what a slot counts goes on when another thread takes it
/// over, which needs that no lock is held.
#[derive(Clone, Debug, Default)]
pub(super) struct Threads {
    threads: Vec<Thread>,
    /// How often those who wait held what they gave back.
    given_back: FxHashMap<(ThreadId, LockId), u32>,
}

/// What a thread does.
#[derive(Clone, Debug)]
struct Thread {
    held: LockSetId,
    /// How many holds it has, and when the outermost began.
    depth: u32,
    outermost: u64,
    /// Grows when it synchronises, and when it learns what others did.
    time: u32,
    /// When it synchronised last.
    epoch: u32,
}

impl Thread {
    fn synchronise(&mut self) {
        self.time += 1;
        self.epoch = self.time;
    }
}

impl Default for Thread {
    fn default() -> Thread {
        Thread {
            held: LockSetId::EMPTY,
            depth: 0,
            outermost: 0,
            time: 0,
            epoch: 0,
        }
    }
}

impl Threads {
    fn thread(&mut self, t: ThreadId) -> &mut Thread {
        let place = t.0 as usize;
        if place >= self.threads.len() {
            self.threads.resize_with(place + 1, Thread::default);
        }
        &mut self.threads[place]
    }

    /// Whether a thread holds no lock, and waits for none.
    pub(super) fn is_idle(&self, t: u32) -> bool {
        let thread = self.threads.get(t as usize);
        let holds_none =
            thread.is_none_or(|thread| thread.depth == 0 && thread.held == LockSetId::EMPTY);
        // order: any that waits counts.
        holds_none && !self.given_back.keys().any(|(waiting, _)| waiting.0 == t)
    }

    /// How many holds a thread has.
    pub(super) fn depth(&self, t: u32) -> u32 {
        { self.threads.get(t as usize) }.map_or(0, |thread| thread.depth)
    }

    /// An event that is the `count`th of the slot `t`, as it is remembered.
    #[inline]
    pub(super) fn access(
        &mut self,
        t: ThreadId,
        (event, count): (&Event, u32),
        index: u64,
        kind: u32,
    ) -> Access {
        let thread = self.thread(t);
        let (inside, epoch) = match thread.depth {
            0 => (0, thread.time),
            _ => {
                let inside = u32::try_from(index - thread.outermost);
                (inside.unwrap_or(u32::MAX), thread.epoch)
            }
        };
        Access::new(
            (t.0, count),
            (index, event.location),
            (thread.held, epoch, inside),
            kind,
        )
    }

    /// `t` synchronises otherwise than by a lock.
    pub(super) fn synchronise(&mut self, t: ThreadId) {
        self.thread(t).synchronise();
    }

    /// `t` learns what others did.
    #[inline]
    pub(super) fn learn(&mut self, t: ThreadId) {
        self.thread(t).time += 1;
    }

    #[inline]
    pub(super) fn acquire(
        &mut self,
        t: ThreadId,
        l: LockId,
        shared: bool,
        index: u64,
        held: &mut Held,
    ) {
        let thread = self.thread(t);
        thread.held = held.with(thread.held, l, shared);
        if thread.depth == 0 {
            thread.outermost = index;
        }
        thread.depth += 1;
        thread.synchronise();
    }

    #[inline]
    pub(super) fn release(&mut self, t: ThreadId, l: LockId, shared: bool, held: &mut Held) {
        let thread = self.thread(t);
        thread.held = held.without(thread.held, l, shared);
        thread.depth = thread.depth.saturating_sub(1);
        thread.synchronise();
    }

    /// `wait(c,l)` gives the lock back, however often it is held.
    pub(super) fn wait(&mut self, t: ThreadId, l: LockId, held: &mut Held) {
        let levels = held.levels(self.thread(t).held, l).max(1);
        for _ in 0..levels {
            self.release(t, l, false, held);
        }
        self.give_back(t, l, levels);
    }

    /// `t` waits, and held the lock so often.
    pub(super) fn give_back(&mut self, t: ThreadId, l: LockId, levels: u32) {
        self.given_back.insert((t, l), levels);
    }

    /// `wake(c,l)` acquires the lock as often as it was held.
    pub(super) fn wake(&mut self, t: ThreadId, l: LockId, index: u64, held: &mut Held) {
        let levels = self.given_back.remove(&(t, l)).unwrap_or(1);
        for _ in 0..levels {
            self.acquire(t, l, false, index, held);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_held_twice_is_so_again_after_a_wait() {
        let (mut threads, mut held) = (Threads::default(), Held::default());
        let (t, l) = (ThreadId(0), LockId(3));
        threads.acquire(t, l, false, 1, &mut held);
        threads.acquire(t, l, false, 2, &mut held);
        let before = threads.thread(t).held;
        threads.wait(t, l, &mut held);
        assert_eq!(threads.depth(0), 0);
        assert_eq!(threads.thread(t).held, LockSetId::EMPTY);
        threads.wake(t, l, 5, &mut held);
        assert_eq!(threads.depth(0), 2);
        assert_eq!(threads.thread(t).held, before);
    }
}

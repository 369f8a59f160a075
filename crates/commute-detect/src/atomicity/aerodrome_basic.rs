//! AeroDrome as printed (Algorithm 1): the readable reference.
//!
//! Claims: as [`aerodrome`](super::aerodrome), with the clock values of Figures
//! 5 to 7.
//!
//! Symbols: C_t → `Thread::clock`, C▷_t → `Thread::begin`, checkAndGet →
//! `check_and_get`; W_x, R_{t,x} and L_l are stamps in [`Touches`].
//!
//! Deviations: C▷_t ⊑ clk is decided by the component of t alone, which is the
//! same here. A fork orders the child's next event, so a thread without events
//! orders nothing. Threads are slots, as in [`aerodrome`](super::aerodrome); a component does
//! not tell all events apart here, so clocks are compared in full before a slot is taken
//! over.
//!
//! Cost: an access is linear in the threads, `end` in everything there is.

use commute_clock::VectorClock;
use commute_model::{Event, ThreadId};

use super::algorithm::{Algorithm, Party, Violation};
use super::touches::{Order, Touches};
use crate::slots::Past;

/// The state of the algorithm.
#[derive(Clone, Debug, Default)]
pub(super) struct AeroDromeBasic {
    threads: Vec<Thread>,
    /// Threads whose slots were taken over.
    past: Past<Thread>,
    found: Vec<Violation>,
}

#[derive(Clone, Debug, Default)]
struct Thread {
    clock: VectorClock,
    /// Its clock at the begin of its open transaction.
    begin: Option<VectorClock>,
    started: bool,
    /// Forks that its next event comes after.
    forks: Vec<(u32, VectorClock)>,
}

impl AeroDromeBasic {
    fn thread(&mut self, t: u32) -> &mut Thread {
        while t as usize >= self.threads.len() {
            let slot = self.threads.len() as u32;
            let mut thread = Thread::default();
            thread.clock.tick(slot);
            self.threads.push(thread);
        }
        &mut self.threads[t as usize]
    }

    /// The clock of `t`.
    pub(super) fn clock(&self, t: u32) -> &VectorClock {
        &self.threads[t as usize].clock
    }

    /// `t` learns `clock`, which is that of `other`, unless that closes a cycle.
    fn check_and_get(&mut self, clock: &VectorClock, t: u32, other: Party) {
        let thread = &mut self.threads[t as usize];
        match &thread.begin {
            Some(begin) if begin.get(t) <= clock.get(t) => self.found.push(Violation {
                slot: t,
                other,
                cycle: None,
            }),
            _ => thread.clock.join(clock),
        }
    }
}

impl Order for AeroDromeBasic {
    type Stamp = VectorClock;

    fn after(&mut self, t: u32, u: u32, stamp: &VectorClock) {
        if u != t {
            self.check_and_get(stamp, t, Party::User(u, stamp.get(u)));
        }
    }

    fn stamp(&mut self, t: u32) -> VectorClock {
        self.threads[t as usize].clock.clone()
    }
}

impl Algorithm for AeroDromeBasic {
    fn event(&mut self, t: u32, _index: u64, _event: &Event) {
        self.thread(t).started = true;
        for (parent, clock) in std::mem::take(&mut self.thread(t).forks) {
            let parent = Party::User(parent, clock.get(parent));
            self.check_and_get(&clock, t, parent);
        }
    }

    fn begin(&mut self, t: u32, index: u64, event: &Event) {
        self.event(t, index, event);
        let thread = self.thread(t);
        thread.clock.tick(t);
        thread.begin = Some(thread.clock.clone());
    }

    fn end(&mut self, t: u32, touches: &mut Touches<VectorClock>) {
        let thread = self.thread(t);
        let clock = thread.clock.clone();
        let Some(begin) = thread.begin.take() else {
            return;
        };
        let knows = |clock: &VectorClock| begin.get(t) <= clock.get(t);
        for u in (0..self.threads.len() as u32).filter(|&u| u != t) {
            if knows(self.clock(u)) {
                self.check_and_get(&clock, u, Party::current(t));
            }
        }
        let past = self.past.all().map(|past| &mut past.clock);
        past.filter(|past| knows(past))
            .for_each(|past| past.join(&clock));
        touches.for_each(|stamp| {
            if knows(stamp) {
                stamp.join(&clock);
            }
        });
        let threads = self.threads.iter_mut().chain(self.past.all());
        let forks = threads.flat_map(|thread| &mut thread.forks);
        for (_, stamp) in forks.filter(|(_, stamp)| knows(stamp)) {
            stamp.join(&clock);
        }
    }

    fn fork(&mut self, t: u32, u: u32) {
        let clock = self.stamp(t);
        self.thread(u).forks.push((t, clock));
    }

    fn join(&mut self, t: u32, u: u32) {
        if self.thread(u).started {
            let clock = self.clock(u).clone();
            self.check_and_get(&clock, t, Party::current(u));
        }
    }

    fn is_unused(&self) -> bool {
        self.threads.is_empty()
    }

    fn is_known(&self, t: u32, u: u32, is_own: bool) -> bool {
        let Some(thread) = self.threads.get(u as usize) else {
            return true;
        };
        let is_known = is_own || !thread.started || thread.clock.le(self.clock(t));
        is_known && thread.begin.is_none()
    }

    fn take_over(&mut self, t: u32, u: u32, last: ThreadId) -> u32 {
        self.thread(u);
        let before = std::mem::take(&mut self.threads[u as usize]);
        let is_known = before.clock.le(&self.thread(t).clock);
        let thread = self.thread(u);
        if !is_known && before.started {
            thread.clock.copy_from(&before.clock);
        }
        let start = before.clock.get(u) + u32::from(before.started);
        thread.clock.set(u, start);
        if before.started || !before.forks.is_empty() {
            self.past.push(last, before);
        }
        start
    }

    fn resume(&mut self, t: u32, thread: ThreadId) {
        if let Some(past) = self.past.take(thread) {
            let thread = self.thread(t);
            thread.clock.join(&past.clock);
            thread.started = past.started;
            thread.forks = past.forks;
        }
    }

    fn join_past(&mut self, t: u32, thread: ThreadId) {
        let past = self.past.get(thread).filter(|past| past.started);
        if let Some(clock) = past.map(|past| past.clock.clone()) {
            self.check_and_get(&clock, t, Party::Thread(thread));
        }
    }

    fn found(&mut self) -> &mut Vec<Violation> {
        &mut self.found
    }
}

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
//! orders nothing.
//!
//! Cost: an access is linear in the threads, `end` in everything there is.

use commute_clock::VectorClock;
use commute_model::{Event, ThreadId};

use super::algorithm::{Algorithm, Violation};
use super::touches::{Order, Touches};

/// The state of the algorithm.
#[derive(Clone, Debug, Default)]
pub(super) struct AeroDromeBasic {
    threads: Vec<Thread>,
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
    fn check_and_get(&mut self, clock: &VectorClock, t: u32, other: u32) {
        let thread = &mut self.threads[t as usize];
        match &thread.begin {
            Some(begin) if begin.get(t) <= clock.get(t) => self.found.push(Violation {
                thread: ThreadId(t),
                other: ThreadId(other),
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
            self.check_and_get(stamp, t, u);
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
                self.check_and_get(&clock, u, t);
            }
        }
        touches.for_each(|stamp| {
            if knows(stamp) {
                stamp.join(&clock);
            }
        });
        let forks = self.threads.iter_mut().flat_map(|thread| &mut thread.forks);
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
            self.check_and_get(&clock, t, u);
        }
    }

    fn found(&mut self) -> &mut Vec<Violation> {
        &mut self.found
    }
}

//! What every thread knows: nothing that is to come can race with it.
//!
//! Threads learn, and a thread that is forked knows what its parent knows. So an event
//! that all threads know happens before every later event, unless there come threads
//! that were not forked. As soon as there is a second one of these, nothing is settled
//! any more, and [`Settled::is_known_to`] tells which threads may race with events
//! that were.

use commute_clock::{Epoch, VectorClock};

/// So many events pass before it is asked again what all threads know.
const EVENTS: u64 = 256;

/// What every thread knew the last time they were asked.
#[derive(Clone, Debug)]
pub struct Settled {
    clock: VectorClock,
    /// What was settled before there came a thread that does not know it.
    before: VectorClock,
    /// When they are asked again.
    next: u64,
    /// How many events pass until then, at least.
    events: u64,
    /// How many threads there are that were not forked.
    roots: usize,
}

impl Default for Settled {
    fn default() -> Settled {
        Settled::every(EVENTS)
    }
}

impl Settled {
    /// Threads are asked after so many events.
    pub(crate) fn every(events: u64) -> Settled {
        Settled {
            clock: VectorClock::default(),
            before: VectorClock::default(),
            next: events,
            events,
            roots: 0,
        }
    }

    /// Whether every thread knows an event of this epoch.
    #[inline]
    pub fn knows(&self, epoch: Epoch) -> bool {
        self.clock.knows(epoch)
    }

    /// Whether a thread with this clock knows all that ever was settled. Only threads do
    /// not that were not forked and began late.
    pub fn is_known_to(&self, clock: &VectorClock) -> bool {
        self.clock.le(clock) && self.before.le(clock)
    }

    /// There is another thread that was not forked.
    pub(crate) fn add_root(&mut self) {
        self.roots += 1;
        if self.roots > 1 {
            self.stop();
        }
    }

    /// There is a thread that was not asked.
    #[cold]
    pub(crate) fn stop(&mut self) {
        self.before.join(&self.clock);
        self.clock.clear();
        self.next = u64::MAX;
    }

    /// Whether the threads are to be asked at this event.
    #[inline]
    pub(crate) fn is_due(&self, index: u64) -> bool {
        index >= self.next
    }

    /// Asks the threads that run, of which there are or were `all`.
    pub(crate) fn ask<'a>(
        &mut self,
        index: u64,
        all: usize,
        mut clocks: impl Iterator<Item = &'a VectorClock>,
    ) {
        let mut asked = all;
        if let Some(first) = clocks.next() {
            let mut known = first.clone();
            for clock in clocks {
                known.meet(clock);
                asked += known.times().len();
            }
            if !self.clock.le(&known) {
                self.before.join(&self.clock);
            }
            self.clock = known;
        }
        // A few steps for an event, on average.
        self.next = index + self.events.max(asked as u64 / 4);
    }
}

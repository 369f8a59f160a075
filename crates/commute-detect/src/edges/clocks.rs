//! A vector clock for every event, as tools want them that draw logs.

use std::sync::Arc;

use commute_clock::VectorClock;
use commute_model::{Event, Id, Names, ObjectId, ThreadId, TypeId};
use commute_spec::Library;

use super::EdgeKind;
use super::walk::{Recorder, Walk};
use crate::order::{InitialStates, Knowledge};

/// Clocks of events have a component for each thread, also for those that have ended: more
/// threads make them too large to be shown, and their memory is quadratic in the threads.
pub const MOST_THREADS_OF_EVENT_CLOCKS: usize = 1024;

/// Clocks that count events: a component of an event's clock says how many events of
/// that thread do not come after it. So the own component of a thread's first event is
/// 1, and one event happens before another iff its clock is less. The clocks of
/// [`hb`](crate::hb) are the same in what they order, but count releases, and threads
/// may share a component.
///
/// Memory: a clock for each thread, lock and object that orders threads, so the caller
/// bounds the number of threads ([`MOST_THREADS_OF_EVENT_CLOCKS`]).
#[derive(Clone, Debug)]
pub struct EventClocks {
    walk: Walk<Clocks>,
}

impl EventClocks {
    /// No event yet; types come from `library`.
    pub fn new(library: Arc<Library>) -> EventClocks {
        EventClocks {
            walk: Walk::new(library),
        }
    }

    /// Uses these initial states where the trace does not record them.
    pub fn set_initial_states(&mut self, states: &Arc<InitialStates>) {
        self.walk.set_initial_states(states);
    }

    /// Declares an object before the first event, as `new` does in a trace.
    pub fn declare(&mut self, object: ObjectId, type_id: TypeId, names: &Names) {
        self.walk.declare(object, type_id, names);
    }

    /// Takes the next event and gives its clock, with a component for each thread.
    pub fn step(&mut self, event: &Event, index: u64, names: &Names) -> &VectorClock {
        self.walk.step(event, index, names);
        &self.walk.recorder.threads[event.thread.index()]
    }

    /// As [`Edges::not_understood`](super::Edges::not_understood).
    pub fn not_understood(&self) -> Option<&(u64, String)> {
        self.walk.not_understood()
    }
}

#[derive(Clone, Debug, Default)]
struct Clocks {
    threads: Vec<VectorClock>,
}

impl Knowledge for Clocks {
    type Known = VectorClock;

    fn learn(&mut self, t: ThreadId, known: &VectorClock) {
        self.threads[t.index()].join(known);
    }

    fn publish(&mut self, t: ThreadId, known: &mut VectorClock) {
        known.join(&self.threads[t.index()]);
    }

    fn replace(&mut self, t: ThreadId, known: &mut VectorClock) {
        known.copy_from(&self.threads[t.index()]);
    }
}

impl Recorder for Clocks {
    fn begin(&mut self, t: ThreadId) {
        if t.index() >= self.threads.len() {
            self.threads
                .resize_with(t.index() + 1, VectorClock::default);
        }
        self.threads[t.index()].tick(t.0);
    }

    fn because_of(&mut self, _: EdgeKind) {}

    fn learn_all(&mut self, t: ThreadId, u: ThreadId) {
        if u.index() < self.threads.len() {
            let known = std::mem::take(&mut self.threads[u.index()]);
            self.threads[t.index()].join(&known);
            self.threads[u.index()] = known;
        }
    }
}

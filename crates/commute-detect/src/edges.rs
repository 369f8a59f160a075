//! Who orders whom: happens-before as a list of edges, to be drawn.
//!
//! Claims: an event happens before another one iff a path leads from one to the other
//! that goes along the events of a thread and along these edges; so an event's clock is
//! that of the event before it in its thread, joined with those of the sources of its
//! edges. It is the relation of [`hb`](crate::hb), and what actions on atomics, channels
//! and barriers order is the same code.
//!
//! An edge that a lock gives twice to the same thread, because it acquires again what it
//! holds, is given once. Other edges may say what was known already.
//!
//! Memory does not grow with the number of events, but for messages that nobody has
//! received. Cost: constant per event, plus its edges.

mod clocks;
#[cfg(test)]
mod tests;
mod walk;

use std::sync::Arc;

use commute_model::{Event, Id, Names, ObjectId, ThreadId, TypeId};
use commute_spec::Library;
use smallvec::SmallVec;

pub use clocks::{EventClocks, MOST_THREADS_OF_EVENT_CLOCKS};
use walk::{Recorder, Walk};

use crate::order::{InitialStates, Knowledge};

/// Why one event comes before another one of another thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EdgeKind {
    /// A fork, and the first event of its thread.
    Fork,
    /// The last event of a thread, and a join.
    Join,
    /// A release of a lock (or a wait), and an acquisition (or a wake).
    Lock,
    /// One action on an atomic, and the next.
    Atomic,
    /// A message that was sent and received, or the end of a channel.
    Channel,
    /// An arrival at a barrier, and a departure.
    Barrier,
    /// An action, and one that a rule of order allows only after it: a release of a
    /// semaphore's permit and an acquisition.
    Synchronisation,
}

impl EdgeKind {
    /// The kind in a word.
    pub fn name(self) -> &'static str {
        match self {
            EdgeKind::Fork => "fork",
            EdgeKind::Join => "join",
            EdgeKind::Lock => "lock",
            EdgeKind::Atomic => "atomic",
            EdgeKind::Channel => "channel",
            EdgeKind::Barrier => "barrier",
            EdgeKind::Synchronisation => "sync",
        }
    }
}

/// An edge that ends at the current event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// The index of the event that comes before.
    pub from: u64,
    /// Its thread.
    pub thread: ThreadId,
    /// What orders the two.
    pub kind: EdgeKind,
}

/// Finds the edges of happens-before that end at each event.
///
/// ```
/// use std::sync::Arc;
/// use commute_detect::{Edges, EdgeKind};
/// use commute_model::{Event, Names, Op};
/// use commute_spec::Library;
///
/// let mut names = Names::default();
/// let location = names.locations.intern("main.rs:1");
/// let (t1, t2) = (names.threads.intern("T1"), names.threads.intern("T2"));
/// let m = names.locks.intern("m");
/// let mut edges = Edges::new(Arc::new(Library::shipped()));
/// let trace = [(t1, Op::Acquire(m)), (t1, Op::Release(m)), (t2, Op::Acquire(m))];
/// let events = trace.map(|(thread, op)| Event { thread, location, op });
/// assert!(edges.step(&events[0], 1, &names).is_empty());
/// assert!(edges.step(&events[1], 2, &names).is_empty());
/// let incoming = edges.step(&events[2], 3, &names);
/// assert_eq!((incoming[0].from, incoming[0].kind), (2, EdgeKind::Lock));
/// ```
#[derive(Clone, Debug)]
pub struct Edges {
    walk: Walk<Sources>,
}

impl Edges {
    /// No event yet; types come from `library`.
    pub fn new(library: Arc<Library>) -> Edges {
        Edges {
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

    /// Takes the next event and gives the edges that end at it, by their sources.
    /// Indices must grow; which they are does not matter otherwise.
    pub fn step(&mut self, event: &Event, index: u64, names: &Names) -> &[Edge] {
        self.walk.recorder.start(index);
        self.walk.step(event, index, names);
        let sources = &mut self.walk.recorder;
        sources.incoming.sort_unstable();
        sources.incoming.dedup_by_key(|edge| edge.from);
        &sources.incoming
    }

    /// The first event that orders nothing because it is not understood, as an object of
    /// a type without specification: its index, and what is wrong.
    pub fn not_understood(&self) -> Option<&(u64, String)> {
        self.walk.not_understood()
    }
}

/// Events that were published: of each thread the last one.
type Published = SmallVec<[(ThreadId, u64); 1]>;

/// Remembers the last event of each thread, and collects edges.
#[derive(Clone, Debug)]
struct Sources {
    /// By thread; 0 if it had no event.
    last: Vec<u64>,
    index: u64,
    kind: EdgeKind,
    incoming: Vec<Edge>,
}

impl Default for Sources {
    fn default() -> Sources {
        Sources {
            last: Vec::new(),
            index: 0,
            kind: EdgeKind::Fork,
            incoming: Vec::new(),
        }
    }
}

impl Sources {
    fn start(&mut self, index: u64) {
        self.index = index;
        self.incoming.clear();
    }

    fn add(&mut self, t: ThreadId, (thread, from): (ThreadId, u64)) {
        if thread != t {
            let kind = self.kind;
            self.incoming.push(Edge { from, thread, kind });
        }
    }
}

impl Knowledge for Sources {
    type Known = Published;

    fn learn(&mut self, t: ThreadId, known: &Published) {
        for source in known {
            self.add(t, *source);
        }
    }

    fn publish(&mut self, t: ThreadId, known: &mut Published) {
        match known.iter_mut().find(|(thread, _)| *thread == t) {
            Some((_, last)) => *last = self.index,
            None => known.push((t, self.index)),
        }
    }

    fn replace(&mut self, t: ThreadId, known: &mut Published) {
        known.clear();
        known.push((t, self.index));
    }
}

impl Recorder for Sources {
    fn begin(&mut self, t: ThreadId) {
        if t.index() >= self.last.len() {
            self.last.resize(t.index() + 1, 0);
        }
        self.last[t.index()] = self.index;
    }

    fn because_of(&mut self, kind: EdgeKind) {
        self.kind = kind;
    }

    fn learn_all(&mut self, t: ThreadId, u: ThreadId) {
        match self.last.get(u.index()) {
            None | Some(0) => {}
            Some(&last) => self.add(t, (u, last)),
        }
    }
}

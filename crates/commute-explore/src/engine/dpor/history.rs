//! The steps of a run, and which have to come before which.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::code::NodeId;
use crate::engine::dependence::{Dependence, Label};
use crate::knowledge::Knowledge;
use crate::words::{ObjectId, ThreadId};

/// How many steps of each thread have to come before something.
pub(super) type Clock = SmallVec<[u32; 8]>;

/// A step.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) thread: ThreadId,
    pub(super) node: NodeId,
    pub(super) label: Label,
    /// How many steps its thread had done before.
    index: u32,
    /// What has to come before it, and itself.
    clock: Clock,
}

impl Event {
    /// Whether it is in what comes before something.
    pub(super) fn is_in(&self, clock: &Clock) -> bool {
        let count = clock.get(self.thread.index());
        count.is_some_and(|count| *count > self.index)
    }

    /// Whether it has to come before the other, or is it.
    pub(super) fn is_before(&self, other: &Event) -> bool {
        self.is_in(&other.clock)
    }
}

/// The steps of a run.
#[derive(Debug, Default)]
pub(super) struct History {
    pub(super) events: Vec<Event>,
    /// The places of an object's steps, in order.
    by_object: FxHashMap<ObjectId, Vec<usize>>,
}

impl History {
    /// Forgets all but the first steps.
    pub(super) fn truncate(&mut self, len: usize, known: &Knowledge) {
        while self.events.len() > len {
            let event = self.events.pop().expect("it is longer");
            for object in &known.operation(event.label.op).objects {
                self.by_object.get_mut(object).map(Vec::pop);
            }
        }
    }

    /// Adds a step.
    pub(super) fn push(
        &mut self,
        thread: ThreadId,
        node: NodeId,
        label: Label,
        dependence: &mut Dependence,
        known: &mut Knowledge,
    ) {
        let mut clock = self.clock_before(thread, known);
        for place in self.on_objects_of(label, known) {
            let earlier = &self.events[place];
            if !earlier.is_in(&clock) && !dependence.independent(earlier.label, label, known) {
                join(&mut clock, &earlier.clock);
            }
        }
        if clock.len() <= thread.index() {
            clock.resize(thread.index() + 1, 0);
        }
        let index = clock[thread.index()];
        clock[thread.index()] += 1;
        let place = self.events.len();
        for object in &known.operation(label.op).objects {
            self.by_object.entry(*object).or_default().push(place);
        }
        self.events.push(Event {
            thread,
            node,
            label,
            index,
            clock,
        });
    }

    /// What has to come before the next step of a thread, whatever that is: what it did
    /// before, or how it was started.
    pub(super) fn clock_before(&self, thread: ThreadId, known: &Knowledge) -> Clock {
        self.clock_at(self.events.len(), thread, known)
    }

    /// The same, for a step that is there.
    pub(super) fn clock_before_event(&self, place: usize, known: &Knowledge) -> Clock {
        self.clock_at(place, self.events[place].thread, known)
    }

    fn clock_at(&self, place: usize, thread: ThreadId, known: &Knowledge) -> Clock {
        let is_before = |event: &&Event| {
            event.thread == thread || known.operation(event.label.op).spawns == Some(thread)
        };
        let events = &self.events[..place];
        let Some(last) = events.iter().rev().find(is_before) else {
            return Clock::new();
        };
        let mut clock = last.clock.clone();
        // Of threads that may be exchanged one begins after the other.
        if last.thread != thread
            && let Some(other) = known.follows(thread)
            && let Some(begins) = events.iter().find(|event| event.thread == other)
        {
            join(&mut clock, &begins.clock);
        }
        clock
    }

    /// The places of all steps on an object of the label's operation, the last first.
    pub(super) fn on_objects_of(&self, label: Label, known: &Knowledge) -> Vec<usize> {
        let objects = &known.operation(label.op).objects;
        let mut places: Vec<usize> = Vec::new();
        for object in objects {
            places.extend(self.by_object.get(object).into_iter().flatten());
        }
        places.sort_unstable_by(|a, b| b.cmp(a));
        places.dedup();
        places
    }
}

fn join(clock: &mut Clock, other: &Clock) {
    if clock.len() < other.len() {
        clock.resize(other.len(), 0);
    }
    for (mine, theirs) in clock.iter_mut().zip(other) {
        *mine = (*mine).max(*theirs);
    }
}

//! Which steps of a run could be the other way round, and the runs in which they are.

use super::history::{Clock, Event};
use super::wakeup::{Planned, insert};
use super::{Search, next_op};
use crate::engine::dependence::Label;
use crate::knowledge::Knowledge;
use crate::run::Places;
use crate::words::{OpId, ResultId, ThreadId};

/// The later step of a race.
struct Later {
    thread: ThreadId,
    op: OpId,
    /// Where it is in the run; nowhere if it has to wait for ever.
    place: Option<usize>,
    /// What has to come before it anyway.
    before: Clock,
}

impl Search {
    /// Plans a run for every race of the one that was just done.
    pub(super) fn plan(&mut self, places: &Places, known: &mut Knowledge) {
        for place in 0..self.history.events.len() {
            let Event { thread, label, .. } = self.history.events[place];
            let later = Later {
                thread,
                op: label.op,
                place: Some(place),
                before: self.history.clock_before_event(place, known),
            };
            self.plan_before(&later, known);
        }
        for index in 0..places.len() {
            let thread = ThreadId(index as u32);
            let Some(op) = next_op(thread, places, known) else {
                continue;
            };
            if self.in_vain.contains(&thread) || !known.may_go(thread, places) {
                continue;
            }
            let later = Later {
                thread,
                op,
                place: None,
                before: self.history.clock_before(thread, known),
            };
            self.plan_before(&later, known);
        }
    }

    /// Plans the runs in which `later` comes before a step that it comes after now.
    fn plan_before(&mut self, later: &Later, known: &mut Knowledge) {
        let label = match later.place {
            Some(place) => self.history.events[place].label,
            None => Label {
                op: later.op,
                result: ResultId::NONE,
            },
        };
        let last = later.place.unwrap_or(self.history.events.len());
        // Steps with which it is in a race, and steps that it cannot come before.
        let mut races: Vec<usize> = Vec::new();
        let mut passed: Vec<usize> = Vec::new();
        for place in self.history.on_objects_of(label, known) {
            let earlier = &self.history.events[place];
            if place >= last || earlier.thread == later.thread || earlier.is_in(&later.before) {
                continue;
            }
            let follows = |k: &usize| earlier.is_before(&self.history.events[*k]);
            if races.iter().any(follows) {
                continue;
            }
            let is_passed = |k: &usize| {
                let leads_on =
                    |later: usize| self.history.events[*k].is_before(&self.history.events[later]);
                follows(k) && later.place.is_none_or(leads_on)
            };
            // The step between would have to be undone with it, and then the later one
            // may return something else.
            let is_direct = !passed.iter().any(is_passed);
            let earlier = earlier.label;
            if later.place.is_some()
                && is_direct
                && self.dependence.independent(earlier, label, known)
            {
                continue;
            }
            match self.reversed(place, later, known) {
                Some(sequence) => {
                    races.push(place);
                    self.insert(place, sequence, known);
                }
                None => passed.push(place),
            }
        }
    }

    /// What can be done from before the step at `place`, up to `later` and without that
    /// step; nothing if `later` is not possible then, or does not mind.
    fn reversed(
        &mut self,
        place: usize,
        later: &Later,
        known: &mut Knowledge,
    ) -> Option<Vec<Planned>> {
        let events = &self.history.events;
        let mut world = self.stack[place].world.clone();
        let mut sequence = Vec::new();
        for event in &events[place + 1..] {
            let follows = |k: usize| events[k].is_before(event);
            if follows(place) || later.place.is_some_and(follows) {
                continue;
            }
            let result = known.step(&mut world, event.label.op);
            assert_eq!(result, Some(event.label.result), "it is independent");
            sequence.push(Planned {
                thread: event.thread,
                label: event.label,
            });
        }
        let label = Label {
            op: later.op,
            result: known.step(&mut world, later.op)?,
        };
        let earlier = self.history.events[place].label;
        if self.dependence.independent(earlier, label, known) {
            return None;
        }
        sequence.push(Planned {
            thread: later.thread,
            label,
        });
        Some(sequence)
    }

    /// Plans a run that goes on like this at a frame, if none that was done, or is
    /// planned, is the same.
    fn insert(&mut self, place: usize, sequence: Vec<Planned>, known: &mut Knowledge) {
        let frame = &mut self.stack[place];
        let dependence = &mut self.dependence;
        let done = frame.sleep.iter();
        if { done }.any(|asleep| asleep.is_weak_initial(&sequence, dependence, known)) {
            return;
        }
        insert(&mut frame.planned, sequence, dependence, known);
    }
}

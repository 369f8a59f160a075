//! `dpor`: one run for each class of runs that differ by the order of independent steps
//! only (Abdulla, Aronis, Jonsson and Sagonas, *Optimal dynamic partial order reduction*,
//! POPL 2014: Algorithm 2, with wakeup trees).
//!
//! Symbols: a run E is `stack`; sleep(E') and wut(E') are `sleep` and `planned` of the
//! frame after E'; notdep(e, E) and the races are in `races.rs`, insert and WI in
//! `wakeup.rs`.
//!
//! Claims: every class is run, and none twice. A class says what every thread got and
//! all states at the end, so every outcome is seen, often several times.
//!
//! Deviations. What is independent depends on results ([`super::dependence`]), and a step
//! that is undone and done again may return something else: steps have labels in sleep
//! sets and wakeup trees. An operation may have to wait, which the paper leaves out: the
//! step that lets it go on cannot be reversed with it, so what came before that step is
//! looked at, and so is whoever still waits at the end. A thread that looked at something
//! in vain is left alone from then on, because the run in which it looks later is another
//! one, until nobody else can go on: such runs may be of a class that was run.
//!
//! Cost: for each run, the pairs of steps on one object; for each race as much as the
//! run is long. Gaps: a bound on preemptions would depend on which run of a class was
//! taken, so there is none.

mod history;
mod races;
mod wakeup;

use std::ops::ControlFlow;

use super::dependence::{Dependence, Label};
use super::{Engine, Extent, TOO_LONG};
use crate::code::Next;
use crate::knowledge::Knowledge;
use crate::run::{Ending, Moment, Places};
use crate::subject::{Subject, Watch};
use crate::words::{OpId, ThreadId};
use crate::world::World;
use history::History;
use wakeup::{Branch, Planned};

/// Optimal dynamic partial order reduction.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dpor;

/// A moment of the run, and what is left to do there.
struct Frame {
    /// Before the step.
    world: World,
    places: Places,
    step: Planned,
    /// What is planned after the step.
    then: Vec<Branch>,
    /// Steps from here of which all runs were done.
    sleep: Vec<Planned>,
    /// Runs from here that are left to do, besides the one under way.
    planned: Vec<Branch>,
}

/// A search that is under way.
#[derive(Default)]
struct Search {
    stack: Vec<Frame>,
    /// As long as the stack.
    history: History,
    dependence: Dependence,
    /// Threads that looked at something in vain.
    in_vain: Vec<ThreadId>,
    /// Where everybody is when only they could go on.
    at_end: Option<Places>,
}

impl Engine for Dpor {
    fn name(&self) -> &'static str {
        "dpor"
    }

    fn explore(&mut self, subject: &mut Subject<'_>, watch: &mut dyn Watch) -> Extent {
        subject.known.begin_in_order();
        let mut search = Search::default();
        let mut bounded = None;
        loop {
            let planned = search.stack.iter().map(|frame| frame.planned.len());
            watch.left(planned.sum::<usize>() + 1, None);
            if let Some(reason) = watch.enough() {
                return Extent::Some(reason);
            }
            let mut depth = 0;
            search.in_vain.clear();
            search.at_end = None;
            let run = subject.run(&mut |moment| {
                let chosen = search.choose(depth, moment);
                depth += 1;
                chosen
            });
            if subject.show(&run, watch) == ControlFlow::Break(()) {
                return Extent::Some("stopped".to_owned());
            }
            match &run.ending {
                Ending::Bound => bounded = Some(TOO_LONG.to_owned()),
                Ending::Trouble(trouble) => return Extent::Some(format!("{trouble:?}")),
                _ => {}
            }
            if search.dependence.was_taken_back() {
                search.stack.clear();
                search.history = History::default();
                continue;
            }
            let places = search.at_end.take().unwrap_or(run.places);
            search.plan(&places, &mut subject.known);
            if !search.go_back(&mut subject.known) {
                return bounded.map_or(Extent::Everything, Extent::Some);
            }
        }
    }
}

impl Search {
    /// Who does the step at this depth; nobody if all that could follow was done.
    fn choose(&mut self, depth: usize, moment: Moment<'_>) -> Option<ThreadId> {
        if self.at_end.is_some() {
            return Some(moment.straight_on());
        }
        self.notice_vain(depth, &moment);
        if let Some(frame) = self.stack.get(depth) {
            return Some(frame.step.thread);
        }
        let straight = moment.straight_on();
        let mut enabled = moment.enabled.iter();
        if enabled.all(|thread| self.in_vain.contains(thread)) {
            // They look once more. If it is in vain, they are stuck; if not, this is a run
            // that another one is like.
            self.at_end = Some(moment.places.clone());
            return Some(straight);
        }
        let Moment {
            enabled,
            places,
            world,
            known,
            ..
        } = moment;
        for index in 0..places.len() {
            if let Some(op) = next_op(ThreadId(index as u32), places, known) {
                self.dependence.meet(op, known);
            }
        }
        let (sleep, mut planned) = match self.stack.last_mut() {
            None => (Vec::new(), Vec::new()),
            Some(Frame {
                step, sleep, then, ..
            }) => {
                let stays = |asleep: &&Planned| {
                    self.dependence.independent(asleep.label, step.label, known)
                };
                let sleep = sleep.iter().filter(stays).copied().collect();
                (sleep, std::mem::take(then))
            }
        };
        if planned.is_empty() {
            let may = |thread: &&ThreadId| {
                let is_asleep = |asleep: &Planned| asleep.thread == **thread;
                !self.in_vain.contains(thread) && !sleep.iter().any(is_asleep)
            };
            let mut first = std::iter::once(&straight).chain(enabled);
            let thread = *first.find(may)?;
            let op = next_op(thread, places, known)?;
            let result = known.peek(world, op)?;
            let label = Label { op, result };
            planned.push(Branch::leaf(Planned { thread, label }));
        }
        let Branch { first, then } = planned.remove(0);
        self.stack.push(Frame {
            world: world.clone(),
            places: places.clone(),
            step: first,
            then,
            sleep,
            planned,
        });
        self.enter(known);
        Some(first.thread)
    }

    /// Takes note of the step of the last frame.
    fn enter(&mut self, known: &mut Knowledge) {
        let frame = self.stack.last().expect("there is one");
        let Planned { thread, label } = frame.step;
        debug_assert_eq!(next_op(thread, &frame.places, known), Some(label.op));
        debug_assert_eq!(known.peek(&frame.world, label.op), Some(label.result));
        let node = frame.places[thread.index()].expect("it was started");
        let history = &mut self.history;
        history.push(thread, node, label, &mut self.dependence, known);
    }

    /// Whoever did the last step is not where that leads: it has looked in vain.
    fn notice_vain(&mut self, depth: usize, moment: &Moment<'_>) {
        let Some(last) = depth.checked_sub(1) else {
            return;
        };
        let event = &self.history.events[last];
        let known = &*moment.known;
        let after = known.known_after(event.node, event.label.result);
        if after != moment.places[event.thread.index()] {
            self.in_vain.push(event.thread);
        }
    }

    /// Goes back to the last moment where something is left to do.
    fn go_back(&mut self, known: &mut Knowledge) -> bool {
        while let Some(mut frame) = self.stack.pop() {
            self.history.truncate(self.stack.len(), known);
            frame.sleep.push(frame.step);
            if !frame.planned.is_empty() {
                let Branch { first, then } = frame.planned.remove(0);
                (frame.step, frame.then) = (first, then);
                self.stack.push(frame);
                self.enter(known);
                return true;
            }
        }
        false
    }
}

/// What a thread does next, if anything.
fn next_op(thread: ThreadId, places: &Places, known: &Knowledge) -> Option<OpId> {
    match known.next((*places.get(thread.index())?)?) {
        Some(Next::Op(op)) => Some(*op),
        _ => None,
    }
}

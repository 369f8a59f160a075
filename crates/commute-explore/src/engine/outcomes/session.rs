//! Runs of the program, as the search asks for them.

use std::ops::ControlFlow;

use crate::knowledge::Knowledge;
use crate::run::{Begun, Ending, Places, Run};
use crate::subject::{Subject, Watch};
use crate::words::ThreadId;
use crate::world::World;

/// The search is over, for this reason.
#[derive(Debug)]
pub(super) struct Stop(pub(super) String);

/// The program, whoever watches, and what they have seen.
pub(super) struct Session<'s, 'p> {
    pub(super) subject: &'s mut Subject<'p>,
    pub(super) watch: &'s mut dyn Watch,
    /// Where the threads were at the end of each run, and before each round of looks that
    /// was in vain.
    pub(super) ends: Vec<Places>,
    /// Why something may have been missed.
    pub(super) doubt: Option<String>,
}

impl<'s, 'p> Session<'s, 'p> {
    pub(super) fn new(subject: &'s mut Subject<'p>, watch: &'s mut dyn Watch) -> Session<'s, 'p> {
        Session {
            subject,
            watch,
            ends: Vec::new(),
            doubt: None,
        }
    }

    /// Whether to go on.
    pub(super) fn go_on(&mut self) -> Result<(), Stop> {
        match self.watch.enough() {
            Some(reason) => Err(Stop(reason)),
            None => Ok(()),
        }
    }

    pub(super) fn doubt(&mut self, reason: impl FnOnce() -> String) {
        self.doubt.get_or_insert_with(reason);
    }

    /// Runs the program, first as `schedule` says, then straight on.
    ///
    /// If a step of the schedule turns out to be a look in vain, there is nothing new behind
    /// it: the run is not finished and does not count.
    pub(super) fn run(&mut self, schedule: &[ThreadId]) -> Result<Option<Run>, Stop> {
        self.go_on()?;
        let mut done = 0;
        let run = self.subject.run(&mut |moment| {
            if done == schedule.len() && moment.steps.len() < done {
                return None;
            }
            if done > schedule.len() && takes_back(moment.begun, schedule, moment.known) {
                return None;
            }
            let chosen = match schedule.get(done) {
                Some(thread) => *thread,
                None => moment.straight_on(),
            };
            done += 1;
            Some(chosen)
        });
        self.ends
            .extend(run.begun.iter().map(|begun| begun.places.clone()));
        // That may have been the last step of all.
        let known = &self.subject.known;
        let is_lost = run.steps.len() < schedule.len() || takes_back(&run.begun, schedule, known);
        if is_lost && self.has_seen(&run.places, &run.world) {
            return Ok(None);
        }
        match &run.ending {
            Ending::Abandoned => return Ok(None),
            Ending::Finished | Ending::Deadlock(_) => self.ends.push(run.places.clone()),
            Ending::Bound => self.doubt(|| "a run was too long".to_owned()),
            Ending::Trouble(trouble) => self.doubt(|| format!("{trouble:?}")),
        }
        match self.subject.show(&run, self.watch) {
            ControlFlow::Break(()) => Err(Stop("stopped".to_owned())),
            ControlFlow::Continue(()) => Ok(Some(run)),
        }
    }

    /// Whether a run had this outcome.
    pub(super) fn has_seen(&self, places: &Places, world: &World) -> bool {
        self.subject.has_seen(places, world)
    }
}

/// Whether a round was in vain that began with steps of the schedule.
fn takes_back(begun: &[Begun], schedule: &[ThreadId], known: &Knowledge) -> bool {
    begun.iter().any(|begun| {
        let steps = schedule.iter().filter(|thread| **thread == begun.thread);
        steps.count() > known.depth(begun.back) as usize
    })
}

//! Runs of the program, as the search asks for them.

use std::ops::ControlFlow;

use super::share::Share;
use crate::engine::TOO_LONG;
use crate::knowledge::Knowledge;
use crate::run::{Begun, Ending, Places, Run};
use crate::subject::{Subject, Watch};
use crate::turns;
use crate::words::ThreadId;
use crate::world::World;

/// The search is over, for this reason.
#[derive(Debug)]
pub(super) struct Stop(pub(super) String);

/// The program, whoever watches, and what they have seen.
pub(super) struct Session<'s, 'p> {
    pub(super) subject: &'s mut Subject<'p>,
    pub(super) watch: &'s mut dyn Watch,
    /// Where the threads were at the end of each run.
    pub(super) ends: Vec<Places>,
    /// Where they were before the last look of a round that was in vain.
    pub(super) begun: Vec<Places>,
    /// What of it is ours.
    pub(super) share: Share,
    /// Why something may have been missed.
    pub(super) doubt: Option<String>,
}

impl<'s, 'p> Session<'s, 'p> {
    pub(super) fn new(subject: &'s mut Subject<'p>, watch: &'s mut dyn Watch) -> Session<'s, 'p> {
        Session {
            subject,
            watch,
            ends: Vec::new(),
            begun: Vec::new(),
            share: Share::default(),
            doubt: None,
        }
    }

    /// Whether to go on.
    pub(super) fn go_on(&mut self) -> Result<(), Stop> {
        if self.share.shard.is_none() {
            self.share.shard = self.watch.shard();
        }
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
        self.follow(schedule.len(), &mut |done, _| Some(schedule[done]))
    }

    /// The same, with whose turn it is after so many steps.
    fn follow(
        &mut self,
        length: usize,
        turn: &mut dyn FnMut(usize, &Knowledge) -> Option<ThreadId>,
    ) -> Result<Option<Run>, Stop> {
        self.go_on()?;
        let mut done = 0;
        let mut planned = Vec::with_capacity(length);
        let run = self.subject.run(&mut |moment| {
            if done == length && moment.steps.len() < done {
                return None;
            }
            if done > length && takes_back(moment.begun, &planned, moment.known) {
                return None;
            }
            let chosen = match done < length {
                true => {
                    let next = turn(done, moment.known)?;
                    planned.push(next);
                    moment.enabled.contains(&next).then_some(next)?
                }
                false => moment.straight_on(),
            };
            done += 1;
            Some(chosen)
        });
        let begun = run.begun.iter().map(|begun| begun.places.clone());
        self.begun.extend(begun);
        // That may have been the last step of all.
        let known = &self.subject.known;
        let is_lost = run.steps.len() < planned.len() || takes_back(&run.begun, &planned, known);
        if is_lost && self.has_seen(&run.places, &run.world) {
            return Ok(None);
        }
        match &run.ending {
            Ending::Abandoned => return Ok(None),
            Ending::Finished | Ending::Deadlock(_) => self.ends.push(run.places.clone()),
            Ending::Bound => self.doubt(|| TOO_LONG.to_owned()),
            Ending::Trouble(trouble) => self.doubt(|| format!("{trouble:?}")),
        }
        match self.subject.show(&run, self.watch) {
            ControlFlow::Break(()) => Err(Stop("stopped".to_owned())),
            ControlFlow::Continue(()) => Ok(Some(run)),
        }
    }

    /// Makes a run that was made before.
    pub(super) fn run_again(&mut self, text: &str) -> Result<(), Stop> {
        let turns = turns::read(text).unwrap_or_default();
        let length = turns
            .iter()
            .map(|turn| turn.count)
            .fold(0, usize::saturating_add);
        let (mut next, mut before) = (0, 0);
        let run = self.follow(length, &mut |done, known| {
            while done >= before + turns[next].count {
                before += turns[next].count;
                next += 1;
            }
            turns[next].thread(known)
        })?;
        let is_same = run.is_some_and(|run| run.turns(&self.subject.known) == text);
        match is_same {
            true => Ok(()),
            false => Err(Stop(
                "the test does not do what it did when it was explored before".to_owned(),
            )),
        }
    }

    /// How many of the outcomes that were seen count elsewhere.
    pub(super) fn elsewhere(&self) -> u64 {
        let known = &self.subject.known;
        let left = { self.ends.iter() }.filter(|end| self.share.leaves(known, end));
        left.count() as u64
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

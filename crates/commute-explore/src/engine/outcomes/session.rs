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

/// What was seen.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Where the threads were at the end of each run, and before each round of looks that
    /// was in vain.
    pub(super) ends: Vec<Places>,
    /// Which of them are outcomes that count.
    outcomes: Vec<usize>,
    /// How many runs were made that had been made in another sitting.
    pub(super) again: usize,
    /// Whether it is in the names of now.
    pub(super) is_renamed: bool,
}

impl Seen {
    /// This, if it is still of use.
    pub(super) fn if_renamed(self) -> Seen {
        match self.is_renamed {
            true => Seen {
                is_renamed: false,
                ..self
            },
            false => Seen::default(),
        }
    }
}

/// The program, whoever watches, and what they have seen.
pub(super) struct Session<'s, 'p> {
    pub(super) subject: &'s mut Subject<'p>,
    pub(super) watch: &'s mut dyn Watch,
    pub(super) seen: Seen,
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
            seen: Seen::default(),
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
                Some(thread) if moment.enabled.contains(thread) => *thread,
                Some(_) => return None,
                None => moment.straight_on(),
            };
            done += 1;
            Some(chosen)
        });
        self.keep_rounds(&run);
        // That may have been the last step of all.
        let known = &self.subject.known;
        let is_lost = run.steps.len() < schedule.len() || takes_back(&run.begun, schedule, known);
        if is_lost && self.has_seen(&run.places, &run.world) {
            return Ok(None);
        }
        self.keep(run)
    }

    /// Makes a run that was made before.
    pub(super) fn run_again(&mut self, text: &str) -> Result<(), Stop> {
        self.go_on()?;
        let turns = turns::read(text).unwrap_or_default();
        let mut turns = turns.iter();
        let (mut turn, mut left) = (None, 0);
        let run = self.subject.run(&mut |moment| {
            while left == 0 {
                turn = turns.next();
                left = turn?.count;
            }
            left -= 1;
            turn?
                .thread(moment.known)
                .filter(|thread| moment.enabled.contains(thread))
        });
        self.keep_rounds(&run);
        let is_same = run.turns(&self.subject.known) == text;
        match self.keep(run)? {
            Some(_) if is_same => Ok(()),
            _ => Err(Stop(
                "the test does not do what it did when it was explored before".to_owned(),
            )),
        }
    }

    fn keep_rounds(&mut self, run: &Run) {
        let begun = run.begun.iter().map(|begun| begun.places.clone());
        self.seen.ends.extend(begun);
    }

    /// Keeps a run that came to its end, and shows it.
    fn keep(&mut self, run: Run) -> Result<Option<Run>, Stop> {
        match &run.ending {
            Ending::Abandoned => return Ok(None),
            Ending::Finished | Ending::Deadlock(_) => self.seen.ends.push(run.places.clone()),
            Ending::Bound => self.doubt(|| TOO_LONG.to_owned()),
            Ending::Trouble(trouble) => self.doubt(|| format!("{trouble:?}")),
        }
        let before = self.subject.counts().outcomes;
        let flow = self.subject.show(&run, self.watch);
        if self.subject.counts().outcomes > before {
            self.seen.outcomes.push(self.seen.ends.len() - 1);
        }
        match flow {
            ControlFlow::Break(()) => Err(Stop("stopped".to_owned())),
            ControlFlow::Continue(()) => Ok(Some(run)),
        }
    }

    /// How many of the outcomes that were seen count elsewhere.
    pub(super) fn elsewhere(&self) -> u64 {
        let known = &self.subject.known;
        let ends = self.seen.outcomes.iter().map(|end| &self.seen.ends[*end]);
        ends.filter(|end| self.share.leaves(known, end)).count() as u64
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

//! What `mcr` and `ncmc` share: seeds for further runs from the constraints on a run.
//!
//! For each event of each run, and for what threads wait for at the end, the solver is
//! asked for a prefix of the run after which the event would be something else: it would
//! find another state, or come before an invocation that it came after. The prefix and
//! the event are the seed; the run goes on as it likes from there.
//!
//! One seed for each event and value, as the papers have it, is not enough: which other
//! events are in the prefix matters. So the solver is asked again, until every prefix
//! with the event is part of a run: *covered*. A run H' covers what agrees with it
//! thread by thread; of the events of H, those up to where the two part. That is one
//! clause for each run. Then, by induction, every prefix of every run of the program is
//! covered, and because only what is not covered is run, no two runs are the same.
//!
//! A thread that looks at several things again and again may have begun a round when others
//! go on. If the round is in vain it is taken back, and no run has it; what there was just
//! before that is kept as if it were a run.
//!
//! At last, deadlocks may hide: if all threads of a prefix wait, then it is an outcome,
//! whether or not it is covered. The same events may also leave memory in several states.

mod account;
mod case;
mod constraints;
mod diagram;
mod endings;
mod order;
pub(crate) mod printed;
mod seeds;

use std::ops::ControlFlow;

use super::dependence::Dependence;
use super::{Extent, TOO_LONG};
use crate::knowledge::Knowledge;
use crate::run::{Ending, Places, Run, Step};
use crate::subject::{Subject, Watch};
use crate::words::ThreadId;
use crate::world::World;
use account::{Account, Keys};

/// What is one event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Grain {
    /// Everything is memory.
    Memory,
    /// An invocation of an object with a specification is known by those that it does
    /// not commute with.
    Invocations,
}

/// A search that is under way.
struct Search {
    grain: Grain,
    keys: Keys,
    dependence: Dependence,
    runs: Vec<Account>,
    /// Those that came to an end, rather than to a bound.
    ended: Vec<usize>,
    /// Why not everything is seen.
    gap: Option<String>,
}

/// Why a search does not go on.
enum Halt {
    /// It is enough, for this reason.
    Enough(String),
    /// What commutes turned out to be less than it seemed.
    Again,
}

/// Explores with this grain.
pub(super) fn explore(grain: Grain, subject: &mut Subject<'_>, watch: &mut dyn Watch) -> Extent {
    subject.known.begin_in_order();
    let mut dependence = Dependence::default();
    loop {
        let mut search = Search {
            dependence,
            ..Search::new(grain)
        };
        match search.explore(subject, watch) {
            Ok(()) => return search.gap.map_or(Extent::Everything, Extent::Some),
            Err(Halt::Enough(reason)) => return Extent::Some(reason),
            Err(Halt::Again) => dependence = search.dependence,
        }
    }
}

impl Search {
    fn new(grain: Grain) -> Search {
        Search {
            grain,
            keys: Keys::default(),
            dependence: Dependence::default(),
            runs: Vec::new(),
            ended: Vec::new(),
            gap: None,
        }
    }

    fn explore(&mut self, subject: &mut Subject<'_>, watch: &mut dyn Watch) -> Result<(), Halt> {
        self.run(&[], subject, watch)?;
        let mut next = 0;
        while next < self.runs.len() {
            watch.left(self.runs.len() - next, None);
            self.seeds(next, subject, watch)?;
            next += 1;
        }
        match self.dependence.was_taken_back() {
            true => Err(Halt::Again),
            false => Ok(()),
        }
    }

    /// Runs the program, first like this and then straight on. Gives the number of the
    /// run; what it began and took back follows.
    fn run(
        &mut self,
        schedule: &[ThreadId],
        subject: &mut Subject<'_>,
        watch: &mut dyn Watch,
    ) -> Result<usize, Halt> {
        if let Some(reason) = watch.enough() {
            return Err(Halt::Enough(reason));
        }
        let mut depth = 0;
        let run: Run = subject.run(&mut |moment| {
            let planned = schedule.get(depth).copied();
            depth += 1;
            Some(planned.unwrap_or_else(|| moment.straight_on()))
        });
        if subject.show(&run, watch) == ControlFlow::Break(()) {
            return Err(Halt::Enough("stopped".to_owned()));
        }
        match &run.ending {
            Ending::Trouble(trouble) => return Err(Halt::Enough(format!("{trouble:?}"))),
            Ending::Bound => self.gap = Some(TOO_LONG.to_owned()),
            Ending::Finished | Ending::Deadlock(_) | Ending::Abandoned => {
                self.ended.push(self.runs.len());
            }
        }
        let number = self.runs.len();
        let known = &mut subject.known;
        let account = self.account(&run.steps, &run.places, &run.world, known)?;
        self.runs.push(account);
        for begun in &run.begun {
            let account = self.account(&begun.steps, &begun.places, &begun.world, known)?;
            if !self.runs.iter().any(|run| account.is_part_of(run)) {
                self.runs.push(account);
            }
        }
        Ok(number)
    }

    fn account(
        &mut self,
        steps: &[Step],
        places: &Places,
        world: &World,
        known: &mut Knowledge,
    ) -> Result<Account, Halt> {
        let keys = &mut self.keys;
        let account = Account::of(steps, places, self.grain, keys, &mut self.dependence, known);
        assert_eq!(account.world, *world, "models do what they did");
        match self.dependence.was_taken_back() {
            true => Err(Halt::Again),
            false => Ok(account),
        }
    }
}

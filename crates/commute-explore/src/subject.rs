//! A program that is being explored.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::time::Instant;

use rustc_hash::{FxHashSet, FxHasher};

use crate::code::mixed;
use crate::engine::Limits;
use crate::knowledge::Knowledge;
use crate::program::{Program, Trouble};
use crate::run::{Ending, Moment, Places, Run, run};
use crate::settings::Shard;
use crate::words::ThreadId;
use crate::world::World;

/// Sees every run.
pub trait Watch {
    /// A run is over; `is_new` if nothing like it was seen before.
    fn ran(&mut self, run: &Run, is_new: bool, known: &Knowledge) -> ControlFlow<()>;

    /// Whether to stop, with a reason. Asked often.
    fn enough(&mut self) -> Option<String> {
        None
    }

    /// What is to be explored of the program, if not everything. Asked often, until
    /// there is an answer.
    fn shard(&mut self) -> Option<Shard> {
        None
    }

    /// As many runs, in the order in which they were made, have been looked at for what
    /// else could have happened in them. Told now and then.
    fn looked_at(&mut self, runs: usize) {
        let _ = runs;
    }

    /// So many beginnings of runs are known that nobody has followed yet; and which share
    /// of all is done, if the engine can tell.
    fn left(&mut self, queue: usize, share: Option<f64>) {
        let _ = (queue, share);
    }

    /// The exploration begins anew, but what was seen counts. Things go by other names.
    fn renamed(&mut self, known: &mut Knowledge) {
        let _ = known;
    }

    /// The exploration begins anew: what was seen does not count.
    fn restarted(&mut self, reason: &str) {
        let _ = reason;
    }
}

/// What was seen so far.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Runs of the program.
    pub executions: u64,
    /// Those that showed nothing new.
    pub redundant: u64,
    /// Combinations of what every thread saw and the states at the end, up to exchanges
    /// of threads that may be exchanged.
    pub outcomes: u64,
    /// Those of them that are counted in other shards.
    pub elsewhere: u64,
    /// Runs that were made before the exploration began anew; they are in none of the
    /// others.
    pub learning: u64,
}

/// What became of what was seen when a search has to begin anew.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Anew {
    /// It is kept, in other names.
    Renamed,
    /// It is forgotten, for this reason.
    Forgotten(String),
}

/// A program, and what is known of it.
pub struct Subject<'a> {
    program: &'a mut dyn Program,
    /// What is known of it.
    pub known: Knowledge,
    limits: Limits,
    counts: Counts,
    seen: FxHashSet<u128>,
    /// The same, as long as it is not too much to be kept.
    ended: Vec<(Places, World)>,
    /// Why the exploration has to begin anew.
    restart: Option<String>,
    /// Digest of how the exploration was divided, if it was by what a thread sees first.
    pub(crate) division: Option<u64>,
    /// When there is no more time for a long run.
    pub(crate) until: Option<Instant>,
}

/// So many outcomes are kept for the case that names change.
const MOST_KEPT: usize = 200_000;

/// Steps between two looks at the clock.
const PATIENCE: usize = 4096;

impl<'a> Subject<'a> {
    /// A program of which nothing is known.
    pub fn new(program: &'a mut dyn Program, limits: Limits) -> Subject<'a> {
        Subject {
            program,
            known: Knowledge::default(),
            limits,
            counts: Counts::default(),
            seen: FxHashSet::default(),
            ended: Vec::new(),
            restart: None,
            division: None,
            until: None,
        }
    }

    /// What was seen so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Digest of the names that were learnt, and of how the exploration was divided: shards
    /// of one whole have equal ones.
    pub(crate) fn names(&self) -> String {
        let division = self.division.unwrap_or(0);
        format!("{:016x}", mixed(self.known.learnt_names(), division))
    }

    /// What the program has asked for that may differ from run to run.
    pub(crate) fn causes(&self) -> Vec<String> {
        self.program.causes()
    }

    /// Runs it, and gives also what it has printed.
    pub(crate) fn overhear(&mut self, run: impl FnOnce(&mut Self) -> Run) -> (Run, String) {
        self.program.keep_output();
        let run = run(self);
        (run, self.program.output())
    }

    /// Whether a run ended like this.
    pub fn has_seen(&self, places: &Places, world: &World) -> bool {
        self.seen.contains(&fingerprint(places, world, &self.known))
    }

    /// Runs it. `choose` says who does each step, or that it is not worth going on.
    pub fn run(&mut self, choose: &mut dyn FnMut(Moment<'_>) -> Option<ThreadId>) -> Run {
        let until = self.until;
        let is_over = |steps: usize| {
            steps % PATIENCE == PATIENCE - 1 && until.is_some_and(|until| Instant::now() >= until)
        };
        let run = run(
            self.program,
            &mut self.known,
            self.limits.steps,
            &mut |moment| match is_over(moment.steps.len()) {
                true => None,
                false => choose(moment),
            },
        );
        if let Ending::Trouble(Trouble::Restart(reason)) = &run.ending {
            self.restart = Some(reason.clone());
        }
        run
    }

    /// Runs it, first as `schedule` says, then as `choose` does, and shows the run to
    /// `watch`.
    pub fn run_from(
        &mut self,
        schedule: &[ThreadId],
        choose: &mut dyn FnMut(Moment<'_>) -> Option<ThreadId>,
        watch: &mut dyn Watch,
    ) -> (Run, ControlFlow<()>) {
        let run = self.run(&mut |moment| match schedule.get(moment.steps.len()) {
            Some(thread) => Some(*thread),
            None => choose(moment),
        });
        let flow = self.show(&run, watch);
        (run, flow)
    }

    /// So many of the outcomes are counted in other shards.
    pub(crate) fn leave(&mut self, elsewhere: u64) {
        self.counts.elsewhere = elsewhere;
    }

    /// Whether a run has shown that the search must begin anew.
    pub fn must_begin_anew(&self) -> bool {
        self.restart.is_some()
    }

    /// Why a run could not be gone on with, in words.
    pub fn why(&self, trouble: &Trouble) -> String {
        crate::session::why(trouble, self)
    }

    /// If a run has shown that the search must begin anew, makes ready for that. What was
    /// seen is kept if that can be, and the search can use it.
    pub fn begin_anew(&mut self, can_use: &mut dyn FnMut() -> bool) -> Option<Anew> {
        let reason = self.restart.take()?;
        if self.known.take_renamed() && self.can_rename() && can_use() {
            self.rename();
            return Some(Anew::Renamed);
        }
        self.begin_again();
        Some(Anew::Forgotten(reason))
    }

    /// Forgets what was seen, but not what things are called.
    fn begin_again(&mut self) {
        self.known.forget_code();
        self.counts = Counts {
            learning: self.counts.learning + self.counts.executions,
            ..Counts::default()
        };
        self.seen.clear();
        self.ended.clear();
    }

    /// Whether what was seen can be kept if names change.
    fn can_rename(&self) -> bool {
        self.known.can_rename() && self.ended.len() == self.seen.len()
    }

    /// Calls everything that was seen by the names that things have now.
    fn rename(&mut self) {
        self.known.rename_code();
        self.seen.clear();
        for (places, world) in &mut self.ended {
            self.known.rename_world(world);
            self.seen.insert(fingerprint(places, world, &self.known));
        }
    }

    /// Counts a run and shows it.
    pub fn show(&mut self, run: &Run, watch: &mut dyn Watch) -> ControlFlow<()> {
        match run.ending {
            Ending::Trouble(Trouble::Restart(_)) => self.counts.learning += 1,
            _ => self.counts.executions += 1,
        }
        let complete = matches!(run.ending, Ending::Finished | Ending::Deadlock(_));
        let is_new = complete
            && self
                .seen
                .insert(fingerprint(&run.places, &run.world, &self.known));
        if is_new {
            self.counts.outcomes += 1;
            if self.ended.len() < MOST_KEPT {
                self.ended.push((run.places.clone(), run.world.clone()));
            }
        } else if complete {
            self.counts.redundant += 1;
        }
        watch.ran(run, is_new, &self.known)
    }
}

/// Of the outcome: where every thread is, which says what it saw, and all states. Up to
/// exchanges of threads that may be exchanged.
fn fingerprint(places: &Places, world: &World, known: &Knowledge) -> u128 {
    if known.has_likes() {
        return known.kind(places, world);
    }
    let half = |seed: usize| {
        let mut hasher = FxHasher::with_seed(seed);
        places.hash(&mut hasher);
        world.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(0x9E37_79B9)
}

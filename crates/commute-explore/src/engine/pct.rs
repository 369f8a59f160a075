//! `pct`: probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and
//! Nagarakatte, *A randomized scheduler with probabilistic guarantees of finding bugs*,
//! ASPLOS 2010).
//!
//! Threads have priorities, drawn at random; whoever has the highest goes on. At
//! `depth - 1` steps, drawn at random, whoever is about to go on falls below everybody
//! else, the first of them least.
//!
//! Claims: an outcome that `depth` ordering constraints force is found by a run with a
//! probability of at least 1 / (n · k^(depth - 1)), with n threads and k steps. Nothing is certain.
//! Deviations: n is not known before, so a thread gets its place among the others when
//! it is first seen; k is the length of the longest run so far, not a guess of the user.
//! Cost: as many runs as are asked for.

use std::ops::ControlFlow;

use super::random::Dice;
use super::{Engine, Extent};
use crate::run::Moment;
use crate::subject::{Subject, Watch};
use crate::words::ThreadId;

/// Priorities with a few changes.
#[derive(Clone, Copy, Debug)]
pub struct Pct {
    /// Where the numbers come from.
    pub seed: u64,
    /// How many runs.
    pub runs: u64,
    /// One more than there are changes of priority.
    pub depth: usize,
}

impl Engine for Pct {
    fn name(&self) -> &'static str {
        "pct"
    }

    fn explore(&mut self, subject: &mut Subject<'_>, watch: &mut dyn Watch) -> Extent {
        let mut dice = Dice::new(self.seed);
        let mut longest = 1;
        for done in 0..self.runs {
            let left = usize::try_from(self.runs - done).unwrap_or(usize::MAX);
            watch.left(left, Some(done as f64 / self.runs as f64));
            if let Some(reason) = watch.enough() {
                return Extent::Some(reason);
            }
            let changes = (1..self.depth).map(|_| dice.below(longest)).collect();
            let mut priorities = Priorities {
                waiting: Vec::new(),
                fallen: Vec::new(),
                changes,
                step: 0,
            };
            let run = subject.run(&mut |moment| Some(priorities.choose(&moment, &mut dice)));
            longest = longest.max(priorities.step);
            if subject.show(&run, watch) == ControlFlow::Break(()) {
                return Extent::Some("stopped".to_owned());
            }
        }
        Extent::Some(format!(
            "{} schedules of depth {} were drawn at random; others were not looked at",
            self.runs, self.depth
        ))
    }
}

/// Who comes before whom, in one run.
struct Priorities {
    /// Those that never fell, the highest first.
    waiting: Vec<ThreadId>,
    /// Those that fell, by which of the changes made them.
    fallen: Vec<(usize, ThreadId)>,
    /// The steps before which somebody falls.
    changes: Vec<usize>,
    step: usize,
}

impl Priorities {
    fn choose(&mut self, moment: &Moment<'_>, dice: &mut Dice) -> ThreadId {
        for thread in moment.enabled {
            if !self.waiting.contains(thread) && !self.fallen.iter().any(|(_, t)| t == thread) {
                let place = dice.below(self.waiting.len() + 1);
                self.waiting.insert(place, *thread);
            }
        }
        let mut chosen = self.highest(moment);
        for change in 0..self.changes.len() {
            if self.changes[change] == self.step {
                self.waiting.retain(|thread| *thread != chosen);
                self.fallen.retain(|(_, thread)| *thread != chosen);
                self.fallen.push((change, chosen));
                chosen = self.highest(moment);
            }
        }
        self.step += 1;
        chosen
    }

    /// Of those who can go on.
    fn highest(&self, moment: &Moment<'_>) -> ThreadId {
        let enabled = |thread: &&ThreadId| moment.enabled.contains(thread);
        let waiting = self.waiting.iter().find(enabled).copied();
        let fallen = || {
            let fallen = self.fallen.iter().filter(|(_, thread)| enabled(&thread));
            fallen.max_by_key(|(change, _)| *change).map(|(_, t)| *t)
        };
        { waiting.or_else(fallen) }.expect("everybody has a priority")
    }
}

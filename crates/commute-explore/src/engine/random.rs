//! `random`: whoever goes on is drawn from those who can, each as likely as the others.
//!
//! Claims: nothing is certain. The runs are the same for the same seed. Cost: as many
//! runs as are asked for. Gaps: an outcome that few schedules lead to is found late or
//! never; use `pct` for those that need few switches at the right places.

use std::ops::ControlFlow;

use super::preemptions::Preemptions;
use super::{Engine, Extent};
use crate::subject::{Subject, Watch};

/// Runs, if nobody says how many.
pub(crate) const RUNS: u64 = 10_000;

/// Schedules drawn at random.
#[derive(Clone, Copy, Debug)]
pub struct Random {
    /// Where the numbers come from.
    pub seed: u64,
    /// How many runs.
    pub runs: u64,
    /// How often a run may interrupt a thread that could go on.
    pub preemptions: Option<usize>,
}

impl Engine for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn explore(&mut self, subject: &mut Subject<'_>, watch: &mut dyn Watch) -> Extent {
        let mut dice = Dice::new(self.seed);
        for done in 0..self.runs {
            let left = usize::try_from(self.runs - done).unwrap_or(usize::MAX);
            watch.left(left, Some(done as f64 / self.runs as f64));
            if let Some(reason) = watch.enough() {
                return Extent::Some(reason);
            }
            let mut preemptions = Preemptions::new(self.preemptions);
            let run = subject.run(&mut |moment| {
                let allowed = preemptions.allowed(&moment);
                let chosen = allowed[dice.below(allowed.len())];
                preemptions.count(&moment, chosen);
                Some(chosen)
            });
            if subject.show(&run, watch) == ControlFlow::Break(()) {
                return Extent::Some("stopped".to_owned());
            }
        }
        Extent::Some(format!(
            "{} schedules were drawn at random; others were not looked at",
            self.runs
        ))
    }
}

/// Numbers that look random, the same for the same seed (splitmix64).
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Less than `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        // The upper half of a product: no number is favoured by more than n in 2^64.
        let product = u128::from(self.next()) * n as u128;
        (product >> 64) as usize
    }
}

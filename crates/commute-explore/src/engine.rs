//! Which runs there are.

mod causal;
mod dependence;
pub(crate) mod dpor;
pub(crate) mod exhaustive;
pub(crate) mod mcr;
pub(crate) mod ncmc;
pub(crate) mod outcomes;
pub(crate) mod pct;
mod preemptions;
pub(crate) mod random;

use crate::settings::Settings;
use crate::subject::{Subject, Watch};

/// Decides which runs there are.
pub trait Engine {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// Runs the program, until everything was seen that there is to see, or `watch` has
    /// had enough.
    fn explore(&mut self, subject: &mut Subject<'_>, watch: &mut dyn Watch) -> Extent;
}

/// How much was explored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Every outcome.
    Everything,
    /// Some, because this stopped it.
    Some(String),
}

/// Why not everything is seen where runs come to the bound on their steps.
pub(crate) const TOO_LONG: &str = "a run was too long";

/// What is allowed to a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Steps of a run.
    pub steps: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 1_000_000 }
    }
}

/// The engine that the settings ask for.
pub fn named(settings: &Settings) -> Option<Box<dyn Engine>> {
    Some(match settings.engine.as_str() {
        "outcomes" => Box::new(outcomes::Outcomes {
            shard: settings.shard,
            before: settings.before.clone(),
            ..outcomes::Outcomes::default()
        }),
        "exhaustive" => Box::new(exhaustive::Exhaustive {
            preemptions: settings.preemptions,
        }),
        "dpor" => Box::new(dpor::Dpor),
        "mcr" => Box::new(mcr::Mcr),
        "ncmc" => Box::new(ncmc::Ncmc),
        "random" => Box::new(random::Random {
            seed: settings.seed,
            runs: settings.max_executions.unwrap_or(random::RUNS),
            preemptions: settings.preemptions,
        }),
        "pct" => Box::new(pct::Pct {
            seed: settings.seed,
            runs: settings.max_executions.unwrap_or(random::RUNS),
            // A bound on preemptions is the same idea: so many changes.
            depth: settings.preemptions.map_or(3, |changes| changes + 1),
        }),
        _ => return None,
    })
}

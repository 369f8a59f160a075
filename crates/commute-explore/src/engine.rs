//! Which runs there are.

pub(crate) mod causal;
mod dependence;
pub(crate) mod dpor;
pub(crate) mod exhaustive;
pub(crate) mod mcr;
pub(crate) mod ncmc;
pub(crate) mod outcomes;
pub(crate) mod pct;
mod preemptions;
pub(crate) mod random;
mod rounds;

use crate::settings::Settings;
use crate::subject::{Subject, Watch};

/// Decides which runs there are.
pub trait Engine {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// Runs the program, until everything was seen that there is to see, or `watch` has
    /// had enough.
    fn explore(&mut self, subject: &mut Subject<'_>, watch: &mut dyn Watch) -> Extent;

    /// Things go by other names from now on. Whether what was seen need not be seen again
    /// when it explores anew.
    fn renamed(&mut self) -> bool {
        false
    }
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
///
/// # Errors
/// If there is no such engine, or it cannot keep to a bound that is set.
pub fn named(settings: &Settings) -> Result<Box<dyn Engine>, String> {
    let name = settings.engine.as_str();
    let engine: Box<dyn Engine> = match name {
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
        _ => return Err(format!("there is no engine `{name}`")),
    };
    // One run stands for all that do the same, and which of them that is says nothing of
    // how few preemptions the others need.
    if settings.preemptions.is_some() && !["exhaustive", "random", "pct"].contains(&name) {
        return Err(format!(
            "the engine `{name}` cannot bound preemptions: one of its executions stands for \
             others that have fewer; `exhaustive`, `random` and `pct` can"
        ));
    }
    Ok(engine)
}

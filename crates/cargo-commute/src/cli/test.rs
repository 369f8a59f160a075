//! The command lines of `commute test` and `commute replay`.

use clap::{Args, ValueEnum};
use commute_explore::Settings;

use super::ProgramArgs;

/// `commute test`
#[derive(Args, Debug)]
pub(crate) struct TestArgs {
    /// Only tests whose names contain this
    pub filter: Option<String>,
    /// Only the test of exactly this name
    #[arg(long, requires = "filter")]
    pub exact: bool,
    /// List the tests, and do nothing else
    #[arg(long)]
    pub list: bool,
    /// How it is decided what is run
    #[arg(long, value_name = "NAME", default_value = "outcomes")]
    pub engine: Engine,
    /// Stop after so many executions of a test
    #[arg(long, value_name = "N")]
    pub max_executions: Option<u64>,
    /// Stop after so many seconds for a test
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub max_seconds: Option<f64>,
    /// The most steps of an execution
    #[arg(long, value_name = "N", default_value_t = Settings::default().max_steps)]
    pub max_steps: usize,
    /// How often a thread that could go on may be interrupted in an execution, with the
    /// engines `exhaustive`, `random` and `pct`
    #[arg(long, value_name = "N")]
    pub preemptions: Option<usize>,
    /// Tests at a time [default: as many as there are processors]
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<usize>,
    /// For engines that choose at random: the same seed, the same choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Explore on after a failure
    #[arg(long)]
    pub keep_going: bool,
    /// What else makes a test inconclusive
    #[arg(long, value_name = "WHAT")]
    pub deny: Vec<DenyInTest>,
    /// Only the tests of the library
    #[arg(long, conflicts_with_all = ["bin", "example", "test"], help_heading = "Target to build and run")]
    pub lib: bool,
    /// All packages of the workspace
    #[arg(
        long,
        conflicts_with = "package",
        help_heading = "Target to build and run"
    )]
    pub workspace: bool,
    #[command(flatten)]
    pub program: ProgramArgs,
}

/// How it is decided what is run.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Engine {
    /// One execution for every outcome: complete
    Outcomes,
    /// Every interleaving: complete, slow
    Exhaustive,
    /// One execution for every class of executions up to commutativity: complete
    Dpor,
    /// As published: maximal causality reduction, with commutativity
    Ncmc,
    /// As published: maximal causality reduction
    Mcr,
    /// At random; finds, and proves nothing
    Random,
    /// At random, by priorities; finds, and proves nothing
    Pct,
}

impl Engine {
    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Engine::Outcomes => "outcomes",
            Engine::Exhaustive => "exhaustive",
            Engine::Dpor => "dpor",
            Engine::Ncmc => "ncmc",
            Engine::Mcr => "mcr",
            Engine::Random => "random",
            Engine::Pct => "pct",
        }
    }
}

/// What else may make a test inconclusive.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DenyInTest {
    /// Orderings of atomics that are weaker than what is explored
    WeakOrderings,
}

impl TestArgs {
    /// Whether a test is asked for.
    pub(crate) fn wants(&self, name: &str) -> bool {
        match &self.filter {
            Some(filter) if self.exact => name == filter,
            Some(filter) => name.contains(filter.as_str()),
            None => true,
        }
    }

    /// What the process of a test is told.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            engine: self.engine.name().to_owned(),
            max_executions: self.max_executions,
            max_seconds: self.max_seconds,
            preemptions: self.preemptions,
            seed: self.seed,
            keep_going: self.keep_going,
            max_steps: self.max_steps,
            deny_weak_orderings: self.deny.contains(&DenyInTest::WeakOrderings),
            ..Settings::default()
        }
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() && seconds >= 0.0 => Ok(seconds),
        _ => Err("expected a number of seconds".to_owned()),
    }
}

/// `commute replay`
#[derive(Args, Debug)]
pub(crate) struct ReplayArgs {
    /// The schedule: a file, or the beginning of the fingerprint of a finding
    #[arg(value_name = "ID|FILE")]
    pub schedule: String,
    #[command(flatten)]
    pub program: ProgramArgs,
}

//! The command lines of `commute test` and `commute replay`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use commute_explore::{Settings, Shard};

use super::ProgramArgs;

/// `commute test`
#[derive(Args, Debug)]
pub(crate) struct TestArgs {
    /// Only tests whose names contain this
    pub filter: Option<String>,
    /// Only the test of exactly this name
    #[arg(long, requires = "filter")]
    pub exact: bool,
    /// Also tests that are marked to be ignored
    #[arg(long)]
    pub include_ignored: bool,
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
    /// The most memory of the process of a test, as `500M` or `4G` [default: half of what
    /// there is, shared by the tests that run at once]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub max_memory: Option<Size>,
    /// How long an execution may do no operation
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value_t = Settings::default().max_idle)]
    pub max_idle: f64,
    /// How often a thread that could go on may be interrupted in an execution, with the
    /// engines `exhaustive`, `random` and `pct`
    #[arg(long, value_name = "N")]
    pub preemptions: Option<usize>,
    /// Processes at a time [default: as many tests as there are processors]
    ///
    /// If there are more than tests, a test that takes longer than a second is divided:
    /// several processes explore a part of it each.
    #[arg(short, long, value_name = "N", value_parser = at_least_one)]
    pub jobs: Option<usize>,
    /// Explore one of N parts; `commute report merge` joins what comes of them
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Keep what is explored in this file, and go on with what is there
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
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

    /// Whether several processes may explore a test.
    pub(crate) fn divides(&self) -> bool {
        let is_asked = self.jobs.is_some_and(|jobs| jobs > 1);
        // What one process has explored can be gone on with.
        let is_one = self.shard.is_some() || self.resume.is_some();
        is_asked && !is_one && self.engine == Engine::Outcomes
    }

    /// What makes no sense together.
    ///
    /// # Errors
    /// If something does not.
    pub(crate) fn validate(&self) -> Result<(), String> {
        commute_explore::named(&self.settings())?;
        let asked = match (self.shard, &self.resume) {
            (Some(_), _) => "--shard",
            (_, Some(_)) => "--resume",
            _ => return Ok(()),
        };
        match self.engine {
            Engine::Outcomes => Ok(()),
            engine => Err(format!(
                "{asked} needs the engine `outcomes`: `{}` cannot be divided",
                engine.name()
            )),
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
            shard: self.shard,
            remember: self.resume.is_some(),
            max_memory: self.max_memory.map(|Size(bytes)| bytes),
            max_idle: self.max_idle,
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

/// A number of bytes. It is written as text and not as a number: `4G`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Size(pub u64);

/// Bytes, or so many of 1024, 1024² or 1024³.
pub(crate) fn size(text: &str) -> Result<Size, String> {
    let letter = text.trim_end_matches(['B', 'i']).chars().last();
    let unit = match letter.map(|letter| letter.to_ascii_uppercase()) {
        Some('K') => 10,
        Some('M') => 20,
        Some('G') => 30,
        _ => 0,
    };
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number = digits.trim_end().parse::<u64>().ok();
    let bytes = number.and_then(|number| number.checked_mul(1 << unit));
    let is_size = unit > 0 || digits.len() == text.len();
    bytes
        .filter(|bytes| is_size && *bytes > 0)
        .map(Size)
        .ok_or_else(|| "expected a size like `500M` or `4G`".to_owned())
}

/// `commute replay`
#[derive(Args, Debug)]
pub(crate) struct ReplayArgs {
    /// The beginning of the fingerprint of a finding, or a file with a schedule
    #[arg(value_name = "ID|FILE")]
    pub schedule: String,
    #[command(flatten)]
    pub program: ProgramArgs,
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("there must be one at least".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err("this is no number".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Size, size};

    #[test]
    fn sizes() {
        assert_eq!(size("4G"), Ok(Size(4 << 30)));
        assert_eq!(size("500 MiB"), Ok(Size(500 << 20)));
        assert_eq!(size("12k"), Ok(Size(12 << 10)));
        assert_eq!(size("4096"), Ok(Size(4096)));
        for bad in ["", "G", "4X", "-1", "0", "99999999999G"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }
}

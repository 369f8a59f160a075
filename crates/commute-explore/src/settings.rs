//! What a test is explored with, and what is said meanwhile. Both go between the command
//! and the process of the test, as lines of JSON.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::report::Report;

/// Of what goes between the two. Whoever gets another one refuses it.
pub const PROTOCOL: u32 = 4;

/// How a test is explored.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// [`PROTOCOL`].
    pub version: u32,
    /// The name of the engine.
    pub engine: String,
    /// Stop after so many runs.
    pub max_executions: Option<u64>,
    /// Stop after so many seconds.
    pub max_seconds: Option<f64>,
    /// How often a thread that could go on may be interrupted in a run.
    pub preemptions: Option<usize>,
    /// For engines that choose at random.
    pub seed: u64,
    /// Explore on after a failure.
    pub keep_going: bool,
    /// Steps of a run.
    pub max_steps: usize,
    /// Whether orderings that are weaker than what is explored are taken amiss.
    pub deny_weak_orderings: bool,
    /// Explore a part only.
    pub shard: Option<Shard>,
    /// Tell of every outcome how to come to it, so that the exploration can go on later.
    pub remember: bool,
    /// What was explored before.
    pub before: Before,
    /// Bytes that the process may have.
    pub max_memory: Option<u64>,
    /// Seconds without an operation in a run.
    pub max_idle: f64,
    /// Instead of exploring, run this.
    pub replay: Option<Vec<Planned>>,
    /// The root of the workspace, which places in the source are relative to.
    pub root: Option<PathBuf>,
    /// The libraries in the program whose objects no operation shows.
    pub libraries: Vec<Library>,
}

/// A library with locks and channels for asynchronous code that is part of the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Library {
    /// The name of its crate.
    pub name: String,
    /// Whether it was compiled with optimisation, or a crate that uses it: its functions
    /// may have been inlined.
    pub is_optimised: bool,
}

/// One of several parts of an exploration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// Which, from 0.
    pub index: u64,
    /// Of how many.
    pub of: u64,
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.of)
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/');
        let numbers = parts.and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((index @ 1.., of)) if index <= of => Ok(Shard {
                index: index - 1,
                of,
            }),
            _ => Err("expected which of how many, as in 1/4".to_owned()),
        }
    }
}

/// What was explored before, by an exploration that did not come to its end.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Before {
    /// How to come to each outcome.
    pub runs: Vec<String>,
    /// So many of these runs were looked at for what else could have happened.
    pub looked_at: usize,
}

/// Something to be remembered of an exploration.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Memory {
    /// There is another outcome; how to come to it.
    Run(String),
    /// As in [`Before`].
    LookedAt(usize),
    /// What was told so far is of no use: the exploration has begun anew.
    Nothing,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            version: PROTOCOL,
            engine: "outcomes".to_owned(),
            max_executions: None,
            max_seconds: None,
            preemptions: None,
            seed: 1,
            keep_going: false,
            max_steps: 1_000_000,
            deny_weak_orderings: false,
            shard: None,
            remember: false,
            before: Before::default(),
            max_memory: None,
            max_idle: 10.0,
            replay: None,
            root: None,
            libraries: Vec::new(),
        }
    }
}

/// A step of a schedule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Planned {
    /// Whose step it is.
    pub thread: String,
    /// What it does, with what came of it, as text.
    pub does: String,
}

/// From the process of a test.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// The first: who speaks.
    Hello {
        /// [`PROTOCOL`].
        version: u32,
        /// The name of the test.
        test: String,
    },
    /// Now and then.
    Progress(Progress),
    /// Before everything that it is about is forgotten.
    Memory(Memory),
    /// The last.
    Report(Box<Report>),
}

/// How far it has come.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Progress {
    /// Runs of the test.
    pub executions: u64,
    /// Outcomes seen.
    pub outcomes: u64,
    /// Beginnings of runs that are known and that nobody has followed yet. Behind each
    /// may be any number of outcomes, also none.
    pub queue: u64,
    /// Since it began.
    #[serde(default)]
    pub seconds: f64,
    /// Seconds that are left, where the engine can tell how much is done.
    #[serde(default)]
    pub seconds_left: Option<f64>,
}

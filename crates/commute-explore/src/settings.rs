//! What a test is explored with, and what comes of it. Both go between the command and
//! the process of the test, as lines of JSON.

use serde::{Deserialize, Serialize};

/// Of what goes between the two. Whoever gets another one refuses it.
pub const PROTOCOL: u32 = 2;

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

/// What it comes to; what weighs more comes later.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// All outcomes were seen, and none is a failure.
    Passed,
    /// Not all were seen, or not everything in them.
    Inconclusive,
    /// One is a failure.
    Failed,
}

/// What came of a test.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// In a word.
    pub verdict: Verdict,
    /// The part that was explored, if not everything.
    pub shard: Option<Shard>,
    /// Runs.
    pub executions: u64,
    /// Those that showed nothing new.
    pub redundant: u64,
    /// Outcomes.
    pub outcomes: u64,
    /// Runs that were made to shorten a failing schedule; they are not in the others.
    pub shortening: u64,
    /// How long it took.
    pub seconds: f64,
    /// Why it is inconclusive.
    pub reasons: Vec<String>,
    /// What else there is to know of the verdict.
    pub notes: Vec<String>,
    /// Failures, each different from the others.
    pub failures: Vec<Story>,
}

impl Report {
    /// What all shards of an exploration come to together.
    pub fn join(shards: Vec<Report>) -> Report {
        let mut all = Report {
            verdict: Verdict::Passed,
            shard: None,
            executions: 0,
            redundant: 0,
            outcomes: 0,
            shortening: 0,
            seconds: 0.0,
            reasons: Vec::new(),
            notes: Vec::new(),
            failures: Vec::new(),
        };
        for shard in shards {
            all.verdict = all.verdict.max(shard.verdict);
            all.executions += shard.executions;
            all.redundant += shard.redundant;
            all.outcomes += shard.outcomes;
            all.shortening += shard.shortening;
            all.seconds = all.seconds.max(shard.seconds);
            add_new(&mut all.reasons, shard.reasons);
            add_new(&mut all.notes, shard.notes);
            for story in shard.failures {
                let known = { all.failures.iter_mut() }.find(|s| is_alike(&s.wrong, &story.wrong));
                match known {
                    Some(known) if story.switches < known.switches => *known = story,
                    Some(_) => {}
                    None => all.failures.push(story),
                }
            }
        }
        // Who has failed is not asked why others did not come to their end.
        if all.verdict == Verdict::Failed {
            all.reasons.clear();
        }
        all
    }
}

fn add_new(all: &mut Vec<String>, more: Vec<String>) {
    for text in more {
        if !all.contains(&text) {
            all.push(text);
        }
    }
}

/// Whether two failures are the same one.
pub(crate) fn is_alike(a: &Wrong, b: &Wrong) -> bool {
    match (a, b) {
        (
            Wrong::Panic {
                message, location, ..
            },
            Wrong::Panic {
                message: other,
                location: elsewhere,
                ..
            },
        ) => location == elsewhere && (location.is_some() || message == other),
        (Wrong::Deadlock { waiting }, Wrong::Deadlock { waiting: others }) => {
            let places = |waiting: &[Waiting]| {
                let mut places: Vec<_> = waiting.iter().map(|w| w.location.clone()).collect();
                places.sort();
                places
            };
            places(waiting) == places(others)
        }
        _ => false,
    }
}

/// What went wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wrong {
    /// A thread panicked.
    Panic {
        /// The thread.
        thread: String,
        /// What it said.
        message: String,
        /// Where.
        location: Option<String>,
        /// Who else panicked, in words.
        #[serde(default)]
        others: Vec<String>,
    },
    /// Threads wait for each other, or for what never comes.
    Deadlock {
        /// Each of them.
        waiting: Vec<Waiting>,
    },
    /// A replay came to something else.
    Diverged {
        /// The step of the schedule, from 1.
        step: usize,
        /// What the schedule says.
        planned: String,
        /// What there is instead.
        found: String,
    },
}

/// A thread that waits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Waiting {
    /// The thread.
    pub thread: String,
    /// What it wants to do.
    pub wants: String,
    /// Where.
    pub location: Option<String>,
    /// Who has what it wants, or will not do what it waits for.
    pub because: Option<String>,
}

/// A failure, and how it came about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Story {
    /// What went wrong.
    pub wrong: Wrong,
    /// What happened before.
    pub steps: Vec<Told>,
    /// How often another thread went on than the one before.
    pub switches: usize,
    /// What the test has printed meanwhile.
    #[serde(default)]
    pub output: String,
}

/// A step, in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Told {
    /// The thread.
    pub thread: String,
    /// What it did it to.
    pub object: String,
    /// The sort of thing that is.
    pub sort: String,
    /// What it did.
    pub method: String,
    /// With what.
    pub args: Vec<String>,
    /// What it got.
    pub result: Option<String>,
    /// Where, as `file:line:column`.
    pub location: Option<String>,
    /// The other object, if there is one.
    pub other: Option<String>,
    /// Which of several objects it is that were made in one line, from 1.
    #[serde(default)]
    pub number: Option<u32>,
    /// The same of the other object.
    #[serde(default)]
    pub other_number: Option<u32>,
    /// The thread that it started, or waited for.
    pub peer: Option<String>,
    /// It interrupted another thread, of which a later step does not commute with one
    /// here.
    pub interrupts: Option<Interruption>,
}

impl Told {
    /// In one line: `conns.insert('a') = true`. Where an object without a name was made
    /// is left out, because lines move.
    pub fn line(&self) -> String {
        let object = self.object.split(" (").next().unwrap_or_default();
        let mut line = match &self.peer {
            Some(peer) => format!("{}({peer})", self.method),
            None => format!("{object}.{}({})", self.method, self.args.join(", ")),
        };
        if let Some(result) = &self.result {
            line += " = ";
            line += result;
        }
        line
    }
}

/// Why it matters that a thread was interrupted: two steps, by their places in the
/// story from 0, that do not commute. The first is of whoever interrupted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Interruption {
    /// The one.
    pub by: usize,
    /// The other.
    pub of: usize,
}

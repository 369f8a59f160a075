//! What comes of a test that was explored.

use serde::{Deserialize, Serialize};

use crate::cause::Cause;
use crate::settings::Shard;

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
    /// Runs before it was known which objects are the same, or that a loop ends; they are
    /// not in the others.
    #[serde(default)]
    pub learning: u64,
    /// How long it took.
    pub seconds: f64,
    /// Why it is inconclusive.
    pub reasons: Vec<String>,
    /// The reasons of which more is known than words. Each is also in `reasons`.
    #[serde(default)]
    pub causes: Vec<Cause>,
    /// Of a shard: digest of the names that the exploration has learnt, and of how it was
    /// divided. Only shards with equal digests are parts of one whole.
    #[serde(default)]
    pub names: Option<String>,
    /// What else there is to know of the verdict.
    pub notes: Vec<String>,
    /// Failures, each different from the others.
    pub failures: Vec<Story>,
    /// What methods were attacked in it, if any.
    #[serde(default)]
    pub composed: Option<Composed>,
}

/// What came of attacks on methods.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Composed {
    /// Histories that were looked at.
    pub histories: u64,
    /// Those that were left out, because they can only come to what others do.
    pub pruned: u64,
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
            learning: 0,
            seconds: 0.0,
            reasons: Vec::new(),
            causes: Vec::new(),
            names: None,
            notes: Vec::new(),
            failures: Vec::new(),
            composed: None,
        };
        let division = division(&shards);
        for shard in shards {
            all.verdict = all.verdict.max(shard.verdict);
            all.executions += shard.executions;
            all.redundant += shard.redundant;
            all.outcomes += shard.outcomes;
            all.shortening += shard.shortening;
            all.learning += shard.learning;
            all.seconds = all.seconds.max(shard.seconds);
            all.composed = all.composed.or(shard.composed);
            add_new(&mut all.reasons, shard.reasons);
            add_new(&mut all.causes, shard.causes);
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
        match all.verdict {
            // Why other shards did not come to their end does not matter for a failure.
            Verdict::Failed => {
                all.reasons.clear();
                all.causes.clear();
            }
            Verdict::Passed => {
                let empty = (all.outcomes == 0).then_some(Cause::NoOutcome);
                if let Some(cause) = division.or(empty) {
                    all.doubt(cause);
                }
            }
            // A shard that was cut short may not have learnt the names that others have.
            Verdict::Inconclusive => {}
        }
        all
    }

    /// Whether the shards of the exploration are not parts of one whole, so that the test
    /// has to be explored undivided.
    pub fn must_be_undivided(&self) -> bool {
        self.causes.iter().any(Cause::is_of_division)
    }

    /// The verdict is inconclusive for this cause, unless a failure was found.
    pub fn doubt(&mut self, cause: Cause) {
        self.verdict = self.verdict.max(Verdict::Inconclusive);
        add_new(&mut self.reasons, vec![cause.to_string()]);
        add_new(&mut self.causes, vec![cause]);
    }
}

/// Why shards are not parts of one whole: two of them have learnt different names.
fn division(shards: &[Report]) -> Option<Cause> {
    let first = shards.first()?;
    let other = shards.iter().find(|other| other.names != first.names)?;
    Some(Cause::ShardsDiffer {
        shards: [first.shard, other.shard],
    })
}

fn add_new<T: PartialEq>(all: &mut Vec<T>, more: Vec<T>) {
    for one in more {
        if !all.contains(&one) {
            all.push(one);
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
        (Wrong::NotAtomic { method, .. }, Wrong::NotAtomic { method: other, .. }) => {
            method == other
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
    /// A method did what it cannot do at one moment.
    NotAtomic {
        /// The method, with its arguments.
        method: String,
        /// What would have been instead, in words.
        why: Vec<String>,
        /// What there is to do about it.
        help: Vec<String>,
        /// What keeps the others from being moved before it, and behind it.
        #[serde(default)]
        conflicts: Vec<Conflict>,
    },
    /// Whatever others do, a method does not come to its end.
    NeverEnds {
        /// What was tried, in words.
        why: Vec<String>,
        /// What it waits for if nobody else does anything.
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
    /// The object, if it is not a thread that it waits for.
    #[serde(default)]
    pub object: Option<String>,
    /// Which of several objects it is that were made in one line, from 1.
    #[serde(default)]
    pub number: Option<u32>,
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

/// Two parts of a story that do not commute, the earlier first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Conflict {
    /// The one.
    pub first: Part,
    /// The other.
    pub second: Part,
    /// By which rule, in words; none if nobody has written one down.
    pub rule: Option<String>,
}

/// What a thread did to one object, while nobody else could see what it did: from one
/// step to another, by their places in the story from 0.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Part {
    /// The first step.
    pub from: usize,
    /// The last one.
    pub to: usize,
    /// What they are in the words of a specification: `insert('a', 7)/nil`.
    pub call: Option<String>,
}

impl Conflict {
    /// In words: which steps they are, and in a line below, by which rule.
    pub fn text(&self, steps: &[Told]) -> String {
        let Conflict {
            first,
            second,
            rule,
        } = self;
        let come = if first.from == first.to {
            "comes"
        } else {
            "come"
        };
        let mut text = format!(
            "{} {come} before {}; they do not commute: {} and {}",
            first.which(steps),
            second.which(steps),
            first.does(steps),
            second.does(steps)
        );
        if let Some(rule) = rule {
            text += "\n";
            text += rule;
        }
        text
    }
}

impl Part {
    /// `step 2 of T1`
    fn which(&self, steps: &[Told]) -> String {
        let thread = &steps[self.from].thread;
        match self.to - self.from {
            0 => format!("step {} of {thread}", self.from + 1),
            1 => format!("steps {} and {} of {thread}", self.from + 1, self.to + 1),
            _ => format!("steps {} to {} of {thread}", self.from + 1, self.to + 1),
        }
    }

    fn does(&self, steps: &[Told]) -> String {
        let (first, last) = (&steps[self.from], &steps[self.to]);
        let (mut text, mut is_said) = (first.line(), false);
        if self.from < self.to {
            text = format!("{text} … {}", last.line());
        } else if let Some(call) = &self.call {
            is_said = call.split('(').next() == Some(&first.method);
        }
        match &self.call {
            Some(call) if !is_said => format!("{text} (that is {call})"),
            _ => text,
        }
    }
}

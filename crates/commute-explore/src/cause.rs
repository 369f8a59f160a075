//! Reasons for an inconclusive verdict, as data.

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

use crate::settings::Shard;

/// A reason for an inconclusive verdict.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// Two shards have learnt different names for the objects of the test, so that they
    /// have divided different sets of outcomes.
    ShardsDiffer {
        /// The shards, if they are known.
        shards: [Option<Shard>; 2],
    },
    /// All shards are there, and none of them has an outcome.
    NoOutcome,
    /// A task waits for a future of another crate, whose state no operation shows.
    ForeignFuture {
        /// The future, or the function that made it, if its name is known.
        future: Option<String>,
        /// Where it is awaited, as `file:line`, if that is known.
        location: Option<String>,
    },
    /// Operations are done in a future that an executor of another crate polls.
    ForeignExecutor {
        /// The function that polls.
        executor: String,
        /// Where the test calls it, as `file:line`, if that is known.
        location: Option<String>,
    },
    /// A function of another crate chooses at random what the test does: the `select!` of
    /// tokio or futures.
    RandomChoice {
        /// Where it is called, as `file:line`, if that is known.
        location: Option<String>,
    },
    /// The test uses a lock or a channel of another crate, which no operation shows.
    ForeignObject {
        /// The function that is called, if its name is known.
        function: Option<String>,
        /// Where, as `file:line`, if that is known.
        location: Option<String>,
    },
    /// The program contains libraries whose objects the test may use unnoticed.
    UnwatchedLibrary {
        /// The names of their crates.
        libraries: Vec<String>,
    },
    /// The test needs a runtime of another crate that is not there.
    NoRuntime {
        /// The panic message of that crate.
        message: String,
        /// Where, as `file:line`, if that is known.
        location: Option<String>,
    },
}

impl Cause {
    /// The word for it, which is the same in every version.
    pub fn kind(&self) -> &'static str {
        match self {
            Cause::ShardsDiffer { .. } => "shards-differ",
            Cause::NoOutcome => "no-outcome",
            Cause::ForeignFuture { .. } => "foreign-future",
            Cause::ForeignExecutor { .. } => "foreign-executor",
            Cause::ForeignObject { .. } => "foreign-object",
            Cause::RandomChoice { .. } => "random-choice",
            Cause::UnwatchedLibrary { .. } => "unwatched-library",
            Cause::NoRuntime { .. } => "no-runtime",
        }
    }

    /// Whether it comes from the division into shards, and not from the test.
    pub(crate) fn is_of_division(&self) -> bool {
        matches!(self, Cause::ShardsDiffer { .. } | Cause::NoOutcome)
    }
}

impl Display for Cause {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Cause::ShardsDiffer { shards } => {
                match shards {
                    [Some(one), Some(other)] => write!(f, "shards {one} and {other}")?,
                    _ => f.write_str("two shards")?,
                }
                f.write_str(
                    " learnt different names for the objects of the test, so outcomes may be \
                     missing: run it undivided",
                )
            }
            Cause::NoOutcome => f.write_str("none of its shards has an outcome: run it undivided"),
            Cause::ForeignFuture { future, location } => {
                f.write_str("the test awaits something that is not explored")?;
                if let Some(future) = future {
                    write!(f, ": `{future}`")?;
                }
                at(f, location)?;
                f.write_str(
                    "\nwhat wakes it is not seen: await tasks of `commute::future::spawn`, and \
                     share objects of the types of `commute`",
                )
            }
            Cause::ForeignExecutor { executor, location } => {
                write!(
                    f,
                    "the test runs tasks in an executor that is not explored: `{executor}`"
                )?;
                at(f, location)?;
                f.write_str(
                    "\nmake the test an `async fn`, and start tasks with `commute::future::spawn`",
                )
            }
            Cause::ForeignObject { function, location } => {
                f.write_str("the test uses an object that is not explored")?;
                if let Some(function) = function {
                    write!(f, ": `{function}`")?;
                }
                at(f, location)?;
                f.write_str("\nuse an object of the types of `commute`, whose operations are seen")
            }
            Cause::RandomChoice { location } => {
                f.write_str("a `select!` chooses at random which branch it looks at first")?;
                at(f, location)?;
                f.write_str("\nthat is not explored: write `biased;` before its branches, or `select_biased!`")
            }
            Cause::UnwatchedLibrary { libraries } => {
                let libraries: Vec<String> =
                    libraries.iter().map(|name| format!("`{name}`")).collect();
                write!(
                    f,
                    "this build does not show whether the test uses locks or channels of {}\n\
                     explore the test on Linux on x86-64, in a build with symbols in which \
                     these libraries and what uses them are not optimised",
                    libraries.join(", ")
                )
            }
            Cause::NoRuntime { message, location } => {
                write!(
                    f,
                    "the test needs a runtime that is not explored: {message}"
                )?;
                at(f, location)?;
                f.write_str(
                    "\nstart tasks with `commute::future::spawn`, and leave timers and sockets \
                     out of the test",
                )
            }
        }
    }
}

fn at(f: &mut Formatter<'_>, location: &Option<String>) -> fmt::Result {
    match location {
        Some(location) => write!(f, " at {location}"),
        None => Ok(()),
    }
}

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
}

impl Cause {
    /// The word for it, which is the same in every version.
    pub fn kind(&self) -> &'static str {
        match self {
            Cause::ShardsDiffer { .. } => "shards-differ",
            Cause::NoOutcome => "no-outcome",
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
        }
    }
}

//! Lines that only stored findings have: what a run was, what it looked at, and what
//! of it is known. They are written by [`json::line`](crate::json::line) and read by
//! [`stored::read`](crate::stored::read). See `docs/json.md`.

use serde::{Deserialize, Serialize};

/// The first line of a stored run: `run`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct KeptRun {
    /// The command: `check`.
    pub command: String,
    /// The version of the program.
    pub version: String,
    /// Where it ran: paths start from there.
    pub directory: String,
    /// Its exit code.
    pub exit: u8,
    /// How many tests were not to run.
    #[serde(skip_serializing_if = "is_zero")]
    pub ignored: u64,
    /// Whether findings that are not certain fail it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub deny_unconfirmed: bool,
    /// How many findings were left out, because there is no room for more.
    #[serde(skip_serializing_if = "is_zero")]
    pub left_out: u64,
}

/// What a run looked at, before what was found in it: `trace`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct KeptTrace {
    /// The trace, the program, the test or the project.
    pub name: String,
    /// The file that has the events, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The folders in which its source code may be found.
    pub directories: Vec<String>,
    /// How many events there were.
    pub events: u64,
    /// How many threads.
    pub threads: u64,
    /// How many objects.
    pub objects: u64,
    /// How many findings a suppression took out.
    #[serde(skip_serializing_if = "is_zero")]
    pub suppressed: u64,
    /// Why "nothing found" would not mean "clean".
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// What else there is to know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Why it was not read to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<KeptProblem>,
}

/// Why a trace was not read to its end.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct KeptProblem {
    /// What is wrong, in one line.
    pub message: String,
    /// The line, from 1, of a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The column, from 1, in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
    /// The line, or the part of it that matters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<String>,
    /// The column in that part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<usize>,
    /// The place in a binary trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte: Option<u64>,
    /// What was lost, if something was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<String>,
    /// Whether not even the first byte could be read.
    #[serde(skip_serializing_if = "is_false")]
    pub unreadable: bool,
}

/// A finding of a baseline: `known`. All but the fingerprint is for people.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Known {
    /// A file it is about, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Its code.
    #[serde(default)]
    pub code: String,
    /// What it is, in one line.
    #[serde(default)]
    pub title: String,
    /// The same for the same finding in the next run.
    pub fingerprint: String,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

fn is_false(value: &bool) -> bool {
    !value
}

//! What an analysis finds.

use crate::ir::Site;
use crate::lost::LostSection;

/// What kind of violation it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A value read in one region is written in a later one.
    StaleValue,
    /// A value read in one region decides whether a later one writes.
    StaleCheck,
    /// A value read in one region is an index, a key or a certainty
    /// (`unwrap`) in a later one that reads.
    StaleRead,
    /// A check on one object decides about an action on another.
    OtherObject,
    /// Values that others write together are read in two regions.
    TornRead,
    /// Values that others read together are written in two regions.
    TornWrite,
}

impl Kind {
    /// Whether it is a high-level data race (CM201); the others are stale
    /// values (CM202).
    pub fn is_high_level_race(self) -> bool {
        matches!(self, Kind::TornRead | Kind::TornWrite)
    }
}

/// How sure an analysis is that somebody should look.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Confidence {
    /// Shown with `-v` only.
    Low,
    /// Shown.
    High,
}

/// One stop on the way of a value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Stop {
    /// Where.
    pub site: Site,
    /// In which function.
    pub function: String,
    /// What happens there: "read here under `inner`", "the lock is released
    /// here", "written here under a second lock".
    pub what: String,
}

/// A violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// What kind.
    pub kind: Kind,
    /// How sure.
    pub confidence: Confidence,
    /// The variable that gets stale or is torn, for example `Cache.entries`.
    pub variable: String,
    /// What is written instead, if it is another variable.
    pub written: Option<String>,
    /// What it is, in one line.
    pub title: String,
    /// The way of the value, in order. The first is the first region's access,
    /// the last the second's.
    pub path: Vec<Stop>,
    /// Accesses of other processes that come between.
    pub others: Vec<Stop>,
    /// Why it is a violation, in a sentence.
    pub why: String,
    /// What to do.
    pub help: String,
    /// The atomic parts: the functions or regions that should have been one.
    pub regions: (String, String),
    /// What else should have been one, by the same two lines.
    pub also: Vec<(String, String)>,
    /// Where the two regions begin. Violations that have the same two are one
    /// mistake.
    pub between: Option<(Site, Site)>,
}

/// What came out of an analysis.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// What was found, in the order of the sources, suppressed ones left out.
    pub violations: Vec<Violation>,
    /// How many regions there are.
    pub regions: usize,
    /// Acquisitions of locks that did not become regions, in the order of the
    /// sources. If there is any, no verdict is "clean".
    pub lost: Vec<LostSection>,
    /// Why the outcome is not the whole truth, if it is not.
    pub limits: Vec<String>,
}

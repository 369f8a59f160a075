//! What comes of a check.

use std::fmt;

/// What a check came to.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// In every history that was tried, the method is atomic.
    Atomic,
    /// In one it is not.
    NotAtomic,
    /// In every history somebody waits for ever.
    Deadlock,
    /// Not everything could be tried, for this reason.
    Inconclusive(String),
    /// Nothing was tried: this is a normal build.
    Untested,
}

/// What came of a check.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Checked {
    /// In a word.
    pub outcome: Outcome,
    /// In many.
    pub text: String,
    /// How often the method ran.
    pub executions: u64,
    /// How many histories were not tried, because they can only come to what others do.
    pub pruned: u64,
    /// How many histories were looked at.
    pub histories: u64,
    /// What nobody may do so that nothing goes wrong: the smallest such sets.
    pub only_without: Vec<Vec<String>>,
    /// What is to be known beside that.
    pub notes: Vec<String>,
}

impl Checked {
    /// Whether the method is atomic in every history that was tried.
    pub fn is_atomic(&self) -> bool {
        self.outcome == Outcome::Atomic
    }
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

//! Findings: what analyses report.

use std::fmt;
use std::str::FromStr;

use xxhash_rust::xxh3::xxh3_64;

use crate::scene::Scene;

macro_rules! codes {
    ($($code:ident = $number:literal, $title:literal;)*) => {
        /// What kind of finding it is. Every code has a page: `commute explain CM101`.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code {
            $(#[doc = $title] $code = $number,)*
        }

        impl Code {
            /// All codes, in order.
            pub const ALL: &[Code] = &[$(Code::$code),*];

            /// The title of its page.
            pub fn title(self) -> &'static str {
                match self {
                    $(Code::$code => $title,)*
                }
            }
        }
    };
}

codes! {
    CM101 = 101, "commutativity race";
    CM102 = 102, "data race";
    CM103 = 103, "predicted race";
    CM111 = 111, "atomicity violation";
    CM121 = 121, "order violation";
    CM122 = 122, "use after free";
    CM201 = 201, "high-level data race";
    CM202 = 202, "stale value";
    CM301 = 301, "failing schedule";
    CM302 = 302, "deadlock";
    CM303 = 303, "replay diverged";
    CM401 = 401, "not atomic";
    CM402 = 402, "deadlock under the adversary";
    CM901 = 901, "syntax error in a specification";
    CM902 = 902, "unknown name in a specification";
    CM903 = 903, "wrong number of arguments or results";
    CM904 = 904, "declared twice";
    CM905 = 905, "pair of methods without a condition";
    CM906 = 906, "asymmetric condition";
    CM907 = 907, "condition outside ECL";
    CM908 = 908, "unsound condition";
    CM909 = 909, "imprecise condition";
}

impl Code {
    /// How serious it is as a rule; a single finding may differ.
    pub fn level(self) -> Level {
        match self {
            Code::CM905 => Level::Warning,
            Code::CM907 | Code::CM909 => Level::Note,
            _ => Level::Error,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CM{}", *self as u16)
    }
}

impl FromStr for Code {
    type Err = ();

    fn from_str(text: &str) -> Result<Code, ()> {
        let digits = text
            .strip_prefix("CM")
            .or_else(|| text.strip_prefix("cm"))
            .unwrap_or(text);
        let number: u16 = digits.parse().map_err(|_| ())?;
        let found = Code::ALL.iter().find(|code| **code as u16 == number);
        found.copied().ok_or(())
    }
}

/// How serious a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// Fails the run.
    Error,
    /// Shown, does not fail the run.
    Warning,
    /// For information.
    Note,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
        })
    }
}

/// How sure it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Certainty {
    /// It happened in the observed run.
    Observed,
    /// A witness was constructed and checked.
    Certified,
    /// Neither.
    Unconfirmed,
}

impl fmt::Display for Certainty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Certainty::Observed => "observed",
            Certainty::Certified => "certified",
            Certainty::Unconfirmed => "unconfirmed",
        })
    }
}

/// One event of a finding.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EventRef {
    /// The thread.
    pub thread: String,
    /// The 1-based position in the trace.
    pub index: u64,
    /// What it did, as text traces write it.
    pub action: String,
    /// Where; empty if the trace does not say.
    pub location: String,
}

/// What kind of evidence a witness is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WitnessKind {
    /// Two events that nothing orders.
    Pair,
    /// Transactions that each must come before the next.
    Cycle,
    /// A run of the same events in another order.
    Reordering,
    /// The decisions of a scheduler.
    Schedule,
    /// Calls and returns.
    History,
}

impl fmt::Display for WitnessKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WitnessKind::Pair => "pair",
            WitnessKind::Cycle => "cycle",
            WitnessKind::Reordering => "reordering",
            WitnessKind::Schedule => "schedule",
            WitnessKind::History => "history",
        })
    }
}

/// The evidence.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Witness {
    /// Its kind.
    pub kind: WitnessKind,
    /// Events 1..=prefix come first, unchanged.
    pub prefix: u64,
    /// Indices of the events after that, in order.
    pub steps: Vec<u64>,
}

/// A remark that belongs to a finding: `points`, `why`, `help`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Note {
    /// What the remark is about, in one word.
    pub label: String,
    /// The remark.
    pub text: String,
}

impl Note {
    /// The label of a table of the events that matter, one column per thread.
    pub const COLUMNS: &str = "columns";
    /// The label of a sentence that says why one event comes before another.
    pub const EDGE: &str = "edge";

    /// The label of how two events were recorded that can be the other way round.
    pub const RECORDED: &str = "recorded";

    /// Whether it is a table, of which the lines belong together.
    pub fn is_columns(&self) -> bool {
        self.label == Note::COLUMNS
    }

    /// A remark about `label`.
    pub fn new(label: &str, text: impl Into<String>) -> Note {
        Note {
            label: label.to_owned(),
            text: text.into(),
        }
    }
}

/// Something a developer should look at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What kind.
    pub code: Code,
    /// How serious.
    pub level: Level,
    /// How sure.
    pub certainty: Certainty,
    /// Stable across runs and unrelated edits: see [`Finding::fingerprint_of`]. An
    /// analysis leaves here what it tells the finding by beside its code, its object and
    /// its events; who knows the source text makes the fingerprint of all of it.
    pub fingerprint: String,
    /// What it is, in one line.
    pub title: String,
    /// The object or variable it is about.
    pub object: Option<String>,
    /// The events it is about, in trace order.
    pub events: Vec<EventRef>,
    /// The formula that is false, with the values that make it so.
    pub condition: Option<String>,
    /// The evidence.
    pub witness: Option<Witness>,
    /// How often this pair of locations was found.
    pub count: u64,
    /// The command that shows it again.
    pub replay: Option<String>,
    /// Remarks for people.
    pub notes: Vec<Note>,
    /// What happened around it, if somebody wants to see that.
    pub scene: Option<Box<Scene>>,
}

impl Finding {
    /// A fingerprint of what does not change when lines move or the program
    /// runs again: pass the code, the object, the operations, the files and the
    /// text of the lines, never line numbers, event indices or addresses.
    pub fn fingerprint_of<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
        let mut text = String::new();
        for part in parts {
            text.push_str(part);
            text.push('\0');
        }
        format!("{:016x}", xxh3_64(text.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_parse_as_people_type_them() {
        assert_eq!("CM101".parse(), Ok(Code::CM101));
        assert_eq!("cm908".parse(), Ok(Code::CM908));
        assert_eq!("102".parse(), Ok(Code::CM102));
        assert_eq!("CM999".parse::<Code>(), Err(()));
        assert_eq!(Code::CM101.to_string(), "CM101");
    }
}

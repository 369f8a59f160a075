//! What came of looking at a program, in a form that can be kept.
//!
//! An analysis speaks of sites, of which only its program knows where they are. Here they
//! are places, and the violations are findings; what the user wants to see of them is
//! decided later, so that it can change without a new analysis.

use std::fmt;

use commute_lint::{Loss, Outcome, ir, locks_never_taken};
use commute_model::{EventRef, Finding};
use serde::{Deserialize, Serialize};

use super::finding;

/// What came of looking at a program.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Seen {
    /// How many crates, jars or classes there are.
    pub crates: u64,
    pub functions: u64,
    pub regions: u64,
    /// What was not understood.
    pub gaps: Vec<String>,
    /// Acquisitions of locks that did not become critical sections.
    #[serde(default)]
    pub lost: Vec<Lost>,
    /// Types of locks of which none is taken.
    #[serde(default)]
    pub untaken: Vec<String>,
    /// Why what was understood is not all there is to find.
    pub limits: Vec<String>,
    /// The source files.
    pub files: Vec<String>,
    #[serde(skip)]
    pub found: Vec<Found>,
}

/// Why an acquisition of a lock did not become a critical section.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Lost {
    pub reason: LostBecause,
    /// The function that is called.
    pub call: String,
    /// The function that calls it.
    pub function: String,
    /// Where, if that is known: `src/lib.rs:3:4`.
    pub location: String,
}

/// What is not known of an acquisition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum LostBecause {
    /// The guard is the result of a call that is not known to take a lock.
    UnknownCall,
    /// It is not known which lock is taken, or which object the operation is on.
    UnknownLock,
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Lost { call, function, .. } = self;
        let place = match self.location.as_str() {
            "" => format!("in `{function}`"),
            location => format!("at {location}"),
        };
        match self.reason {
            LostBecause::UnknownCall => write!(f, "`{call}` {place} returns the guard of a lock"),
            LostBecause::UnknownLock => write!(f, "`{call}` {place} is on an unknown object"),
        }
    }
}

/// A finding, and which of its events are not on the way of the value.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Found {
    pub finding: Finding,
    /// How many, just before the last event.
    pub others: usize,
    /// Between which two regions it is, if that is known.
    pub between: Option<[String; 2]>,
}

impl Found {
    /// The events on the way of the value.
    pub(super) fn way(&self) -> impl Iterator<Item = &EventRef> {
        let events = &self.finding.events;
        let end = events.len().saturating_sub(1);
        let others = end.saturating_sub(self.others)..end;
        let numbered = events.iter().enumerate();
        numbered.filter_map(move |(i, event)| (!others.contains(&i)).then_some(event))
    }
}

impl Seen {
    /// What an analysis has made of a program.
    pub(super) fn new(program: &ir::Program, outcome: &Outcome, crates: usize) -> Seen {
        let gaps = program.gaps.iter();
        Seen {
            crates: crates as u64,
            functions: program.functions.len() as u64,
            regions: outcome.regions as u64,
            gaps: gaps
                .map(|gap| format!("{}: {}", gap.place, gap.what))
                .collect(),
            lost: (outcome.lost.iter())
                .map(|lost| Lost {
                    reason: match lost.loss {
                        Loss::UnknownCall => LostBecause::UnknownCall,
                        Loss::UnknownLock => LostBecause::UnknownLock,
                    },
                    call: lost.call.clone(),
                    function: lost.function.clone(),
                    location: program.location(lost.site),
                })
                .collect(),
            untaken: locks_never_taken(program),
            limits: outcome.limits.clone(),
            files: program.files.clone(),
            found: finding::all(program, &outcome.violations),
        }
    }
}

//! What came of looking at a program, in a form that can be kept.
//!
//! An analysis speaks of sites, of which only its program knows where they are. Here they
//! are places, and the violations are findings; what the user wants to see of them is
//! decided later, so that it can change without a new analysis.

use commute_lint::{Outcome, ir};
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
    /// Why what was understood is not all there is to find.
    pub limits: Vec<String>,
    /// The source files.
    pub files: Vec<String>,
    #[serde(skip)]
    pub found: Vec<Found>,
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
            limits: outcome.limits.clone(),
            files: program.files.clone(),
            found: finding::all(program, &outcome.violations),
        }
    }
}

//! All programs, in both languages, by all algorithms. The example prints this
//! and a test checks it.

pub mod judge;
mod languages;
mod print;

use commute_lint::ir::Program;
use commute_moth::{Known, PROGRAMS};
use judge::{Verdict, WAYS, judge};

pub use print::table;

/// A program, and how each algorithm did on it.
pub struct Row {
    /// What is known of it.
    pub known: &'static Known,
    /// In Rust, in the order of [`WAYS`].
    pub rust: Vec<Verdict>,
    /// In Java, if it could be compiled.
    pub java: Option<Vec<Verdict>>,
}

/// Analyses everything.
pub fn rows() -> Vec<Row> {
    let java = languages::java();
    let row = |known: &'static Known| Row {
        known,
        rust: verdicts(
            known,
            &languages::rust(known.name),
            &languages::rust(&known.repaired()),
        ),
        java: java
            .as_ref()
            .map(|java| verdicts(known, &java[known.name], &java[&known.repaired()])),
    };
    PROGRAMS.iter().map(row).collect()
}

fn verdicts(known: &Known, program: &Program, repaired: &Program) -> Vec<Verdict> {
    let verdict = |way| judge(known, program, repaired, way);
    WAYS.into_iter().map(verdict).collect()
}

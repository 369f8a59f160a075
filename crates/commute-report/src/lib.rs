//! Findings and diagnostics for people and machines.
//!
//! An analysis hands over [`Finding`]s, the parser of a text [`Diagnostic`]s,
//! the reader of a stream [`Problem`]s; this crate turns them into text. There
//! are forms for each of them, as it comes:
//!
//! | form | finding | diagnostic | problem | whole run |
//! |---|---|---|---|---|
//! | for people, in rustc's manner | [`human::finding`] | [`diagnostic::human`] | [`problem::human`] | [`Summary::line`] |
//! | one line | [`short::finding`] | [`diagnostic::short`] | [`problem::short`] | [`Summary::line`] |
//! | a GitHub annotation | [`github::finding`] | – | – | – |
//! | a line of JSON | [`json::finding`] | [`diagnostic::json`] | [`problem::json`] | [`json::summary`] |
//!
//! And there are forms that are one document, made of a [`Run`] when it is
//! over: [`sarif::document`] for code scanning, [`junit::document`] for what
//! reads test results, [`html::page`] for people without a terminal.
//!
//! A whole trace can be drawn by other tools: [`Timeline`] writes what Perfetto
//! and Chrome open, [`ShiViz`] what ShiViz does, event by event.
//!
//! Nothing here reads a file or prints: source text comes from the caller
//! through [`Sources`], text goes back as `String`.
//!
//! Names, values and locations come from traces, and traces come from
//! anywhere. No control character, escape sequence or direction override of a
//! trace or of a source file reaches the output as it is; it is shown as
//! `\x1b`, `\u{202e}` and the like. Overlong texts and lines are cut.
//!
//! ```
//! use commute_model::{Certainty, Code, EventRef, Finding, Level};
//! use commute_report::{NoSources, Style, human};
//!
//! let event = |thread: &str, index, action: &str| EventRef {
//!     thread: thread.into(),
//!     index,
//!     action: action.into(),
//!     location: "pool.rs:12".into(),
//! };
//! let finding = Finding {
//!     code: Code::CM101,
//!     level: Level::Error,
//!     certainty: Certainty::Observed,
//!     fingerprint: String::new(),
//!     title: "commutativity race on `o` (dictionary)".into(),
//!     object: Some("o".into()),
//!     events: vec![
//!         event("T3", 4, "o.put('a.com','c1')/nil"),
//!         event("T2", 5, "o.put('a.com','c2')/'c1'"),
//!     ],
//!     condition: Some("k1 != k2 || (v1 == p1 && v2 == p2)".into()),
//!     witness: None,
//!     count: 1,
//!     replay: None,
//!     notes: vec![],
//!     scene: None,
//! };
//! let text = human::finding(&finding, &NoSources, &Style::default());
//! assert!(text.starts_with("error[CM101]: commutativity race on `o` (dictionary)\n"));
//! assert!(text.contains("pool.rs:12"));
//! ```
//!
//! [`Finding`]: commute_model::Finding
//! [`Diagnostic`]: commute_model::Diagnostic
//! [`Problem`]: problem::Problem

mod brevity;
pub mod diagnostic;
mod excerpt;
pub mod github;
pub mod html;
pub mod human;
pub mod json;
pub mod junit;
mod kept;
mod lead;
mod observed;
mod origin;
mod plain;
pub mod problem;
mod races;
mod remarks;
mod run;
pub mod runner;
pub mod sarif;
mod scene;
pub mod shiviz;
pub mod short;
mod site;
mod sources;
pub mod stored;
mod style;
mod summary;
mod table;
mod test_name;
mod timeline;
mod untrusted;

pub use json::TestLine;
pub use kept::{KeptProblem, KeptRun, KeptTrace, Known};
pub use observed::{
    NotObserved, Observed, ObservedKind, Unobserved, UnobservedReason, UnsafeConstruct, UnsafeUse,
};
pub use races::{ObjectRaces, RaceTotals};
pub use run::{Run, TraceRun, not_shown};
pub use shiviz::ShiViz;
pub use sources::{NoSources, SourceText, Sources};
pub use style::Style;
pub use summary::{Configured, Looked, Summary, Tests, Verdict};
pub use test_name::TestName;
pub use timeline::{Arrow, Timeline};
pub use untrusted::{clip, clip_lines, narrow, visible, visible_lines};

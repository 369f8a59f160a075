//! Reads what [`json`](crate::json) wrote.
//!
//! ```
//! use commute_report::stored::{Line, read};
//!
//! let line = r#"{"schema":1,"reason":"summary","verdict":"clean","findings":0}"#;
//! let Line::Summary(summary) = read(line).unwrap() else { panic!() };
//! assert!(summary.reasons.is_empty());
//! ```

use std::fmt::Display;

use commute_model::{
    Certainty, Code, EventRef, Finding, Level, Note, Severity, Witness, WitnessKind,
};
use serde::Deserialize;

use crate::json::SCHEMA;
use crate::kept::{KeptProblem, KeptRun, KeptTrace, Known};
use crate::races::RaceTotals;
use crate::scene::KeptScene;
use crate::summary::Configured;
use crate::test_name::TestName;

/// A line that was written.
#[derive(Debug)]
pub enum Line {
    /// A finding.
    Finding(Box<Found>),
    /// What came of a test.
    Test(Test),
    /// What is wrong with a file.
    Diagnostic(Diagnostic),
    /// The last line.
    Summary(Summary),
    /// What the run was. Only what is stored has this, and the next three.
    Run(KeptRun),
    /// What it looked at.
    Trace(Box<KeptTrace>),
    /// The first line of a baseline.
    Baseline,
    /// A finding of a baseline.
    Known(Known),
    /// Something that is of no matter here.
    Other,
}

/// A finding that was written.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// The finding.
    pub finding: Finding,
    /// The trace it was found in, if that is said.
    pub trace: Option<String>,
    /// Whether it was known from a baseline.
    pub known: bool,
}

/// What came of a test. What is not said is nothing.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Test {
    /// Its name, and where it is.
    #[serde(flatten)]
    pub full_name: TestName,
    /// `passed`, `failed` or `inconclusive`.
    pub verdict: String,
    /// Which part of it was explored, of how many: `1/2`.
    pub shard: Option<String>,
    /// Digest of the names that a shard has learnt, and of how the test was divided.
    pub names: Option<String>,
    /// How often it ran.
    pub executions: u64,
    /// How many of these runs showed nothing new.
    pub redundant: u64,
    /// How many outcomes were seen.
    pub outcomes: u64,
    /// How many more runs it took to shorten failing schedules.
    pub shortening: u64,
    /// How many more runs were made before it was known which objects are the same.
    pub learning: u64,
    /// How many histories of a composed method were looked at.
    pub histories: u64,
    /// And how many were left out.
    pub pruned: u64,
    /// How long it took.
    pub seconds: f64,
    /// Why it is inconclusive.
    pub reasons: Vec<String>,
    /// What else there is to know.
    pub notes: Vec<String>,
}

/// What is wrong with a file that a run has read.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Diagnostic {
    /// `error`, `warning` or `note`.
    pub level: String,
    /// What is wrong, in one line.
    pub message: String,
    /// Where.
    pub location: Location,
    /// What could be done about it, or what was lost.
    pub help: Option<String>,
}

/// A place in a file.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Location {
    /// The name of the file.
    pub file: String,
    /// The line, from 1, of a text.
    pub line: Option<u64>,
    /// The column, from 1, in characters.
    pub column: Option<u64>,
    /// The place in a binary trace.
    pub byte: Option<u64>,
}

impl Diagnostic {
    /// Whether it ended the reading.
    pub fn is_error(&self) -> bool {
        self.level == Severity::Error.to_string()
    }
}

impl From<Diagnostic> for KeptProblem {
    fn from(diagnostic: Diagnostic) -> KeptProblem {
        KeptProblem {
            message: diagnostic.message,
            line: diagnostic.location.line,
            column: diagnostic.location.column,
            byte: diagnostic.location.byte,
            lost: diagnostic.help,
            ..KeptProblem::default()
        }
    }
}

/// What all of it came to.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Summary {
    /// `clean`, `violations` or `inconclusive`.
    pub verdict: String,
    /// How many findings there are, also if not all of them were written.
    pub findings: u64,
    /// How many more are known from a baseline, if there is one.
    pub known: Option<u64>,
    /// How many more are suppressed.
    pub suppressed: u64,
    /// The findings that a configuration file kept out of the report.
    pub configured: Option<Configured>,
    /// How often races were found, if there are any.
    pub races: Option<RaceTotals>,
    /// How many events were looked at.
    pub events: u64,
    /// How many threads.
    pub threads: u64,
    /// How many objects.
    pub objects: u64,
    /// How many crates, if it was source code that was looked at.
    pub crates: Option<u64>,
    /// How many functions of it.
    pub functions: u64,
    /// How many atomic regions.
    pub regions: u64,
    /// How much was not understood.
    pub gaps: u64,
    /// How long it took.
    pub seconds: f64,
    /// What ran.
    pub analyses: Vec<String>,
    /// What was observed of a program: the kinds of [`Observed`](crate::Observed).
    pub observed: Option<Vec<serde_json::Value>>,
    /// What was not.
    pub not_observed: Vec<serde_json::Value>,
    /// Why it is inconclusive.
    pub reasons: Vec<String>,
}

/// What is not a line of ours, and in which column that shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// From 1.
    pub column: usize,
    /// Why.
    pub message: String,
}

impl From<serde_json::Error> for Unreadable {
    fn from(error: serde_json::Error) -> Unreadable {
        // There is one line, which the message need not count.
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        Unreadable {
            column: error.column().max(1),
            message: message.to_owned(),
        }
    }
}

fn odd(message: String) -> Unreadable {
    Unreadable { column: 1, message }
}

#[derive(Deserialize)]
struct Head {
    schema: u32,
    reason: String,
}

#[derive(Deserialize)]
struct FindingBody {
    trace: Option<String>,
    #[serde(default)]
    known: bool,
    code: String,
    level: String,
    certainty: String,
    fingerprint: String,
    title: String,
    object: Option<String>,
    events: Vec<EventBody>,
    condition: Option<String>,
    witness: Option<WitnessBody>,
    count: u64,
    replay: Option<String>,
    notes: Vec<NoteBody>,
    scene: Option<KeptScene>,
}

#[derive(Deserialize)]
struct EventBody {
    thread: String,
    index: u64,
    action: String,
    location: String,
}

#[derive(Deserialize)]
struct WitnessBody {
    kind: String,
    prefix: u64,
    steps: Vec<u64>,
}

#[derive(Deserialize)]
struct NoteBody {
    label: String,
    text: String,
}

/// Reads a line.
///
/// # Errors
/// If it is no line of ours, or one of another version.
pub fn read(line: &str) -> Result<Line, Unreadable> {
    let head: Head = serde_json::from_str(line)?;
    if head.schema != SCHEMA {
        let schema = head.schema;
        return Err(odd(format!(
            "schema {schema}, where {SCHEMA} is understood"
        )));
    }
    Ok(match head.reason.as_str() {
        "finding" => {
            let mut body: FindingBody = serde_json::from_str(line)?;
            let (trace, known) = (body.trace.take(), body.known);
            Line::Finding(Box::new(Found {
                finding: finding(body)?,
                trace,
                known,
            }))
        }
        "test" => Line::Test(serde_json::from_str(line)?),
        "diagnostic" => Line::Diagnostic(serde_json::from_str(line)?),
        "summary" => Line::Summary(serde_json::from_str(line)?),
        "run" => Line::Run(serde_json::from_str(line)?),
        "trace" => Line::Trace(serde_json::from_str(line)?),
        "baseline" => Line::Baseline,
        "known" => Line::Known(serde_json::from_str(line)?),
        _ => Line::Other,
    })
}

fn finding(body: FindingBody) -> Result<Finding, Unreadable> {
    use Certainty::{Certified, Observed, Unconfirmed};
    use WitnessKind::{Cycle, History, Pair, Reordering, Schedule};
    let code = body.code.parse::<Code>();
    let code = code.map_err(|()| odd(format!("there is no code `{}`", body.code)))?;
    let witness = match body.witness {
        Some(witness) => Some(Witness {
            kind: named(
                &[Pair, Cycle, Reordering, Schedule, History],
                &witness.kind,
                "kind of witness",
            )?,
            prefix: witness.prefix,
            steps: witness.steps,
        }),
        None => None,
    };
    let events = body.events.into_iter().map(|event| EventRef {
        thread: event.thread,
        index: event.index,
        action: event.action,
        location: event.location,
    });
    let notes = body.notes.into_iter().map(|note| Note {
        label: note.label,
        text: note.text,
    });
    Ok(Finding {
        code,
        level: named(
            &[Level::Error, Level::Warning, Level::Note],
            &body.level,
            "level",
        )?,
        certainty: named(
            &[Observed, Certified, Unconfirmed],
            &body.certainty,
            "certainty",
        )?,
        fingerprint: body.fingerprint,
        title: body.title,
        object: body.object,
        events: events.collect(),
        condition: body.condition,
        witness,
        count: body.count,
        replay: body.replay,
        scene: body.scene.and_then(KeptScene::scene).map(Box::new),
        notes: notes.collect(),
    })
}

/// The one of this name.
fn named<T: Display + Copy>(all: &[T], name: &str, what: &str) -> Result<T, Unreadable> {
    let found = all.iter().find(|one| one.to_string() == name);
    found
        .copied()
        .ok_or_else(|| odd(format!("there is no {what} `{name}`")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn some_finding() -> Finding {
        Finding {
            code: Code::CM302,
            level: Level::Error,
            certainty: Certainty::Observed,
            fingerprint: "abc".into(),
            title: "`t` gets stuck\u{1b}".into(),
            object: None,
            events: vec![EventRef {
                thread: "main".into(),
                index: 3,
                action: "waits".into(),
                location: "a.rs:3:4".into(),
            }],
            condition: Some("k1 != k2".into()),
            witness: Some(Witness {
                kind: WitnessKind::Schedule,
                prefix: 1,
                steps: vec![2, 3],
            }),
            count: 2,
            replay: Some("commute replay abc".into()),
            scene: None,
            notes: vec![Note::new("why", "because")],
        }
    }

    #[test]
    fn a_finding_comes_back() {
        let finding = some_finding();
        for known in [false, true] {
            let line = json::finding_kept("x.std", known, &finding, true);
            let Ok(Line::Finding(found)) = read(&line) else {
                panic!("a finding")
            };
            assert_eq!(found.finding, finding);
            assert_eq!(found.trace.as_deref(), Some("x.std"));
            assert_eq!(found.known, known);
        }
    }

    #[test]
    fn what_only_stored_findings_have_comes_back() {
        let run = KeptRun {
            command: "check".into(),
            exit: 1,
            ..KeptRun::default()
        };
        let Ok(Line::Run(read_run)) = read(&json::line("run", &run)) else {
            panic!("a run")
        };
        assert_eq!(read_run, run);
        let trace = KeptTrace {
            name: "x.std".into(),
            reasons: vec!["because".into()],
            problem: Some(crate::KeptProblem {
                message: "what is this".into(),
                line: Some(3),
                ..crate::KeptProblem::default()
            }),
            ..KeptTrace::default()
        };
        let Ok(Line::Trace(read_trace)) = read(&json::line("trace", &trace)) else {
            panic!("a trace")
        };
        assert_eq!(*read_trace, trace);
        let error = read(r#"{"schema":1,"reason":"known","code":"CM101"}"#).unwrap_err();
        assert_eq!(error.message, "missing field `fingerprint`");
    }

    #[test]
    fn a_test_comes_back() {
        let name = TestName {
            name: "t".into(),
            package: Some("p".into()),
            target: Some("--lib".into()),
        };
        let line = json::test(&json::TestLine {
            full_name: &name,
            verdict: "passed",
            shard: Some("1/2".into()),
            names: Some("7"),
            executions: 3,
            redundant: 0,
            outcomes: 2,
            shortening: 0,
            learning: 0,
            histories: None,
            pruned: None,
            seconds: 0.5,
            reasons: &[],
            causes: &[],
            notes: &["n".to_owned()],
        });
        let Ok(Line::Test(test)) = read(&line) else {
            panic!("a test")
        };
        assert_eq!((&test.full_name, &*test.verdict), (&name, "passed"));
        assert_eq!(test.shard.as_deref(), Some("1/2"));
        assert_eq!(test.names.as_deref(), Some("7"));
        assert_eq!((test.executions, test.outcomes), (3, 2));
        // Who wrote nothing of where it is meant the same test everywhere.
        let Ok(Line::Test(test)) = read(r#"{"schema":1,"reason":"test","name":"t"}"#) else {
            panic!("a test")
        };
        assert_eq!(
            (&*test.full_name.name, test.full_name.binary()),
            ("t", None)
        );
    }

    #[test]
    fn what_is_no_line_is_refused() {
        for (line, message) in [
            ("", "EOF while parsing a value"),
            ("{", "EOF while parsing an object"),
            (
                r#"{"schema":7,"reason":"test"}"#,
                "schema 7, where 1 is understood",
            ),
            (r#"{"schema":1,"reason":"finding"}"#, "missing field `code`"),
        ] {
            let error = read(line).unwrap_err();
            assert_eq!(error.message, message, "{line}");
        }
        let line = json::finding(&some_finding()).replace("observed", "guessed");
        assert_eq!(
            read(&line).unwrap_err().message,
            "there is no certainty `guessed`"
        );
    }
}

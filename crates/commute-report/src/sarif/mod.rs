//! A run as a SARIF 2.1.0 document, for code scanning and editors.
//!
//! A finding is a result: its last event is the location, the others are
//! related locations, and all of them are a code flow with a thread flow for
//! each thread. A code is a rule, described by its page. What kept the run from
//! a verdict is a notification of the invocation.

mod format;
mod message;
mod place;
mod result;
mod rule;

use std::borrow::Cow;

use crate::problem::{Place, Problem};
use crate::run::{Run, TraceRun};
use crate::untrusted::{clip, clip_lines};
use crate::{Verdict, json};
use format::{
    Driver, Invocation, Location, Log, Notification, Region, RunObject, RunProperties, Tool,
};
use message::message;
use place::physical;

/// The run as a document of several lines, with a line end after the last.
pub fn document(run: &Run<'_>) -> String {
    let codes = run.codes();
    let results = run.findings().map(|(trace, finding)| {
        let rule = codes.binary_search(&finding.code);
        let target = target(run, trace);
        result::result(finding, trace, target.as_deref(), rule.unwrap_or_default())
    });
    let summary = run.summary;
    let log = Log {
        schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        version: "2.1.0",
        runs: [RunObject {
            tool: Tool {
                driver: Driver {
                    name: "Commute",
                    version: run.version.to_owned(),
                    semantic_version: run.version.to_owned(),
                    rules: codes
                        .iter()
                        .map(|&code| rule::rule(code, (run.pages)(code)))
                        .collect(),
                },
            },
            invocations: [Invocation {
                execution_successful: run.is_complete(),
                tool_execution_notifications: notifications(run),
            }],
            column_kind: "unicodeCodePoints",
            results: results.collect(),
            properties: RunProperties {
                verdict: summary.verdict.to_string(),
                findings: summary.findings,
                suppressed: summary.suppressed,
                events: summary.events,
                threads: summary.threads,
                objects: summary.objects,
                analyses: summary.analyses.clone(),
            },
        }],
    };
    let text = serde_json::to_string_pretty(&log).expect("maps have string keys, writing succeeds");
    json::escape(text) + "\n"
}

/// The file that was looked at, from the root of the repository. A test is none.
fn target<'a>(run: &Run<'_>, trace: &TraceRun<'a>) -> Option<Cow<'a, str>> {
    let file = trace.file.filter(|_| run.summary.tests.is_none())?;
    Some(match trace.sources.in_repository(file) {
        Some(path) => path.into(),
        None => file.into(),
    })
}

/// What a reader of the results must know besides: errors of the input, why
/// there is no verdict, what is not shown.
fn notifications(run: &Run<'_>) -> Vec<Notification> {
    let mut all = Vec::new();
    all.extend(run.failure.map(|failure| Notification {
        level: "error",
        message: message(&clip_lines(failure, 1000, 8)),
        locations: Vec::new(),
    }));
    all.extend(run.doubts.iter().map(|doubt| Notification {
        level: "warning",
        message: message(&clip(doubt, 1000)),
        locations: Vec::new(),
    }));
    for trace in &run.traces {
        let file = target(run, trace);
        let file = file.as_deref();
        all.extend(trace.problem.as_ref().map(|error| problem(error, file)));
        let about = |level, text: &str| Notification {
            level,
            message: message(&clip(text, 1000)),
            locations: file.map(|file| physical(file, None)).into_iter().collect(),
        };
        all.extend(trace.reasons.iter().map(|reason| about("warning", reason)));
        if trace.hidden > 0 {
            all.push(about("note", &crate::not_shown(trace.hidden)));
        }
        all.extend(trace.notes.iter().map(|note| about("note", note)));
    }
    let said = all.iter().any(|notification| notification.level != "note");
    if run.summary.verdict == Verdict::Inconclusive && !said {
        let text = run.summary.to_string();
        all.push(Notification {
            level: "warning",
            message: message(&clip(&text, 1000)),
            locations: Vec::new(),
        });
    }
    all
}

/// Why a trace was not read to its end.
fn problem(problem: &Problem<'_>, file: Option<&str>) -> Notification {
    let mut text = clip(problem.message, 1000).into_owned();
    if let Some(help) = problem.help {
        text += "\n";
        text += &clip_lines(help, 1000, 8);
    }
    let region = match problem.place {
        Place::Whole => None,
        Place::Byte(offset) => Some(Region {
            byte_offset: Some(offset),
            ..Region::default()
        }),
        Place::Line { line, column, .. } => Some(Region {
            start_line: Some(line.max(1)),
            start_column: Some(column.max(1)),
            byte_offset: None,
        }),
    };
    let location = file.map(|file| physical(file, region));
    if location.is_none() {
        text = format!("{}: {text}", problem.origin());
    }
    Notification {
        level: "error",
        message: message(&text),
        locations: location.into_iter().collect::<Vec<Location>>(),
    }
}

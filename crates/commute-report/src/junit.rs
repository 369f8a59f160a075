//! A run as JUnit XML, for what reads the results of tests.
//!
//! A trace is a test case. It fails if something was found in it; it is an
//! error if it could not be read, or not be judged, or if nothing that was found
//! is certain: a reader that counts failures must not take "not known" for "passed". A test case has one failure
//! at most, whatever the number of findings, because that is what readers
//! understand; its text holds them all. Advice on a specification is what its test case
//! prints.
//!
//! A test that was explored says how long that took. Otherwise there are no times, so
//! that the same run gives the same document.

use std::borrow::Cow;
// Of `core`, which has no clock.
use core::time::Duration;

use commute_model::{Certainty, Finding, Level};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::run::{Run, TraceRun};
use crate::site::is_of_specification;
use crate::untrusted::{clip, clip_lines};
use crate::{Style, Summary, Verdict, human, problem};

/// The run as a document of several lines, with a line end after the last. The
/// texts are those for people in this style, without colours.
pub fn document(run: &Run<'_>, style: &Style) -> String {
    let style = Style {
        color: false,
        ..*style
    };
    let suite_name = format!("commute {}", run.command);
    let mut suite = TestSuite::new(&suite_name);
    let summary = Summary {
        seconds: 0.0,
        ..run.summary.clone()
    };
    for (name, value) in [
        ("version", run.version.to_owned()),
        ("verdict", summary.verdict.to_string()),
        ("summary", summary.to_string()),
    ] {
        suite.add_property((name, &*value));
    }
    for trace in &run.traces {
        let mut case = TestCase::new(clip(trace.name(), 4000), status(run, trace, &style));
        // Names of tests are told apart by where they are.
        case.set_classname(match trace.binary {
            Some(binary) => format!("{suite_name} {}", clip(binary, 400)),
            None => suite_name.clone(),
        });
        if matches!(case.status, TestCaseStatus::Success { .. }) && !trace.findings.is_empty() {
            case.set_system_out(text(trace, &style));
        }
        if let Some(time) = trace.seconds.and_then(time) {
            case.set_time(time);
        }
        suite.add_test_case(case);
    }
    let times: Vec<f64> = run
        .traces
        .iter()
        .filter_map(|trace| trace.seconds)
        .collect();
    if !times.is_empty()
        && let Some(time) = time(times.iter().sum())
    {
        suite.set_time(time);
    }
    if let Some(status) = trouble(run) {
        let mut case = TestCase::new(&suite_name, status);
        case.set_classname(&suite_name);
        suite.add_test_case(case);
    }
    let mut report = Report::new("commute");
    report.add_test_suite(suite);
    let text = report.to_string().expect("writing to a string succeeds");
    text.trim_end().to_owned() + "\n"
}

/// A time in thousandths of a second, which is what is written.
fn time(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds).ok()
}

/// What is wrong with the run as a whole, if something is.
fn trouble(run: &Run<'_>) -> Option<TestCaseStatus> {
    let (word, message) = match (run.failure, run.doubts) {
        (Some(failure), _) => ("bad input", clip_lines(failure, 1000, 8)),
        (None, [doubt, ..]) => ("inconclusive", clip_lines(doubt, 1000, 8)),
        (None, []) => return None,
    };
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_type(word);
    status.set_message(message);
    if !run.doubts.is_empty() {
        status.set_description(inconclusive(run.doubts).join("\n\n"));
    }
    Some(status)
}

fn inconclusive(reasons: &[String]) -> Vec<String> {
    let reasons = reasons.iter();
    reasons
        .map(|reason| format!("inconclusive: {}", clip(reason, 1000)))
        .collect()
}

/// What came of a trace.
fn status(run: &Run<'_>, trace: &TraceRun<'_>, style: &Style) -> TestCaseStatus {
    let text = text(trace, style);
    let (kind, word, message) = if let Some(error) = &trace.problem {
        let message = format!("{}: {}", error.origin(), clip(error.message, 400));
        (NonSuccessKind::Error, "bad input".to_owned(), message)
    } else if is_failure(run, trace) {
        (NonSuccessKind::Failure, codes(trace), titles(trace))
    } else if trace.findings.iter().any(fails) || trace.hidden > 0 {
        let word = "inconclusive".to_owned();
        (NonSuccessKind::Error, word, titles(trace))
    } else if let Some(reason) = trace.reasons.first() {
        let message = clip(reason, 400).into_owned();
        (NonSuccessKind::Error, "inconclusive".to_owned(), message)
    } else {
        return TestCaseStatus::success();
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(word);
    status.set_message(message);
    status.set_description(text);
    status
}

/// Whether something in it fails the run. Of what is hidden, that of the whole run is known.
fn is_failure(run: &Run<'_>, trace: &TraceRun<'_>) -> bool {
    let certain = |f: &Finding| run.deny_unconfirmed || f.certainty != Certainty::Unconfirmed;
    let mut findings = trace.findings.iter();
    let is_hidden = trace.hidden > 0 && run.summary.verdict == Verdict::Violations;
    is_hidden || findings.any(|finding| fails(finding) && certain(finding))
}

/// Whether a finding fails the test case: advice on a specification does not.
fn fails(finding: &Finding) -> bool {
    !is_of_specification(finding) || finding.level == Level::Error
}

/// The codes of the findings, each once: `CM101 CM102`.
fn codes(trace: &TraceRun<'_>) -> String {
    let mut codes: Vec<_> = trace.findings.iter().map(|f| f.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let codes: Vec<_> = codes.iter().map(ToString::to_string).collect();
    codes.join(" ")
}

/// `CM101: title`, or `3 findings: CM101: title; …`.
fn titles(trace: &TraceRun<'_>) -> String {
    let shown = trace.findings.iter().take(8);
    let mut titles: Vec<Cow<'_, str>> = shown
        .map(|finding| format!("{}: {}", finding.code, clip(&finding.title, 200)).into())
        .collect();
    let all = trace.findings.len() as u64 + trace.hidden;
    if all == 1 && titles.len() == 1 {
        return titles.remove(0).into_owned();
    }
    if all > titles.len() as u64 {
        titles.push("…".into());
    }
    format!("{all} findings: {}", titles.join("; "))
}

/// All that there is to say about a trace.
fn text(trace: &TraceRun<'_>, style: &Style) -> String {
    let mut parts: Vec<String> = Vec::new();
    let findings = trace.findings.iter();
    parts.extend(findings.map(|finding| human::finding(finding, trace.sources, style)));
    if trace.hidden > 0 {
        parts.push(crate::not_shown(trace.hidden));
    }
    parts.extend(trace.problem.iter().map(|p| problem::human(p, style)));
    parts.extend(inconclusive(trace.reasons));
    let notes = trace.notes.iter();
    parts.extend(notes.map(|note| format!("note: {}", clip(note, 1000))));
    parts.join("\n\n")
}

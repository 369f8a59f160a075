//! Findings and summaries as lines of JSON.
//!
//! Every line is an object `{"schema":1,"reason":…}`. The structures here are
//! only ever written, and their fields are the documented format: a field is
//! added, never renamed. See `docs/json.md`.

use std::collections::BTreeSet;

use commute_model::{Finding, Witness};
use serde::Serialize;

use crate::observed::{NotObserved, Observed, ObservedKind};
use crate::races::RaceTotals;
use crate::scene::KeptScene;
use crate::untrusted::is_hostile;
use crate::{Configured, Summary, TestName};

/// What came of a test.
#[derive(Serialize)]
pub struct TestLine<'a> {
    /// Its name, and where it is.
    #[serde(flatten)]
    pub full_name: &'a TestName,
    /// `passed`, `failed` or `inconclusive`.
    pub verdict: &'a str,
    /// Which part of it was explored, of how many: `1/2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// Digest of the names that a shard has learnt, and of how the test was divided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<&'a str>,
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
    /// How many histories of a composed method were looked at, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub histories: Option<u64>,
    /// And how many were left out, because they can only come to what others do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pruned: Option<u64>,
    /// How long it took.
    pub seconds: f64,
    /// Why it is inconclusive.
    pub reasons: &'a [String],
    /// A word for each reason that is one of a known kind.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub causes: &'a [&'a str],
    /// What else there is to know.
    pub notes: &'a [String],
}

/// What came of a test, in a line.
pub fn test(test: &TestLine<'_>) -> String {
    line("test", test)
}

/// The version every line carries.
pub const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Line<'a, T: Serialize> {
    schema: u32,
    reason: &'a str,
    #[serde(flatten)]
    body: T,
}

#[derive(Serialize)]
struct FindingBody<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    known: bool,
    code: String,
    level: String,
    certainty: String,
    fingerprint: &'a str,
    title: &'a str,
    object: Option<&'a str>,
    events: Vec<EventBody<'a>>,
    condition: Option<&'a str>,
    witness: Option<WitnessBody<'a>>,
    count: u64,
    replay: Option<&'a str>,
    notes: Vec<NoteBody<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scene: Option<KeptScene>,
}

#[derive(Serialize)]
struct EventBody<'a> {
    thread: &'a str,
    index: u64,
    action: &'a str,
    location: &'a str,
}

#[derive(Serialize)]
struct WitnessBody<'a> {
    kind: String,
    prefix: u64,
    steps: &'a [u64],
}

#[derive(Serialize)]
struct NoteBody<'a> {
    label: &'a str,
    text: &'a str,
}

#[derive(Serialize)]
struct SummaryBody<'a> {
    verdict: String,
    findings: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<u64>,
    #[serde(skip_serializing_if = "is_zero")]
    suppressed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    configured: Option<&'a Configured>,
    #[serde(skip_serializing_if = "Option::is_none")]
    races: Option<&'a RaceTotals>,
    events: u64,
    threads: u64,
    objects: u64,
    #[serde(flatten)]
    looked: Option<LookedBody>,
    #[serde(skip_serializing_if = "is_zero")]
    unexplored_tests: u64,
    seconds: f64,
    analyses: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    observed: Option<&'a BTreeSet<ObservedKind>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_observed: Option<Vec<NotObserved>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    reasons: &'a [String],
}

#[derive(Serialize)]
struct LookedBody {
    crates: u64,
    functions: u64,
    regions: u64,
    gaps: u64,
}

/// The finding as one line, without a line end.
pub fn finding(finding: &Finding) -> String {
    finding_in(None, finding)
}

/// The same, with the trace it was found in: for runs with several.
pub fn finding_in(trace: Option<&str>, finding: &Finding) -> String {
    finding_as("finding", trace, finding)
}

/// The same for another reason: for reports that are not the last word.
pub fn finding_as(reason: &str, trace: Option<&str>, finding: &Finding) -> String {
    line(reason, body(finding, trace))
}

/// A finding as it is stored, with the trace, and whether it is known from a baseline;
/// and with its scene, if nothing is left that it could be drawn from again.
pub fn finding_kept(trace: &str, known: bool, finding: &Finding, with_scene: bool) -> String {
    let scene = finding.scene.as_deref().filter(|_| with_scene);
    let body = FindingBody {
        known,
        scene: scene.and_then(KeptScene::of),
        ..body(finding, Some(trace))
    };
    line("finding", body)
}

/// A finding that is `new`, `fixed` or `still` there, compared with another run.
pub fn difference(change: &str, finding: &Finding) -> String {
    let body = FindingBody {
        change: Some(change),
        ..body(finding, None)
    };
    line("difference", body)
}

fn body<'a>(finding: &'a Finding, trace: Option<&'a str>) -> FindingBody<'a> {
    let events = finding.events.iter().map(|event| EventBody {
        thread: &event.thread,
        index: event.index,
        action: &event.action,
        location: &event.location,
    });
    let notes = finding.notes.iter().map(|note| NoteBody {
        label: &note.label,
        text: &note.text,
    });
    let witness = |witness: &'_ Witness| witness.kind.to_string();
    FindingBody {
        change: None,
        trace,
        known: false,
        code: finding.code.to_string(),
        level: finding.level.to_string(),
        certainty: finding.certainty.to_string(),
        fingerprint: &finding.fingerprint,
        title: &finding.title,
        object: finding.object.as_deref(),
        events: events.collect(),
        condition: finding.condition.as_deref(),
        witness: finding.witness.as_ref().map(|w| WitnessBody {
            kind: witness(w),
            prefix: w.prefix,
            steps: &w.steps,
        }),
        count: finding.count,
        replay: finding.replay.as_deref(),
        notes: notes.collect(),
        scene: None,
    }
}

/// The summary as one line, without a line end.
pub fn summary(summary: &Summary) -> String {
    summary_as("summary", summary)
}

/// The same for another reason: for reports that are not the last word.
pub fn summary_as(reason: &str, summary: &Summary) -> String {
    // JSON has no infinity; and microseconds are fine enough.
    let seconds = (summary.seconds * 1e6).round() / 1e6;
    line(
        reason,
        SummaryBody {
            verdict: summary.verdict.to_string(),
            findings: summary.findings,
            known: summary.known,
            suppressed: summary.suppressed,
            configured: summary.configured.as_ref(),
            races: summary.races.as_ref(),
            events: summary.events,
            threads: summary.threads,
            objects: summary.objects,
            looked: summary.looked.map(|looked| LookedBody {
                crates: looked.crates,
                functions: looked.functions,
                regions: looked.regions,
                gaps: looked.gaps,
            }),
            unexplored_tests: summary.tests.as_ref().map_or(0, |tests| tests.unexplored),
            seconds: if seconds.is_finite() { seconds } else { 0.0 },
            analyses: &summary.analyses,
            observed: { summary.observed.as_ref() }.map(|observed| &observed.kinds),
            not_observed: summary.observed.as_ref().map(Observed::not_observed),
            reasons: &summary.reasons,
        },
    )
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// One line of the format: the fields of `body` after version and reason.
pub fn line(reason: &str, body: impl Serialize) -> String {
    let line = Line {
        schema: SCHEMA,
        reason,
        body,
    };
    let text = serde_json::to_string(&line).expect("maps have string keys, writing succeeds");
    escape(text)
}

/// `serde_json` escapes the control characters that JSON forbids. The others
/// that a terminal obeys, or that some readers take for a line end, can only
/// stand inside strings, where an escape means the same. A line end as such
/// stands between the parts of a document of several lines, never in a string.
pub(crate) fn escape(text: String) -> String {
    let escaped = |c: char| c != '\n' && is_hostile(c);
    if !text.chars().any(escaped) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if escaped(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}

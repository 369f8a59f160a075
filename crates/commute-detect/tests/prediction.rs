//! Predictions about hand-made traces, and about random ones against an oracle.

use std::sync::Arc;

use commute_detect::{Options, Pass, PredictedKind, Prediction};
use commute_spec::Library;
use commute_testkit::traces::Trace;

fn predict(text: &str, options: Options) -> Vec<(PredictedKind, u64, u64)> {
    let lines = text.split("; ").enumerate();
    let lines: Vec<String> = lines.map(|(i, line)| format!("{line}|t.rs:{}", i + 1)).collect();
    let trace = Trace::parse(&lines.join("\n"));
    let mut pass = Prediction::new(Arc::new(Library::shipped()), options);
    pass.steps(&trace.events, &trace.names).expect("well-formed");
    pass.finish(&trace.names, &mut Vec::new());
    let found = pass.predicted().iter();
    let found = found.filter(|p| p.unconfirmed.is_none());
    let mut found: Vec<_> = found.map(|p| (p.kind, p.earlier, p.later)).collect();
    found.sort();
    found
}

fn default(text: &str) -> Vec<(PredictedKind, u64, u64)> {
    predict(text, Options::default())
}

use PredictedKind::{Order, Race};

#[test]
fn a_swap_that_another_lock_forbids() {
    let trace = "T0|acq(A); T0|acq(B); T0|r(y); T0|rel(B); T0|w(X); T0|rel(A); \
                 T1|acq(B); T1|w(y); T1|rel(B); T1|acq(A); T1|free(X); T1|rel(A)";
    assert_eq!(default(trace), []);
}

#[test]
fn a_read_outside_any_lock_forbids_it() {
    let trace = "T1|acq(m); T1|w(x); T1|rel(m); T1|w(y); \
                 T2|acq(m); T2|free(x); T2|r(y); T2|rel(m)";
    assert_eq!(default(trace), [(Race, 4, 7)]);
}

#[test]
fn two_writes_under_a_lock_may_be_swapped() {
    let trace = "T1|acq(m); T1|w(y); T1|w(x); T1|rel(m); \
                 T2|acq(m); T2|w(y); T2|free(x); T2|rel(m)";
    assert_eq!(default(trace), [(Order, 3, 7)]);
}

#[test]
fn a_race_that_needs_no_reordering() {
    assert_eq!(default("T1|w(x); T2|r(x)"), [(Race, 1, 2)]);
}

#[test]
fn an_access_before_the_lock_races() {
    let trace = "T1|w(x); T1|acq(m); T1|w(x); T1|rel(m); T2|acq(m); T2|w(x); T2|rel(m)";
    assert_eq!(default(trace), [(Race, 1, 6)]);
}

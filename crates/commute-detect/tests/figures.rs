//! The figures of RD2 as golden tests.

use std::sync::Arc;

use commute_detect::{Pass, Races};
use commute_model::Finding;
use commute_spec::Library;
use commute_testkit::figures;
use commute_testkit::traces::Trace;

fn check(text: &'static str) -> Vec<Finding> {
    let Trace { events, names } = Trace::parse(text);
    let mut races = Races::all(Arc::new(Library::shipped()));
    races.steps(&events, &names).expect("known types");
    let mut findings = Vec::new();
    races.finish(&names, &mut findings);
    findings
}

fn pairs(findings: &[Finding]) -> Vec<(u64, u64)> {
    let pair = |f: &Finding| (f.events[0].index, f.events[1].index);
    findings.iter().map(pair).collect()
}

#[test]
fn figure_3_has_one_race_between_the_two_puts() {
    let findings = check(figures::RD2_FIGURE_3);
    assert_eq!(pairs(&findings), [(4, 5)]);
    let finding = &findings[0];
    assert_eq!(
        finding.title,
        "commutativity race on `o` (dictionary): `put` and `put`"
    );
    let note = |label: &str| {
        &finding
            .notes
            .iter()
            .find(|n| n.label == label)
            .unwrap()
            .text
    };
    assert_eq!(
        note("points"),
        "both touch o:w:'a.com', which conflicts with itself"
    );
    assert_eq!(
        note("why"),
        "T0 forked T3 (event 3) and T2 (event 2), and neither waits for the other; neither holds a lock"
    );
    let condition = finding.condition.as_ref().unwrap();
    assert!(
        condition.contains("k1 != k2 || v1 == p1 && v2 == p2")
            || condition.contains("k1 != k2 || (v1 == p1 && v2 == p2)"),
        "{condition}"
    );
}

/// Figure 3 prints ⟨3,0,1⟩ and ⟨2,1,0⟩ and ⟨4,1,1⟩; with threads that start at
/// tick(⊥) instead of after it, main's component is one lower.
#[test]
fn figure_3_clocks() {
    let Trace { events, names } = Trace::parse(figures::RD2_FIGURE_3);
    let mut races = Races::all(Arc::new(Library::shipped()));
    let mut clocks = Vec::new();
    for event in &events {
        races.step(event, &names).unwrap();
        if matches!(event.op, commute_model::Op::Action(_)) {
            clocks.push(races.hb().display(event.thread, &names));
        }
    }
    assert_eq!(clocks, ["⟨2,0,1⟩", "⟨1,1,0⟩", "⟨3,1,1⟩"]);
}

#[test]
fn figure_3_without_joinall_races_with_the_resizing_put_only() {
    let text = figures::RD2_FIGURE_3
        .lines()
        .filter(|line| !line.contains("join"))
        .map(|line| format!("{line}\n"))
        .collect::<String>();
    let findings = check(text.leak());
    // a1 resizes, a2 does not: size (event 6 now) conflicts with a1 alone.
    assert_eq!(pairs(&findings), [(4, 5), (4, 6)]);
}

#[test]
fn figure_4_size_conflicts_with_every_put_through_one_point() {
    let findings = check(figures::RD2_FIGURE_4);
    assert_eq!(pairs(&findings), [(5, 8), (6, 8), (7, 8)]);
    for finding in &findings {
        assert_eq!(finding.notes[0].text, "o:resize conflicts with o:size");
    }
}

#[test]
fn the_introduction_put_and_get_race() {
    assert_eq!(pairs(&check(figures::RD2_INTRODUCTION)), [(3, 4)]);
}

//! Traces that are not well-formed, and what is said about them.

use commute_model::Severity;

use super::validate;
use crate::reader::{Options, TraceReader};

/// The flaws of a trace: line, severity and message.
fn flaws(text: &str) -> Vec<String> {
    let text: String = text
        .split_whitespace()
        .map(|event| format!("{}|1\n", event.replacen(':', "|", 1)))
        .collect();
    let reader = TraceReader::from_reader(std::io::Cursor::new(text), Options::default());
    let mut found = Vec::new();
    validate(&mut reader.expect("text"), |flaw| {
        assert_eq!(flaw.index, flaw.line);
        found.push(match flaw.severity {
            Severity::Error => format!("{}: {}", flaw.line, flaw.message),
            other => format!("{}: {other}: {}", flaw.line, flaw.message),
        });
    })
    .expect("a readable trace");
    found
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(flaws(text), expected, "{text}");
}

#[test]
fn well_formed_traces_have_no_flaws() {
    check(
        "T0:fork(T1) T1:acq(m) T1:w(x) T1:rel(m) T0:join(T1) T0:r(x)",
        &[],
    );
    check(
        "T0:begin T0:begin(a) T0:end(a) T0:end T0:begin(b) T0:end",
        &[],
    );
    check(
        "T0:acq(m) T0:acq(m) T0:rel(m) T0:rel(m) T1:acq(m) T1:rel(m)",
        &[],
    );
    check(
        "T0:racq(m) T1:racq(m) T0:racq(m) T0:rrel(m) T0:rrel(m) T1:rrel(m) T2:acq(m) T2:rel(m)",
        &[],
    );
    check(
        "T0:acq(m) T0:racq(m) T0:rel(m) T1:racq(m) T0:rrel(m) T1:rrel(m)",
        &[],
    );
    check(
        "T0:acq(m) T0:acq(m) T0:wait(c,m) T1:acq(m) T1:notify(c) T1:rel(m) T0:wake(c,m) T0:rel(m) T0:rel(m)",
        &[],
    );
    check(
        "T0:new(o:set) T0:o.add(1)/true T0:drop(o) T0:new(o:map) T0:o.get(1)",
        &[],
    );
}

#[test]
fn locks_are_not_taken_away() {
    check(
        "T1:acq(m) T2:acq(m) T2:rel(m)",
        &["2: T2 acquires `m`, which T1 holds since line 1"],
    );
    check(
        "T1:racq(m) T2:acq(m) T2:rel(m)",
        &["2: T2 acquires `m`, which T1 shares since line 1"],
    );
    check(
        "T1:acq(m) T2:racq(m) T2:rrel(m)",
        &["2: T2 acquires shared `m`, which T1 holds since line 1"],
    );
    check(
        "T1:racq(m) T1:acq(m) T1:rel(m)",
        &["2: T1 acquires `m`, which it shares itself since line 1"],
    );
}

#[test]
fn locks_are_released_by_who_holds_them() {
    check("T1:rel(m)", &["1: T1 releases `m`, which it does not hold"]);
    check(
        "T1:rrel(m)",
        &["1: T1 releases shared `m`, which it does not share"],
    );
    check(
        "T1:acq(m) T2:rel(m)",
        &["2: T2 releases `m`, which T1 holds since line 1"],
    );
    check(
        "T1:racq(m) T1:rel(m) T1:rrel(m)",
        &["2: T1 releases `m`, which it only shares (`rrel` is meant?)"],
    );
    check(
        "T1:acq(m) T1:rrel(m) T1:rel(m)",
        &["2: T1 releases shared `m`, which it does not share (`rel` is meant?)"],
    );
    check(
        "T1:acq(m) T1:rel(m) T1:rel(m)",
        &["3: T1 releases `m`, which it does not hold"],
    );
}

#[test]
fn waits_need_the_lock_and_end_with_a_wake() {
    check(
        "T1:wait(c,m) T1:wake(c,m) T1:rel(m)",
        &["1: T1 waits for `c` with `m`, which it does not hold"],
    );
    check(
        "T1:wake(c,m) T1:rel(m)",
        &["1: T1 wakes from `c`, but does not wait"],
    );
    check(
        "T1:acq(m) T1:wait(c,m) T1:w(x)",
        &["3: T1 runs, but waits for `c` since line 2"],
    );
    check(
        "T1:acq(m) T1:wait(c,m) T2:acq(m) T1:wake(c,m) T1:rel(m)",
        &["4: T1 acquires `m`, which T2 holds since line 3"],
    );
    check(
        "T1:acq(m) T1:wait(c,m) T1:wake(d,m) T1:rel(m)",
        &["3: T1 wakes from `d`, but waits for `c` with `m` since line 2"],
    );
}

#[test]
fn threads_run_between_fork_and_join() {
    check("T0:fork(T0)", &["1: T0 forks itself"]);
    check("T0:join(T0)", &["1: T0 joins itself"]);
    check(
        "T1:w(x) T0:fork(T1)",
        &["2: T1 is forked, but runs since line 1"],
    );
    check(
        "T0:fork(T1) T1:w(x) T2:fork(T1)",
        &["3: T1 is forked again; it was forked at line 1"],
    );
    check(
        "T0:fork(T1) T0:join(T1) T1:w(x) T1:w(x)",
        &["3: T1 still runs, but was joined at line 2"],
    );
    check(
        "T0:join(T1)",
        &["1: warning: T1 is joined, but has not been seen before"],
    );
    check(
        "T0:fork(T1) T0:join(T1) T0:join(T1)",
        &["3: warning: T1 is joined again; it was joined at line 2"],
    );
}

#[test]
fn blocks_are_nested() {
    check("T0:end", &["1: T0 ends a block, but none is open"]);
    check(
        "T0:begin(a) T0:end(b)",
        &["2: T0 ends block `b`, but `a` of line 1 is open"],
    );
    check(
        "T0:begin T0:end(b)",
        &["2: T0 ends block `b`, but the block of line 1 has no name"],
    );
}

#[test]
fn objects_are_used_while_they_live() {
    check(
        "T0:new(o:set) T0:drop(o) T0:o.add(1)/true",
        &["3: `o` is used, but was dropped at line 2"],
    );
    check(
        "T0:new(o:set) T0:drop(o) T0:drop(o)",
        &["3: `o` is dropped again; it was dropped at line 2"],
    );
    check(
        "T0:new(o:set) T0:new(o:set)",
        &["2: `o` is created again; it lives since line 1"],
    );
}

#[test]
fn what_is_unfinished_is_a_note() {
    check(
        "T0:acq(m) T0:begin T0:begin T1:racq(n) T2:acq(k) T2:wait(c,k)",
        &[
            "1: note: T0 still holds `m` at the end",
            "4: note: T1 still shares `n` at the end",
            "6: note: T2 still waits for `c` at the end",
            "2: note: 2 blocks of T0 are still open at the end",
        ],
    );
}

#[test]
fn nesting_without_end_takes_no_memory_without_end() {
    let mut text = "T0:begin ".repeat(5000);
    text.push_str(&"T0:end ".repeat(5000));
    let flaws = flaws(&text);
    assert_eq!(flaws.len(), 1, "{flaws:?}");
    assert!(flaws[0].contains("nested more than 4096 deep"));
}

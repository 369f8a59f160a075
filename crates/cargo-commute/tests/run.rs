//! `commute run` with real processes: what they do, how they end, and who is
//! told.
#![cfg(unix)]

mod program;
#[path = "../../commute-report/tests/documents/schema.rs"]
mod schema;

use std::time::{Duration, Instant};

use serde_json::Value;

use program::{CLEAN, RACE, command, nothing_left, run, taken, words};

/// Half of the time that a program sleeps which is to be ended, and far more than it takes
/// to end one.
const LONG: Duration = Duration::from_secs(600);

#[test]
fn the_program() {
    program::act();
}

#[test]
fn a_race_is_found_while_the_program_runs() {
    let script = format!("say hello & events {RACE} & end & say bye");
    let (code, out, err) = run("run-race", &["run"], &script);
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("hello\nbye\n"), "{out}");
    assert!(out.contains("error[CM102]: data race on `x`"), "{out}");
    assert!(
        !out.contains("in /opt/server:"),
        "one program has no heading: {out}"
    );
    let last = out.lines().last().unwrap_or_default();
    let summary = "commute: violations: 1 finding (CM102 x1) in 3 events, 2 threads";
    assert!(last.starts_with(summary), "{out}");
    assert!(err.is_empty(), "{err}");
}

#[test]
fn a_clean_program_is_clean() {
    let script = format!("events {CLEAN} & end");
    let (code, out, err) = run("run-clean", &["run"], &script);
    assert_eq!(code, 0, "{out}{err}");
    assert!(
        out.contains("commute: clean: no findings in 4 events"),
        "{out}"
    );
}

/// Whether they are said at the end, or before it.
#[test]
fn a_program_that_is_not_recorded_as_a_whole_is_inconclusive() {
    for (name, steps) in [("run-missed", "end"), ("run-missed-early", "flush & end")] {
        let script = format!("events {CLEAN} & missed 3 & {steps}");
        let (code, out, err) = run(name, &["run"], &script);
        assert_eq!(code, 3, "{out}{err}");
        assert!(out.contains("commute: inconclusive: no findings"), "{out}");
        assert!(out.contains("3 operations were not recorded"), "{out}");
    }
}

#[test]
fn flags_of_check_hold() {
    let script = format!("events {RACE} & end");
    let (code, out, _) = run("run-only", &["run", "--only", "races"], &script);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("[races]"), "{out}");
    let (code, out, err) = run("run-object", &["run", "--object", "o=nosuch"], "say ran");
    assert_eq!(code, 2, "{out}{err}");
    assert!(err.contains("no specification"), "{err}");
    assert!(
        !out.contains("ran"),
        "it is refused before the program starts"
    );
}

#[test]
fn a_program_that_records_nothing_is_inconclusive() {
    let (code, out, err) = run("run-nothing", &["run"], "say hello");
    assert_eq!(code, 3, "{out}{err}");
    assert!(out.contains("commute: inconclusive"), "{out}");
    assert!(out.contains("the program recorded no events"), "{out}");
    assert!(err.contains("was it built with --cfg commute"), "{err}");
    // Nor does a document say that all is well.
    let junit = ["run", "--message-format", "junit"];
    let (code, out, _) = run("run-nothing-junit", &junit, "say hello");
    assert_eq!(code, 3, "{out}");
    assert!(out.contains("errors=\"1\""), "{out}");
}

#[test]
fn the_failure_of_a_program_is_not_hidden() {
    let script = format!("events {CLEAN} & end & exit 3");
    let (code, out, err) = run("run-exit", &["run"], &script);
    assert_eq!(code, 2, "{out}{err}");
    assert!(
        err.contains("error: the program ended with exit code 3"),
        "{err}"
    );
    assert!(out.contains("commute: inconclusive"), "{out}");
    let script = format!("events {RACE} & end & exit 3");
    let (code, out, err) = run("run-exit-race", &["run"], &script);
    assert_eq!(code, 1, "{out}{err}");
    assert!(
        err.contains("note: the program ended with exit code 3"),
        "{err}"
    );
}

#[test]
fn what_a_killed_program_did_counts() {
    let script = format!("events {RACE} & flush & kill");
    let (code, out, err) = run("run-kill", &["run"], &script);
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("CM102 x1"), "{out}");
    let lost = "was killed or crashed: what it did after 3 events is not known";
    assert!(out.contains(lost), "{out}");
    assert!(err.contains("was ended by signal 9 (SIGKILL)"), "{err}");
    // The same without findings, and before anything could be sent.
    let script = format!("events {CLEAN} & flush & kill");
    assert_eq!(run("run-kill-clean", &["run"], &script).0, 2);
    let script = format!("events {RACE} & kill");
    let (code, out, err) = run("run-kill-early", &["run"], &script);
    assert_eq!(code, 2, "{out}{err}");
    assert!(out.contains("after 0 events"), "{out}");
}

#[test]
fn a_killed_child_of_a_program_makes_it_inconclusive() {
    let script = format!("events {CLEAN} & flush & kill");
    let mut commute = command(
        "run-child",
        &["run", "--", "sh", "-c", "\"$0\" \"$@\"; true"],
        &script,
    );
    let (code, out, err) = taken(&commute.output().expect("commute runs"));
    assert_eq!(code, 3, "{out}{err}");
}

#[test]
fn a_process_may_outlive_the_program() {
    // The process goes on for six times as long as `commute` waits before it says so.
    let shell = "\"$0\" \"$@\" & while [ ! -e ready ]; do sleep 0.05; done";
    let script =
        format!("events {CLEAN} & flush & touch ready & sleep 6000 & events T0|w(x)|a.rs:9 & end");
    let args = ["run", "--", "sh", "-c", shell];
    let (code, out, err) = run("run-outlives", &args, &script);
    assert_eq!(code, 0, "{out}{err}");
    assert!(
        err.contains("the program has ended; waiting for process"),
        "{err}"
    );
    assert!(out.contains("clean: no findings in 5 events"), "{out}");
}

/// The program twice, one after the other or at once.
fn two(name: &str, between: &str, args: &[&str]) -> (i32, String, String) {
    let shell = format!("COMMUTE_TEST_NAME=/opt/one \"$0\" \"$@\" {between} \"$0\" \"$@\"; wait");
    let script = format!("events {RACE} & sleep 200 & end");
    let args = [args, &["--", "sh", "-c", &shell]].concat();
    let mut commute = command(name, &args, &script);
    let output = commute.output().expect("commute runs");
    nothing_left(name);
    taken(&output)
}

#[test]
fn findings_of_all_processes_are_told_apart() {
    for (name, between) in [("run-two", ";"), ("run-two-at-once", "&")] {
        let (code, out, err) = two(name, between, &["run"]);
        assert_eq!(code, 1, "{out}{err}");
        assert!(out.contains("in /opt/one:\n"), "{out}");
        assert!(out.contains("in /opt/server:\n"), "{out}");
        assert!(out.contains("2 findings (CM102 x2) in 6 events"), "{out}");
    }
    let (_, out, _) = two(
        "run-same",
        "; unset COMMUTE_TEST_NAME; \"$0\" \"$@\" ;",
        &["run"],
    );
    assert!(out.contains("in /opt/server #2:\n"), "{out}");
    let (_, out, _) = two("run-two-json", ";", &["run", "--message-format", "json"]);
    let lines = out.lines().filter(|line| line.starts_with('{'));
    let lines: Vec<Value> = lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let traces: Vec<_> = lines
        .iter()
        .filter_map(|line| line["trace"].as_str())
        .collect();
    assert_eq!(traces, ["/opt/one", "/opt/server"]);
    assert_eq!(lines.last().expect("a summary")["findings"], 2);
}

#[test]
fn fail_fast_ends_the_program() {
    let script = format!("events {RACE} & flush & sleep 1200000");
    let started = Instant::now();
    let (code, out, err) = run("run-fail-fast", &["run", "--fail-fast"], &script);
    assert!(started.elapsed() < LONG, "it was not ended");
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("CM102 x1"), "{out}");
    assert!(!err.contains("the program"), "we ended it: {err}");
}

#[test]
fn a_suppressed_finding_is_no_clean_end() {
    let script = format!("events {RACE} & flush & sleep 1200000");
    let here = program::directory("run-suppressed-file");
    std::fs::write(here.join("known"), "CM102\n").expect("written");
    let known = here.join("known");
    let known = known.to_str().expect("a path");
    let args = ["run", "--fail-fast", "--suppress", known];
    let (code, out, err) = run("run-suppressed", &args, &script);
    assert_eq!(code, 3, "{out}{err}");
    assert!(out.contains("after a suppressed finding"), "{out}");
}

#[test]
fn fail_fast_ends_what_does_not_want_to_end() {
    let shell = "trap '' TERM; \"$0\" \"$@\"";
    let script = format!("events {RACE} & flush & sleep 1200000");
    let args = ["run", "--fail-fast", "--", "sh", "-c", shell];
    let started = Instant::now();
    let (code, out, err) = run("run-stubborn", &args, &script);
    assert!(started.elapsed() < LONG, "it was not ended");
    assert_eq!(code, 1, "{out}{err}");
}

#[test]
fn strangers_are_refused() {
    let (code, out, err) = run("run-stranger", &["run"], "hello GET / HTTP/1.1");
    assert_eq!(code, 2, "{out}{err}");
    assert!(
        err.contains("not built with commute: it said `GET / HTTP/1.1`"),
        "{err}"
    );
    let (code, _, err) = run("run-version", &["run"], "hello commute 7 1 /opt/x");
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("version 7 of the protocol"), "{err}");
    // What is no trace is read all the same, so that the program goes on.
    let script = "hello commute 1 1 /opt/x & say done";
    let (code, out, err) = run("run-garbage", &["run"], script);
    assert!(out.contains("done"), "{out}");
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("/opt/x"), "{err}");
}

#[test]
fn a_command_that_does_not_exist_is_said() {
    let mut commute = std::process::Command::new(env!("CARGO_BIN_EXE_commute"));
    let output = commute.args(["run", "--", "/no/such/program"]).output();
    let (code, _, err) = taken(&output.expect("commute runs"));
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("cannot run `/no/such/program`"), "{err}");
    assert_eq!(words()[1], "the_program");
}

#[test]
fn the_report_may_go_to_a_file() {
    let script = format!("say hello & events {RACE} & end");
    let args = [
        "run",
        "--output",
        "report.sarif",
        "--message-format",
        "sarif",
    ];
    let (code, out, _) = run("run-output", &args, &script);
    assert_eq!(code, 1);
    assert!(out.contains("hello") && !out.contains("CM102"), "{out}");
    let here = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("run-output");
    let report = std::fs::read(here.join("report.sarif")).expect("it is there");
    let report: Value = serde_json::from_slice(&report).expect("JSON");
    assert_eq!(report["runs"][0]["results"][0]["ruleId"], "CM102");
    let (code, _, err) = run("run-full", &["run", "--output", "/dev/full"], &script);
    assert_eq!(code, 2, "{err}");
}

#[test]
fn a_document_of_a_run_is_valid() {
    let script = format!("events {RACE} & end");
    let args = ["run", "--message-format", "sarif"];
    let (code, out, err) = run("run-sarif", &args, &script);
    assert_eq!(code, 1, "{out}{err}");
    // What the program prints comes first.
    let document = out.find('{').map(|start| &out[start..]);
    let log = schema::valid(document.unwrap_or(&out));
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], "CM102");
}

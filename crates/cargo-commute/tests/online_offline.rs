//! What `commute run` finds while a program runs is what `commute check` finds in the
//! trace of the same run: every field of every finding. In the summary, the time
//! differs; and of several processes a report names the program, where the other names
//! the file.
#![cfg(unix)]

mod program;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use program::{CLEAN, RACE, command, directory, nothing_left, taken};

const PROGRAMS: [&str; 7] = [
    "connections",
    "freed_page_space",
    "chunks",
    "size_hint",
    "stale_balance",
    "check_then_act",
    "send_after_close",
];

#[test]
fn the_program() {
    program::act();
}

fn commute(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_commute"))
        .args(arguments)
        // Sources are found from here, and `unused` results are known by them.
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .env("CARGO_TERM_QUIET", "true")
        .output()
        .expect("commute can be started")
}

/// The lines of a report, without what may differ.
fn lines(report: &str) -> Vec<Value> {
    let mut lines: Vec<Value> = { report.lines() }
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    for line in &mut lines {
        let line = line.as_object_mut().expect("an object");
        // What was observed is known of a program only.
        for field in ["trace", "seconds", "observed", "not_observed"] {
            line.remove(field);
        }
    }
    lines
}

/// Runs something, checks the trace of that, and compares; how many findings there
/// are.
fn compare(name: &str, target: &[&str]) -> usize {
    let here = directory(&format!("online-{name}"));
    let (trace, report) = (here.join("t.ctr"), here.join("online.json"));
    let (trace, report) = (
        trace.to_str().expect("UTF-8"),
        report.to_str().expect("UTF-8"),
    );
    let run = [
        "run",
        "--message-format",
        "json",
        "--output",
        report,
        "--save",
        trace,
    ];
    let (online, _, err) = taken(&commute(&[&run[..], target].concat()));
    assert!(online == 0 || online == 1, "{name}: {err}");
    let (offline, out, err) = taken(&commute(&["check", "--message-format", "json", trace]));
    assert_eq!(online, offline, "{name}: {err}");
    let report = lines(&std::fs::read_to_string(report).expect("a report"));
    assert_eq!(report, lines(&out), "{name}");
    assert_eq!(report.last().expect("a summary")["reason"], "summary");
    report.len() - 1
}

#[test]
fn the_examples() {
    for name in PROGRAMS {
        assert!(compare(name, &["--example", name]) > 0, "{name}");
        let fixed = format!("{name}_fixed");
        assert_eq!(compare(&fixed, &["--example", &fixed]), 0, "{fixed}");
    }
}

/// Many threads, and everything that the standard library has to synchronise them.
#[test]
fn a_test_suite_with_many_threads() {
    let suite = ["-p", "commute", "--all-features", "--test", "behaviour"];
    let found = compare("suite", &[&suite[..], &["--", "of_commute::"]].concat());
    assert!(found > 0);
}

fn saved(name: &str, file: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).join(file)
}

#[test]
fn every_process_has_its_file() {
    let shell = "\"$0\" \"$@\"; COMMUTE_TEST_NAME=/opt/two \"$0\" \"$@\"";
    let script = format!("events {RACE} & end");
    let args = ["run", "--message-format", "json", "--save", "t.ctr"];
    let args = [&args[..], &["--", "sh", "-c", shell]].concat();
    let output = command("online-two", &args, &script).output();
    let (code, online, err) = taken(&output.expect("commute runs"));
    assert_eq!(code, 1, "{err}");
    nothing_left("online-two");
    let mut check = Command::new(env!("CARGO_BIN_EXE_commute"));
    let check = check.args(["check", "--message-format", "json", "t.ctr", "t-2.ctr"]);
    let offline = check.current_dir(saved("online-two", "")).output();
    let (_, offline, err) = taken(&offline.expect("commute runs"));
    let online: String = { online.lines() }
        .filter(|line| line.starts_with('{'))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(lines(&online), lines(&offline), "{err}");
    assert_eq!(lines(&online).len(), 3);
}

#[test]
fn a_saved_trace_is_as_whole_as_its_process() {
    let check = |name: &str| {
        let mut commute = Command::new(env!("CARGO_BIN_EXE_commute"));
        let output = commute.arg("check").arg(saved(name, "t.ctr")).output();
        taken(&output.expect("commute runs")).0
    };
    let args = ["run", "--save", "t.ctr"];
    let script = format!("events {CLEAN} & flush & kill");
    assert_eq!(program::run("online-killed", &args, &script).0, 2);
    assert_eq!(check("online-killed"), 2, "it was cut");
    // We ended it.
    let script = format!("events {RACE} & flush & sleep 1200000");
    let args = ["run", "--fail-fast", "--save", "t.ctr"];
    assert_eq!(program::run("online-stopped", &args, &script).0, 1);
    assert_eq!(check("online-stopped"), 1);
    // Nothing is left of nothing, and what cannot be written is said.
    let args = ["run", "--save", "t.ctr"];
    assert_eq!(program::run("online-nothing", &args, "say hello").0, 3);
    assert!(!saved("online-nothing", "t.ctr").exists());
    let script = format!("events {RACE} & flush & events {CLEAN} & end & say done");
    let args = ["run", "--save", "/dev/full"];
    let (code, out, err) = program::run("online-full", &args, &script);
    assert_eq!(code, 2, "{out}{err}");
    assert!(out.contains("done") && out.contains("CM102 x1"), "{out}");
    assert!(err.contains("cannot write /dev/full"), "{err}");
}

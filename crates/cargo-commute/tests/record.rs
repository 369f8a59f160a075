//! `commute record` with real processes: what is in the files, and what is said
//! about them.
#![cfg(unix)]

mod program;

use std::path::{Path, PathBuf};
use std::process::Command;

use program::{CLEAN, RACE, command, nothing_left, run, taken};

const RECORD: [&str; 3] = ["record", "-o", "t.ctr"];

#[test]
fn the_program() {
    program::act();
}

fn file(name: &str, file: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).join(file)
}

/// The exit code of `commute check`, and what it prints.
fn check(path: &Path) -> (i32, String, String) {
    let mut commute = Command::new(env!("CARGO_BIN_EXE_commute"));
    let output = commute.arg("check").arg(path).output();
    taken(&output.expect("commute runs"))
}

#[test]
fn a_trace_is_written_and_can_be_checked() {
    let script = format!("say hello & events {RACE} & end");
    let (code, out, err) = run("record", &RECORD, &script);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("hello"), "{out}");
    assert_eq!(err, "commute: 3 events of 2 threads in t.ctr\n");
    let (code, out, _) = check(&file("record", "t.ctr"));
    assert_eq!(code, 1);
    assert!(out.contains("CM102 x1"), "{out}");
}

#[test]
fn what_the_trace_misses_is_said() {
    let script = format!("events {CLEAN} & missed 3 & end");
    let (code, out, err) = run("record-missed", &RECORD, &script);
    assert_eq!(code, 0, "{out}{err}");
    let said = "commute: 4 events of 2 threads in t.ctr; 3 operations were not recorded";
    assert!(err.starts_with(said), "{err}");
    assert_eq!(check(&file("record-missed", "t.ctr")).0, 3);
}

#[test]
fn a_program_that_records_nothing_leaves_no_file() {
    let (code, _, err) = run("record-nothing", &RECORD, "say hello");
    assert_eq!(code, 3, "{err}");
    assert!(err.contains("the program recorded no events"), "{err}");
    assert!(
        err.contains("help: was it built with --cfg commute"),
        "{err}"
    );
    assert!(!file("record-nothing", "t.ctr").exists());
}

/// Also if a process has connected. A process with events has its number, whoever was
/// before it.
#[test]
fn a_recording_without_events_replaces_nothing() {
    let name = "record-empty";
    let mut commute = command(name, &RECORD, "connect & end");
    std::fs::write(file(name, "t.ctr"), "before").expect("written");
    let (code, _, err) = taken(&commute.output().expect("commute runs"));
    assert_eq!(code, 3, "{err}");
    assert!(err.contains("the program recorded no events"), "{err}");
    let left = std::fs::read_to_string(file(name, "t.ctr"));
    assert_eq!(left.expect("it is there"), "before");

    let name = "record-empty-first";
    let shell = "COMMUTE_TEST_SCRIPT='connect & end' \"$0\" \"$@\"; \"$0\" \"$@\"";
    let args = [&RECORD[..], &["--", "sh", "-c", shell]].concat();
    let script = format!("events {RACE} & end");
    let (code, _, err) = run(name, &args, &script);
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("0 events of 0 threads in t.ctr"), "{err}");
    assert!(file(name, "t.ctr").exists());
    assert_eq!(check(&file(name, "t-2.ctr")).0, 1);
}

#[test]
fn the_failure_of_a_program_is_not_hidden() {
    let script = format!("events {RACE} & end & exit 3");
    let (code, _, err) = run("record-exit", &RECORD, &script);
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("the program ended with exit code 3"), "{err}");
    assert!(err.contains("3 events of 2 threads in t.ctr"), "{err}");
}

#[test]
fn what_a_killed_program_did_is_kept_and_the_loss_is_stated() {
    let script = format!("events {RACE} & flush & events {CLEAN} & kill");
    let (code, _, err) = run("record-kill", &RECORD, &script);
    assert_eq!(code, 2, "{err}");
    let said = "3 events of 2 threads in t.ctr; the process was killed or crashed";
    assert!(err.contains(said), "{err}");
    let (code, out, err) = check(&file("record-kill", "t.ctr"));
    assert_eq!(code, 2, "a file that is cut says so: {err}");
    assert!(out.contains("CM102 x1"), "{out}");
}

#[test]
fn every_process_has_its_file() {
    let shell = "\"$0\" \"$@\"; COMMUTE_TEST_NAME=/opt/two \"$0\" \"$@\"";
    let script = format!("events {RACE} & end");
    let args = [&RECORD[..], &["--", "sh", "-c", shell]].concat();
    let output = command("record-two", &args, &script).output();
    let (code, _, err) = taken(&output.expect("commute runs"));
    assert_eq!(code, 0, "{err}");
    nothing_left("record-two");
    assert!(
        err.contains("in t.ctr, from /opt/server (process "),
        "{err}"
    );
    assert!(err.contains("in t-2.ctr, from /opt/two (process "), "{err}");
    for trace in ["t.ctr", "t-2.ctr"] {
        assert_eq!(check(&file("record-two", trace)).0, 1, "{trace}");
    }
}

#[test]
fn a_full_disk_is_said_and_the_program_goes_on() {
    let script = format!("events {RACE} & flush & events {CLEAN} & end & say done");
    let (code, out, err) = run("record-full", &["record", "-o", "/dev/full"], &script);
    assert_eq!(code, 2, "{err}");
    assert!(out.contains("done"), "{out}");
    assert!(err.contains("cannot write /dev/full"), "{err}");
    assert!(err.contains("No space left on device"), "{err}");
}

#[test]
fn a_place_that_cannot_be_written_is_known_before() {
    for place in ["no/such/place.ctr", ".", "-"] {
        let (code, out, err) = run("record-place", &["record", "-o", place], "say ran");
        assert_eq!(code, 2, "{err}");
        assert!(!out.contains("ran"), "{place}");
    }
}

//! `commute run` and `commute record` of many processes, of processes that cannot be
//! recorded, and of other users.
#![cfg(unix)]

mod program;
mod shell;

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use commute_trace::{Options, TraceReader};
use serde_json::Value;

use program::{CLEAN, RACE, command, nothing_left, run, taken};
use shell::after;

#[test]
fn the_program() {
    program::act();
}

/// Far longer than it takes to say that there are too few descriptors, which is a second.
const LONG: Duration = Duration::from_secs(120);

/// How many processes there are, and how few descriptors.
const PROCESSES: usize = 40;
const FEW: &str = "ulimit -n 24";

/// The shell script that starts the program again and again, at once or one after another.
fn many(at_once: bool) -> String {
    let (how, end) = if at_once { ("&", "wait") } else { ("", ":") };
    format!("for i in $(seq {PROCESSES}); do \"$0\" \"$@\" {how}\ndone\n{end}")
}

fn run_after(before: &str, name: &str, args: &[&str], script: &str) -> (i32, String, String) {
    let output = after(before, &command(name, args, script)).output();
    nothing_left(name);
    taken(&output.expect("commute runs"))
}

/// Every process sends what it has, and none is missing.
fn all_are_checked(name: &str, at_once: bool, args: &[&str], script: &str) {
    let shell = many(at_once);
    let args = [args, &["--", "sh", "-c", &shell]].concat();
    let (code, out, err) = run_after(FEW, name, &args, script);
    assert_eq!(code, 1, "{out}{err}");
    let events = format!("in {} events", 3 * PROCESSES);
    assert!(out.contains(&events), "{out}{err}");
}

#[test]
fn processes_one_after_another_need_few_descriptors() {
    let script = format!("events {RACE} & end");
    all_are_checked("processes-row", false, &["run"], &script);
    all_are_checked(
        "processes-row-save",
        false,
        &["run", "--save", "t.ctr"],
        &script,
    );
}

#[test]
fn processes_for_which_there_is_no_descriptor_wait() {
    // They are there at once, also if one is fast.
    let script = format!("events {RACE} & flush & sleep 200 & end");
    all_are_checked("processes-crowd", true, &["run"], &script);
    all_are_checked(
        "processes-crowd-save",
        true,
        &["run", "--save", "t.ctr"],
        &script,
    );
}

#[test]
fn all_processes_are_recorded_with_few_descriptors() {
    for (name, at_once) in [
        ("processes-record", false),
        ("processes-record-crowd", true),
    ] {
        let (shell, script) = (many(at_once), format!("events {RACE} & end"));
        let args = ["record", "-o", "t.ctr", "--", "sh", "-c", &shell];
        let (code, out, err) = run_after(FEW, name, &args, &script);
        assert_eq!(code, 0, "{out}{err}");
        let here = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        for n in 1..=PROCESSES {
            let file = if n == 1 {
                "t.ctr".to_owned()
            } else {
                format!("t-{n}.ctr")
            };
            let reader = TraceReader::open(here.join(&file), Options::default());
            let (mut reader, mut events) = (reader.expect("it is there"), Vec::new());
            while reader.read_batch(&mut events).expect("it is whole") > 0 {}
            assert_eq!(reader.events_read(), 3, "{file}");
        }
    }
}

/// However few there are: it ends, and what was not seen is not called clean.
#[test]
fn a_run_without_descriptors_ends() {
    let mut found = 0;
    for limit in 4..20 {
        let name = format!("processes-limit-{limit}");
        let script = format!("events {RACE} & end");
        let limited = format!("ulimit -n {limit}");
        let run = command(&name, &["run"], &script);
        let mut commute = after(&limited, &run);
        let mut commute = { commute.stdout(Stdio::null()).stderr(Stdio::piped()) }
            .spawn()
            .expect("it runs");
        let started = Instant::now();
        while commute.try_wait().expect("it is there").is_none() {
            if started.elapsed() > LONG {
                commute.kill().expect("killed");
                panic!("{limit} descriptors: it does not end");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let output = commute.wait_with_output().expect("it has ended");
        let err = String::from_utf8_lossy(&output.stderr);
        let code = output.status.code();
        assert_ne!(code, Some(0), "{limit} descriptors: {err}");
        assert!(code == Some(1) || !err.is_empty(), "{limit} descriptors");
        found += usize::from(code == Some(1));
    }
    assert!(found > 0, "a few are enough for one process");
}

/// Names that are in no other process.
fn names(first: usize) -> String {
    let event = |n| format!("T0|w(a_variable_with_a_name_of_its_own_{n})|a.rs:1");
    Vec::from_iter((first..first + 20_000).map(event)).join(";")
}

/// Of a process that has ended, nothing is kept but its results.
#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_the_number_of_processes() {
    let peak = |processes: usize| {
        let name = format!("processes-memory-{processes}");
        let events = program::directory("processes-names").join("events");
        std::fs::write(&events, format!("events {} & end", names(0))).expect("written");
        let shell = format!(
            "for i in $(seq {processes}); do \"$0\" \"$@\"; done; grep VmHWM /proc/$PPID/status"
        );
        let script = format!("script {}", events.display());
        let (code, out, err) = run(&name, &["run", "--", "sh", "-c", &shell], &script);
        assert_eq!(code, 0, "{out}{err}");
        let peak = out.split_once("VmHWM:").expect("a peak").1;
        let peak = peak.split_whitespace().next().expect("a number");
        peak.parse::<u64>().expect("a number")
    };
    let (few, many) = (peak(2), peak(40));
    assert!(
        many < 2 * few,
        "{many} KiB for 40 processes, {few} KiB for 2"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn the_socket_is_private_whatever_the_umask_is() {
    let shell =
        "stat -c 'mode %a' \"${COMMUTE_SOCKET%/socket}\" \"$COMMUTE_SOCKET\"; \"$0\" \"$@\"";
    let script = format!("events {CLEAN} & end");
    for umask in ["000", "022", "777"] {
        let name = format!("processes-umask-{umask}");
        let before = format!("umask {umask}");
        let args = ["run", "--", "sh", "-c", shell];
        let (code, out, err) = run_after(&before, &name, &args, &script);
        assert_eq!(code, 0, "{out}{err}");
        assert!(out.contains("mode 700\nmode 600\n"), "{out}");
    }
}

/// A process that cannot connect says so.
const LOST: &str = "COMMUTE_SOCKET=/nowhere/socket \"$0\" \"$@\"";
const NOT_RECORDED: &str =
    "was not recorded: it cannot connect to the socket of commute (No such file or directory";

#[test]
fn a_process_that_cannot_be_recorded_makes_a_run_inconclusive() {
    let shell = format!("{LOST}; \"$0\" \"$@\"");
    let args = ["run", "--", "sh", "-c", &shell];
    let (code, out, err) = run("processes-lost", &args, "record");
    assert_eq!(code, 3, "{out}{err}");
    assert!(
        out.contains("commute: inconclusive: no findings in"),
        "{out}"
    );
    assert!(out.contains(NOT_RECORDED), "{out}");
    assert!(
        out.contains("set TMPDIR to a directory that it can reach"),
        "{out}"
    );
    let lines = ["--message-format", "json"];
    let (code, out, err) = run(
        "processes-lost-json",
        &[&["run"], &lines[..], &args[1..]].concat(),
        "record",
    );
    assert_eq!(code, 3, "{out}{err}");
    let summary = out
        .lines()
        .rev()
        .find_map(|line| serde_json::from_str(line).ok());
    let summary: Value = summary.expect("a summary");
    assert_eq!(summary["verdict"], "inconclusive", "{out}");
    assert!(
        summary["reasons"].to_string().contains(NOT_RECORDED),
        "{out}"
    );
}

#[test]
fn a_process_that_cannot_be_recorded_does_not_hide_findings() {
    let shell = format!("{LOST}; COMMUTE_TEST_SCRIPT=\"events {RACE} & end\" \"$0\" \"$@\"");
    let (code, out, err) = run(
        "processes-lost-race",
        &["run", "--", "sh", "-c", &shell],
        "record",
    );
    assert_eq!(code, 1, "{out}{err}");
    assert!(err.contains(NOT_RECORDED), "{err}");
}

#[test]
fn a_program_of_which_nothing_is_recorded_has_a_reason() {
    let args = ["run", "--", "sh", "-c", LOST];
    let (code, out, err) = run("processes-lost-alone", &args, "record");
    assert_eq!(code, 3, "{out}{err}");
    assert!(out.contains(NOT_RECORDED), "{out}");
    assert!(!err.contains("was it built with --cfg commute"), "{err}");
    assert!(!out.contains("the program recorded no events"), "{out}");
}

#[test]
fn a_recording_without_a_process_is_inconclusive() {
    let shell = format!("{LOST}; \"$0\" \"$@\"");
    let args = ["record", "-o", "t.ctr", "--", "sh", "-c", &shell];
    let (code, out, err) = run("processes-lost-record", &args, "record");
    assert_eq!(code, 3, "{out}{err}");
    assert!(err.contains(NOT_RECORDED), "{err}");
    assert!(err.contains("in t.ctr"), "{err}");
}

/// More than a pipe holds: none is forgotten.
#[test]
fn many_processes_that_cannot_be_recorded_are_counted() {
    let shell = format!("for i in $(seq {PROCESSES}); do {LOST} & done; wait");
    let (code, out, err) = run(
        "processes-lost-many",
        &["run", "--", "sh", "-c", &shell],
        "record",
    );
    assert_eq!(code, 3, "{out}{err}");
    let more = format!("{} more processes were not recorded", PROCESSES - 8);
    assert!(out.contains(&more), "{out}");
}

/// The descriptor is another file: nothing is written to it.
#[test]
fn a_file_of_the_program_is_not_written_to() {
    let pipe = "COMMUTE_NOTICES=9:${COMMUTE_NOTICES#*:}";
    let shell = format!("exec 9>file; {pipe}; {LOST}; echo written: $(cat file)");
    let (code, out, err) = run(
        "processes-reused",
        &["run", "--", "sh", "-c", &shell],
        "record",
    );
    assert_eq!(code, 3, "{out}{err}");
    assert!(out.contains("written:\n"), "{out}");
}

#[test]
#[expect(clippy::print_stdout, reason = "a test that cannot run says so")]
fn a_process_of_another_user_is_not_recorded() {
    if !rustix::process::geteuid().is_root() {
        println!("skipped: only root can start a process of another user");
        return;
    }
    let script = "record & as 65534 record";
    let (code, out, err) = run("processes-user", &["run"], script);
    assert_eq!(code, 3, "{out}{err}");
    let reason = "was not recorded: it cannot connect to the socket of commute (Permission denied";
    assert!(out.contains(reason), "{out}{err}");
    assert!(
        out.contains("run commute as the user of the process"),
        "{out}"
    );
}

//! `commute test` on tests that nobody should write: what is said of each.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the workspace is there")
}

fn commute(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_commute"))
        .args(arguments)
        .current_dir(root())
        .env("CARGO_TERM_QUIET", "true")
        .env("RUST_BACKTRACE", "0")
        .output()
        .expect("commute can be started")
}

/// More than ten times the memory that any of the tests needs but those that allocate
/// without end, debug information for backtraces included. The bound on idle time is the
/// default, which no test comes near but those that wait or compute without end.
const MEMORY: &str = "1536M";

fn test(arguments: &[&str]) -> Output {
    let mut all = vec!["test", "-p", "commute-workloads", "--test", "bad_use"];
    all.extend(["--max-memory", MEMORY, "--color", "never"]);
    all.extend(["--max-steps", "150000"]);
    all.extend(arguments);
    commute(&all)
}

/// What is said of each test.
const SAID: &[(&str, &str, &str)] = &[
    (
        "a_stranger_touches_what_is_used",
        "inconclusive",
        "the thread `stranger`",
    ),
    (
        "a_stranger_touches_what_is_new",
        "inconclusive",
        "did not start with `commute::thread`",
    ),
    // Which bound these two hit first here depends on the machine; below they are told.
    ("allocates_at_every_step", "inconclusive", "(--max-"),
    ("allocates_for_ever", "inconclusive", "(--max-"),
    ("asks_who_it_is", "passed", ""),
    ("awaits_a_task_that_panics", "failed", "in a task"),
    ("awaits_for_ever", "failed", "main waits for ever"),
    ("believes_in_a_timeout", "failed", "left == right"),
    (
        "computes_for_ever",
        "inconclusive",
        "in `bad_use::computes_for_ever",
    ),
    (
        "exits",
        "inconclusive",
        "exit code 7 while it was explored:\nit goes",
    ),
    ("finds_statics_as_they_were", "passed", ""),
    ("finds_what_another_has_poisoned", "failed", "it poisons"),
    ("has_as_much_stack_as_threads_have", "passed", ""),
    (
        "is_decided_by_a_static_of_std",
        "inconclusive",
        "a static variable that is not of",
    ),
    (
        "is_decided_by_the_clock",
        "inconclusive",
        "it reads the clock in `bad_use::is_decided",
    ),
    (
        "is_decided_by_the_order_of_a_map",
        "inconclusive",
        "\nit makes a `HashMap` or `HashSet` at examples/workloads/tests/bad_use.rs:",
    ),
    (
        "is_decided_by_the_order_of_a_map_and_runs_once",
        "inconclusive",
        "\nit makes a `HashMap` or `HashSet` at examples/workloads/tests/bad_use.rs:",
    ),
    (
        "looks_again_and_again_under_a_lock",
        "inconclusive",
        "a loop that waits under a lock",
    ),
    (
        "looks_again_and_again_without_a_hint",
        "inconclusive",
        "spin_loop",
    ),
    ("needs_itself_to_begin", "failed", "main waits for ever"),
    (
        "overflows_its_stack",
        "inconclusive",
        "overflowed its stack",
    ),
    ("panics_as_it_should", "passed", ""),
    (
        "panics_but_says_something_else",
        "failed",
        "did not say `as it should`: something else",
    ),
    ("panics_in_a_destructor", "failed", "the second"),
    (
        "panics_in_one_outcome_only",
        "failed",
        "the test did not panic",
    ),
    ("panics_twice", "inconclusive", "panic: the first, at "),
    ("prints_and_fails", "failed", "left == right"),
    ("returns_an_error", "failed", "no luck"),
    ("takes_two_of_a_kind", "failed", "main, T1 wait for ever"),
    ("tasks_lose_an_update", "failed", "left == right"),
    (
        "waits_for_a_channel_of_std",
        "inconclusive",
        "in `std::sync::mpsc::Receiver",
    ),
    (
        "waits_for_a_mutex_of_std",
        "inconclusive",
        "in `bad_use::waits_for_a_mutex_of_std",
    ),
    ("waits_for_too_many_at_a_barrier", "failed", "wait for ever"),
    ("writes_for_ever", "inconclusive", "more than 150000 steps"),
    ("writes_what_it_reads", "failed", "main waits for ever"),
];

/// With a bound that is hit at once, and none on time that could be hit before.
#[test]
fn memory_is_bounded() {
    let bounds = ["--max-memory", "100M", "--max-idle", "600"];
    let target = ["test", "-p", "commute-workloads", "--test", "bad_use"];
    let output = commute(&[&target[..], &["allocates_"], &bounds].concat());
    assert_eq!(output.status.code(), Some(3));
    let text = String::from_utf8_lossy(&output.stdout);
    let said = "the test uses more memory than is allowed";
    assert_eq!(text.matches(said).count(), 2, "{text}");
}

#[test]
fn what_is_said_of_each() {
    let output = test(&["--message-format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let stdout = String::from_utf8_lossy(&output.stdout);
    let mut verdicts = BTreeMap::new();
    let mut said: BTreeMap<String, String> = BTreeMap::new();
    let mut findings = Vec::new();
    for line in stdout.lines() {
        let line: Value = serde_json::from_str(line).expect(line);
        if line["reason"] == "test" {
            let name = line["name"].as_str().expect("a name").to_owned();
            let reasons = line["reasons"].as_array().expect("reasons").iter();
            let reasons: Vec<&str> = reasons.filter_map(Value::as_str).collect();
            said.entry(name.clone())
                .or_default()
                .push_str(&reasons.join("\n"));
            verdicts.insert(
                name,
                line["verdict"].as_str().expect("a verdict").to_owned(),
            );
        }
        if line["reason"] == "finding" {
            let title = line["title"].as_str().expect("a title");
            let name = title.split('`').nth(1).expect("the name of a test");
            said.entry(name.to_owned()).or_default().push_str(title);
            findings.push((name.to_owned(), line));
        }
    }
    for (name, verdict, words) in SAID {
        let found = verdicts.remove(*name);
        assert_eq!(found.as_deref(), Some(*verdict), "{name}: {}", said[*name]);
        assert!(said[*name].contains(words), "{name}: {}", said[*name]);
    }
    // Also the one that is ignored is not there.
    assert_eq!(verdicts, BTreeMap::new());
    let failed = SAID.iter().filter(|(_, verdict, _)| *verdict == "failed");
    assert_eq!(findings.len(), failed.count());
    for (name, finding) in &findings {
        is_a_trace_and_runs_again(name, finding);
    }
    let of = |name: &str| findings.iter().find(|(other, _)| other == name);
    let notes = |name: &str| of(name).map(|(_, finding)| finding["notes"].to_string());
    let printed = notes("prints_and_fails").expect("it fails");
    assert!(printed.contains("it was 1"), "{printed}");
    let others = notes("finds_what_another_has_poisoned").expect("it fails");
    assert!(others.contains("main panicked, too"), "{others}");
    let two = notes("takes_two_of_a_kind").expect("it fails");
    assert!(
        two.contains("mutex#1.") && two.contains("mutex#2."),
        "{two}"
    );
}

fn target() -> PathBuf {
    let named = std::env::var_os("CARGO_TARGET_DIR");
    named.map_or_else(|| root().join("target"), PathBuf::from)
}

/// Every failure can be checked as a trace.
fn is_a_trace_and_runs_again(name: &str, finding: &Value) {
    let fingerprint = finding["fingerprint"].as_str().expect("a fingerprint");
    let target = target();
    let trace = target
        .join("commute/schedules")
        .join(format!("{fingerprint}.std"));
    let output = commute(&["check", &trace.to_string_lossy()]);
    let text = String::from_utf8_lossy(&output.stdout);
    // What is found depends on the program, but it is read.
    let is_read = matches!(output.status.code(), Some(0 | 1 | 3));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(is_read, "{name}: {text}{error}");
    let output = commute(&[
        "replay",
        fingerprint,
        "-p",
        "commute-workloads",
        "--test",
        "bad_use",
    ]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{name}: {text}");
    assert!(!text.contains("CM303"), "{name}: {text}");
    let code = finding["code"].as_str().expect("a code");
    assert!(text.contains(code), "{name}: {text}");
}

#[test]
fn people_are_told_in_lines() {
    let output = test(&["is_"]);
    assert_eq!(output.status.code(), Some(3));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("test is_ignored ... ignored\n"), "{text}");
    assert!(
        text.contains("\n  likely because it reads the clock"),
        "{text}"
    );
    let last = text.lines().last().unwrap_or_default();
    assert_eq!(
        last,
        "commute: inconclusive: 7 tests: 6 inconclusive, 1 ignored [outcomes]"
    );
    let output = test(&["is_ignored", "--include-ignored"]);
    assert_eq!(output.status.code(), Some(1));
    let output = test(&["is_ignored"]);
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn a_hundred_thousand_executions_leave_nothing_behind() {
    let arguments = ["--engine", "random", "--max-executions", "100000"];
    let size = [
        "--max-memory",
        MEMORY,
        "--message-format",
        "json",
        "--color",
        "never",
    ];
    let which = [
        "test",
        "-p",
        "commute-workloads",
        "--test",
        "classics",
        "mailbox_is_waited_for",
    ];
    let all: Vec<&str> = which.into_iter().chain(arguments).chain(size).collect();
    let output = commute(&all);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("\"executions\":100000"), "{text}");
}

/// Another version of the command is refused by the test, in words.
#[test]
fn another_version_is_refused() {
    use std::io::{BufRead, BufReader, Write};
    use std::os::unix::net::UnixListener;
    // Which builds it.
    let output = test(&["asks_who_it_is", "--message-format", "json"]);
    assert_eq!(output.status.code(), Some(0));
    let folder = target().join("commute/debug/deps");
    let binaries = std::fs::read_dir(folder).expect("it was built");
    let newest = { binaries.flatten() }
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("bad_use-") && path.extension().is_none()
        })
        .max_by_key(|path| path.metadata().and_then(|m| m.modified()).ok());
    let place = tempfile::tempdir().expect("a folder");
    let socket = place.path().join("socket");
    let listener = UnixListener::bind(&socket).expect("a socket");
    let speaks = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("it calls");
        stream.write_all(b"{\"version\":99}\n").expect("it listens");
        let mut line = String::new();
        let read = BufReader::new(stream).read_line(&mut line);
        read.map(|_| line).expect("it answers")
    });
    let output = Command::new(newest.expect("it was built"))
        .args(["asks_who_it_is::commute", "--exact", "--nocapture"])
        .env("COMMUTE_EXPLORE", &socket)
        .output()
        .expect("it runs");
    let hello = speaks.join().expect("it said hello");
    assert!(hello.starts_with("{\"hello\":{\"version\":"), "{hello}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("it speaks protocol 99"), "{said}");
}

//! Traces as `commute check` judges them: names that are reused, threads that run before
//! their fork, and races at many sites.

use std::path::Path;
use std::process::{Command, Output};

fn commute(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_commute"));
    command.args(args).arg("--no-store");
    command.output().expect("commute runs")
}

fn file(name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).expect("a temporary file can be written");
    path.to_string_lossy().into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A finding is explained with the type that the object had, and not with that of the
/// next object of the same name.
#[test]
fn a_name_may_be_reused_for_another_type() {
    let text = "T0|new(o:dictionary)|a.rs:1\nT0|fork(T1)|a.rs:2\n\
                T0|o.get(1)/nil|a.rs:3\nT1|o.put(1,2)/nil|a.rs:4\n\
                T0|join(T1)|a.rs:5\nT0|drop(o)|a.rs:6\n";
    let again = format!("{text}T0|new(o:register)|a.rs:7\n");
    let plain = file("name-used.std", text);
    let reused = file("name-reused.std", again);
    for analysis in ["races", "prediction", "races,prediction", "atomicity"] {
        for format in ["human", "json", "short"] {
            let check = |path: &str| {
                let flags = ["--only", analysis, "--message-format", format];
                let output = commute(&[&["check", path][..], &flags].concat());
                let lines = stdout(&output);
                let findings = lines.lines().filter(|line| !line.contains(" events"));
                let findings = findings.filter(|line| !line.contains("\"summary\""));
                let findings: Vec<_> = findings.map(|l| l.replace("reused", "used")).collect();
                (findings, output.status.code())
            };
            let (findings, code) = check(&reused);
            let (expected, expected_code) = check(&plain);
            assert_eq!(code, expected_code, "{analysis} {format}");
            assert_eq!(findings, expected, "{analysis} {format}");
            assert_eq!(code, Some(i32::from(analysis != "atomicity")), "{format}");
        }
    }
}

#[test]
fn an_event_before_the_fork_of_its_thread_is_ill_formed() {
    let clean = file("event-before-fork.std", "B|r(x)|3\nA|fork(B)|1\n");
    for analysis in ["races", "data-races", "atomicity", "prediction"] {
        let output = commute(&["check", &clean, "--only", analysis]);
        assert_eq!(output.status.code(), Some(3), "{analysis}");
        let said = stdout(&output);
        let why =
            "event 2 forks thread `B`, which is running already: the trace is not well-formed";
        assert!(said.contains(why), "{analysis}: {said}");
    }
    let output = commute(&["trace", "validate", &clean]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("event-before-fork.std:2:1: error"));
    let race = "B|w(x)|3\nA|fork(B)|1\nA|w(x)|4\n";
    let output = commute(&["check", &file("event-before-fork-race.std", race)]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("the trace is not well-formed"));
}

/// Every pair of sites is a finding, and the last line says how many races these are.
#[test]
fn races_are_counted_by_object() {
    let text = "A|new(o:map)|n.rs:1\nA|fork(B)|n.rs:2\nA|o.insert(1,1)/nil|p.rs:3\n\
                A|o.insert(1,2)/1|p.rs:4\nB|o.insert(1,3)/2|p.rs:7\nA|w(x)|p.rs:8\n\
                B|w(x)|p.rs:9\nB|o.insert(1,4)/3|p.rs:7\nA|o.insert(1,3)/4|p.rs:4\n";
    let path = file("race-totals.std", text);
    let flags = ["--only", "races,data-races"];
    let output = commute(&[&["check", &path][..], &flags].concat());
    let said = stdout(&output);
    let last = "commute: violations: 3 findings (CM101 x2, CM102 x1), \
                6 races: o 5 (2 distinct), x 1 (1 distinct) in 9 events, \
                2 threads, 1 object [races, data-races]";
    assert_eq!(said.lines().last(), Some(last), "{said}");
    let json = commute(&[&["check", &path, "--message-format", "json"][..], &flags].concat());
    let expected = "\"races\":{\"total\":6,\"distinct\":3,\"objects\":[\
                    {\"object\":\"o\",\"code\":\"CM101\",\"total\":5,\"distinct\":2},\
                    {\"object\":\"x\",\"code\":\"CM102\",\"total\":1,\"distinct\":1}]}";
    assert!(stdout(&json).contains(expected), "{}", stdout(&json));
    let lines = (0..40).map(|line| format!("A|w(x)|a.rs:{line}\n"));
    let many = lines.collect::<String>() + "B|w(x)|b.rs:1\n";
    let many = file("many-sites.std", many);
    let output = commute(&[&["check", &many][..], &flags].concat());
    let said = stdout(&output);
    let last = said.lines().last().unwrap_or_default();
    assert!(last.contains(", 1 race at more sites not listed"), "{last}");
    assert!(
        stderr(&output).contains("kept at 16 sites"),
        "{}",
        stderr(&output)
    );
    let json = commute(&[&["check", &many, "--message-format", "json"][..], &flags].concat());
    assert!(
        stdout(&json).contains("\"unlisted\":1"),
        "{}",
        stdout(&json)
    );
}

/// The first acquisition needs no release, because there is a second one: this is known
/// only at the end of the trace.
const LATE_COUNT: &str = "T0|new(s:semaphore)|a.rs:1\nT0|fork(T1)|a.rs:2\nT0|w(x)|a.rs:3\n\
    T0|s.release()|a.rs:4\nT1|s.acquire()|b.rs:1\nT1|w(x)|b.rs:2\nT1|s.acquire()|b.rs:3\n";

#[test]
fn an_unrecorded_count_is_the_least_for_the_whole_trace() {
    let late = file("late-count.std", LATE_COUNT);
    let output = commute(&["check", &late, "--only", "data-races"]);
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    assert!(stdout(&output).contains("CM102"), "{}", stdout(&output));
    let declared = LATE_COUNT.split_once('\n').expect("lines").1;
    let declared = file("late-count-declared.std", declared);
    let flags = ["--only", "data-races", "--object", "s=semaphore"];
    let output = commute(&[&["check", &declared][..], &flags].concat());
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    let early: String = { LATE_COUNT.lines().take(6) }
        .map(|line| format!("{line}\n"))
        .collect();
    let early = file("early-count.std", early);
    let output = commute(&["check", &early, "--only", "data-races"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
}

#[test]
fn a_count_that_shows_late_makes_standard_input_inconclusive() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_commute"));
    command.args(["check", "-", "--no-store", "--only", "data-races"]);
    let late = file("late-count-input.std", LATE_COUNT);
    let input = std::fs::File::open(late).expect("it was written");
    let output = command.stdin(input).output().expect("commute runs");
    assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
    let said = stdout(&output);
    assert!(said.contains("and cannot be read again"), "{said}");
}

//! `commute check --only atomicity` as people call it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const WITHDRAW: &str = "examples/traces/withdraw.std";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_commute"));
    let fixed = ["check", "--only", "atomicity", "--message-format", "json"];
    command.args(fixed).args(args).current_dir(root());
    command
}

fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect()
}

/// The findings, without the summary.
fn findings(args: &[&str]) -> Vec<Value> {
    let output = command(args).output().expect("commute runs");
    let mut lines = lines(&output);
    assert_eq!(lines.pop().expect("a summary")["reason"], "summary");
    let code = if lines.is_empty() { 0 } else { 1 };
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    lines
}

fn file(name: &str, text: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("atomicity-{name}"));
    std::fs::write(&path, text).expect("a temporary file can be written");
    path.to_string_lossy().into_owned()
}

/// Blocks `outer` of both threads that contain entangled blocks `inner`.
fn nested() -> String {
    let lines = [
        "a|begin(outer)|x.rs:1",
        "b|begin(outer)|x.rs:1",
        "a|begin(inner)|x.rs:2",
        "a|w(x)|x.rs:3",
        "b|begin(inner)|x.rs:2",
        "b|r(x)|x.rs:4",
        "b|w(y)|x.rs:5",
        "b|end(inner)|x.rs:6",
        "a|r(y)|x.rs:7",
        "a|end(inner)|x.rs:6",
        "a|end(outer)|x.rs:8",
        "b|end(outer)|x.rs:8",
    ];
    lines.join("\n") + "\n"
}

#[test]
fn every_algorithm_finds_the_cycle() {
    for algorithm in ["aerodrome", "aerodrome-basic", "velodrome"] {
        let found = findings(&[WITHDRAW, "--algorithm", algorithm]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0]["code"], "CM111");
        assert_eq!(found[0]["certainty"], "observed");
        assert_eq!(found[0]["witness"]["kind"], "cycle");
        let steps = serde_json::json!([4, 11, 11, 15]);
        assert_eq!(found[0]["witness"]["steps"], steps, "{algorithm}");
    }
}

#[test]
fn standard_input_is_explained_too() {
    let text = std::fs::read(root().join(WITHDRAW)).expect("the example");
    let mut child = command(&["-"])
        // Where the source is, which a fingerprint is of.
        .current_dir(root().join("examples/traces"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("commute runs");
    let mut input = child.stdin.take().expect("it is piped");
    input.write_all(&text).expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(lines(&output)[0], findings(&[WITHDRAW])[0]);
}

#[test]
fn blocks_that_do_not_count_are_looked_through() {
    let trace = file("nested.std", &nested());
    let title = |found: &[Value]| found[0]["title"].as_str().map(str::to_owned);
    let all = findings(&[&trace]);
    assert!(title(&all).is_some_and(|title| title.contains("`outer` of a")));
    for args in [
        &["--not-atomic", "outer"][..],
        &["--atomic", "inn*"],
        &["--not-atomic", "@PATTERNS"],
    ] {
        let patterns = file("patterns", "# not meant to be atomic\nout*\n");
        let args: Vec<_> = args
            .iter()
            .map(|a| a.replace("PATTERNS", &patterns))
            .collect();
        let args: Vec<_> = args
            .iter()
            .map(String::as_str)
            .chain([&trace[..]])
            .collect();
        let found = findings(&args);
        assert!(title(&found).is_some_and(|title| title.contains("`inner` of a")));
    }
    assert!(findings(&[&trace, "--not-atomic", "*"]).is_empty());
    assert!(findings(&[&trace, "--atomic", "inner", "--not-atomic", "inn*"]).is_empty());
    let bare = nested().replace("(outer)", "").replace("(inner)", "");
    let bare = file("bare.std", &bare);
    assert_eq!(findings(&[&bare, "--not-atomic", "x.rs:1"]).len(), 1);
    assert!(findings(&[&bare, "--not-atomic", "x.rs:*"]).is_empty());
}

#[test]
fn bad_patterns_are_refused() {
    for (pattern, said) in [("a[", "--atomic"), ("@no-such-file", "no-such-file")] {
        let output = command(&[WITHDRAW, "--atomic", pattern]).output();
        let output = output.expect("commute runs");
        assert_eq!(output.status.code(), Some(2));
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(errors.contains(said), "{errors}");
    }
}

#[test]
fn one_finding_per_pair_of_blocks_and_only_the_first_if_asked() {
    let mut text = String::new();
    for (i, name) in ["p", "q", "p", "q", "p"].iter().enumerate() {
        let round = nested().replace("outer", name);
        text += &round.replace("(x)", &format!("(x{i})"));
    }
    let trace = file("many.std", &text);
    let found = findings(&[&trace]);
    let counts: Vec<_> = found.iter().map(|finding| &finding["count"]).collect();
    assert_eq!(counts, [3, 2]);
    let first = findings(&[&trace, "--fail-fast"]);
    assert_eq!(first.len(), 1);
    assert_eq!(first[0]["title"], found[0]["title"]);
}

#[test]
fn blocks_that_never_end_say_so() {
    let open = nested().replace("end(outer)", "dummy");
    let open = file("open.std", &open);
    let found = findings(&[&open]);
    let notes = found[0]["notes"].to_string();
    assert!(
        notes.contains("the trace ends inside these blocks"),
        "{notes}"
    );
}

#[test]
fn an_end_without_a_begin_is_not_clean() {
    let trace = file("end.std", "a|w(x)|1\na|end|2\n");
    let output = command(&[&trace]).output().expect("commute runs");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(lines(&output)[0]["verdict"], "inconclusive");
}

#[test]
fn findings_of_several_traces_name_theirs() {
    let trace = file("second.std", &nested());
    let found = findings(&[WITHDRAW, &trace]);
    let traces: Vec<_> = found.iter().map(|finding| &finding["trace"]).collect();
    assert_eq!(traces, [WITHDRAW, &trace]);
    assert!(findings(&[WITHDRAW])[0].get("trace").is_none());
}

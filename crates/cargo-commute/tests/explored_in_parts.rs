//! `commute test` in parts: shards that are joined, files to go on with.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn commute(arguments: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Command::new(env!("CARGO_BIN_EXE_commute"))
        .args(arguments)
        .current_dir(root)
        .env("CARGO_TERM_QUIET", "true")
        .output()
        .expect("commute can be started")
}

fn explore(test: &str, arguments: &[&str]) -> Output {
    let package = ["test", "-p", "commute-workloads", "--exact", test];
    let mut all = [&package[..], &["--message-format", "json"]].concat();
    all.extend(arguments);
    commute(&all)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What is said of the test.
fn line(output: &Output) -> Value {
    let text = text(&output.stdout);
    let line = text
        .lines()
        .find(|line| line.contains(r#""reason":"test""#));
    let line = line.unwrap_or_else(|| panic!("{output:?}"));
    serde_json::from_str(line).expect(line)
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Explores a test in two shards; the files with what came of each.
fn two_shards(test: &str, folder: &Path) -> Vec<PathBuf> {
    let shards = ["1/2", "2/2"].iter().enumerate().map(|(n, shard)| {
        let output = explore(test, &["--shard", shard]);
        assert_eq!(line(&output)["shard"], *shard);
        let path = folder.join(format!("{n}.json"));
        std::fs::write(&path, output.stdout).expect("it can be written");
        path
    });
    shards.collect()
}

fn merge(files: &[&Path]) -> Output {
    let mut arguments = vec!["report", "merge", "--message-format", "json"];
    arguments.extend(files.iter().map(|path| path.to_str().expect("a name")));
    commute(&arguments)
}

#[test]
fn shards_are_joined() {
    let folder = folder();
    let shards = two_shards("ht_mixed_4", folder.path());
    let merged = merge(&[&shards[0], &shards[1]]);
    assert_eq!(merged.status.code(), Some(0), "{merged:?}");
    let test = line(&merged);
    assert_eq!(test["verdict"], "passed");
    assert_eq!(test["outcomes"], 120);
    assert_eq!(test["redundant"], 0);
    assert_eq!(test["shard"], Value::Null);
    // The same twice is not more, and does not make up for what is missing.
    let merged = merge(&[&shards[0], &shards[0]]);
    assert_eq!(merged.status.code(), Some(3), "{merged:?}");
    assert_eq!(line(&merged)["reasons"][0], "shard 2/2 is missing");
}

#[test]
fn a_failure_in_a_shard_is_a_failure() {
    let folder = folder();
    let shards = two_shards("locks::locks_in_two_orders", folder.path());
    let merged = merge(&[&shards[0], &shards[1]]);
    assert_eq!(merged.status.code(), Some(1), "{merged:?}");
    assert_eq!(line(&merged)["verdict"], "failed");
    let findings = text(&merged.stdout);
    let findings = findings.lines().filter(|line| line.contains("CM302"));
    assert_eq!(findings.count(), 1, "the same finding is one");
}

/// Threads reach an object under different first names, and no shard learns that it is one
/// object in all schedules: together they have fewer outcomes than there are.
#[test]
fn shards_that_learnt_different_names_do_not_pass() {
    let test = "two_numbers_of_three_threads";
    let whole = line(&explore(test, &[]));
    assert_eq!(
        (&whole["verdict"], &whole["outcomes"]),
        (&"passed".into(), &28.into())
    );
    let folder = folder();
    let shards = ["1/4", "2/4", "3/4", "4/4"].map(|shard| {
        let output = explore(test, &["--shard", shard]);
        let path = folder.path().join(format!("{}.json", &shard[..1]));
        std::fs::write(&path, output.stdout).expect("it can be written");
        path
    });
    let shards: Vec<&Path> = shards.iter().map(|path| &**path).collect();
    let merged = merge(&shards);
    assert_eq!(merged.status.code(), Some(3), "{merged:?}");
    let test = line(&merged);
    assert_eq!(test["verdict"], "inconclusive");
    let reason = test["reasons"][0].as_str().expect("a reason");
    assert!(reason.contains("learnt different names"), "{reason}");
    assert!(reason.ends_with("run it undivided"), "{reason}");
}

#[test]
fn what_is_no_report_is_not_joined() {
    let folder = folder();
    let path = folder.path().join("a.json");
    for (content, code, told) in [
        ("{\"schema\":1,\n", 2, "a.json:1:12: EOF"),
        (
            "{\"schema\":9,\"reason\":\"test\"}",
            2,
            "a.json:1:1: schema 9",
        ),
        ("\u{0}\u{0}", 2, "a.json:1:1: expected value"),
        ("", 2, "a.json:1:1: it is empty"),
        (
            "{\"schema\":1,\"reason\":\"test\",\"name\":\"t\",\"verdict\":\"passed\"}",
            3,
            "",
        ),
    ] {
        std::fs::write(&path, content).expect("it can be written");
        let output = merge(&[&path]);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let stderr = text(&output.stderr);
        assert!(stderr.contains(told), "{stderr}");
    }
    assert_eq!(merge(&[Path::new("none.json")]).status.code(), Some(2));
}

#[test]
fn an_exploration_is_gone_on_with() {
    let folder = folder();
    let path = folder.path().join("progress.jsonl");
    let resume = path.to_str().expect("a name");
    let few = ["--resume", resume, "--max-executions", "50"];
    for done in [50, 100] {
        let output = explore("ht_mixed_4", &few);
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        assert_eq!(line(&output)["executions"], done);
    }
    // Whoever wrote it was ended in the middle of a line.
    let mut written = std::fs::read(&path).expect("it is there");
    written.truncate(written.len() - 3);
    std::fs::write(&path, written).expect("it can be written");
    for _ in 0..2 {
        let output = explore("ht_mixed_4", &["--resume", resume]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let test = line(&output);
        assert_eq!(test["verdict"], "passed");
        assert_eq!(test["outcomes"], 120);
        assert_eq!(test["executions"], 120);
    }
    let output = explore("ht_mixed_4", &["--resume", resume, "--shard", "1/2"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let stderr = text(&output.stderr);
    assert!(
        stderr.contains(":1:1: this is of everything, not of shard 1/2"),
        "{stderr}"
    );
}

#[test]
fn what_is_no_exploration_is_not_gone_on_with() {
    let folder = folder();
    let path = folder.path().join("progress.jsonl");
    let first = r#"{"exploration":{"version":1,"shard":null}}"#;
    for (content, told) in [
        ("no\n".to_owned(), ":1:1: this is no line of an exploration"),
        ("{}\n".to_owned(), ":1:2: this is no line of an exploration"),
        (
            r#"{"nothing":3}"#.to_owned(),
            ":1:1: this is not the beginning",
        ),
        (
            format!("{first}\n{{\"run\":[7,\"0\"]}}\n"),
            ":2:1: there is no test 7",
        ),
        (
            first.replace(":1,", ":8,"),
            ":1:1: an exploration of another version",
        ),
    ] {
        std::fs::write(&path, &content).expect("it can be written");
        let output = explore("counter_4", &["--resume", path.to_str().expect("a name")]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let stderr = text(&output.stderr);
        assert!(stderr.contains(told), "{stderr}");
        assert_eq!(
            std::fs::read(&path).expect("it is there"),
            content.as_bytes()
        );
    }
    // A test that does something else than what is written there.
    std::fs::remove_file(&path).expect("it is there");
    let resume = path.to_str().expect("a name");
    explore("ht_mixed_4", &["--resume", resume, "--max-executions", "5"]);
    let written = std::fs::read_to_string(&path).expect("it is there");
    std::fs::write(&path, written.replace("\"0*", "\"0.7*")).expect("it can be written");
    let output = explore("ht_mixed_4", &["--resume", resume]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let reason = line(&output)["reasons"][0].clone();
    assert_eq!(
        reason,
        "the test does not do what it did when it was explored before"
    );
}

#[test]
fn what_cannot_be_divided_is_not() {
    for option in [["--shard", "1/2"], ["--resume", "never-written"]] {
        let engine = [&option[..], &["--engine", "random"]].concat();
        let output = explore("counter_4", &engine);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let stderr = text(&output.stderr);
        assert!(stderr.contains("needs the engine `outcomes`"), "{stderr}");
    }
    assert!(!Path::new("never-written").exists());
}

/// Two processes explore a test that takes long, and come to the same.
#[test]
fn a_test_is_divided_among_jobs() {
    let output = explore("svcomp_workstealqueue_mutex", &["--jobs", "2"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let test = line(&output);
    assert_eq!(test["outcomes"], 908);
    assert_eq!(test["redundant"], 0);
}

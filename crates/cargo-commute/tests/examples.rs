//! The programs of `examples/programs`: the bug of each is found, and nothing where it
//! is fixed.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Name, and the codes that may be found, one of which must be.
const PROGRAMS: &[(&str, &[&str])] = &[
    ("connections", &["CM101"]),
    ("freed_page_space", &["CM101"]),
    ("chunks", &["CM101"]),
    ("size_hint", &["CM101"]),
    ("stale_balance", &["CM111"]),
    ("check_then_act", &["CM101"]),
    ("send_after_close", &["CM121"]),
];

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the workspace is there")
}

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_commute"))
        .args(arguments)
        .current_dir(root())
        .env("CARGO_TERM_QUIET", "true")
        .output()
        .expect("commute can be started")
}

fn findings(output: &Output) -> Vec<serde_json::Value> {
    let stdout = String::from_utf8_lossy(&output.stdout);
    let lines = stdout
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    lines
        .filter(|line: &serde_json::Value| line["reason"] == "finding")
        .collect()
}

fn both_places(finding: &serde_json::Value, file: &str) {
    let events = finding["events"].as_array().expect("a finding has events");
    assert!(events.len() >= 2, "{finding}");
    for event in events {
        let location = event["location"].as_str().expect("a place");
        assert!(location.starts_with(file), "{location}");
    }
}

#[test]
fn the_bug_of_every_example_is_found_and_its_fix_is_clean() {
    for (name, codes) in PROGRAMS {
        let output = run(&["run", "--message-format", "json", "--example", name]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {stderr}");
        let found = findings(&output);
        assert!(!found.is_empty(), "{name}");
        for finding in &found {
            let code = finding["code"].as_str().expect("a code");
            assert!(codes.contains(&code), "{name}: {finding}");
            both_places(finding, &format!("examples/programs/{name}.rs:"));
        }
        let fixed = format!("{name}_fixed");
        let output = run(&["run", "--message-format", "json", "--example", &fixed]);
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{fixed}: {stdout}");
    }
}

#[test]
fn reports_show_names_and_source() {
    let output = run(&["run", "--color", "never", "--example", "connections"]);
    let stdout = String::from_utf8_lossy(&output.stdout);
    for expected in [
        "error[CM101]: commutativity race on `connections` (map): `insert` and `insert`",
        "connections.insert(host, connect(host));",
        "connections.insert('a.com',",
        "k1 = 'a.com', k2 = 'a.com'",
    ] {
        assert!(stdout.contains(expected), "{stdout}");
    }
}

/// What was recorded is what happened: every result comes out again on a model, and
/// checking the file finds what checking the run finds.
#[test]
fn recorded_programs_can_be_replayed_and_checked() {
    let directory = tempfile::tempdir().expect("a directory");
    for (name, _) in PROGRAMS {
        let trace = directory.path().join(format!("{name}.ctr"));
        let path = trace.to_str().expect("a path in UTF-8");
        let output = run(&["record", "-o", path, "--example", name]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{name}: {stderr}");
        let output = run(&["trace", "validate", "--models", path]);
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{name}: {stdout}");
        let output = run(&["check", "--message-format", "json", path]);
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert!(!findings(&output).is_empty());
    }
}

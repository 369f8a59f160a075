//! What is expected of every command: files that people write are read as they mean them, who
//! is quiet is quiet, colours are there for who asks, and nothing is left half done.

use std::path::Path;
use std::process::{Command, Output};

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_commute"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    command.args(args).current_dir(root);
    for variable in ["CLICOLOR_FORCE", "COMMUTE_COLOR"] {
        command.env_remove(variable);
    }
    command
}

fn commute(args: &[&str]) -> Output {
    command(args).output().expect("commute runs")
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

#[test]
fn a_byte_order_mark_hides_nothing() {
    let rules = file("bom-rules", "\u{feff}CM101 object=o\n");
    let trace = "examples/traces/connections.std";
    let output = commute(&["check", trace, "--suppress", &rules]);
    assert!(
        stdout(&output).contains("1 suppressed"),
        "{}",
        stderr(&output)
    );
    let blocks = format!("@{}", file("bom-blocks", "\u{feff}withdraw\n"));
    let output = commute(&["check", "examples/traces/withdraw.std", "--atomic", &blocks]);
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    let rules = file("no-text", b"CM101\nCM102 \xff\n");
    let output = commute(&["check", trace, "--suppress", &rules]);
    let error = stderr(&output);
    assert!(
        error.contains("no-text:2:7: this is no text in UTF-8"),
        "{error}"
    );
}

#[test]
fn quiet_is_quiet() {
    for line in ["spec check -q", "spec verify -q", "-q spec check counter"] {
        let words: Vec<&str> = line.split(' ').collect();
        let output = commute(&words);
        let said = stdout(&output) + &stderr(&output);
        assert_eq!((output.status.code(), &*said), (Some(0), ""), "{line}");
    }
}

#[test]
fn a_part_that_is_not_there_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let part = folder.path().join("part.std");
    let to = part.to_str().expect("a name");
    let trace = "examples/traces/connections.std";
    let slice = |thread: &str| commute(&["trace", "slice", trace, "--thread", thread, "-o", to]);
    let output = slice("NOSUCH");
    assert_eq!(output.status.code(), Some(2));
    let left = || std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left(), 0);
    assert_eq!(slice("T2").status.code(), Some(0));
    assert_eq!(left(), 1);
    let before = std::fs::read_to_string(&part).expect("a part");
    // What was there stays.
    assert_eq!(slice("NOSUCH").status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&part).expect("a part"), before);
}

#[test]
fn help_and_mistakes_have_the_colours_that_are_asked_for() {
    let colored = |words: &[&str], variable: Option<&str>| {
        let mut command = command(words);
        if let Some(value) = variable {
            command.env("COMMUTE_COLOR", value);
        }
        let output = command.output().expect("it runs");
        (stdout(&output) + &stderr(&output)).contains('\u{1b}')
    };
    assert!(!colored(&["check", "--help"], None));
    assert!(colored(&["check", "--help", "--color", "always"], None));
    assert!(colored(&["--color=always", "check", "--nonsense"], None));
    assert!(colored(&["check", "--nonsense"], Some("always")));
    assert!(!colored(
        &["check", "--nonsense", "--color=never"],
        Some("always")
    ));
}

#[test]
fn tests_take_no_arguments() {
    for name in ["test", "replay"] {
        let help = stdout(&commute(&[name, "--help"]));
        assert!(!help.contains("<CMD>") && !help.contains("[CMD]"), "{help}");
    }
    let output = commute(&["replay", "0123abcd", "--", "x"]);
    let error = stderr(&output);
    assert!(error.contains("tests take no arguments"), "{error}");
    assert!(stdout(&commute(&["run", "--help"])).contains("<CMD>"));
}

/// A verdict is about traces that were read. JSON ends with a summary all the same.
#[test]
fn a_trace_that_is_not_there_has_no_verdict() {
    let output = commute(&["check", "missing.std"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stdout(&output), "");
    let error =
        "error: cannot open the trace: No such file or directory (os error 2)\n--> missing.std\n";
    assert_eq!(stderr(&output), error);
    let json = ["--message-format", "json"];
    let output = commute(&[&["check", "missing.std"][..], &json].concat());
    assert_eq!(output.status.code(), Some(2));
    let out = stdout(&output);
    let last = out.lines().last().expect("a summary");
    let summary: serde_json::Value = serde_json::from_str(last).expect("JSON");
    assert_eq!(summary["reason"], "summary");
    assert_eq!(summary["verdict"], "inconclusive");
    assert_eq!(summary["reasons"][0], "missing.std could not be read");
    // What is stored says the same when it is shown again.
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().to_str().expect("a path in UTF-8");
    for (flags, out) in [(&["check", "missing.std"][..], ""), (&["report"], "")] {
        let output = commute(&[flags, &["--out-dir", folder]].concat());
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
        assert_eq!(
            (stdout(&output), stderr(&output)),
            (out.to_owned(), error.to_owned())
        );
    }
    // A folder is there, and is no trace.
    let output = commute(&["check", "docs"]);
    assert_eq!(
        (output.status.code(), stdout(&output)),
        (Some(2), String::new())
    );
}

#[test]
fn one_of_several_traces_may_not_be_there() {
    let reason = "missing.std could not be read";
    let both = ["check", "missing.std", "examples/traces/connections.std"];
    let output = commute(&[&both[..], &["--only", "data-races"]].concat());
    assert_eq!(output.status.code(), Some(2));
    let out = stdout(&output);
    let last = out.lines().last().expect("a verdict");
    assert!(
        last.starts_with("commute: inconclusive: no findings in "),
        "{last}"
    );
    assert!(
        !last.contains("in 0 events") && last.ends_with(reason),
        "{last}"
    );
    // Certain findings of another one stay what they are.
    let output = commute(&both);
    assert_eq!(output.status.code(), Some(2));
    let out = stdout(&output);
    let last = out.lines().last().expect("a verdict");
    assert!(
        last.starts_with("commute: violations: 1 finding "),
        "{last}"
    );
    assert!(last.ends_with(reason), "{last}");
}

/// `commute test` takes no command, and says so nowhere.
#[test]
#[cfg(unix)]
fn tests_need_a_package() {
    let folder = tempfile::tempdir().expect("a folder");
    for (words, mentions) in [
        (&["test"][..], false),
        (&["run"], true),
        (&["record", "-o", "t.ctr"], true),
    ] {
        let output = command(words).current_dir(folder.path()).output();
        let output = output.expect("commute runs");
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        let error = stderr(&output);
        assert!(error.contains("could not find `Cargo.toml`"), "{error}");
        assert_eq!(error.contains("`-- CMD`"), mentions, "{words:?}: {error}");
    }
}

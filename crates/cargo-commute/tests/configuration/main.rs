//! What counts if the command line, the environment and `commute.toml` say different things,
//! and what is said about mistakes.

mod others;
mod wishes;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A commutativity race and a data race.
const TRACE: &str = "\
T0|new(o:dictionary)|a.rs:1
T0|fork(T1)|a.rs:2
T0|o.put('k','1')/nil|a.rs:3
T0|w(x)|a.rs:4
T1|w(x)|a.rs:5
T1|o.put('k','2')/'1'|a.rs:6
";

/// A folder that is the root of a repository, with a trace and this file.
fn folder(config: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join(".git")).expect("made");
    fs::write(folder.path().join("t.std"), TRACE).expect("written");
    fs::write(folder.path().join("commute.toml"), config).expect("written");
    folder
}

struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

/// Runs a command line; words in front of it like `COMMUTE_QUIET=1` are variables.
fn run(here: &Path, line: &str) -> Said {
    let mut command = Command::new(env!("CARGO_BIN_EXE_commute"));
    let mut words = line.split_whitespace().peekable();
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("COMMUTE_") {
            command.env_remove(name);
        }
    }
    while let Some(word) = words.next_if(|word| word.starts_with("COMMUTE_")) {
        let (name, value) = word.split_once('=').expect("a variable");
        command.env(name, value);
    }
    let Output {
        status,
        stdout,
        stderr,
    } = command
        .args(words)
        .current_dir(here)
        .output()
        .expect("commute runs");
    Said {
        code: status.code(),
        out: String::from_utf8_lossy(&stdout).into_owned(),
        err: String::from_utf8_lossy(&stderr).into_owned(),
    }
}

/// How findings were printed.
fn format(said: &Said) -> &'static str {
    match &said.out {
        out if out.starts_with('{') => "json",
        out if out.contains(" = note: ") => "human",
        out if out.contains("CM101") => "short",
        out => panic!("{out}{}", said.err),
    }
}

#[test]
fn an_option_with_a_value() {
    let formats = |config: &str, cases: &[(&str, &str)]| {
        let here = folder(config);
        for (line, expected) in cases {
            let said = run(here.path(), line);
            assert_eq!(format(&said), *expected, "{config} | {line}");
            assert_eq!(said.code, Some(1));
        }
    };
    formats("", &[("check t.std", "human")]);
    formats(
        "message-format = \"short\"",
        &[
            ("check t.std", "short"),
            ("COMMUTE_MESSAGE_FORMAT=json check t.std", "json"),
            ("COMMUTE_MESSAGE_FORMAT= check t.std", "short"),
            (
                "COMMUTE_MESSAGE_FORMAT=json check t.std --message-format human",
                "human",
            ),
            ("--message-format human check t.std", "human"),
            ("check t.std --no-message-format", "human"),
            (
                "COMMUTE_MESSAGE_FORMAT=json check t.std --no-message-format",
                "human",
            ),
            ("check t.std --no-config", "human"),
            ("COMMUTE_LINT_MESSAGE_FORMAT=json check t.std", "short"),
        ],
    );
    // What is said for one command counts more.
    formats(
        "message-format = \"json\"\n[check]\nmessage-format = \"short\"\n[lint]\nmessage-format = \"json\"",
        &[
            ("check t.std", "short"),
            ("COMMUTE_MESSAGE_FORMAT=human check t.std", "human"),
            (
                "COMMUTE_MESSAGE_FORMAT=json COMMUTE_CHECK_MESSAGE_FORMAT=human check t.std",
                "human",
            ),
        ],
    );
}

#[test]
fn a_number() {
    let here = folder("max-findings = 1");
    let findings = |line: &str| {
        let said = run(
            here.path(),
            &format!("{line} --message-format json --only races,data-races"),
        );
        said.out.matches("\"reason\":\"finding\"").count()
    };
    assert_eq!(findings("check t.std"), 1);
    assert_eq!(findings("COMMUTE_MAX_FINDINGS=2 check t.std"), 2);
    assert_eq!(
        findings("COMMUTE_MAX_FINDINGS=1 check t.std --max-findings 2"),
        2
    );
    assert_eq!(findings("check t.std --no-max-findings"), 2);
}

#[test]
fn a_list_is_replaced() {
    let here = folder("[check]\nonly = [\"races\"]");
    let codes = |line: &str| {
        let out = run(here.path(), line).out;
        let codes = ["CM101", "CM102"].into_iter();
        codes.filter(|code| out.contains(code)).collect::<Vec<_>>()
    };
    assert_eq!(codes("check t.std"), ["CM101"]);
    assert_eq!(
        codes("COMMUTE_CHECK_ONLY=data-races check t.std"),
        ["CM102"]
    );
    let both = "COMMUTE_CHECK_ONLY=data-races,races check t.std";
    assert_eq!(codes(both), ["CM101", "CM102"]);
    let typed = "COMMUTE_CHECK_ONLY=data-races check t.std --only races";
    assert_eq!(codes(typed), ["CM101"]);
    assert_eq!(codes("check t.std --only data-races"), ["CM102"]);
    assert_eq!(codes("check t.std --no-only"), ["CM101", "CM102"]);
    assert_eq!(codes("--no-config check t.std"), ["CM101", "CM102"]);
    // The option of another command is not this one's.
    assert_eq!(codes("COMMUTE_RUN_ONLY=data-races check t.std"), ["CM101"]);
}

#[test]
fn a_flag_and_what_conflicts_with_it() {
    let here = folder("quiet = true");
    let summary = |line: &str| run(here.path(), line).out.contains("commute: violations");
    assert!(!summary("check t.std"));
    assert!(summary("COMMUTE_QUIET=0 check t.std"));
    assert!(!summary("COMMUTE_QUIET=0 check t.std --quiet"));
    assert!(summary("check t.std --no-quiet"));
    assert!(!summary("check t.std --no-quiet --quiet"));
    assert!(summary("COMMUTE_QUIET=1 check t.std --no-quiet"));
    // The other one is typed, or in the environment.
    assert!(summary("check t.std -v"));
    assert!(summary("COMMUTE_VERBOSE=1 check t.std"));
    assert!(!summary("COMMUTE_VERBOSE=1 check t.std -q"));
    for both in [
        "check t.std -q -v",
        "-q check t.std -v",
        "-v check -q t.std",
    ] {
        let said = run(here.path(), both);
        assert!(said.err.contains("cannot be used with"), "{}", said.err);
        assert_eq!(said.code, Some(2), "{both}");
    }

    let here = folder("verbose = true\nquiet = true");
    let said = run(here.path(), "check t.std");
    let expected =
        "error: commute.toml:2:1: `quiet` cannot be used with `verbose` (commute.toml:1:1)\n";
    assert_eq!((said.code, &*said.err), (Some(2), expected));
    assert_eq!(run(here.path(), "check t.std -q").code, Some(1));
    let here = folder("verbose = true\n[check]\nquiet = true");
    assert!(!run(here.path(), "check t.std").out.contains("commute: "));
    let here = folder("quiet = true\n[check]\nquiet = false");
    assert!(run(here.path(), "check t.std").out.contains("commute: "));
}

#[test]
fn mistakes_are_named_with_their_place() {
    let refused = |config: &str, line: &str, expected: &str| {
        let said = run(folder(config).path(), line);
        assert_eq!(
            said.err,
            format!("error: {expected}\n"),
            "{config} | {line}"
        );
        assert_eq!((said.code, &*said.out), (Some(2), ""));
    };
    let analyses = "`races`, `data-races`, `atomicity`, `prediction`";
    refused(
        "# a comment\n[check]\nonly = [\"races\",\n  \"race\"]",
        "check t.std",
        &format!(
            "commute.toml:4:3: `only` cannot be `race`; did you mean `races`? There are {analyses}"
        ),
    );
    refused(
        "[check]\nonly = \"races\"",
        "check t.std",
        "commute.toml:2:8: `only` is a list of strings, and this is of type string",
    );
    refused(
        "max-findings = \"5\"",
        "check t.std",
        "commute.toml:1:16: `max-findings` is an integer, and this is of type string",
    );
    refused(
        "quiet = \"yes\"",
        "check t.std",
        "commute.toml:1:9: `quiet` is true or false, and this is of type string",
    );
    refused(
        "object = [\"conns\"]",
        "check t.std",
        "commute.toml:1:11: `object` cannot be `conns`: expected NAME=TYPE, for example `conns=dictionary`",
    );
    // All of the file is read.
    refused(
        "[test]\njobs = 0",
        "check t.std",
        "commute.toml:2:8: `jobs` cannot be `0`: there must be one at least",
    );
    refused(
        "check = 3",
        "check t.std",
        "commute.toml:1:9: `check` is a table, and this is of type integer",
    );
    refused(
        "[spec]\n",
        "check t.std",
        "commute.toml:1:1: `spec` is a list of strings, and this is of type table",
    );
    refused(
        "",
        "COMMUTE_MAX_FINDINGS=few check t.std",
        "the variable COMMUTE_MAX_FINDINGS: `max-findings` is a whole number from 0, and not `few`",
    );
    refused(
        "",
        "COMMUTE_CHECK_ONLY=races,atomic check t.std",
        &format!(
            "the variable COMMUTE_CHECK_ONLY: `only` cannot be `atomic`; did you mean `atomicity`? There are {analyses}"
        ),
    );
    // So is what the lint has beside options.
    refused(
        "[lint]\nallow = [\"stale\"]",
        "check t.std",
        "commute.toml:2:10: unknown name `stale`; did you mean `stale_value`?",
    );
    // What an editor puts before the text is no column of it.
    refused(
        "\u{feff}quiet = \"yes\"",
        "check t.std",
        "commute.toml:1:9: `quiet` is true or false, and this is of type string",
    );
    refused(
        "",
        "COMMUTE_QUIET=maybe check t.std",
        "the variable COMMUTE_QUIET: `quiet` is switched by `1` and `0` (or `true` and `false`), not by `maybe`",
    );
    let starts = |config: &str, line: &str, expected: &str| {
        let said = run(folder(config).path(), line);
        assert!(said.err.starts_with(expected), "{}", said.err);
        assert_eq!(said.code, Some(2));
    };
    starts("quiet = ", "check t.std", "error: commute.toml:1:");
    starts(
        "quiet = true\nquiet = true",
        "check t.std",
        "error: commute.toml:2:1: ",
    );
    starts(
        "max-findings = -1",
        "check t.std",
        "error: commute.toml:1:16: `max-findings` is a whole number from 0, and not `-1`",
    );
    starts(
        &"[".repeat(100_000),
        "check t.std",
        "error: commute.toml:1:",
    );
    starts(
        "",
        "check t.std --config nowhere.toml",
        "error: cannot read nowhere.toml: ",
    );
    starts("", "check t.std --config .", "error: cannot read .: ");
    starts(
        "",
        "COMMUTE_CONFIG=nowhere.toml check t.std",
        "error: cannot read nowhere.toml: ",
    );
    // What does not read it works, and so does what is told not to.
    let here = folder("quiet = ");
    assert_eq!(run(here.path(), "completions bash").code, Some(0));
    assert_eq!(run(here.path(), "check t.std --no-config").code, Some(1));
}

#[test]
fn unknown_keys_are_warned_of() {
    let here =
        folder("max-finding = 1\n[chek]\n[check]\nonyl = []\n[trace.shwo]\n\"\\u001b[31m\" = 1\n");
    let said = run(here.path(), "check t.std");
    let warnings: Vec<&str> = said.err.lines().collect();
    assert_eq!(
        warnings[0],
        "warning: commute.toml:1:1: unknown key `max-finding`; did you mean `max-findings`?"
    );
    assert_eq!(
        warnings[1],
        "warning: commute.toml:2:2: unknown key `chek`; did you mean `check`?"
    );
    assert_eq!(
        warnings[2],
        "warning: commute.toml:4:1: unknown key `onyl`; did you mean `only`?"
    );
    assert_eq!(
        warnings[3],
        "warning: commute.toml:5:8: unknown key `shwo`; did you mean `show`?"
    );
    assert_eq!(warnings.len(), 4, "{}", said.err);
    assert_eq!(said.code, Some(1));
    assert_eq!(run(here.path(), "check t.std -q").err, "");
    // Variables are others' business.
    let said = run(folder("").path(), "COMMUTE_MAX_FINDING=x check t.std");
    assert_eq!((said.code, &*said.err), (Some(1), ""));
    let here = folder("\"\\u001b[31m\" = 1\n");
    let said = run(here.path(), "check t.std");
    assert!(
        !said.err.contains('\u{1b}') && said.err.contains("unknown key"),
        "{}",
        said.err
    );
}

#[test]
fn a_key_in_other_letters_or_in_the_wrong_table() {
    let warned = |config: &str, expected: &str| {
        let said = run(folder(config).path(), "check t.std");
        assert_eq!(said.err, format!("warning: commute.toml:{expected}\n"));
    };
    let meant = "unknown key `MAX-FINDINGS`; did you mean `max-findings`?";
    warned("MAX-FINDINGS = 1", &format!("1:1: {meant}"));
    let meant = "unknown key `max_findings`; did you mean `max-findings`?";
    warned("[check]\nmax_findings = 1", &format!("2:1: {meant}"));
    warned(
        "only = [\"races\"]",
        "1:1: unknown key `only`; `only` belongs in `[check]` or `[run]`",
    );
    warned(
        "[check]\nengine = \"dpor\"",
        "2:1: unknown key `engine`; `engine` belongs in `[test]`",
    );
    warned(
        "[check]\nxyzzy = 1",
        "2:1: unknown key `xyzzy`; `commute check --help` shows which there are",
    );
}

#[test]
fn variables_of_commands_without_options_of_their_own() {
    let here = folder("");
    let format = |line: &str| run(here.path(), line).out.starts_with('{');
    assert!(!format("trace info t.std"));
    assert!(format(
        "COMMUTE_TRACE_INFO_MESSAGE_FORMAT=json trace info t.std"
    ));
    assert!(format("COMMUTE_TRACE_MESSAGE_FORMAT=json trace info t.std"));
    assert!(!format(
        "COMMUTE_TRACE_SHOW_MESSAGE_FORMAT=json trace info t.std"
    ));
    assert!(format(
        "COMMUTE_SPEC_VERIFY_MESSAGE_FORMAT=json spec verify counter"
    ));
    let said = run(
        here.path(),
        "COMMUTE_TRACE_INFO_QUIET=perhaps trace info t.std",
    );
    assert_eq!(said.code, Some(2));
    assert!(
        said.err.contains("COMMUTE_TRACE_INFO_QUIET"),
        "{}",
        said.err
    );
}

#[test]
fn the_file_is_looked_for_above_and_its_paths_are_its_own() {
    let here = folder("suppress = \"known\"\nmessage-format = \"short\"");
    fs::write(here.path().join("known"), "CM101\n").expect("written");
    let below = here.path().join("a/b");
    fs::create_dir_all(&below).expect("made");
    let said = run(&below, "check ../../t.std");
    assert!(
        !said.out.contains("CM101") && said.out.contains("CM102"),
        "{}{}",
        said.out,
        said.err
    );
    fs::write(here.path().join("commute.toml"), "quite = true").expect("written");
    let said = run(&below, "check ../../t.std");
    assert!(
        said.err
            .starts_with("warning: ../../commute.toml:1:1: unknown key `quite`"),
        "{}",
        said.err
    );

    // Another repository is another project.
    fs::create_dir(below.join(".git")).expect("made");
    assert_eq!(run(&below, "check ../../t.std").err, "");
    let other = "message-format = \"json\"\nhtml = \"page.html\"";
    fs::write(here.path().join("a/other.toml"), other).expect("written");
    for line in [
        "check ../../t.std --config ../other.toml",
        "COMMUTE_CONFIG=../other.toml check ../../t.std",
    ] {
        assert_eq!(format(&run(&below, line)), "json");
        fs::remove_file(here.path().join("a/page.html")).expect("the page is beside the file");
    }
    let line = "COMMUTE_CONFIG=../other.toml check ../../t.std --no-config";
    assert_eq!(format(&run(&below, line)), "human");
    let line = "COMMUTE_CONFIG=nowhere check ../../t.std --config ../other.toml";
    assert_eq!(format(&run(&below, line)), "json");
}

/// The project that is meant is the one that is named.
#[test]
fn the_search_begins_at_what_is_named() {
    let here = folder("");
    let other = here.path().join("other");
    fs::create_dir(&other).expect("made");
    fs::write(other.join("commute.toml"), "quiet = 3").expect("written");
    fs::write(other.join("x.mir"), "").expect("written");
    for line in [
        "lint other",
        "lint other/x.mir",
        "lint --manifest-path other/Cargo.toml",
        "test --manifest-path other/Cargo.toml",
    ] {
        let said = run(here.path(), line);
        let expected = "error: other/commute.toml:1:9: `quiet` is true or false, and this is of type integer\n";
        assert_eq!((said.code, &*said.err), (Some(2), expected), "{line}");
    }
}

/// The examples of the page do what it says.
#[test]
fn the_page_tells_the_truth() {
    let page = include_str!("../../../../docs/configuration.md");
    let (_, rest) = page.split_once("```toml\n").expect("an example");
    let (example, _) = rest.split_once("```").expect("its end");
    let here = folder(example);
    fs::create_dir(here.path().join("specs")).expect("made");
    let dictionary =
        include_str!("../../../../specs/dictionary.ecl").replace("dictionary", "ledger");
    fs::write(here.path().join("specs/ledger.ecl"), dictionary).expect("written");
    let said = run(here.path(), "check t.std");
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(!said.err.contains("warning"), "{}", said.err);
    assert!(said.out.contains("[races, atomicity]"), "{}", said.out);

    let wrong = "[check]\nonly = [\"race\"]";
    for (config, line) in [
        (wrong, "check t.std"),
        ("", "COMMUTE_MAX_FINDINGS=few check t.std"),
        ("max-finding = 1", "check t.std"),
    ] {
        let said = run(folder(config).path(), line).err;
        assert!(
            page.contains(&format!("\n{said}")),
            "not on the page: {said}"
        );
    }
}

#[test]
fn documents_are_asked_of_commands_that_have_them() {
    let here = folder("message-format = \"sarif\"\nhtml = \"page.html\"");
    assert!(
        run(here.path(), "check t.std")
            .out
            .contains("\"version\": \"2.1.0\"")
    );
    let said = run(here.path(), "trace info t.std");
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(!said.out.is_empty());
    let said = run(here.path(), "trace info t.std --message-format sarif");
    assert_eq!(said.code, Some(2));
}

#[test]
fn what_is_required_may_be_in_the_file() {
    let help = run(folder("").path(), "record --help");
    assert!(
        help.out.contains("--output <FILE>") && !help.out.contains("--no-output"),
        "{}",
        help.out
    );
    assert!(
        help.out
            .contains("Usage: commute record [OPTIONS] --output <FILE>"),
        "{}",
        help.out
    );
    let said = run(folder("").path(), "record -- true");
    assert!(said.err.contains("required"), "{}", said.err);
    assert_eq!(said.code, Some(2));
    let here = folder("[record]\noutput = \"out.ctr\"");
    let said = run(here.path(), "record -- true");
    assert!(!said.err.contains("required"), "{}", said.err);
    let said = run(here.path(), "record --no-output -- true");
    assert!(said.err.contains("required"), "{}", said.err);
}

/// What is to be built is no reason to build anything.
#[cfg(unix)]
#[test]
fn a_command_is_run_whatever_would_be_built() {
    let here = folder("[run]\nrelease = true\nlibrary = \"nowhere\"\nfeatures = [\"a\", \"b\"]");
    let said = run(here.path(), "run -- echo this is run");
    assert!(
        said.out.starts_with("this is run\n"),
        "{}{}",
        said.out,
        said.err
    );
}

//! The command line as people and machines meet it: exit codes, formats, flags
//! and bad input.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_commute"));
    command.args(args).current_dir(root());
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

fn json(args: &[&str]) -> Vec<Value> {
    let output = commute(&[args, &["--message-format", "json"]].concat());
    let text = stdout(&output);
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect()
}

const RACE: &str = "T1|w(x)|a.rs:1\nT2|r(x)|b.rs:2\n";
const CONNECTIONS: &str = "examples/traces/connections.std";

/// Bad input: exit code 2, this place and this text on standard error, and no
/// finding.
fn refused(args: &[&str], place: &str, text: &str) {
    let output = commute(args);
    let errors = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {errors}");
    assert!(errors.contains(place), "{args:?}: no {place:?} in {errors}");
    assert!(errors.contains(text), "{args:?}: no {text:?} in {errors}");
    assert!(!stdout(&output).contains("[CM1"), "{args:?}: a finding");
}

#[test]
fn bad_traces_are_refused_with_their_place() {
    let check = |name: &str, bytes: &[u8], place: &str, text: &str| {
        refused(&["check", &file(name, bytes)], place, text);
    };
    check("empty.std", b"", "empty.std", "empty trace");
    check("comments.std", b"# only\n\n", "comments.std", "empty trace");
    check(
        "garbage.std",
        b"\x00\xff\xfe\x80garbage",
        "garbage.std:1:",
        "expected",
    );
    check("few.std", b"T1|w(x)\n", "few.std:1:8", "only two fields");
    check(
        "unknown.std",
        b"T1|r(x)|1\nT1|frob(x)|2\n",
        "unknown.std:2:4",
        "unknown operation",
    );
    let long = format!(
        "T1|new(o:set)|1\nT1|o.add('{}')/true|2\n",
        "x".repeat(70_000)
    );
    check(
        "value.std",
        long.as_bytes(),
        "value.std:2:",
        "value of 70000 bytes",
    );
    let line = format!("T1|w({})|1\n", "x".repeat(3 << 20));
    check("line.std", line.as_bytes(), "line.std:1:", "longer than");
    check(
        "type.std",
        b"T1|new(o:nosuch)|1\n",
        "type.std:1:4",
        "no specification",
    );
    check(
        "undeclared.std",
        b"T1|o.put(1,2)/nil|1\n",
        "undeclared.std:1:4",
        "not declared",
    );
    let arguments = b"T1|new(o:dictionary)|1\nT1|o.put(1)/nil|2\n";
    check(
        "arguments.std",
        arguments,
        "arguments.std:2:4",
        "takes 2 arguments, found 1",
    );
    let results = b"T1|new(o:dictionary)|1\nT1|o.put(1,2)|2\n";
    check(
        "results.std",
        results,
        "results.std:2:4",
        "takes 1 result, found 0",
    );
    refused(&["check", "no/such.std"], "no/such.std", "cannot open");
}

#[test]
fn what_was_found_before_a_bad_line_is_printed() {
    let path = file("middle.std", format!("{RACE}T2|w(x|3\n"));
    let output = commute(&["check", &path]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).contains("error[CM102]"));
    assert!(stderr(&output).contains("middle.std:3:7"));
    // Programs are told among the results.
    for (format, said) in [
        ("json", "\"line\":3,\"column\":7}"),
        ("github", ",line=3,col=7::"),
    ] {
        let output = commute(&["check", &path, "--message-format", format]);
        assert_eq!(output.status.code(), Some(2));
        let text = stdout(&output);
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[0].contains("CM102") && lines[1].contains(said),
            "{lines:?}"
        );
        assert!(
            !stderr(&output).contains("middle.std:3:7"),
            "it is said once"
        );
    }
}

#[test]
fn a_binary_trace_cut_anywhere_is_refused_and_never_panics() {
    let path = file("whole.ctr", "");
    assert!(
        commute(&["trace", "convert", CONNECTIONS, "-o", &path])
            .status
            .success()
    );
    let bytes = std::fs::read(&path).unwrap();
    // Every offset is tried in the tests of the trace crate; here the program.
    for end in (0..bytes.len()).step_by(7) {
        let cut = file("cut.ctr", &bytes[..end]);
        let output = commute(&["check", &cut]);
        assert_eq!(
            output.status.code(),
            Some(2),
            "cut at {end}: {}",
            stderr(&output)
        );
        assert!(!stderr(&output).contains("panicked"), "cut at {end}");
    }
    assert_eq!(commute(&["check", &path]).status.code(), Some(1));
}

#[test]
fn bad_specifications_are_refused_with_their_place() {
    let deep = format!(
        "type t {{\n m()\n m ~ m : {}true{}\n}}",
        "(".repeat(10_000),
        ")".repeat(10_000)
    );
    let path = file("deep.ecl", deep);
    refused(
        &["check", "--spec", &path, CONNECTIONS],
        "deep.ecl:3:",
        "nested",
    );
    let output = commute(&["spec", "check", &path]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).contains("CM901"));
    refused(&["spec", "show", "nosuch"], "", "no specification `nosuch`");
    refused(
        &["check", "--object", "o=nosuch", CONNECTIONS],
        "",
        "no specification",
    );
    refused(&["check", "--object", "o", CONNECTIONS], "", "NAME=TYPE");
}

#[test]
fn exit_codes_say_what_happened() {
    let clean = file("clean.std", "T1|w(x)|a.rs:1\nT1|r(x)|b.rs:2\n");
    let racy = file("racy.std", RACE);
    let ill = file("ill.std", "T1|rel(m)|a.rs:1\n");
    let code = |args: &[&str]| commute(args).status.code();
    assert_eq!(code(&["check", &clean]), Some(0));
    assert_eq!(code(&["check", &racy]), Some(1));
    assert_eq!(
        code(&["check", &ill]),
        Some(3),
        "not well-formed is not clean"
    );
    assert_eq!(code(&["check", &clean, &racy]), Some(1));
    assert_eq!(code(&["check", &racy, "no/such"]), Some(2));
    assert_eq!(code(&["check", "--only", "races", &racy]), Some(0));
    assert_eq!(code(&["check"]), Some(2));
    assert_eq!(code(&["nosuch"]), Some(2));
    assert_eq!(code(&["--help"]), Some(0));
    assert_eq!(code(&["--version"]), Some(0));
    assert_eq!(code(&["spec", "verify", "set"]), Some(0));
}

#[test]
fn json_has_the_documented_fields() {
    let lines = json(&["check", CONNECTIONS]);
    let [finding, summary] = &lines[..] else {
        panic!("a finding and a summary, not {lines:?}");
    };
    for line in &lines {
        assert_eq!(line["schema"], 1);
    }
    assert_eq!(finding["reason"], "finding");
    assert_eq!(finding["code"], "CM101");
    assert_eq!(finding["level"], "error");
    assert_eq!(finding["certainty"], "observed");
    assert_eq!(finding["object"], "o");
    assert_eq!(finding["count"], 1);
    assert_eq!(finding["replay"], Value::Null);
    assert_eq!(finding["fingerprint"].as_str().unwrap().len(), 16);
    assert_eq!(finding["witness"]["kind"], "pair");
    assert_eq!(finding["witness"]["prefix"], 0);
    assert_eq!(finding["witness"]["steps"], serde_json::json!([4, 5]));
    let first = serde_json::json!({
        "thread": "T3", "index": 4, "action": "o.put('a.com','c1')/nil", "location": "pool.rs:12"
    });
    assert_eq!(finding["events"][0], first);
    assert!(
        finding["condition"]
            .as_str()
            .unwrap()
            .starts_with("k1 != k2 || ")
    );
    assert_eq!(summary["reason"], "summary");
    assert_eq!(summary["verdict"], "violations");
    assert_eq!(summary["findings"], 1);
    assert_eq!(summary["events"], 8);
    assert_eq!(summary["threads"], 3);
    assert_eq!(summary["objects"], 1);
    assert_eq!(
        summary["analyses"],
        serde_json::json!(["races", "data-races", "atomicity", "prediction"])
    );
    assert!(summary["seconds"].is_number());
}

#[test]
fn one_finding_per_pair_of_locations_with_a_count() {
    let mut text = String::new();
    for _ in 0..10 {
        text += RACE;
    }
    let lines = json(&["check", &file("often.std", text)]);
    assert_eq!(lines.len(), 2, "{lines:?}");
    // Each read races with the write before it; each write but the first with
    // the reads before it.
    assert!(lines[0]["count"].as_u64().unwrap() > 10);
}

#[test]
fn known_findings_are_suppressed_and_unused_suppressions_are_named() {
    let rules = file(
        "known",
        "CM101 object=o location=pool.rs:*\nCM102 object=nosuch\n",
    );
    let output = commute(&["check", "--suppress", &rules, CONNECTIONS]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("commute: clean: no findings, 1 suppressed"));
    assert!(stderr(&output).contains("known:2: unused suppression `CM102 object=nosuch`"));
    refused(
        &["check", "--suppress", &file("bad", "CM1\n"), CONNECTIONS],
        "bad:1:1",
        "not a code",
    );
}

#[test]
fn a_finding_on_several_objects_is_suppressed_only_for_all_of_them() {
    let text = "A|w(x)|a:1\nB|w(x)|a:2\nA|w(y)|a:1\nB|w(y)|a:2\n";
    let trace = file("several.std", text);
    let code = |rules: &str| {
        let rules = file("some", rules);
        commute(&["check", "--suppress", &rules, &trace])
            .status
            .code()
    };
    assert_eq!(code("object=x\n"), Some(1));
    assert_eq!(code("object=y\n"), Some(1));
    assert_eq!(code("object=?\n"), Some(0));
    assert!(stdout(&commute(&["check", &trace])).contains("also on: y"));
}

#[test]
fn no_more_findings_are_printed_than_asked_for() {
    let text: String = (0..20)
        .map(|i| format!("T1|w(x{i})|a.rs:{i}\nT2|w(x{i})|b.rs:{i}\n"))
        .collect();
    let path = file("many.std", text);
    let output = commute(&[
        "check",
        "--max-findings",
        "3",
        "--message-format",
        "short",
        &path,
    ]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output).matches("CM102]").count(), 3);
    assert!(stdout(&output).contains("20 findings"));
    assert!(stderr(&output).contains("17 more findings"));
}

#[test]
fn colours_are_for_terminals_and_for_those_who_ask() {
    let escape = |args: &[&str]| stdout(&commute(args)).contains('\x1b');
    assert!(!escape(&["check", CONNECTIONS]));
    assert!(escape(&["check", "--color", "always", CONNECTIONS]));
    assert!(!escape(&["check", "--color", "never", CONNECTIONS]));
}

#[test]
fn standard_input_is_a_trace_too() {
    let mut child = command(&["check", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(RACE.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("data race on `x`"));
}

#[test]
fn a_product_whose_reader_goes_away_is_incomplete() {
    let mut child = command(&[
        "trace", "generate", "--shape", "locked", "--events", "300000",
    ])
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .unwrap();
    let mut some = [0; 100];
    child.stdout.take().unwrap().read_exact(&mut some).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
}

#[test]
fn traces_survive_conversion_and_slicing() {
    let binary = file("again.ctr", "");
    assert!(
        commute(&["trace", "convert", CONNECTIONS, "-o", &binary])
            .status
            .success()
    );
    let text = commute(&["trace", "convert", &binary]);
    let original = std::fs::read(root().join(CONNECTIONS)).unwrap();
    assert_eq!(text.stdout, original);
    let part = commute(&["trace", "slice", "--events", "4..5", CONNECTIONS]);
    assert_eq!(
        stdout(&part).lines().count(),
        3,
        "the two and the object's `new`"
    );
    let wrong = commute(&["trace", "slice", "--thread", "nosuch", CONNECTIONS]);
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn generated_traces_are_well_formed_and_race_free() {
    for shape in ["locked", "local", "shared-read", "one-lock", "dictionary"] {
        let path = file(&format!("{shape}.std"), "");
        let make = [
            "trace", "generate", "--shape", shape, "--events", "5000", "-o", &path,
        ];
        assert!(commute(&make).status.success());
        let again = commute(&make[..6]);
        assert_eq!(
            again.stdout,
            std::fs::read(&path).unwrap(),
            "{shape} is deterministic"
        );
        let valid = commute(&["trace", "validate", &path]);
        assert_eq!(valid.status.code(), Some(0), "{shape}: {}", stdout(&valid));
        assert_eq!(commute(&["check", &path]).status.code(), Some(0), "{shape}");
        let info = &json(&["trace", "info", &path])[0];
        assert_eq!(info["events"], 5000, "{shape}");
    }
    let racy = file("racy-dictionary.std", "");
    let make = [
        "trace",
        "generate",
        "--shape",
        "dictionary",
        "--conflicts",
        "0.2",
        "-o",
        &racy,
    ];
    assert!(commute(&make).status.success());
    assert_eq!(commute(&["check", &racy]).status.code(), Some(1));
}

/// Two `remove` commute if nobody looks at what they return, and only the source can
/// tell.
#[test]
fn results_that_are_dropped_cause_no_race() {
    let trace = "T0|new(o:map)|\nT0|o.insert(1,7)/nil|\nT0|fork(T1)|\nT0|fork(T2)|\nT1|o.remove(1)/7|unused.rs:2:7\nT2|o.remove(1)/nil|unused.rs:3:7\n";
    file(
        "unused.rs",
        "fn f() {\n    m.remove(1);\n    m.remove(1);\n}\n",
    );
    let path = file("unused.std", trace);
    let output = commute(&["check", "--only", "races", &path]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    file(
        "unused.rs",
        "fn f() {\n    m.remove(1);\n    m.remove(1)\n}\n",
    );
    let output = commute(&["check", "--only", "races", &path]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn recorded_results_are_replayed_on_models() {
    let text = "T1|new(o:map)|a:1\nT1|o.insert(1,2)/nil|a:2\nT1|o.get(1)/3|a:3\nT1|o.len()/9|a:4\n";
    let path = file("impossible.std", text);
    let output = commute(&["trace", "validate", &path]);
    assert_eq!(output.status.code(), Some(0));
    let output = commute(&["trace", "validate", "--models", &path]);
    assert_eq!(output.status.code(), Some(1));
    let stdout = String::from_utf8_lossy(&output.stdout);
    let expected = "o.get(1)/3 is impossible: in state ((1,2),) it returns 2";
    assert!(stdout.contains(expected), "{stdout}");
    assert!(stdout.contains(":3:"), "{stdout}");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("1 action replayed, 1 not"), "{stderr}");
    // A type without a model, and a call that its type does not have.
    for text in [
        "T1|new(o:nosuch)|a:1\nT1|o.get(1)/3|a:2\n",
        "T1|new(o:map)|a:1\nT1|o.insert(1)/3|a:2\n",
    ] {
        let output = commute(&["trace", "validate", "--models", &file("unknown.std", text)]);
        assert_eq!(output.status.code(), Some(3), "{output:?}");
    }
}

#[test]
fn what_was_not_recorded_is_no_clean_bill() {
    let well = "T1|new(o:map)|a:1\nT1|o.insert(1,2)/nil|a:2\nT1|o.get(1)/2|a:3\n";
    let whole = file("whole.std", well);
    assert_eq!(commute(&["check", &whole]).status.code(), Some(0));
    let text = file("missed.std", format!("{well}# missed: 2\n"));
    let binary = file("missed.ctr", "");
    assert!(
        commute(&["trace", "convert", &text, "-o", &binary])
            .status
            .success()
    );
    let part = file("missed-part.ctr", "");
    let slice = commute(&["trace", "slice", "--only-object", "o", &binary, "-o", &part]);
    assert!(slice.status.success(), "{slice:?}");
    let why = "2 operations were not recorded: a signal handler";
    for path in [&text, &binary, &part] {
        let output = commute(&["check", path]);
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        let said = stdout(&output) + &stderr(&output);
        assert!(
            said.contains("commute: inconclusive: no findings"),
            "{said}"
        );
        assert!(said.contains(why), "{said}");
        let summary = &json(&["check", path])[0];
        assert!(summary["reasons"].to_string().contains(why), "{summary}");
        let output = commute(&["trace", "validate", "--models", path]);
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        assert!(stderr(&output).contains(why), "{output:?}");
        let output = commute(&["trace", "validate", path]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(stderr(&output).contains(why), "{output:?}");
        assert_eq!(json(&["trace", "info", path])[0]["missed"], 2);
    }
}

/// What models do not explain, operations may that are not there; what is wrong with the
/// trace itself, they do not.
#[test]
fn what_was_not_recorded_may_explain_a_result() {
    let text = "T1|new(o:map)|a:1\nT1|o.get(1)/3|a:2\n";
    let validate = |text: &str| {
        let path = file("unexplained.std", text);
        let output = commute(&["trace", "validate", "--models", &path]);
        (output.status.code(), stdout(&output))
    };
    let (code, printed) = validate(text);
    assert_eq!(code, Some(1), "{printed}");
    assert!(
        printed.contains(":2:1: error: event 2: o.get(1)/3 is"),
        "{printed}"
    );
    let (code, printed) = validate(&format!("{text}# missed: 1\n"));
    assert_eq!(code, Some(3), "{printed}");
    let warning = ":2:1: warning: event 2: o.get(1)/3 is impossible";
    assert!(printed.contains(warning), "{printed}");
    let (code, printed) = validate(&format!("{text}T1|rel(m)|a:3\n# missed: 1\n"));
    assert_eq!(code, Some(1), "{printed}");
    let lines: Vec<_> = printed.lines().collect();
    assert!(
        lines[0].contains(warning) && lines[1].contains(":3:1: error"),
        "{printed}"
    );
}

/// A finding is one, whatever else there was.
#[test]
fn findings_are_reported_though_operations_were_missed() {
    let output = commute(&[
        "check",
        &file("missed-race.std", format!("# missed: 1\n{RACE}")),
    ]);
    assert_eq!(output.status.code(), Some(1));
    let said = stdout(&output) + &stderr(&output);
    assert!(said.contains("1 operation was not recorded"), "{said}");
}

#[test]
fn ill_formed_traces_are_told_line_by_line() {
    let text = "T1|acq(m)|1\n# a comment\nT2|acq(m)|2\nT2|rel(n)|3\n";
    let output = commute(&["trace", "validate", &file("ill-formed.std", text)]);
    assert_eq!(output.status.code(), Some(1));
    let printed = stdout(&output);
    assert!(printed.contains("ill-formed.std:3:1"), "{printed}");
    assert!(printed.contains("ill-formed.std:4:1"), "{printed}");
}

#[test]
fn an_unsound_specification_is_refuted_with_a_counterexample() {
    let text = "type broken {\n  model set\n  add(v) -> r  mutates !r\n  contains(v) -> r\n  size() -> n\n\n  \
                add ~ add, add ~ contains, add ~ size, contains ~ contains, contains ~ size, size ~ size : true\n}\n";
    let output = commute(&["spec", "verify", &file("broken.ecl", text)]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let printed = stdout(&output);
    assert!(printed.contains("error[CM908]"), "{printed}");
    assert!(printed.contains("in state ()"), "{printed}");
}

#[test]
fn completions_and_manual_pages_are_made() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = stdout(&commute(&["completions", shell]));
        assert!(script.contains("generate"), "{shell}");
    }
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("man");
    let output = commute(&["man", "--out", &directory.to_string_lossy()]);
    assert_eq!(output.status.code(), Some(0));
    assert!(directory.join("commute-check.1").exists());
    assert!(stdout(&commute(&["man"])).contains(".TH commute 1"));
}

#[test]
fn cargo_commute_is_the_same_program() {
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-commute"))
        .args(["commute", "check", CONNECTIONS])
        .current_dir(root())
        .output()
        .unwrap();
    assert_eq!(output.stdout, commute(&["check", CONNECTIONS]).stdout);
    assert_eq!(output.status.code(), Some(1));
    // It is called as people call it.
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-commute"))
        .args(["commute", "chek"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("Usage: cargo commute "), "{said}");
}

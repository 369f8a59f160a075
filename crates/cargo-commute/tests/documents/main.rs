//! What is one document: SARIF and JUnit on standard output, a page in a file.

#[path = "../../../commute-report/tests/documents/schema.rs"]
mod schema;
mod specifications;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

const CONNECTIONS: &str = "examples/traces/connections.std";
const CLEAN: &str = "T1|w(x)|a.rs:1\nT1|r(x)|b.rs:2\n";
const RACE: &str = "T1|w(x)|a.rs:1\nT2|r(x)|b.rs:2\n";
const ILL_FORMED: &str = "T1|rel(m)|a.rs:1\n";

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_commute"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    command.args(args).current_dir(root);
    command
}

fn commute(args: &[&str]) -> Output {
    command(args).output().expect("commute runs")
}

/// A place for a file that does not exist yet.
fn place(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("documents-{name}"));
    let _ = std::fs::remove_file(&path);
    path
}

fn file(name: &str, text: &str) -> String {
    let path = place(name);
    std::fs::write(&path, text).expect("a temporary file can be written");
    path.to_string_lossy().into_owned()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// The exit code and the only run of the SARIF document.
fn sarif(args: &[&str]) -> (Option<i32>, Value) {
    let output = commute(&[args, &["--message-format", "sarif"]].concat());
    let mut log = schema::valid(&text(&output.stdout));
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(log["runs"].as_array().map(Vec::len), Some(1));
    (output.status.code(), log["runs"][0].take())
}

fn notifications(run: &Value) -> (&Value, &Value) {
    let invocation = &run["invocations"][0];
    (
        &invocation["executionSuccessful"],
        &invocation["toolExecutionNotifications"],
    )
}

#[test]
fn sarif_tells_clean_found_doubtful_and_bad_apart() {
    let (code, run) = sarif(&["check", &file("clean.std", CLEAN)]);
    assert_eq!(code, Some(0));
    assert_eq!(run["results"], json!([]));
    assert_eq!(run["tool"]["driver"]["rules"], json!([]));
    assert_eq!(notifications(&run), (&json!(true), &Value::Null));

    let (code, run) = sarif(&["check", CONNECTIONS]);
    assert_eq!(code, Some(1));
    let result = &run["results"][0];
    assert_eq!(result["ruleId"], "CM101");
    let target = json!({"uri": CONNECTIONS});
    assert_eq!(result["analysisTarget"], target);
    let rule = &run["tool"]["driver"]["rules"][0];
    let page = text(&commute(&["explain", "CM101"]).stdout);
    assert_eq!(rule["help"]["markdown"], page.as_str());

    let (code, run) = sarif(&["check", &file("ill.std", ILL_FORMED)]);
    assert_eq!(code, Some(3));
    let (success, said) = notifications(&run);
    assert_eq!(
        (success, &said[0]["level"]),
        (&json!(true), &json!("warning"))
    );

    let bad = file("bad.std", &format!("{RACE}T1|frob(x)|3\n"));
    let (code, run) = sarif(&["check", &bad]);
    assert_eq!(code, Some(2));
    assert_eq!(run["results"].as_array().map(Vec::len), Some(1));
    let (success, said) = notifications(&run);
    assert_eq!(
        (success, &said[0]["level"]),
        (&json!(false), &json!("error"))
    );
    let region = &said[0]["locations"][0]["physicalLocation"]["region"];
    assert_eq!(region, &json!({"startLine": 3, "startColumn": 4}));
}

#[test]
fn a_run_that_cannot_be_made_gives_a_document_that_says_so() {
    let rules = file("rules", "CM1\n");
    for args in [
        &["check", "no/such.std"][..],
        &["check", "--suppress", &rules, CONNECTIONS],
        &["check", "--spec", "no/such.ecl", CONNECTIONS],
        &["check", "--object", "o=nosuch", CONNECTIONS],
        &["check", "--html", "no/such/page.html", CONNECTIONS],
    ] {
        let (code, run) = sarif(args);
        assert_eq!(code, Some(2), "{args:?}");
        let (success, said) = notifications(&run);
        assert_eq!(success, &json!(false), "{args:?}");
        assert_eq!(said[0]["level"], "error", "{args:?}");
        assert_eq!(run["properties"]["verdict"], "inconclusive", "{args:?}");
        let junit = commute(&[args, &["--message-format", "junit"]].concat());
        assert_eq!(junit.status.code(), Some(2));
        assert!(text(&junit.stdout).contains("errors=\"1\""), "{args:?}");
    }
}

/// The fingerprints of what is found in a trace.
fn fingerprints(trace: &str) -> Vec<Value> {
    let (_, run) = sarif(&["check", &file("fingerprint.std", trace)]);
    let results = run["results"].as_array().expect("results");
    let fingerprint = |result: &Value| result["partialFingerprints"]["commute/v1"].clone();
    results.iter().map(fingerprint).collect()
}

#[test]
fn a_fingerprint_outlives_edits_and_other_runs() {
    let first = fingerprints(RACE);
    assert_eq!(first.len(), 1);
    let moved = "T9|w(y)|c.rs:1\nA|w(x)|a.rs:100:7\nB|r(x)|b.rs:200\n";
    assert_eq!(
        first,
        fingerprints(moved),
        "other lines, events and threads"
    );
    let turned = "T2|r(x)|b.rs:2\nT1|w(x)|a.rs:1\n";
    assert_eq!(first, fingerprints(turned), "the other order");
    assert_ne!(first, fingerprints(&RACE.replace("r(x)", "w(x)")));
    assert_ne!(first, fingerprints(&RACE.replace("b.rs", "c.rs")));
    assert_ne!(first, fingerprints(&RACE.replace("(x)", "(y)")));
}

#[test]
fn junit_has_a_test_case_for_each_trace() {
    let traces = [
        file("j1.std", CLEAN),
        file("j2.std", RACE),
        file("j3.std", ILL_FORMED),
        file("j4.std", "T1|frob(x)|1\n"),
    ];
    let mut args = vec!["check", "--color", "always", "--message-format", "junit"];
    args.extend(traces.iter().map(String::as_str));
    let output = commute(&args);
    assert_eq!(output.status.code(), Some(2));
    let xml = text(&output.stdout);
    assert!(
        xml.contains("tests=\"4\" skipped=\"0\" errors=\"2\" failures=\"1\""),
        "{xml}"
    );
    for trace in &traces {
        assert!(
            xml.contains(&format!("<testcase name=\"{trace}\"")),
            "{xml}"
        );
    }
    assert!(
        xml.contains("<failure message=\"CM102: data race on `x`"),
        "{xml}"
    );
    assert!(xml.contains("type=\"inconclusive\"") && xml.contains("type=\"bad input\""));
    assert!(!xml.contains('\x1b'), "no colours");
}

#[test]
fn documents_are_all_of_standard_output_and_the_same_each_time() {
    for format in ["sarif", "junit"] {
        let args = ["check", CONNECTIONS, "--message-format", format];
        let output = commute(&args);
        assert_eq!(output.stdout, commute(&args).stdout);
        assert!(text(&output.stderr).starts_with("commute: violations: 1 finding"));
        let quiet = commute(&[&args[..], &["--quiet"]].concat());
        assert_eq!((quiet.stdout, &*quiet.stderr), (output.stdout, &b""[..]));
    }
}

#[test]
fn no_more_findings_are_in_a_document_than_asked_for() {
    let text: String = (0..5)
        .map(|i| format!("T1|w(x{i})|a.rs:{i}\nT2|w(x{i})|b.rs:{i}\n"))
        .collect();
    let (_, run) = sarif(&["check", "--max-findings", "2", &file("five.std", &text)]);
    assert_eq!(run["results"].as_array().map(Vec::len), Some(2));
    assert_eq!(run["properties"]["findings"], 5);
    let (_, said) = notifications(&run);
    let note = "3 more findings are not shown (--max-findings)";
    assert_eq!(said[0]["message"]["text"], note);
}

#[test]
fn standard_input_has_a_name_and_no_file() {
    let mut child = command(&["check", "-", "--message-format", "sarif"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("commute runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(b"T1|w(x)|a.rs:1\nT1|\n").expect("read");
    drop(stdin);
    let output = child.wait_with_output().expect("an end");
    let log: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let (_, said) = notifications(&log["runs"][0]);
    let message = said[0]["message"]["text"].as_str().expect("a text");
    assert!(message.starts_with("standard input:2:"), "{message}");
    assert_eq!(said[0]["locations"], Value::Null);
}

#[test]
fn what_cannot_be_read_twice_is_drawn_as_a_file_is() {
    let drawn = |page: &str| -> Vec<String> {
        let page = std::fs::read_to_string(page).expect("a page");
        let svg = page
            .split("<svg")
            .nth(1)
            .and_then(|svg| svg.split("</svg>").next());
        let lines = svg.expect("a diagram").lines();
        lines.map(str::to_owned).collect()
    };
    let [once, twice] = ["piped.html", "file.html"].map(|name| {
        let path = place(name);
        path.to_string_lossy().into_owned()
    });
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let trace = std::fs::File::open(root.join(CONNECTIONS)).expect("a trace");
    let status = command(&["check", "-q", "-", "--html", &once])
        .current_dir(root.join("examples/traces"))
        .stdin(trace)
        .stdout(Stdio::null())
        .status();
    assert_eq!(status.expect("commute runs").code(), Some(1));
    commute(&["check", "-q", CONNECTIONS, "--html", &twice]);
    assert_eq!(drawn(&once), drawn(&twice));
    assert!(drawn(&once).len() > 8, "all events are there");
}

#[test]
fn a_page_comes_in_addition() {
    // Longer than the page: nothing of it must remain.
    let path = file("page.html", &"old ".repeat(100_000));
    let output = commute(&["check", CONNECTIONS, "--html", &path]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stdout, commute(&["check", CONNECTIONS]).stdout);
    let page = std::fs::read_to_string(&path).expect("a page");
    assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
    assert!(page.ends_with("</html>\n"));
    let marked = "<mark class=\"here\">o.put(host, connection);</mark>";
    assert!(page.contains(marked), "{page}");

    let clean = file("page-clean.std", CLEAN);
    let sarif = ["--message-format", "sarif"];
    let output = commute(&[&["check", &clean, "--html", &path][..], &sarif].concat());
    assert_eq!(output.status.code(), Some(0));
    assert!(serde_json::from_slice::<Value>(&output.stdout).is_ok());
    let page = std::fs::read_to_string(&path).expect("a page");
    assert!(page.contains("<strong>Clean.</strong>"), "{page}");
}

#[test]
fn what_a_trace_contains_is_shown_on_the_page_and_nothing_more() {
    let trace = "T0|new(o:dictionary)|m.rs:1\nT0|fork(T1)|m.rs:2\n\
        T1|o.put('<script>alert(1)</script>',1)/nil|\"onload=\n\
        T0|o.put('<script>alert(1)</script>',2)/1|<img src=x onerror=alert(1)>:3\n";
    let path = place("hostile.html").to_string_lossy().into_owned();
    let output = commute(&["check", &file("hostile.std", trace), "--html", &path]);
    assert_eq!(output.status.code(), Some(1));
    let page = std::fs::read_to_string(&path).expect("a page");
    assert!(
        page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"),
        "{page}"
    );
    assert!(page.contains("&quot;onload=") && page.contains("&lt;img src=x"));
    for markup in ["<script>alert", "<img", "\"onload"] {
        assert!(!page.contains(markup), "{markup} in {page}");
    }
    // Its own, and no other.
    assert_eq!(page.matches("<script").count(), 1);
}

#[test]
fn a_page_that_cannot_be_written_is_known_before_the_work() {
    let refused = |path: &str, words: &str| {
        let output = commute(&["check", "no/such.std", "--html", path]);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(words), "no {words:?} in {errors}");
        assert!(!errors.contains("no/such.std"), "too late: {errors}");
    };
    refused(
        "no/such/page.html",
        "cannot write no/such/page.html (--html)",
    );
    refused(env!("CARGO_TARGET_TMPDIR"), "cannot write");
    refused("-", "--html needs a file");
}

#[test]
fn a_page_does_not_overwrite_what_is_read() {
    let trace = file("precious.std", RACE);
    let output = commute(&["check", &trace, "--html", &trace]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("would overwrite"));
    assert_eq!(std::fs::read_to_string(&trace).expect("a trace"), RACE);
}

#[test]
fn commands_without_findings_refuse_documents() {
    let page = place("refused.html");
    let html = ["--html", &page.to_string_lossy()];
    let formats: [&[&str]; 3] = [
        &html,
        &["--message-format", "sarif"],
        &["--message-format", "junit"],
    ];
    for flags in formats {
        for command in [&["trace", "info", CONNECTIONS][..], &["spec", "show"]] {
            let output = commute(&[command, flags].concat());
            assert_eq!(output.status.code(), Some(2), "{command:?} {flags:?}");
            assert_eq!(text(&output.stdout), "");
            assert!(text(&output.stderr).contains("commands with findings"));
        }
    }
    assert!(!page.exists());
}

/// GitHub looks from the root of the repository.
#[test]
fn files_are_named_from_the_root_of_the_repository() {
    let root = tempfile::tempdir().expect("a folder");
    let here = root.path().join("rust");
    std::fs::create_dir_all(here.join("src")).expect("made");
    std::fs::create_dir(root.path().join(".git")).expect("made");
    std::fs::write(here.join("src/a.rs"), "write();\nread();\n").expect("written");
    let trace = "A|w(x)|src/a.rs:1\nB|r(x)|src/a.rs:2\n";
    std::fs::write(here.join("t.std"), trace).expect("written");
    let said = |format: &str| {
        let mut command = command(&["check", "t.std", "--message-format", format]);
        let output = command.current_dir(&here).output().expect("commute runs");
        text(&output.stdout)
    };
    let github = said("github");
    assert!(
        github.starts_with("::error file=rust/src/a.rs,line=2"),
        "{github}"
    );
    let short = said("short");
    assert!(short.starts_with("src/a.rs:2: "), "{short}");
    let log = schema::valid(&said("sarif"));
    let result = &log["runs"][0]["results"][0];
    let place = &result["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!(place["uri"], "rust/src/a.rs");
    assert_eq!(result["analysisTarget"]["uri"], "rust/t.std");
}

#[test]
fn joined_runs_give_a_document_with_the_same_fingerprints() {
    let lines = commute(&["check", "--message-format", "json", CONNECTIONS]);
    let stored = file("stored.json", &text(&lines.stdout));
    let (code, merged) = sarif(&["report", "merge", &stored, &stored]);
    assert_eq!(code, Some(1));
    let (_, run) = sarif(&["check", CONNECTIONS]);
    let of = |run: &Value| run["results"][0]["partialFingerprints"].clone();
    assert_eq!(of(&merged), of(&run));
    assert_eq!(merged["results"].as_array().map(Vec::len), Some(1));
}

/// A trace with a predicted race of lines that are the same, and the text that they are
/// of, so many lines further down.
fn predicted(more: usize, threads: [&str; 2]) -> (String, String) {
    let [one, two] = threads;
    let line = |number: usize| number + more;
    let trace = format!(
        "{one}|w(x)|code.rs:{a}\n{one}|acq(m)|code.rs:{b}\n{one}|rel(m)|code.rs:{b}\n\
         {two}|acq(m)|code.rs:{b}\n{two}|rel(m)|code.rs:{b}\n{two}|w(x)|code.rs:{c}\n\
         {two}|w(x)|code.rs:{d}\n",
        a = line(1),
        b = line(2),
        c = line(3),
        d = line(4),
    );
    let text = "// new\n".repeat(more) + "x = 1;\nlock();\n  x = 2;\nx = 2;\n";
    (trace, text)
}

/// The ids of what is found, in JSON, in SARIF and in the commands that show it again.
fn ids(trace: &str, source: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("code.rs"), source).expect("written");
    std::fs::write(folder.path().join("t.std"), trace).expect("written");
    let run = |args: &[&str]| {
        let output = command(args).current_dir(folder.path()).output();
        output.expect("commute runs")
    };
    let check = ["check", "t.std", "--message-format"];
    let lines = text(&run(&[&check[..], &["json"]].concat()).stdout);
    let lines = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    let findings: Vec<Value> = lines
        .filter(|line: &Value| line["reason"] == "finding")
        .collect();
    let id = |finding: &Value| finding["fingerprint"].as_str().expect("an id").to_owned();
    let ids: Vec<String> = findings.iter().map(id).collect();
    let log = schema::valid(&text(&run(&[&check[..], &["sarif"]].concat()).stdout));
    let results = log["runs"][0]["results"].as_array().expect("results");
    let in_sarif = results
        .iter()
        .map(|r| r["partialFingerprints"]["commute/v1"].as_str());
    assert!(in_sarif.eq(ids.iter().map(|id| Some(id.as_str()))));
    for (finding, id) in findings.iter().zip(&ids) {
        let replay = finding["replay"].as_str().expect("a command");
        let words: Vec<&str> = replay.split(' ').collect();
        assert_eq!(
            words[..5],
            ["commute", "trace", "show", "t.std", "--witness"]
        );
        assert_eq!(words[5], &id[..8]);
        let witness = run(&words[1..]);
        assert_eq!(witness.status.code(), Some(0), "{}", text(&witness.stderr));
    }
    ids
}

#[test]
fn a_fingerprint_is_of_the_text_of_its_lines() {
    let (trace, source) = predicted(0, ["T1", "T2"]);
    let first = ids(&trace, &source);
    assert_eq!(first.len(), 2, "{first:?}");
    assert_ne!(first[0], first[1], "the same text in two lines");
    let (moved, further) = predicted(3, ["main", "worker"]);
    assert_eq!(
        ids(&moved, &further),
        first,
        "lines and threads do not matter"
    );
    let windows = source.replace('\n', "\r\n");
    assert_eq!(ids(&trace, &windows), first, "nor do line ends");
    let edited = ids(&trace, &source.replace("  x = 2;", "x += 2;"));
    assert_ne!(edited[0], first[0], "another text is another finding");
    assert_eq!(edited[1], first[0], "now it is the first with its text");
    let without = ids(&trace, "");
    assert!(without.iter().all(|id| !first.contains(id)), "{without:?}");
}

/// Who waits for a document must not take nothing for "nothing found".
#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_is_an_error() {
    let clean = file("unwritten.std", CLEAN);
    let formats = ["human", "short", "json", "sarif", "junit", "github"];
    let check = formats.map(|format| vec!["check", &*clean, "--message-format", format]);
    let others = [vec!["explain", "CM101"], vec!["trace", "show", &*clean]];
    for args in check.into_iter().chain(others) {
        let full = std::fs::File::create("/dev/full").expect("a full disk");
        let output = command(&args).stdout(full).output().expect("commute runs");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let told = text(&output.stderr);
        let expected = "error: cannot write standard output: No space left on device";
        assert!(told.contains(expected), "{args:?}: {told}");
    }
}

/// A prediction is told as it can go wrong, not as it went.
#[test]
fn the_flow_of_a_prediction_is_the_one_that_goes_wrong() {
    let (_, run) = sarif(&["check", "examples/traces/use_after_free.std"]);
    let flows = run["results"][0]["codeFlows"][0]["threadFlows"].as_array();
    let steps = flows.expect("flows").iter().flat_map(|flow| {
        let locations = flow["locations"].as_array().expect("locations");
        locations.iter().map(|step| {
            let text = step["location"]["message"]["text"].as_str();
            (step["executionOrder"].as_u64(), text.unwrap_or_default())
        })
    });
    let mut steps: Vec<_> = steps.collect();
    steps.sort_unstable();
    assert!(steps[0].1.contains("free(session)"), "{steps:?}");
    assert!(steps[1].1.contains("w(session)"), "{steps:?}");
}

/// GitHub takes commands from any line, in two ways of writing them.
#[test]
fn a_trace_cannot_command_github() {
    let hostile = "T0|rel(##[error]lock)|a.rs:1\nT0|w(x)|##[add-mask]a.rs:2\nT1|w(x)|::stop::\n";
    let hostile = file("hostile ##[error]x.std", hostile);
    let output = commute(&["check", &hostile, "--message-format", "github"]);
    for line in [&output.stdout, &output.stderr].map(|bytes| text(bytes)) {
        for line in line.lines().filter(|line| !line.starts_with("::error ")) {
            let is_ours = line.starts_with("::warning title=commute is inconclusive::");
            assert!(is_ours || !line.contains("##["), "{line}");
            assert!(is_ours || !line.trim_start().starts_with("::"), "{line}");
        }
    }
    let doubtful = file("doubtful.std", ILL_FORMED);
    let output = commute(&["check", &doubtful, "--message-format", "github"]);
    assert_eq!(output.status.code(), Some(3));
    let annotation = "::warning title=commute is inconclusive::commute: inconclusive: ";
    assert!(text(&output.stdout).starts_with(annotation));
}

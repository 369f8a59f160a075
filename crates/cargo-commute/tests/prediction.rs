//! `commute check --only prediction` and `commute trace show --witness` as people
//! call them.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn commute(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_commute"));
    command.args(args).output().expect("commute runs")
}

fn check(trace: &str, args: &[&str]) -> (Vec<Value>, Option<i32>) {
    let fixed = ["check", "--message-format", "json", trace];
    let output = commute(&[&fixed, args].concat());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text.lines();
    let mut lines: Vec<Value> = lines
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect();
    assert_eq!(lines.pop().expect("a summary")["reason"], "summary");
    (lines, output.status.code())
}

/// A trace of lines without locations, which get one each.
fn trace(name: &str, lines: &[&str]) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("prediction-{name}.std"));
    let lines = lines.iter().enumerate();
    let lines = lines.map(|(i, line)| format!("{line}|t.rs:{}\n", i + 1));
    std::fs::write(&path, lines.collect::<String>()).expect("a temporary file can be written");
    path.to_string_lossy().into_owned()
}

/// Something is predicted, and its witness is a trace in which it was observed.
fn assert_shown(name: &str, lines: &[&str], code: &str, observed: &str) {
    let path = trace(name, lines);
    let (findings, status) = check(&path, &[]);
    assert_eq!(status, Some(1), "{name}: {findings:?}");
    assert_eq!(findings.len(), 1, "{name}: {findings:?}");
    let finding = &findings[0];
    assert_eq!(finding["code"], code);
    assert_eq!(finding["certainty"], "certified");
    assert_eq!(finding["witness"]["kind"], "reordering");
    assert_eq!(finding["witness"]["prefix"], 0);
    let replay = finding["replay"].as_str().expect("a command");
    let id = &finding["fingerprint"].as_str().expect("an id")[..8];
    assert_eq!(replay, format!("commute trace show {path} --witness {id}"));
    let shown = commute(&["trace", "show", &path, "--witness", id]);
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    let steps = finding["witness"]["steps"].as_array().expect("steps");
    let own = std::fs::read_to_string(&path).expect("just written");
    let own: Vec<&str> = own.lines().collect();
    let expected: Vec<&str> = { steps.iter() }
        .map(|step| own[step.as_u64().expect("an index") as usize - 1])
        .collect();
    assert_eq!(shown.lines().collect::<Vec<_>>(), expected);
    let witness = path.replace(".std", "-witness.std");
    std::fs::write(&witness, &shown).expect("a temporary file can be written");
    let (again, status) = check(&witness, &[]);
    assert_eq!(status, Some(1), "{name}: {again:?}");
    let seen = again
        .iter()
        .find(|finding| finding["certainty"] == "observed");
    assert_eq!(seen.expect("it happened")["code"], observed, "{again:?}");
}

/// What `a` does under a lock, and then `b` under the same.
fn sections<'a>(first: &[&'a str], second: &[&'a str]) -> Vec<&'a str> {
    let (a, b) = (["a|acq(m)"], ["b|acq(m)"]);
    [&a, first, &["a|rel(m)"], &b, second, &["b|rel(m)"]].concat()
}

#[test]
fn a_use_after_free_behind_a_lock() {
    let lines = sections(&["a|w(x)"], &["b|free(x)"]);
    assert_shown("free", &lines, "CM122", "CM122");
}

/// What is used under the lock `m` is a lock or a condition variable itself.
#[test]
fn a_lock_that_is_freed_too_early() {
    let used: [(&str, &[&str]); 4] = [
        ("acquired", &["a|acq(k)", "a|rel(k)"]),
        ("shared", &["a|racq(k)", "a|rrel(k)"]),
        ("notified", &["a|notify(k)"]),
        ("notified-all", &["a|notify_all(k)"]),
    ];
    for (name, first) in used {
        let lines = sections(first, &["b|free(k)"]);
        assert_shown(name, &lines, "CM122", "CM122");
    }
    let mut lines = vec!["a|acq(m)", "a|wait(c,m)", "b|free(c)", "c|notify(d)"];
    assert_shown("waited-for", &lines, "CM122", "CM122");
    lines[2] = "b|free(m)";
    let (findings, _) = check(&trace("released", &lines), &[]);
    let titles: Vec<_> = findings.iter().map(|f| f["title"].as_str()).collect();
    let title = |op| format!("use after free of lock `m`: `free(m)` can run before `{op}`");
    let (acquire, wait) = (title("acq(m)"), title("wait(c,m)"));
    assert_eq!(titles, [Some(&wait[..]), Some(&acquire[..])]);
}

#[test]
fn what_a_report_says_of_a_freed_lock() {
    let said = |name: &str, lines: &[&str]| {
        let (findings, _) = check(&trace(name, lines), &[]);
        assert_eq!(findings.len(), 1, "{findings:?}");
        let notes = findings[0]["notes"].as_array().expect("notes");
        let notes = notes.iter().filter_map(|note| note["text"].as_str());
        let title = findings[0]["title"].as_str().expect("a title").to_owned();
        (title, notes.map(str::to_owned).collect::<Vec<_>>())
    };
    let (title, notes) = said("said", &sections(&["a|notify(k)"], &["b|free(k)"]));
    let expected = "use after free of condition variable `k`: `free(k)` can run before `notify(k)`";
    assert_eq!(title, expected);
    let note = "the condition variable would be notified after it was freed";
    assert!(notes.iter().any(|text| text == note), "{notes:?}");
    let (title, notes) = said("did", &["a|free(k)", "b|acq(k)"]);
    assert_eq!(
        title,
        "use after free of lock `k`: `acq(k)` ran after `free(k)`"
    );
    let note = "it was freed, not allocated again, and then acquired";
    assert!(notes.iter().any(|text| text == note), "{notes:?}");
    let (title, _) = said("twice", &["a|acq(k)", "a|rel(k)", "a|free(k)", "a|free(k)"]);
    assert_eq!(
        title,
        "double free of lock `k`: `free(k)` ran after `free(k)`"
    );
}

#[test]
fn a_send_after_close() {
    let mut lines = vec!["a|new(c:channel)", "a|fork(b)"];
    lines.extend(sections(&["a|c.send(1)/true"], &["b|c.close()/true"]));
    assert_shown("channel", &lines, "CM121", "CM121");
}

#[test]
fn a_cancellation_that_nobody_saw() {
    let mut lines = vec!["a|new(c:context)", "a|fork(b)"];
    lines.extend(sections(&["a|c.Err()/nil"], &["b|c.cancel()"]));
    assert_shown("context", &lines, "CM121", "CM121");
}

#[test]
fn a_file_that_is_closed_too_early() {
    let mut lines = vec!["a|new(f:file)", "a|fork(b)"];
    lines.extend(sections(&["a|f.read()"], &["b|f.close()"]));
    assert_shown("file", &lines, "CM121", "CM121");
}

#[test]
fn a_lost_wake_up() {
    let lines = [
        "a|acq(m)",
        "a|wait(c,m)",
        "b|acq(m)",
        "b|notify_all(c)",
        "b|rel(m)",
        "a|wake(c,m)",
        "a|rel(m)",
    ];
    assert_shown("wait", &lines, "CM121", "CM121");
}

#[test]
fn a_race_behind_a_lock() {
    let mut lines = vec!["a|w(x)"];
    lines.extend(sections(&["a|w(y)"], &["b|w(z)"]));
    lines.push("b|r(x)");
    assert_shown("race", &lines, "CM103", "CM102");
}

#[test]
fn a_race_on_an_object_behind_a_lock() {
    let mut lines = vec!["a|new(d:dictionary)", "a|fork(b)", "a|d.put(1,2)/nil"];
    lines.extend(sections(&["a|w(y)"], &["b|w(z)"]));
    lines.push("b|d.put(1,3)/2");
    assert_shown("dictionary", &lines, "CM103", "CM101");
}

/// The thesis' Figure 3.3: if the second section came first, the first would not
/// use what was freed.
#[test]
fn what_cannot_happen_is_not_reported() {
    let lines = sections(&["a|r(y)", "a|w(x)"], &["b|free(x)", "b|w(y)"]);
    let path = trace("no-uaf", &lines);
    assert_eq!(check(&path, &[]), (Vec::new(), Some(0)));
    for algorithm in ["hb", "wdc", "edc", "ccs", "cone"] {
        let args = ["--only", "prediction", "--algorithm", algorithm];
        assert_eq!(check(&path, &args).0, Vec::<Value>::new(), "{algorithm}");
    }
}

#[test]
fn references_are_never_certain() {
    let path = trace("references", &sections(&["a|w(x)"], &["b|free(x)"]));
    let args = ["--only", "prediction", "--algorithm", "edc"];
    let (findings, status) = check(&path, &args);
    assert_eq!(findings[0]["certainty"], "unconfirmed");
    assert_eq!(findings[0]["code"], "CM122");
    assert_eq!(status, Some(3));
    let deny = [&args[..], &["--deny", "unconfirmed"]].concat();
    assert_eq!(check(&path, &deny).1, Some(1));
}

#[test]
fn all_orders_shows_what_a_lock_leaves_open() {
    let path = trace("all-orders", &sections(&["a|w(x)"], &["b|w(x)"]));
    assert_eq!(check(&path, &[]).1, Some(0));
    let (findings, status) = check(&path, &["--all-orders"]);
    assert_eq!(
        (findings[0]["code"].as_str(), status),
        (Some("CM121"), Some(1))
    );
    let replay = findings[0]["replay"].as_str().expect("a command");
    assert!(replay.ends_with(" --all-orders"), "{replay}");
}

#[test]
fn lax_is_never_certain() {
    let mut lines = vec!["a|new(c:context)", "a|fork(b)"];
    lines.extend(sections(&["a|c.cancel()"], &["b|c.Err()/'cancelled'"]));
    let path = trace("lax", &lines);
    assert_eq!(check(&path, &["--only", "prediction"]).1, Some(0));
    let (findings, status) = check(&path, &["--only", "prediction", "--lax"]);
    assert_eq!(findings[0]["certainty"], "unconfirmed");
    assert_eq!(status, Some(3));
}

#[test]
fn lax_swaps_a_lock_with_its_end() {
    let lines = sections(&["a|free(k)"], &["b|acq(k)", "b|rel(k)"]);
    let path = trace("lax-lock", &lines);
    let (findings, _) = check(&path, &["--only", "prediction"]);
    let codes = |findings: &[Value]| -> Vec<String> {
        { findings.iter() }
            .map(|f| format!("{} {}", f["code"], f["certainty"]).replace('"', ""))
            .collect()
    };
    assert_eq!(codes(&findings), ["CM122 observed", "CM122 observed"]);
    let lines = sections(&["a|free(k)"], &["b|alloc(k)", "b|acq(k)", "b|rel(k)"]);
    let path = trace("lax-life", &lines);
    assert_eq!(check(&path, &["--only", "prediction", "--lax"]).1, Some(0));
    let lines = sections(&["a|acq(k)", "a|rel(k)"], &["b|free(k)"]);
    let path = trace("lax-free", &lines);
    let (findings, status) = check(&path, &["--only", "prediction", "--lax"]);
    // Nor would anybody notice that `k` is acquired after that.
    assert_eq!(codes(&findings), ["CM122 unconfirmed", "CM122 unconfirmed"]);
    assert_eq!(status, Some(3));
}

#[test]
fn a_section_that_does_not_end_is_unconfirmed() {
    let mut lines = sections(&["a|w(x)"], &["b|free(x)"]);
    lines.pop();
    let (findings, status) = check(&trace("open", &lines), &[]);
    assert_eq!(findings[0]["certainty"], "unconfirmed", "{findings:?}");
    assert_eq!(status, Some(3));
}

/// Two analyses find the same pair: it is reported once.
#[test]
fn an_observed_race_is_not_predicted_as_well() {
    let (findings, _) = check(&trace("once", &["a|w(x)", "b|w(x)"]), &[]);
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0]["code"], "CM102");
    let (findings, _) = check(&trace("happened", &["a|free(x)", "b|w(x)"]), &[]);
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0]["code"], "CM122");
    assert_eq!(findings[0]["certainty"], "observed");
}

#[test]
fn everything_planted_is_found() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("prediction-racy.std");
    let path = path.to_string_lossy().into_owned();
    let generate = ["trace", "generate", "--shape", "racy", "--events", "400000"];
    assert!(
        commute(&[&generate[..], &["-o", &path]].concat())
            .status
            .success()
    );
    let (findings, _) = check(&path, &["--only", "prediction"]);
    // Five rounds of three, and as many decoys.
    assert_eq!(findings.len(), 15, "{findings:?}");
    for finding in &findings {
        assert_eq!(finding["certainty"], "certified");
        let place = finding["events"][0]["location"].as_str();
        assert!(place.is_some_and(|place| place.starts_with("planted.rs")));
        assert!(finding["witness"]["prefix"].as_u64() > Some(0));
    }
    let (others, status) = check(&path, &["--only", "races,data-races,atomicity"]);
    assert_eq!((others, status), (Vec::new(), Some(0)));
    let id = findings[14]["fingerprint"].as_str().expect("an id");
    let shown = commute(&["trace", "show", &path, "--witness", id]);
    let witness = path.replace(".std", "-witness.std");
    std::fs::write(&witness, &shown.stdout).expect("a temporary file can be written");
    let valid = commute(&["trace", "validate", &witness]);
    assert_eq!(valid.status.code(), Some(0), "{valid:?}");
    let (again, _) = check(&witness, &[]);
    assert!(again.iter().any(|f| f["certainty"] == "observed"));
}

#[test]
fn a_witness_that_is_not_there() {
    let path = trace("absent", &sections(&["a|w(x)"], &["b|free(x)"]));
    let said = |args: &[&str]| {
        let output = commute(&[&["trace", "show"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(said(&[&path, "--witness", "zzz"]).contains("no predicted finding is `zzz`"));
    assert!(said(&[&path, "--witness", ""]).contains("which of these?"));
    assert!(said(&["-", "--witness", "abc"]).contains("standard input"));
    let clean = trace("clean", &["a|r(x)", "b|r(x)"]);
    assert!(said(&[&clean, "--witness", "abc"]).contains("nothing was predicted"));
}

/// The name is given to something else before the use: the witness tells the two
/// apart.
#[test]
fn memory_that_is_used_again() {
    let mut lines = vec!["a|alloc(x)", "a|fork(b)"];
    let second = ["b|free(x)", "b|alloc(x)", "b|w(x)"];
    lines.extend(sections(&["a|w(x)"], &second));
    let path = trace("realloc", &lines);
    let (findings, _) = check(&path, &[]);
    let id = findings[0]["fingerprint"].as_str().expect("an id");
    let shown = commute(&["trace", "show", &path, "--witness", id]);
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(
        shown.contains("b|w(x@1)") && shown.contains("a|w(x)"),
        "{shown}"
    );
    let witness = path.replace(".std", "-witness.std");
    std::fs::write(&witness, &shown).expect("a temporary file can be written");
    let (again, _) = check(&witness, &[]);
    assert_eq!(again[0]["certainty"], "observed", "{again:?}");
}

/// The same for a lock: the witness has the old one and the new one.
#[test]
fn a_lock_whose_memory_is_used_again() {
    let mut lines = vec!["a|alloc(k)", "a|fork(b)"];
    let second = ["b|free(k)", "b|alloc(k)", "b|acq(k)", "b|rel(k)"];
    lines.extend(sections(&["a|acq(k)", "a|rel(k)"], &second));
    let path = trace("realloc-lock", &lines);
    let (findings, _) = check(&path, &[]);
    assert_eq!(findings.len(), 1, "{findings:?}");
    let id = findings[0]["fingerprint"].as_str().expect("an id");
    let shown = commute(&["trace", "show", &path, "--witness", id]);
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(
        shown.contains("b|acq(k@1)") && shown.contains("a|acq(k)"),
        "{shown}"
    );
    let witness = path.replace(".std", "-witness.std");
    std::fs::write(&witness, &shown).expect("a temporary file can be written");
    let (again, _) = check(&witness, &[]);
    assert_eq!(again[0]["certainty"], "observed", "{again:?}");
    assert_eq!(again[0]["code"], "CM122", "{again:?}");
}

/// The second object has only its name in common with the first.
#[test]
fn an_object_that_is_dropped_twice() {
    let lines = [
        "a|new(o:dictionary)",
        "a|w(y)",
        "a|drop(o)",
        "b|new(o:dictionary)",
        "b|drop(o)",
        "b|w(y)",
    ];
    let (findings, _) = check(&trace("drops", &lines), &["--only", "prediction"]);
    assert_eq!(findings[0]["code"], "CM103", "{findings:?}");
}

/// A channel as it is meant: nothing is a race, in whichever order equal messages
/// come.
#[test]
fn messages_and_their_end() {
    let lines = [
        "a|new(c:channel)",
        "a|fork(b)",
        "a|c.send(1)/true",
        "b|c.recv()/1",
        "a|c.send(1)/true",
        "b|c.recv()/1",
        "a|c.close()/true",
        "b|c.recv()/nil",
        "a|join(b)",
    ];
    let path = trace("messages", &lines);
    assert_eq!(
        check(&path, &["--only", "prediction"]),
        (Vec::new(), Some(0))
    );
}

/// Two places are one finding, whoever comes first, and it is counted.
#[test]
fn a_race_in_a_loop() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("prediction-loop.std");
    let lines = "a|w(x)|f.rs:1\nb|w(x)|f.rs:2\n".repeat(50);
    std::fs::write(&path, lines).expect("a temporary file can be written");
    let (findings, _) = check(&path.to_string_lossy(), &["--only", "prediction"]);
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0]["count"], 99);
}

/// Locks that are not used well make a clean answer worthless.
#[test]
fn an_ill_formed_trace_is_not_clean() {
    let path = trace("ill-formed", &["a|acq(m)", "a|w(x)", "b|acq(m)", "b|r(q)"]);
    assert_eq!(
        check(&path, &["--only", "prediction"]),
        (Vec::new(), Some(3))
    );
}

/// Thousands of events apart, and nothing has to be reversed.
#[test]
fn far_apart() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("prediction-far.std");
    let far = "b|r(y)|f.rs:2\n".repeat(9_000);
    let lines = format!("a|w(x)|f.rs:1\n{far}b|w(x)|f.rs:3\n");
    std::fs::write(&path, lines).expect("a temporary file can be written");
    let (findings, _) = check(&path.to_string_lossy(), &["--only", "prediction"]);
    assert_eq!(findings[0]["certainty"], "certified", "{findings:?}");
}

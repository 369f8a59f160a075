//! `commute test`: the workloads have as many outcomes as is known, mistakes are found.
#![cfg(unix)]

#[path = "../../commute-report/tests/documents/schema.rs"]
mod schema;

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
        .args(["-p", "commute-workloads"])
        .current_dir(root())
        .env("CARGO_TERM_QUIET", "true")
        .output()
        .expect("commute can be started")
}

/// Explores the tests of a binary: the lines of JSON.
fn explored(arguments: &[&str]) -> (Option<i32>, Vec<Value>) {
    let mut all = vec!["test", "--message-format", "json", "--color", "never"];
    all.extend(arguments);
    let output = commute(&all);
    let stdout = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<Value> = { stdout.lines() }
        .map(|line| serde_json::from_str(line).expect(line))
        .collect();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!lines.is_empty(), "{stderr}");
    (output.status.code(), lines)
}

fn tests(lines: &[Value]) -> BTreeMap<&str, &Value> {
    let tests = lines.iter().filter(|line| line["reason"] == "test");
    let named = tests.map(|line| (line["name"].as_str().expect("a name"), line));
    named.collect()
}

/// Outcomes, for N = 4, 5, 6 and 7; of `ht_mixed` for 2, 3, 4 and 5.
const WORKLOADS: &[(&str, [u64; 4])] = &[
    ("counter", [1, 1, 1, 1]),
    ("set_add", [1, 1, 1, 1]),
    ("set_seek", [1, 1, 1, 1]),
    ("uf_find", [1, 1, 1, 1]),
    ("set_add_size", [4, 5, 6, 7]),
    ("ht_put", [2, 4, 8, 24]),
    ("uf_mixed", [4, 4, 8, 8]),
    ("ht_mixed", [3, 14, 120, 1296]),
    ("fkp2013", [4, 5, 6, 7]),
];

#[test]
fn every_workload_runs_once_for_each_outcome() {
    let (code, lines) = explored(&["--test", "workloads"]);
    let tests = tests(&lines);
    let check = |name: &str, outcomes: u64| {
        let line = tests.get(name).unwrap_or_else(|| panic!("{name}"));
        assert_eq!(line["verdict"], "passed", "{line}");
        assert_eq!(line["outcomes"], outcomes, "{line}");
        assert_eq!(line["executions"], outcomes, "{line}");
        assert_eq!(line["redundant"], 0, "{line}");
    };
    for (name, outcomes) in WORKLOADS {
        let first = if *name == "ht_mixed" { 2 } else { 4 };
        for (n, outcomes) in (first..).zip(outcomes) {
            check(&format!("{name}_{n}"), *outcomes);
        }
    }
    check("counter_50", 1);
    // As docs/comparison.md has it.
    for (n, orders) in [(2, 2), (3, 6), (4, 24)] {
        check(&format!("locked_{n}"), orders);
    }
    check("set_add_size_50", 50);
    check("fkp2013_50", 50);
    assert_eq!(code, Some(0));
}

#[test]
fn mistakes_are_found_and_what_is_right_passes() {
    let (code, lines) = explored(&["--test", "classics"]);
    assert_eq!(code, Some(1));
    let wrong = [
        ("count::count_cleans_up_twice", "CM301"),
        ("free_list::free_list_aba", "CM301"),
        ("lazy::lazy_is_made_twice", "CM301"),
        ("locks::locks_in_two_orders", "CM302"),
        ("mailbox::mailbox_lost_wake_up", "CM302"),
        ("queue::queue_misses_a_notification", "CM302"),
        ("registry::registry_gives_a_name_twice", "CM301"),
        ("semaphore::semaphore_lets_two_in", "CM301"),
    ];
    let tests = tests(&lines);
    assert_eq!(tests.len(), 2 * wrong.len());
    for (name, line) in tests {
        let mistake = wrong.iter().find(|(wrong, _)| *wrong == name);
        let expected = if mistake.is_some() {
            "failed"
        } else {
            "passed"
        };
        assert_eq!(line["verdict"], expected, "{line}");
        if let Some((_, code)) = mistake {
            let about = |line: &&Value| {
                let title = line["title"].as_str().unwrap_or_default();
                line["reason"] == "finding" && title.contains(&format!("`{name}`"))
            };
            let finding = lines.iter().find(about).unwrap_or_else(|| panic!("{name}"));
            assert_eq!(finding["code"], *code, "{finding}");
            assert_eq!(finding["witness"]["kind"], "schedule", "{finding}");
        }
    }
}

#[test]
fn programs_of_verifiers() {
    let (_, lines) = explored(&["--test", "svcomp"]);
    let tests = tests(&lines);
    let line = |name: &str| tests[name];
    let executions = |name: &str| line(name)["executions"].as_u64().expect("a number");
    assert_eq!(line("svcomp_sigma")["verdict"], "failed");
    assert_eq!(executions("svcomp_sigma"), 1);
    assert_eq!(line("svcomp_fkp2013")["verdict"], "failed");
    assert!(executions("svcomp_fkp2013") <= 52);
    assert_eq!(line("svcomp_fkp2013_holds")["verdict"], "passed");
    assert!(executions("svcomp_fkp2013_holds") <= 52);
    assert_eq!(executions("svcomp_pthread_demo_datarace"), 1);
    for name in [
        "svcomp_pthread_demo_datarace",
        "svcomp_qw2004_variant",
        "svcomp_qw2004_variant_each",
        "svcomp_ring_2w1r",
        "svcomp_workstealqueue_mutex",
    ] {
        assert_eq!(line(name)["verdict"], "passed", "{}", line(name));
    }
    assert_eq!(line("svcomp_ring_2w1r")["outcomes"], 1_430);
    // So many of ten were in time; which is told apart only if they are.
    assert_eq!(line("svcomp_qw2004_variant")["outcomes"], 11);
    assert_eq!(executions("svcomp_qw2004_variant"), 11);
    assert_eq!(line("svcomp_qw2004_variant_each")["outcomes"], 1_024);
}

/// What no exploration sees is named, and its kind is a word in JSON.
#[test]
fn causes_of_known_kinds_are_words() {
    let (code, lines) = explored(&["--test", "asynchronous"]);
    assert_eq!(code, Some(3));
    let tests = tests(&lines);
    for (name, cause, reason) in [
        (
            "awaits_what_keeps_its_waker_elsewhere",
            "foreign-future",
            "the test awaits something that is not explored: `asynchronous::Gate` at ",
        ),
        (
            "says_that_a_runtime_is_not_there",
            "no-runtime",
            "the test needs a runtime that is not explored: there is no reactor running",
        ),
    ] {
        let line = tests.get(name).unwrap_or_else(|| panic!("{name}"));
        assert_eq!(line["verdict"], "inconclusive", "{line}");
        assert_eq!(line["causes"][0], cause, "{line}");
        let said = line["reasons"][0].as_str().expect("a reason");
        assert!(said.starts_with(reason), "{said}");
    }
}

#[test]
fn a_failure_is_run_again() {
    let (_, lines) = explored(&["locks_in_two_orders"]);
    let finding = { lines.iter() }
        .find(|line| line["reason"] == "finding")
        .expect("it fails");
    let id = &finding["fingerprint"].as_str().expect("a fingerprint")[..8];
    let output = commute(&["replay", id, "--message-format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.contains("CM302"), "{stdout}");
    let sarif = ["--message-format", "sarif"];
    let output = commute(&[&["replay", id][..], &sarif].concat());
    let replayed = schema::valid(&String::from_utf8_lossy(&output.stdout));
    let output = commute(&[&["test", "locks_in_two_orders"][..], &sarif].concat());
    let explored = schema::valid(&String::from_utf8_lossy(&output.stdout));
    for log in [replayed, explored] {
        let result = &log["runs"][0]["results"][0];
        assert_eq!(
            result["partialFingerprints"]["commute/v1"],
            finding["fingerprint"]
        );
    }
    let output = commute(&["replay", "no such thing"]);
    assert_eq!(output.status.code(), Some(2));
}

/// A test case for each test, with what came of it and how long it took.
#[test]
fn tests_are_test_cases() {
    let output = commute(&["test", "locks_in", "--message-format", "junit"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let report = quick_junit::Report::deserialize_from_str(&text);
    let report = report.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let cases = &report.test_suites[0].test_cases;
    let case = cases
        .iter()
        .find(|case| case.name.contains("locks_in_two_orders"));
    let case = case.expect("a test case");
    assert!(case.time.is_some(), "{text}");
    let quick_junit::TestCaseStatus::NonSuccess { kind, ty, .. } = &case.status else {
        panic!("it fails: {text}");
    };
    assert_eq!(*kind, quick_junit::NonSuccessKind::Failure);
    assert_eq!(ty.as_deref(), Some("CM302"));
}

#[test]
fn a_failing_schedule_is_drawn() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("explored-schedule.html");
    let html = path.to_string_lossy();
    let drawn = |test: &str| -> (Vec<String>, Vec<String>) {
        let output = commute(&["test", "--quiet", "--no-store", "--html", &html, test]);
        assert_eq!(output.status.code(), Some(1));
        let page = std::fs::read_to_string(&path).expect("a page");
        let boxes = page.split("<g class=\"event").skip(1);
        let (mut plain, mut marked) = (Vec::new(), Vec::new());
        for event in boxes {
            let title = event.split("<title>").nth(1).expect("a title");
            let title = title.split(['\n', '<']).next().expect("a line").to_owned();
            match event.starts_with(" marked") {
                true => marked.push(title),
                false => plain.push(title),
            }
        }
        // Each has the lock that the other one waits for, or sees what the other did.
        assert!(page.contains("<g class=\"arrow order\""), "{test}");
        (plain, marked)
    };
    assert_eq!(
        drawn("locks_in_two_orders"),
        (
            vec![
                "main, event 1: spawn(T1)".to_owned(),
                "main, event 2: mutex#1.lock()".to_owned(),
                "T1, event 3: mutex#2.lock()".to_owned(),
            ],
            vec![
                "main, event 4, of the finding: waits to do mutex#2.lock()".to_owned(),
                "T1, event 5, of the finding: waits to do mutex#1.lock()".to_owned(),
            ]
        )
    );
    let page = std::fs::read_to_string(&path).expect("a page");
    // Nobody gives a lock back: both are held to the end of the diagram.
    let number = |text: &str, name: &str| -> u32 {
        let after = text.split(&format!(" {name}=\"")).nth(1).expect(name);
        after.split('"').next().unwrap().parse().expect("a number")
    };
    let height = number(page.split("<svg").nth(1).expect("a diagram"), "height");
    let locks: Vec<&str> = page.split("class=\"extent lock\"").skip(1).collect();
    let ends = { locks.iter() }.map(|lock| number(lock, "y") + number(lock, "height"));
    assert_eq!(ends.collect::<Vec<_>>(), [height - 4; 2]);
    let (_, marked) = drawn("count_cleans_up_twice");
    assert_eq!(
        marked.len(),
        3,
        "two that do not commute, and a panic: {marked:?}"
    );
    assert!(marked[2].contains("panics: assertion"), "{marked:?}");
}

#[test]
fn nothing_to_explore_is_not_passed() {
    let (code, lines) = explored(&["no_test_has_this_name"]);
    assert_eq!(code, Some(3), "{lines:?}");
}

/// Where a bound means nothing it is not passed over.
#[test]
fn a_bound_on_preemptions_needs_an_engine_that_has_it() {
    for engine in ["outcomes", "dpor", "ncmc", "mcr"] {
        let output = commute(&["test", "--engine", engine, "--preemptions", "2"]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("cannot bound preemptions"), "{stderr}");
        assert!(
            stderr.contains("`exhaustive`, `random` and `pct` can"),
            "{stderr}"
        );
    }
    let bounded = ["counter_4", "--engine", "exhaustive", "--preemptions", "0"];
    let (code, lines) = explored(&bounded);
    assert_eq!(code, Some(3), "{lines:?}");
    assert!(format!("{lines:?}").contains("bounded"), "{lines:?}");
}

/// What the engine that is used by default sees of real code, the others do.
#[test]
fn engines_see_the_same_of_real_code() {
    let explored = |engine: &str| {
        let some = ["--test", "classics", "--engine", engine, "--keep-going"];
        explored(&some).1
    };
    let lines = explored("outcomes");
    let expected = tests(&lines);
    assert!(expected.len() >= 14, "{:?}", expected.keys());
    for engine in ["dpor", "ncmc", "mcr"] {
        let lines = explored(engine);
        let seen = tests(&lines);
        assert!(seen.keys().eq(expected.keys()), "{engine}");
        for (name, test) in seen {
            for what in ["verdict", "outcomes"] {
                assert_eq!(test[what], expected[name][what], "{engine}, {name}: {what}");
            }
        }
    }
}

/// By which rules two operations do not commute, of each finding of the next test: what
/// others did can be moved neither before the method nor behind it.
const RULES: &[(&str, &[&str])] = &[
    (
        "a_desk_is_taken_in_two_steps",
        &[
            "`contains_key(k1)/r1 ~ insert(k2, v2)/p2 : k1 != k2 || p2 != nil` does not hold with \
             k1 = 'Desk(1)', k2 = 'Desk(1)', p2 = nil",
            "`insert(k1, v1)/p1 ~ insert(k2, v2)/p2 : k1 != k2 || (v1 == p1 && v2 == p2)` does \
             not hold with k1 = 'Desk(1)', k2 = 'Desk(1)', v1 = 1, p1 = nil, v2 = 7, p2 = 1",
        ],
    ),
    (
        "a_number_is_drawn_in_two_steps",
        &[
            "`load ~ store : false` does not hold",
            "`load ~ store : false` does not hold",
        ],
    ),
    ("a_price_leaves_its_lock", &[SECTIONS, SECTIONS]),
    (
        "a_session_is_opened_in_two_steps",
        &[
            "`get(k1)/v1 ~ insert(k2, v2)/p2 : k1 != k2 || v2 == p2` does not hold with \
             k1 = 'a', k2 = 'a', v2 = 1, p2 = nil",
            "`insert(k1, v1)/p1 ~ insert(k2, v2)/p2 : k1 != k2 || (v1 == p1 && v2 == p2)` does \
             not hold with k1 = 'a', k2 = 'a', v1 = 1, p1 = nil, v2 = 7, p2 = 1",
        ],
    ),
    ("nobody_opens_the_gate", &[]),
];

const SECTIONS: &str = "both are sections of one lock: one that may change what is inside does \
                        not commute with one that reads it";

#[test]
fn methods_are_attacked_and_what_was_found_is_replayed() {
    let (code, lines) = explored(&["--test", "composed"]);
    assert_eq!(code, Some(1));
    let tests = tests(&lines);
    let verdict = |name: &str| tests[name]["verdict"].as_str().unwrap_or_default();
    assert_eq!(verdict("a_session_is_opened_at_once"), "passed");
    assert_eq!(verdict("a_session_is_opened_by_several"), "passed");
    assert_eq!(verdict("a_session_is_opened_whatever_happens"), "passed");
    assert_eq!(verdict("somebody_opens_the_gate"), "passed");
    assert_eq!(verdict("a_session_is_opened_in_two_steps"), "failed");
    assert_eq!(verdict("nobody_opens_the_gate"), "failed");
    let weak = tests["numbers_are_drawn"];
    assert_eq!(weak["verdict"], "passed");
    assert!(
        weak["notes"].to_string().contains("weaker orderings"),
        "{weak}"
    );
    assert_eq!(verdict("a_desk_is_taken_in_two_steps"), "failed");
    assert_eq!(verdict("a_price_leaves_its_lock"), "failed");
    assert_eq!(verdict("a_number_is_drawn_in_two_steps"), "failed");
    let line = tests["a_session_is_opened_at_once"];
    assert!(
        line["histories"].as_u64() > line["executions"].as_u64(),
        "{line}"
    );
    let findings: Vec<&Value> = { lines.iter() }
        .filter(|line| line["reason"] == "finding")
        .collect();
    let codes: Vec<&str> = { findings.iter() }
        .filter_map(|finding| finding["code"].as_str())
        .collect();
    assert_eq!(codes, ["CM401", "CM401", "CM401", "CM401", "CM402"]);
    for (finding, (test, rules)) in findings.into_iter().zip(RULES) {
        let notes: Vec<&str> = { finding["notes"].as_array().into_iter().flatten() }
            .filter(|note| note["label"] == "why")
            .filter_map(|note| note["text"].as_str()?.split_once('\n'))
            .map(|(_, rule)| rule)
            .collect();
        let title = finding["title"].as_str().unwrap_or_default();
        assert!(title.contains(test), "{title}");
        assert_eq!(notes, *rules, "{test}");
        assert_eq!(finding["witness"]["kind"], "history");
        let id = &finding["fingerprint"].as_str().expect("a fingerprint")[..8];
        let output = commute(&["replay", id, "--message-format", "json"]);
        assert_eq!(output.status.code(), Some(1));
        let text = String::from_utf8_lossy(&output.stdout);
        let again: Value = { text.lines() }
            .map(|line| serde_json::from_str::<Value>(line).expect(line))
            .find(|line| line["reason"] == "finding")
            .expect("the same finding");
        assert_eq!(again["notes"], finding["notes"]);
    }
}

/// What holds for explorations holds for attacks.
#[test]
fn attacks_keep_to_what_is_allowed() {
    let denied = explored(&[
        "--test",
        "composed",
        "numbers_are_drawn",
        "--deny",
        "weak-orderings",
    ]);
    assert_eq!(denied.0, Some(3));
    let cut = explored(&[
        "--test",
        "composed",
        "opened_at_once",
        "--max-executions",
        "5",
    ]);
    assert_eq!(cut.0, Some(3));
    let reasons = tests(&cut.1)["a_session_is_opened_at_once"]["reasons"].to_string();
    assert!(reasons.contains("--max-executions"), "{reasons}");
}

/// A list is no exploration: it has no verdict, and is no document.
#[test]
fn tests_are_listed() {
    let (code, lines) = explored(&["--list", "--test", "classics", "locks_in"]);
    assert_eq!(code, Some(0));
    let names: Vec<&Value> = lines.iter().map(|line| &line["name"]).collect();
    let expected = ["locks::locks_in_one_order", "locks::locks_in_two_orders"];
    assert_eq!(names, expected);
    assert!(lines.iter().all(|line| line["reason"] == "listed-test"));
    let list = ["test", "--list", "--test", "classics", "locks_in"];
    let output = commute(&list);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        expected.join("\n") + "\n"
    );
    let output = commute(&[&list[..], &["--message-format", "sarif"]].concat());
    assert_eq!(
        (output.status.code(), &output.stdout[..]),
        (Some(2), &b""[..])
    );
}

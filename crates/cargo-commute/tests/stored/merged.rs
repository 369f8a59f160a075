//! `commute report merge`.

use crate::project::{BROKEN, CLEAN, ILL_FORMED, Project, RACE, Said, TWO_RACES, UNCERTAIN};

/// The cases of a JUnit document, each with what came of it.
fn cases(said: &Said) -> Vec<(&str, &'static str)> {
    let cases = said.stdout.split("<testcase name=\"").skip(1);
    let case = |text| -> Option<(&str, &str)> {
        let (name, rest): (&str, &str) = str::split_once(text, '"')?;
        let word = [
            ("<failure ", "failure"),
            ("type=\"bad input\"", "bad input"),
            ("type=\"inconclusive\"", "inconclusive"),
        ];
        let found = word.iter().find(|(mark, _)| rest.contains(mark));
        Some((name, found.map_or("passed", |(_, word)| word)))
    };
    cases.filter_map(case).collect()
}

#[test]
fn runs_in_folders_are_joined() {
    let project = Project::new(&[("a.std", RACE), ("b.std", TWO_RACES), ("c.std", RACE)]);
    project.commute("check a.std --out-dir one");
    project.commute("check b.std --out-dir two");
    // The same command line again replaces what it found.
    project.commute("check b.std --out-dir two");
    let said = project.commute("report merge one two --message-format short");
    assert_eq!(said.code, Some(1));
    assert!(
        said.stdout
            .contains("violations: 2 findings (CM102 x2) in 6 events"),
        "{said:?}"
    );
    let said = project.commute("report one two --message-format short");
    assert!(
        said.stdout
            .contains("violations: 3 findings (CM102 x3) in 6 events"),
        "{said:?}"
    );
    // What one run knows and another does not is not known.
    project.commute("check a.std --write-baseline known.jsonl --no-store");
    project.commute("check a.std --baseline known.jsonl --out-dir knows");
    let said = project.commute("report merge knows --message-format short");
    assert!(
        said.stdout
            .contains("clean: no findings, 1 known from the baseline"),
        "{said:?}"
    );
    for order in ["knows one", "one knows"] {
        let said = project.commute(&format!("report merge {order} --message-format short"));
        assert!(
            said.stdout
                .contains("violations: 1 finding (CM102 x1) in 4 events"),
            "{said:?}"
        );
    }
    // Every trace is a test case of its own, unless all of it is told of another.
    project.commute("check c.std --out-dir three");
    let said = project.commute("report merge one two three --message-format junit");
    assert_eq!(said.code, Some(1));
    let expected = [("a.std", "failure"), ("b.std", "failure")];
    assert_eq!(cases(&said), expected, "{said:?}");
    // Events are read again, for the diagrams.
    project.commute("report merge one two --html merged.html");
    let page = project.read("merged.html");
    assert_eq!(page.matches("<figure class=\"diagram\"").count(), 2);
    assert_eq!(page.matches("<g class=\"event").count(), 2 + 4);
    project
        .commute("report one merge two")
        .is_refused("cannot read merge");
    project
        .commute("report merge none")
        .is_refused("cannot read none");
}

/// A run was made once, whatever names it has here.
#[test]
fn a_file_counts_once() {
    let project = Project::new(&[("a.std", RACE)]);
    project.commute("check a.std --out-dir one");
    let once = project.commute("report one --message-format json");
    let file = project.runs("one/findings")[0].display().to_string();
    for words in ["one one", "one one/findings", &format!("one ./one {file}")] {
        for command in ["report", "report merge"] {
            let said = project.commute(&format!("{command} {words} --message-format json"));
            assert_eq!(said, once, "{command} {words}");
        }
    }
}

/// A path starts from where the run was made.
#[test]
fn traces_of_one_name_are_told_apart_by_their_folders() {
    let project = Project::new(&[
        ("one/t.std", CLEAN),
        ("two/t.std", RACE),
        ("two/a.rs", "two();\n"),
        ("one/a.rs", "one();\n"),
        ("three/t.std", BROKEN),
    ]);
    for folder in ["one", "two", "three"] {
        let mut command = project.command("check t.std --out-dir out");
        let output = command.current_dir(project.path(folder)).output();
        output.expect("commute runs");
    }
    let said = project.commute("report merge one/out two/out --message-format junit");
    assert_eq!(said.code, Some(1), "{said:?}");
    let expected = [("one/t.std", "passed"), ("two/t.std", "failure")];
    assert_eq!(cases(&said), expected, "{said:?}");
    // Each has its own source code.
    assert!(said.stdout.contains("two();"), "{said:?}");
    // What could not be read is told once.
    let said = project.commute("report merge three/out one/out --message-format json");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert_eq!(said.stdout.matches("was not read to its end").count(), 1);
    // The same file is one trace, wherever somebody was.
    project.commute("check two/t.std --out-dir here");
    let said = project.commute("report merge here two/out --message-format junit");
    assert_eq!(cases(&said), [("two/t.std", "failure")], "{said:?}");
}

/// What is not known of a trace is told as its own, and the run ends as those did that are
/// joined.
#[test]
fn what_could_not_be_judged_has_not_passed() {
    let project = Project::new(&[
        ("race.std", RACE),
        ("broken.std", BROKEN),
        ("ill.std", ILL_FORMED),
        ("clean.std", CLEAN),
    ]);
    for name in ["race", "broken", "ill", "clean"] {
        project.commute(&format!("check {name}.std --out-dir {name}"));
    }
    let all = "race broken ill clean --message-format junit";
    let said = project.commute(&format!("report merge {all}"));
    assert_eq!(said.code, Some(2), "{said:?}");
    let expected = [
        ("race.std", "failure"),
        ("broken.std", "bad input"),
        ("ill.std", "inconclusive"),
        ("clean.std", "passed"),
    ];
    assert_eq!(cases(&said), expected, "{said:?}");
    let reason = "event 1 releases a lock";
    assert!(
        said.stderr.contains(&format!("; ill.std: {reason}")),
        "{said:?}"
    );
    assert_eq!(said.stderr.matches(reason).count(), 1, "{said:?}");
    for (runs, code) in [
        ("ill clean", 3),
        ("race ill", 1),
        ("clean broken", 2),
        ("clean", 0),
    ] {
        let said = project.commute(&format!("report merge {runs}"));
        assert_eq!(said.code, Some(code), "{said:?}");
    }
}

/// The same of what was printed, which says less.
#[test]
fn what_was_printed_is_joined() {
    let project = Project::new(&[
        ("race.std", RACE),
        ("broken.std", BROKEN),
        ("ill.std", ILL_FORMED),
    ]);
    for (traces, file) in [
        ("broken.std", "one.json"),
        ("race.std broken.std ill.std", "all.json"),
    ] {
        let said = project.commute(&format!("check {traces} --message-format json"));
        project.write(file, &said.stdout);
    }
    for words in ["report merge", "report"] {
        let said = project.commute(&format!("{words} one.json --message-format junit"));
        assert_eq!(said.code, Some(2), "{said:?}");
        assert_eq!(cases(&said), [("broken.std", "bad input")], "{said:?}");
        assert!(said.stdout.contains("broken.std:3:14: "), "{said:?}");
        assert!(said.stdout.contains(" in 2 events, 2 threads"), "{said:?}");
    }
    let said = project.commute("report merge all.json --message-format junit");
    let of_all = ("commute report merge", "inconclusive");
    let expected = [("race.std", "failure"), ("broken.std", "bad input"), of_all];
    assert_eq!(cases(&said), expected, "{said:?}");
    project.write("empty.json", "\n\n");
    for words in ["report merge", "report", "report diff one.json"] {
        let said = project.commute(&format!("{words} empty.json"));
        said.is_refused("empty.json:1:1: it is empty");
    }
}

#[test]
fn what_is_not_certain_fails_if_it_did() {
    let project = Project::new(&[("order.std", UNCERTAIN), ("clean.std", CLEAN)]);
    let check = "check order.std --algorithm wdc --only prediction";
    for (flags, folder, code) in [("", "lenient", 3), ("--deny unconfirmed", "strict", 1)] {
        let said = project.commute(&format!("{check} {flags} --out-dir {folder}"));
        assert_eq!(said.code, Some(code), "{said:?}");
        project.commute(&format!("check clean.std --out-dir {folder}"));
        let said = project.commute(&format!("report merge {folder}"));
        assert_eq!(said.code, Some(code), "{said:?}");
        let reasons = said.stdout.matches("what was found is not certain").count();
        assert_eq!(reasons, usize::from(code == 3), "{said:?}");
    }
}

/// What a part of a test says is not said of the whole.
#[test]
fn a_test_that_passed_in_another_run_is_settled() {
    let project = Project::new(&[]);
    // The first is a part, of which the rest was not explored.
    let run = |verdict: &str, reasons: &str, of_all: &str| {
        let shard = ["", "\"shard\":\"1/2\","][usize::from(!reasons.is_empty())];
        format!(
            "{{\"schema\":1,\"reason\":\"test\",\"name\":\"a::t\",\"verdict\":\"{verdict}\",\
             {shard}\"executions\":3,\"outcomes\":2,\"reasons\":[{reasons}]}}\n\
             {{\"schema\":1,\"reason\":\"summary\",\"verdict\":\"inconclusive\",\
             \"reasons\":[{of_all}]}}\n"
        )
    };
    let bound = run("inconclusive", "\"a bound\"", "\"a::t: a bound\"");
    project.write("bound.json", &bound);
    project.write("passed.json", &run("passed", "", ""));
    project.write("failed.json", &run("failed", "", ""));
    let said = project.commute("report merge bound.json --message-format junit");
    assert_eq!(said.code, Some(3), "{said:?}");
    assert_eq!(cases(&said), [("a::t", "inconclusive")], "{said:?}");
    let said = project.commute("report merge bound.json passed.json");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.stdout.contains("1 test: 1 passed"), "{said:?}");
    let said = project.commute("report merge passed.json failed.json --message-format junit");
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.stdout.contains("it failed, and why is in none"));
}

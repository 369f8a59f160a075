//! What was printed with `--message-format json`, which does not list all that it counts.

use crate::project::{CLEAN, Project, RACE, TWO_RACES};

/// A project with a trace in which two races were found, and what a run printed of it.
fn printed(flags: &str) -> Project {
    let list = ("list", "CM102 object=x\n");
    let project = Project::new(&[("a.std", TWO_RACES), ("x.std", RACE), list]);
    project.commute("check x.std --write-baseline known.jsonl --no-store");
    project.commute("check a.std --out-dir stored");
    let said = project.commute(&format!(
        "check a.std --no-store --message-format json {flags}"
    ));
    project.write("printed.json", &said.stdout);
    project
}

#[test]
fn what_is_not_listed_was_found_all_the_same() {
    let project = printed("--max-findings 0");
    for words in ["report", "report merge"] {
        let said = project.commute(&format!("{words} printed.json"));
        assert_eq!(said.code, Some(1), "{said:?}");
        let (verdict, reason) = (
            "commute: violations: 2 findings in 4 events",
            ": 2 more findings are not in printed.json\n",
        );
        assert!(said.stdout.starts_with(verdict), "{said:?}");
        assert!(said.stdout.ends_with(reason), "{said:?}");
        let said = project.commute(&format!("{words} printed.json --message-format junit"));
        assert!(said.stdout.contains("errors=\"1\""), "{said:?}");
    }
    let said = project.commute("report diff stored printed.json");
    assert_eq!(said.code, Some(3), "{said:?}");
    let note = "note: what is called fixed may not have been looked at: \
                2 more findings are not in printed.json\n";
    assert_eq!(said.stderr, note);
    let project = printed("--max-findings 1");
    let said = project.commute("report printed.json");
    assert_eq!(said.code, Some(1), "{said:?}");
    let reason = ": 1 more finding is not in printed.json\n";
    assert!(said.stdout.ends_with(reason), "{said:?}");
}

#[test]
fn what_is_known_or_suppressed_is_counted() {
    for (flags, counted, note) in [
        (
            "--baseline known.jsonl",
            "violations: 1 finding (CM102 x1), 1 known from the baseline in 4 events",
            "note: what is called fixed may be known from a baseline: 1 finding known in the \
             new run, which does not list them\n",
        ),
        (
            "--suppress list",
            "violations: 1 finding (CM102 x1), 1 suppressed in 4 events",
            "note: what is called fixed may be suppressed: 1 finding suppressed in the new run\n",
        ),
    ] {
        let project = printed(flags);
        for words in ["report", "report merge"] {
            let said = project.commute(&format!("{words} printed.json"));
            assert_eq!(said.code, Some(1), "{said:?}");
            assert!(said.stdout.contains(counted), "{said:?}");
        }
        let said = project.commute("report diff stored printed.json");
        assert_eq!((said.code, &*said.stderr), (Some(0), note), "{said:?}");
    }
}

#[test]
fn what_is_clean_is_a_test_case() {
    let project = printed("");
    project.write("a.std", CLEAN);
    let said = project.commute("check a.std --no-store --message-format json");
    project.write("clean.json", &said.stdout);
    for words in ["report", "report merge"] {
        let said = project.commute(&format!("{words} clean.json --message-format junit"));
        assert_eq!(said.code, Some(0), "{said:?}");
        let case = "<testcase name=\"clean.json\"";
        assert_eq!(said.stdout.matches(case).count(), 1, "{said:?}");
    }
}

/// Of a test that failed nothing may be listed, because it is known, or was not to be shown.
#[test]
fn a_failing_test_has_not_passed() {
    let project = Project::new(&[]);
    let test = "{\"schema\":1,\"reason\":\"test\",\"name\":\"t\",\"verdict\":\"failed\"}\n";
    for (summary, code, case) in [
        ("\"verdict\":\"violations\",\"findings\":1", 1, "<error"),
        ("\"verdict\":\"clean\",\"findings\":0,\"known\":1", 0, "/>"),
    ] {
        let summary = format!("{{\"schema\":1,\"reason\":\"summary\",{summary}}}\n");
        project.write("run.json", &format!("{test}{summary}"));
        for words in ["report", "report merge"] {
            let said = project.commute(&format!("{words} run.json --message-format junit"));
            let is_clean = code == 0;
            assert_eq!(said.code, Some(code), "{said:?}");
            let found = said.stdout.split("<testcase name=\"t\"").nth(1);
            let found = found
                .expect("a test case")
                .lines()
                .nth(usize::from(!is_clean));
            assert!(found.is_some_and(|found| found.contains(case)), "{said:?}");
        }
    }
}

/// Who ends with 3 says why, also if nothing is called fixed.
#[test]
fn a_comparison_says_why_it_is_inconclusive() {
    let project = Project::new(&[("two.std", TWO_RACES)]);
    let lines = project.commute("check two.std --max-findings 1 --message-format json");
    project.write("part.jsonl", &lines.stdout);
    let said = project.commute("report diff part.jsonl part.jsonl");
    assert_eq!(said.code, Some(3));
    let expected = "note: not everything was looked at: 1 more finding is not in part.jsonl\n";
    assert_eq!(said.stderr, expected);
}

/// A command in a file of findings is one that people copy: any other than ours is not shown.
#[test]
fn commands_of_others_are_not_shown() {
    let project = Project::new(&[("t.std", RACE)]);
    let printed = project.commute("check t.std --message-format json").stdout;
    let with = |replay: &str| {
        let text = printed.replace("\"replay\":null", &format!("\"replay\":\"{replay}\""));
        assert_ne!(text, printed);
        project.write("run.json", &text);
        let formats = ["human", "json", "sarif"].map(|format| {
            let report = format!("report run.json --html x.html --message-format {format}");
            project.commute(&report).stdout
        });
        formats.concat() + &project.read("x.html")
    };
    assert_eq!(
        with("commute replay 1b2c3d4e")
            .matches("replay 1b2c3d4e")
            .count(),
        4
    );
    for other in [
        "evil",
        "commute replay 1b2c3d4e; evil",
        "commute replay 1b2c3d4e --config=evil",
        "commute run -- evil",
    ] {
        assert!(!with(other).contains("evil"), "{other}");
    }
}

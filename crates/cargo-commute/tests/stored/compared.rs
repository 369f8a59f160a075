//! `commute report diff`.

use serde_json::Value;

use crate::project::{BROKEN, CLEAN, Project, RACE, TWO_RACES, UNCERTAIN, ids};

/// A project in which there was one race; then another one in its place.
fn project() -> Project {
    let project = Project::new(&[("a.std", RACE)]);
    assert_eq!(project.commute("check a.std --out-dir old").code, Some(1));
    project.write("a.std", &TWO_RACES.replace("T2|r(x)", "T1|r(x)"));
    assert_eq!(project.commute("check a.std --out-dir new").code, Some(1));
    project
}

#[test]
fn what_is_new_fails_and_what_is_fixed_does_not() {
    let project = project();
    let said = project.commute("report diff old new --message-format short");
    let lines = [
        "d.rs:2: error[CM102]: data race on `y`: `w` and `w` (T2 event 4 / T1 event 3) [new]",
        "b.rs:2: error[CM102]: data race on `x`: `w` and `r` (T2 event 2 / T1 event 1) [fixed]",
        "commute: 1 new, 1 fixed, 0 still there",
    ];
    assert_eq!(said.stdout.lines().collect::<Vec<_>>(), lines);
    assert_eq!((said.code, &*said.stderr), (Some(1), ""));
    let said = project.commute("report diff old old");
    assert_eq!(said.code, Some(0));
    let id = &ids(&std::fs::read_to_string(&project.runs("old/findings")[0]).expect("read"))[0];
    let expected = format!(
        "still there:\n  {id}  b.rs:2: error[CM102]: data race on `x`: `w` and `r` \
         (T2 event 2 / T1 event 1)\ncommute: 0 new, 0 fixed, 1 still there\n"
    );
    assert_eq!(said.stdout, expected);
}

#[test]
fn what_is_new_is_shown_as_a_report() {
    let project = project();
    let said = project.commute("report diff old new");
    let (new, fixed) = said.stdout.split_once("\nfixed:\n").expect("both");
    assert!(new.starts_with("new:\nerror[CM102]: data race on `y`"));
    assert!(
        new.contains(" --out-dir new` shows it again, and says what"),
        "{new}"
    );
    assert_eq!(fixed.lines().count(), 2, "{fixed}");
}

#[test]
fn machines_are_told() {
    let project = project();
    let said = project.commute("report diff old new --message-format json");
    let lines: Vec<Value> = { said.stdout.lines() }
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let reasons = ["difference", "difference", "difference-summary"];
    assert!(lines.iter().zip(reasons).all(|(l, r)| l["reason"] == r));
    assert_eq!(
        (&lines[0]["change"], &lines[0]["object"]),
        (&"new".into(), &"y".into())
    );
    assert_eq!(lines[1]["change"], "fixed");
    assert_eq!(lines[2]["new"], 1);
    assert_eq!(
        (&lines[2]["fixed"], &lines[2]["still"]),
        (&1.into(), &0.into())
    );
}

#[test]
fn the_last_run_is_compared_with_the_one_before() {
    let project = Project::new(&[("a.std", RACE), ("clean.std", CLEAN)]);
    project.commute("check a.std");
    project
        .commute("report diff")
        .is_refused("is the only one of its command line that is kept");
    project.write("a.std", CLEAN);
    // Another command line in between does not matter, nor another format.
    project.commute("check clean.std");
    project.commute("check a.std --message-format json");
    let said = project.commute("report diff --message-format short");
    assert_eq!(said.code, Some(0));
    assert!(
        said.stdout
            .ends_with("commute: 0 new, 1 fixed, 0 still there\n"),
        "{said:?}"
    );
    project.commute("report diff one").is_refused("<NEW>");
    project
        .commute("report diff . . --message-format sarif")
        .is_refused("a comparison is printed as");
}

#[test]
fn what_was_not_looked_at_is_not_called_fixed_without_a_word() {
    let project = Project::new(&[("a.std", RACE)]);
    project.commute("check a.std --out-dir old");
    project.write("a.std", "T1|rel(m)|a.rs:1\n");
    project.commute("check a.std --out-dir new");
    let said = project.commute("report diff old new");
    assert_eq!(said.code, Some(3));
    assert!(
        said.stderr
            .starts_with("note: what is called fixed may not have been looked at: ")
    );
    // What cannot be read is worse.
    project.write("a.std", BROKEN);
    project.commute("check a.std --out-dir broken");
    assert_eq!(project.commute("report diff old broken").code, Some(2));
    // The old one need not have seen everything.
    project.write("a.std", CLEAN);
    project.commute("check a.std --out-dir clean");
    assert_eq!(project.commute("report diff new clean").code, Some(0));
}

#[test]
fn what_is_known_or_suppressed_is_not_new() {
    let project = Project::new(&[("a.std", RACE), ("list", "CM102 object=y\n")]);
    project.commute("check a.std --out-dir old");
    project.write("a.std", TWO_RACES);
    project.commute("check a.std --write-baseline known.jsonl --no-store");
    project.commute("check a.std --baseline known.jsonl --out-dir knows");
    let said = project.commute("report diff old knows");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.stdout.ends_with("0 new, 0 fixed, 1 still there\n"));
    project.commute("check a.std --out-dir new");
    assert_eq!(project.commute("report diff old new").code, Some(1));
    let said = project.commute("report diff old new --suppress list");
    assert_eq!(said.code, Some(0), "{said:?}");
    project
        .commute("report diff old new --suppress missing")
        .is_refused("cannot read missing");
    // What the new run has suppressed may be what is called fixed.
    project.commute("check a.std --suppress list --out-dir less");
    let said = project.commute("report diff new less -q");
    assert_eq!((said.code, &*said.stdout), (Some(0), ""), "{said:?}");
    let said = project.commute("report diff new less");
    let note =
        "note: what is called fixed may be suppressed: 1 finding suppressed in the new run\n";
    assert_eq!(said.stderr, note);
}

#[test]
fn a_baseline_can_be_compared_with() {
    let project = Project::new(&[("a.std", RACE)]);
    project.commute("check a.std --write-baseline known.jsonl");
    project.write("a.std", CLEAN);
    project.commute("check a.std");
    let said = project.commute("report diff known.jsonl target/commute");
    assert_eq!(said.code, Some(0));
    assert!(
        said.stdout
            .contains("b.rs: CM102: data race on `x`: `w` and `r`\n"),
        "{said:?}"
    );
    let said = project.commute("report diff known.jsonl target/commute --message-format json");
    assert!(
        said.stdout
            .starts_with("{\"schema\":1,\"reason\":\"difference\",\"change\":\"fixed\",")
    );
}

/// Nothing was looked at to write it, so there is nothing to show again.
#[test]
fn a_baseline_is_no_run() {
    let project = Project::new(&[("a.std", RACE)]);
    project.commute("check a.std --write-baseline known.jsonl");
    let refusal = "known.jsonl is a baseline, and no run: `report diff` compares with it";
    for words in ["report", "report merge", "report merge target/commute"] {
        project
            .commute(&format!("{words} known.jsonl"))
            .is_refused(refusal);
    }
    // Who merged it by hand may have lost the first line.
    let known = project.read("known.jsonl");
    let (_, known) = known.split_once('\n').expect("two lines");
    project.write("known.jsonl", known);
    project.commute("report known.jsonl").is_refused(refusal);
}

/// A comparison fails by what would have failed the new run, and so does a document.
#[test]
fn what_is_new_and_not_certain_fails_if_it_is_denied() {
    let project = Project::new(&[("a.std", UNCERTAIN), ("b.std", RACE), ("clean.std", CLEAN)]);
    project.commute("check clean.std --out-dir old");
    project.commute("check b.std --out-dir race");
    let check = "check a.std --algorithm wdc";
    let denied = "check a.std --algorithm wdc --deny unconfirmed";
    for (words, code, counts) in [
        (check, 3, "errors=\"1\" failures=\"0\""),
        (denied, 1, "errors=\"0\" failures=\"1\""),
        // Something else that is certain does not make it certain.
        (&format!("{check} b.std"), 1, "errors=\"1\" failures=\"1\""),
        (&format!("{denied} b.std"), 1, "errors=\"0\" failures=\"2\""),
    ] {
        let first = project.commute(&format!("{words} --out-dir new --message-format junit"));
        assert_eq!(first.code, Some(code), "{first:?}");
        assert!(first.stdout.contains(counts), "{first:?}");
        let again = project.commute("report --out-dir new --message-format junit");
        assert_eq!(first, again);
        let last = project.runs("new/findings").pop().expect("a run");
        let said = project.commute(&format!("report diff old {}", last.display()));
        assert_eq!(said.code, Some(code), "{said:?}");
        let is_noted = said.stderr == "note: nothing that is new is certain\n";
        assert_eq!(is_noted, code == 3, "{said:?}");
        // What was certain was there before.
        let said = project.commute(&format!("report diff race {}", last.display()));
        let is_denied = words.contains("--deny");
        assert_eq!(said.code, Some(if is_denied { 1 } else { 3 }), "{said:?}");
    }
}

//! `--baseline` and `--write-baseline`.

use crate::project::{BROKEN, CLEAN, Project, RACE, TWO_RACES, ids, names};

/// A project in which one race is known, and its line.
fn project() -> (Project, String) {
    let project = Project::new(&[("a.std", RACE), ("two.std", TWO_RACES)]);
    let said = project.commute("check a.std --write-baseline known.jsonl");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(said.stderr, "note: 1 finding is in known.jsonl now\n");
    let line = project
        .read("known.jsonl")
        .lines()
        .nth(1)
        .expect("one")
        .to_owned();
    (project, line)
}

#[test]
fn only_what_is_new_fails() {
    let (project, _) = project();
    let said = project.commute("check a.std --baseline known.jsonl");
    assert_eq!((said.code, &*said.stderr), (Some(0), ""));
    let clean = "commute: clean: no findings, 1 known from the baseline in 2 events";
    assert!(said.stdout.starts_with(clean), "{said:?}");
    let said = project.commute("check two.std --baseline known.jsonl --message-format short");
    assert_eq!(said.code, Some(1));
    let lines: Vec<_> = said.stdout.lines().collect();
    assert!(lines[0].starts_with("d.rs:2: error[CM102]: data race on `y`"));
    assert!(lines[1].contains("1 finding (CM102 x1), 1 known from the baseline in 4"));
    assert_eq!(lines.len(), 2);
    let said = project.commute("check two.std --baseline known.jsonl --message-format json");
    assert!(
        said.stdout.contains("\"findings\":1,\"known\":1,"),
        "{said:?}"
    );
    for format in ["sarif", "junit", "github"] {
        let flags = format!("--baseline known.jsonl --message-format {format}");
        assert_eq!(
            project.commute(&format!("check a.std {flags}")).code,
            Some(0)
        );
    }
}

#[test]
fn lines_may_move_and_threads_be_named_otherwise() {
    let (project, _) = project();
    project.write("a.std", "main|w(x)|a.rs:10\nworker|r(x)|b.rs:22:3\n");
    let said = project.commute("check a.std --baseline known.jsonl");
    assert_eq!(said.code, Some(0), "{said:?}");
}

#[test]
fn what_does_not_occur_any_more_is_named() {
    let (project, _) = project();
    project.write("a.std", CLEAN);
    let said = project.commute("check a.std --baseline known.jsonl");
    assert_eq!(said.code, Some(0));
    let note = "note: 1 known finding did not occur in this run; `--write-baseline` writes the file anew:\n  known.jsonl:2: CM102 data race on `x`: `w` and `r` in b.rs\n";
    assert_eq!(said.stderr, note);
    assert_eq!(
        project
            .commute("check a.std --baseline known.jsonl -q")
            .stderr,
        ""
    );
    let flags = "--baseline known.jsonl --write-baseline known.jsonl";
    let said = project.commute(&format!("check a.std {flags}"));
    assert!(
        said.stderr
            .ends_with("note: 0 findings are in known.jsonl now\n")
    );
    assert_eq!(project.read("known.jsonl").lines().count(), 1);
    // One without entries is one all the same.
    assert_eq!(
        project.commute("check a.std --baseline known.jsonl").stderr,
        ""
    );
}

#[test]
fn a_baseline_is_the_same_whatever_the_order() {
    let (project, line) = project();
    project.commute("check a.std two.std --write-baseline one.jsonl");
    project.commute("check two.std a.std --write-baseline two.jsonl");
    let text = project.read("one.jsonl");
    assert_eq!(text, project.read("two.jsonl"));
    assert_eq!(text.lines().count(), 3);
    assert!(text.contains(&line));
    assert!(
        !text.contains(":1\"") && !text.contains("\"index\""),
        "{text}"
    );
    // What a run has printed or kept is one, too.
    std::fs::write(project.path("run.jsonl"), project.last_run()).expect("written");
    assert_eq!(
        project.commute("check two.std --baseline run.jsonl").code,
        Some(0)
    );
}

#[test]
fn one_that_is_garbled_is_refused_with_its_place() {
    let (project, line) = project();
    let half = &line[..line.len() / 2];
    let cases = [
        (format!("{half}\n"), "bad.jsonl:1:"),
        (
            format!("{line}\n\n{{}}\n"),
            "bad.jsonl:3:2: missing field `schema`",
        ),
        ("no baseline\n".to_owned(), "bad.jsonl:1:"),
        ("[]".to_owned(), "bad.jsonl:1:"),
        (
            line.replace(":1,", ":2,"),
            "bad.jsonl:1:1: schema 2, where 1 is understood",
        ),
        (
            line.replace("fingerprint", "finger"),
            "missing field `fingerprint`",
        ),
        (String::new(), "bad.jsonl:1:1: it is empty"),
    ];
    for (text, message) in cases {
        project.write("bad.jsonl", &text);
        project
            .commute("check a.std --baseline bad.jsonl")
            .is_refused(message);
    }
    project
        .commute("check a.std --baseline none")
        .is_refused("cannot read none");
    project
        .commute("check a.std --baseline target")
        .is_refused("target is a folder");
    // With marks and line ends of other systems it is the same.
    project.write("bad.jsonl", &format!("\u{feff}{line}\r\n"));
    assert_eq!(
        project.commute("check a.std --baseline bad.jsonl").code,
        Some(0)
    );
}

#[test]
fn nothing_else_is_overwritten() {
    let (project, _) = project();
    for file in ["a.std", "Cargo.toml", "target"] {
        project
            .commute(&format!("check a.std --write-baseline {file}"))
            .is_refused("would overwrite something that is no baseline");
    }
    assert_eq!(project.read("a.std"), RACE);
    project
        .commute("check a.std --write-baseline -")
        .is_refused("--write-baseline needs a file");
    project
        .commute("check a.std --write-baseline nowhere/known.jsonl")
        .is_refused("cannot write nowhere/known.jsonl (--write-baseline)");
    project
        .commute("trace info a.std --baseline known.jsonl")
        .is_refused("are for commands with findings");
    // Whatever was begun is gone.
    let files = names(&project.path(""));
    assert!(files.iter().all(|name| !name.starts_with('.')), "{files:?}");
}

#[test]
fn a_run_that_failed_writes_none() {
    let (project, _) = project();
    let before = project.read("known.jsonl");
    project.write("a.std", BROKEN);
    let said = project.commute("check a.std --write-baseline known.jsonl");
    assert_eq!(said.code, Some(2));
    let note = "note: known.jsonl was not written: not everything could be looked at\n";
    assert!(said.stderr.contains(note), "{said:?}");
    assert_eq!(project.read("known.jsonl"), before);
}

#[test]
fn what_comes_after_a_known_finding_was_not_looked_at() {
    let (project, _) = project();
    let said =
        project.commute("check two.std --fail-fast --only data-races --baseline known.jsonl");
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(
        said.stdout
            .contains("after a known finding was not looked at (--fail-fast)")
    );
}

#[test]
fn what_is_known_is_kept_and_is_known_again() {
    let (project, _) = project();
    project.commute("check two.std --baseline known.jsonl");
    let kept = project.last_run();
    assert_eq!(kept.matches("\"known\":true").count(), 1);
    let said = project.commute("report --message-format short");
    assert!(
        said.stdout
            .contains("1 finding (CM102 x1), 1 known from the baseline"),
        "{said:?}"
    );
    // Another baseline decides anew.
    let said = project.commute("report --write-baseline all.jsonl");
    assert_eq!(said.code, Some(0));
    assert_eq!(ids(&project.read("all.jsonl")).len(), 2);
    assert_eq!(
        project.commute("check two.std --baseline all.jsonl").code,
        Some(0)
    );
    let known = kept
        .lines()
        .find(|line| line.contains("\"known\":true"))
        .expect("one");
    let said = project.commute(&format!("explain {}", ids(known)[0]));
    assert_eq!(said.code, Some(0), "{said:?}");
}

/// A run that has not seen all does not know what has gone.
#[test]
fn an_inconclusive_run_takes_nothing_out() {
    let (project, _) = project();
    let before = project.read("known.jsonl");
    project.write("a.std", &format!("# missed: 3\n{CLEAN}"));
    for flags in ["", " --baseline known.jsonl"] {
        let check = format!("check a.std --write-baseline known.jsonl{flags}");
        let said = project.commute(&check);
        assert_eq!(said.code, Some(3), "{said:?}");
        let note = "1 finding is in known.jsonl now, 1 of which did not occur";
        assert!(said.stderr.contains(note), "{said:?}");
        assert_eq!(project.read("known.jsonl"), before);
    }
    project.write("a.std", CLEAN);
    project.commute("check a.std --write-baseline known.jsonl");
    assert_eq!(ids(&project.read("known.jsonl")).len(), 0);
    project.write("a.std", TWO_RACES);
    project.commute("check a.std --write-baseline known.jsonl");
    project.commute("check a.std --fail-fast --write-baseline known.jsonl");
    assert_eq!(ids(&project.read("known.jsonl")).len(), 2);
}

/// What stands in a line is not known because the same text stands in another.
#[test]
fn a_race_in_another_line_with_the_same_text_is_new() {
    let race = |line| format!("T1|w(x)|m.rs:{line}\nT2|w(x)|m.rs:{line}\n");
    let source = "fn f() {\n    x = 1;\n    g();\n    x = 1;\n}\n";
    let files = [("a.std", &*race(2)), ("b.std", &*race(4)), ("m.rs", source)];
    let project = Project::new(&files);
    project.commute("check a.std --write-baseline known.jsonl");
    let said = project.commute("check b.std --baseline known.jsonl");
    assert_eq!(said.code, Some(1), "{said:?}");
    // Lines may move, also to the right.
    project.write("m.rs", &format!("//! M\n{}", source.replace("  ", "   ")));
    project.write("a.std", &race(3));
    let said = project.commute("check a.std --baseline known.jsonl");
    assert_eq!(said.code, Some(0), "{said:?}");
}

/// A block that is left while another thread does so many things, in no block.
fn interrupted(block: &str, times: usize) -> String {
    let before = "T0|fork(A)|c.rs:1\nT0|fork(B)|c.rs:2\n";
    let between =
        "A|r(x)|c.rs:6\nA|acq(m)|c.rs:7\nA|rel(m)|c.rs:8\nB|acq(m)|c.rs:10\nB|rel(m)|c.rs:11\n";
    let again = "B|r(z)|c.rs:14\n".repeat(times);
    format!(
        "{before}A|begin({block})|c.rs:5\n{between}{again}B|w(y)|c.rs:16\nA|r(y)|c.rs:20\nA|end({block})|c.rs:22\n"
    )
}

/// How often something was done in between is another matter in every run, but what a
/// block is called is not.
#[test]
fn an_atomicity_violation_is_known_by_its_blocks() {
    let project = Project::new(&[
        ("one.std", &interrupted("stage:1", 1)),
        ("three.std", &interrupted("stage:1", 3)),
        ("other.std", &interrupted("stage:2", 1)),
    ]);
    let check = |words: &str| {
        project
            .commute(&format!("check --only atomicity {words}"))
            .code
    };
    assert_eq!(check("one.std --write-baseline known.jsonl"), Some(0));
    assert_eq!(check("three.std --baseline known.jsonl"), Some(0));
    assert_eq!(check("other.std --baseline known.jsonl"), Some(1));
}

//! What is kept of a run, and where.

use serde_json::Value;

use crate::project::{BROKEN, CLEAN, ILL_FORMED, Project, RACE, TWO_RACES, names};

fn reasons(text: &str) -> Vec<String> {
    let lines = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    lines
        .map(|line: Value| line["reason"].as_str().expect("a reason").to_owned())
        .collect()
}

#[test]
fn a_run_is_kept_in_the_target_directory() {
    let project = Project::new(&[("race.std", RACE), ("clean.std", CLEAN)]);
    project.commute("check race.std clean.std");
    assert_eq!(names(&project.path("target")), ["CACHEDIR.TAG", "commute"]);
    let kept = project.last_run();
    assert_eq!(
        reasons(&kept),
        ["run", "trace", "finding", "trace", "summary"]
    );
    // What is the same as on standard output is the same.
    let printed = project.commute("check race.std clean.std --message-format json --no-store");
    assert_eq!(kept.lines().nth(2), printed.stdout.lines().next());
    let runs = project.runs("target/commute/findings");
    assert_eq!(runs.len(), 1, "{runs:?}");
    let name = runs[0].file_name().expect("a name").to_string_lossy();
    assert!(name.starts_with("000001-check-"), "{name}");
}

#[test]
fn the_target_directory_is_the_one_that_cargo_would_use() {
    let project = Project::without_manifest(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"member\"]\n"),
        ("member/Cargo.toml", "[package]\nname = \"m\"\n"),
        ("member/src/race.std", RACE),
    ]);
    let check = |variable: Option<(&str, &str)>| {
        let mut command = project.command("check race.std");
        command.current_dir(project.path("member/src"));
        command.envs(variable);
        let output = command.output().expect("it runs");
        assert_eq!(output.status.code(), Some(1));
    };
    check(None);
    assert_eq!(project.runs("target/commute/findings").len(), 1);
    check(Some(("CARGO_TARGET_DIR", "elsewhere")));
    assert_eq!(
        project.runs("member/src/elsewhere/commute/findings").len(),
        1
    );
    project.write(".cargo/config.toml", "[build]\ntarget-dir = \"set\"\n");
    check(None);
    assert_eq!(project.runs("set/commute/findings").len(), 1);
    assert_eq!(project.runs("target/commute/findings").len(), 1);
}

#[test]
fn nothing_is_kept_where_nobody_expects_it() {
    let project = Project::without_manifest(&[("race.std", RACE)]);
    assert_eq!(project.commute("check race.std").code, Some(1));
    assert_eq!(names(&project.path("")), ["race.std"]);
    project
        .commute("report")
        .is_refused("no findings are kept here: there is no Cargo.toml");
    assert_eq!(
        project.commute("check race.std --out-dir out").code,
        Some(1)
    );
    assert_eq!(project.runs("out/findings").len(), 1);
    assert_eq!(project.commute("report --out-dir out").code, Some(1));

    let project = Project::new(&[("race.std", RACE)]);
    assert_eq!(project.commute("check race.std --no-store").code, Some(1));
    assert_eq!(names(&project.path("")), ["Cargo.toml", "race.std"]);
    project
        .commute("check race.std --no-store --out-dir out")
        .is_refused("cannot be used with");
}

#[test]
fn a_folder_that_cannot_be_written_fails_the_run_only_if_it_was_asked_for() {
    let project = Project::new(&[("race.std", RACE), ("target", "a file")]);
    let said = project.commute("check race.std");
    assert_eq!(said.code, Some(1));
    assert!(said.stdout.contains("error[CM102]"), "{said:?}");
    let note = "note: findings are not kept in target/commute/findings: ";
    assert!(said.stderr.starts_with(note), "{said:?}");
    assert_eq!(project.commute("check race.std -q").stderr, "");
    project
        .commute("check race.std --out-dir target")
        .is_refused("cannot keep findings in target/findings (--out-dir): ");
}

#[test]
fn what_was_shown_is_shown_again_in_every_format() {
    let project = Project::new(&[
        ("race.std", RACE),
        ("two.std", TWO_RACES),
        ("clean.std", CLEAN),
        ("odd.std", ILL_FORMED),
        ("broken.std", BROKEN),
        ("b.rs", "\nlet seen = x;\n"),
        ("known.txt", "CM102 object=x\n"),
    ]);
    let commands = [
        "check race.std",
        "check two.std clean.std race.std",
        "check clean.std",
        "check odd.std race.std",
        "check odd.std",
        "check broken.std",
        "check two.std --suppress known.txt",
        "check missing.std",
    ];
    for command in commands {
        for format in ["short", "json", "sarif", "junit", "github"] {
            let first = project.commute(&format!("{command} --message-format {format}"));
            let again = project.commute(&format!("report --message-format {format}"));
            assert_eq!(first, again, "{command} --message-format {format}");
        }
        let first = project.commute(&format!("{command} --html first.html"));
        let again = project.commute("report --html again.html");
        assert_eq!(first.code, again.code, "{command}");
        assert_eq!(project.read("first.html"), project.read("again.html"));
    }
}

#[test]
fn what_was_denied_is_denied_again() {
    // The critical section of T1 does not end, so that there is no witness.
    let trace = "T0|alloc(x)|a.rs:1\nT0|fork(T1)|a.rs:2\nT0|acq(m)|a.rs:3\nT0|w(x)|a.rs:4\n\
        T0|rel(m)|a.rs:5\nT1|acq(m)|b.rs:1\nT1|free(x)|b.rs:2\n";
    let project = Project::new(&[("open.std", trace)]);
    for (flags, code) in [("", 3), (" --deny unconfirmed", 1)] {
        let first = project.commute(&format!("check open.std{flags} --message-format json"));
        assert_eq!(first.code, Some(code), "{first:?}");
        let again = project.commute("report --message-format json");
        assert_eq!(first, again);
    }
}

#[test]
fn people_are_told_what_to_call_a_finding() {
    let project = Project::new(&[("race.std", RACE), ("b.rs", "\nlet seen = x;\n")]);
    let first = project.commute("check race.std");
    assert!(first.stdout.contains("`commute explain CM102` says more"));
    let id = &crate::project::ids(&project.last_run())[0];
    let said = project.commute("report");
    let help = format!("= help: `commute explain {id}` shows it again, and says what CM102 is\n");
    assert!(said.stdout.contains(&help), "{}", said.stdout);
    assert!(said.stdout.contains("2 | let seen = x;\n"), "{said:?}");
    assert_eq!(said.code, Some(1));
}

#[test]
fn many_runs_do_not_take_more_room() {
    let project = Project::new(&[("race.std", RACE), ("clean.std", CLEAN)]);
    for _ in 0..3 {
        project.commute("check race.std");
    }
    let first = project.runs("target/commute/findings");
    for n in 100..140 {
        let name = format!("target/commute/findings/000{n}-check-00000000.jsonl");
        project.write(&name, "");
    }
    project.commute("check clean.std");
    let runs = project.runs("target/commute/findings");
    assert_eq!(runs.len(), 32);
    assert!(first.iter().all(|old| !runs.contains(old)));
    let last = runs.last().expect("one").to_string_lossy().into_owned();
    assert!(last.contains("000140-check-"), "{last}");
}

#[test]
fn several_processes_can_keep_findings_at_once() {
    let project = Project::new(&[("race.std", RACE)]);
    let children: Vec<_> = (0..8)
        .map(|_| {
            let mut command = project.command("check race.std -q --message-format json");
            let child = command.stdout(std::process::Stdio::null()).spawn();
            child.expect("it is started")
        })
        .collect();
    for mut child in children {
        assert_eq!(child.wait().expect("it ends").code(), Some(1));
    }
    let runs = project.runs("target/commute/findings");
    assert_eq!(runs.len(), 8, "{runs:?}");
    for run in runs {
        let text = std::fs::read_to_string(run).expect("read");
        assert_eq!(reasons(&text), ["run", "trace", "finding", "summary"]);
    }
}

#[test]
fn runs_are_listed() {
    let project = Project::new(&[("race.std", RACE), ("clean.std", CLEAN)]);
    project.commute("check race.std");
    project.commute("check clean.std race.std");
    let said = project.commute("report --list");
    let lines: Vec<_> = said.stdout.lines().collect();
    assert_eq!(lines.len(), 2);
    let end = ".jsonl: check clean.std and 1 more: violations, 1 finding";
    assert!(lines[0].starts_with("target/commute/findings/000002-check-"));
    assert!(lines[0].ends_with(end), "{said:?}");
    let said = project.commute("report --list --message-format json");
    let line: Value = serde_json::from_str(said.stdout.lines().nth(1).expect("two")).expect("JSON");
    assert_eq!(line["reason"], "stored-run");
    assert_eq!(line["traces"][0], "race.std");
    assert_eq!(said.code, Some(0));
}

#[test]
fn what_is_garbled_is_named_with_its_place() {
    let project = Project::new(&[("race.std", RACE), ("clean.std", CLEAN)]);
    project.commute("check race.std");
    let id = crate::project::ids(&project.last_run())[0].clone();
    let bad = "target/commute/findings/000009-check-00000000.jsonl";
    let good = project.last_run();
    for (text, place) in [
        (
            "{\"schema\":1,\"reason\":\"run\"}\n{\"schema\":1,",
            "2:12: EOF",
        ),
        ("hello\n", "1:1: expected value"),
        ("{\"schema\":9,\"reason\":\"run\"}\n", "1:1: schema 9"),
        (&good[..good.len() / 2], "3:"),
    ] {
        project.write(bad, text);
        project
            .commute("report")
            .is_refused(&format!("{bad}:{place}"));
        // Others can be found all the same.
        let said = project.commute(&format!("explain {id}"));
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(
            said.stderr.starts_with(&format!("warning: {bad}:")),
            "{said:?}"
        );
    }
    std::fs::write(project.path(bad), b"{\"schema\xff").expect("written");
    project
        .commute("report")
        .is_refused(&format!("{bad}:1:9: this is no text"));
    project.write(bad, "");
    project
        .commute("report")
        .is_refused(&format!("{bad}:1:1: it is empty"));
    project
        .commute("report missing.json")
        .is_refused("cannot read missing.json");
    std::fs::create_dir(project.path("empty")).expect("made");
    project
        .commute("report empty")
        .is_refused("there are no stored findings in empty");
}

#[test]
fn what_is_stored_cannot_command_a_terminal() {
    let project = Project::new(&[("race.std", RACE)]);
    project.commute("check race.std");
    let id = crate::project::ids(&project.last_run())[0].clone();
    let hostile = project
        .last_run()
        .replace("data race on", "\\u001b[31mrace\\u202e on");
    let hostile = hostile.replace("\"race.std\"", "\"race\\u001b[2J.std\"");
    project.write(
        "target/commute/findings/000009-check-00000000.jsonl",
        &hostile,
    );
    project.write("empty.json", "");
    let path = "target/commute/findings/000009-check-00000000.jsonl";
    let commands = [
        "report".to_owned(),
        "report --list".to_owned(),
        "report --message-format json".to_owned(),
        "report --message-format github".to_owned(),
        format!("report diff empty.json {path}"),
        format!("report diff {path} empty.json"),
        format!("report merge {path}"),
        format!("explain {id}"),
        format!("replay {id}"),
        "explain 0000\u{1b}[2J".to_owned(),
    ];
    for command in commands {
        let said = project.commute(&command);
        let all = said.stdout + &said.stderr;
        let is_hostile = |c: char| matches!(c, '\u{1b}' | '\u{202e}');
        assert!(!all.contains(is_hostile), "{command}: {all:?}");
        assert!(!all.is_empty(), "{command}");
    }
}

//! `commute explain ID` and `commute replay ID`.

use crate::project::{CLEAN, Project, RACE, TWO_RACES, ids};

fn examples() -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.canonicalize().expect("the workspace");
    root.join("examples/traces").to_string_lossy().into_owned()
}

#[test]
fn a_finding_is_explained_by_its_id() {
    let project = Project::new(&[("race.std", RACE)]);
    project.commute("check race.std");
    let id = &ids(&project.last_run())[0];
    for id in [&id[..4], id, &id.to_uppercase()] {
        let said = project.commute(&format!("explain {id}"));
        assert_eq!((said.code, &*said.stderr), (Some(0), ""));
        assert!(
            said.stdout
                .starts_with("in race.std:\nerror[CM102]: data race on `x`")
        );
        assert!(said.stdout.contains("\n# CM102: data race\n"));
    }
    let said = project.commute(&format!("explain {id}"));
    assert!(
        said.stdout
            .contains(&format!("= help: `commute replay {id}` shows it again\n"))
    );
    let json = project
        .commute(&format!("explain {id} --message-format json"))
        .stdout;
    assert_eq!(
        json.lines().collect::<Vec<_>>(),
        [project.last_run().lines().nth(2).unwrap()]
    );
    // Codes are what they were.
    assert!(project.commute("explain 102").stdout.starts_with("# CM102"));
    project
        .commute("explain abc")
        .is_refused("there is no code `abc`");
    project
        .commute("explain race")
        .is_refused("there is no code `race`");
    project
        .commute("explain 00000000")
        .is_refused("no stored finding begins with `00000000`");
}

#[test]
fn an_id_that_is_not_one_finding_lists_them() {
    let project = Project::new(&[("two.std", TWO_RACES)]);
    project.commute("check two.std");
    let mut text = project.last_run();
    for (n, id) in ids(&project.last_run()).iter().enumerate() {
        text = text.replace(id, &format!("abcd000{n}"));
    }
    project.write("target/commute/findings/000002-check-00000000.jsonl", &text);
    for command in ["explain abcd", "replay abcd"] {
        let said = project.commute(command);
        said.is_refused("`abcd` is not one finding; which of these?\n  abcd0000");
        assert!(said.stderr.contains("\n  abcd0001"), "{said:?}");
        assert_eq!(project.commute(&format!("{command}0001")).code, Some(0));
    }
}

#[test]
fn what_is_gone_is_said_to_be() {
    let project = Project::new(&[("a.std", RACE)]);
    project.commute("check a.std");
    let id = ids(&project.last_run())[0].clone();
    project.write("a.std", CLEAN);
    project.commute("check a.std");
    let said = project.commute(&format!("explain {id}"));
    assert_eq!(said.code, Some(0));
    let note = "note: the last run of the same command line did not find it any more\n";
    assert_eq!(said.stderr, note);
    project
        .commute(&format!("replay {id}"))
        .is_refused("a.std is not what it was: event 2 was r(x) of T2 (b.rs:2); check it again");
    std::fs::remove_file(project.path("a.std")).expect("removed");
    project
        .commute(&format!("replay {id}"))
        .is_refused("the trace a.std is not there any more");
}

#[test]
fn a_witness_is_shown_as_trace_show_does() {
    let project = Project::new(&[]);
    let trace = format!("{}/use_after_free.std", examples());
    project.commute(&format!("check {trace}"));
    let id = ids(&project.last_run())[0].clone();
    let shown = project.commute(&format!("trace show {trace} --witness {id}"));
    assert_eq!(shown.code, Some(0));
    assert_eq!(project.commute(&format!("replay {id}")), shown);
    assert!(project.last_run().contains(&format!("--witness {id}")));
}

/// The trace is looked for from where it was given, wherever we are now.
#[test]
fn the_events_of_an_observed_finding_are_shown() {
    let project = Project::new(&[("traces/a.std", TWO_RACES), ("other/readme", "")]);
    project.commute("check traces/a.std");
    let id = ids(&project.last_run())[1].clone();
    let mut command = project.command(&format!("replay {id}"));
    let output = command.current_dir(project.path("other")).output();
    let expected =
        "          T1    T2\n       3  w(y)        c.rs:1\n       4        w(y)  d.rs:2\n";
    let output = output.expect("commute runs");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        expected,
        "{output:?}"
    );
    assert_eq!(output.status.code(), Some(0));
    project
        .commute(&format!("replay {id} --message-format sarif"))
        .is_refused("a witness is events");
}

/// Every finding in every trace that is shipped can be shown again.
#[test]
fn every_shipped_finding_can_be_shown_again() {
    let project = Project::new(&[]);
    let mut shown = 0;
    for entry in std::fs::read_dir(examples()).expect("traces") {
        let path = entry.expect("read").path();
        if path.extension().is_some_and(|ending| ending == "std") {
            project.commute(&format!("check {}", path.display()));
            for id in ids(&project.last_run()) {
                let said = project.commute(&format!("replay {id}"));
                assert_eq!((said.code, &*said.stderr), (Some(0), ""), "{said:?}");
                assert!(said.stdout.lines().count() > 1);
                shown += 1;
            }
        }
    }
    assert!(shown >= 5, "{shown}");
}

#[test]
fn what_came_from_standard_input_is_drawn_again() {
    let forked = format!("T0|fork(T1)|main.rs:1\nT0|fork(T2)|main.rs:2\n{RACE}");
    let project = Project::new(&[("race.std", &forked)]);
    let trace = || std::fs::File::open(project.path("race.std")).expect("opened");
    for flags in ["check - --html first.html", "check -"] {
        let output = project.command(flags).stdin(trace()).output();
        assert_eq!(output.expect("commute runs").status.code(), Some(1));
        project.commute("report --html again.html");
        assert_eq!(project.read("first.html"), project.read("again.html"));
    }
    assert!(project.read("again.html").contains("class=\"arrow order\""));
    // A file is there to be read again.
    project.commute("check race.std");
    assert!(!project.last_run().contains("\"scene\""));
}

/// What is stored is shown as the file would have been.
#[test]
fn what_came_from_standard_input_is_shown_again() {
    let mut shown = 0;
    for name in ["connections", "withdraw", "use_after_free", "lost_wakeup"] {
        let text = std::fs::read_to_string(format!("{}/{name}.std", examples()));
        let project = Project::new(&[("it.std", &text.expect("a trace"))]);
        project.commute("check it.std");
        let from_file = ids(&project.last_run());
        let trace = std::fs::File::open(project.path("it.std")).expect("opened");
        let output = project
            .command("check - --out-dir in")
            .stdin(trace)
            .output();
        assert_eq!(output.expect("commute runs").status.code(), Some(1));
        for id in from_file {
            let file = project.commute(&format!("replay {id}"));
            let stored = project.commute(&format!("replay {id} --out-dir in"));
            assert_eq!((file.code, stored.code), (Some(0), Some(0)), "{stored:?}");
            let note = "; there is no trace any more: it came from standard input\n";
            assert!(stored.stderr.ends_with(note), "{stored:?}");
            match file.stdout.contains('|') {
                // A prediction of a file is a text trace: all its events, in order.
                true => {
                    let line = |line: &str| line.split('|').nth(1).map(str::to_owned);
                    let events: Vec<_> = file.stdout.lines().filter_map(line).collect();
                    let rows: Vec<&str> = stored.stdout.lines().skip(1).collect();
                    assert_eq!(events.len(), rows.len(), "{stored:?}");
                    for (event, row) in events.iter().zip(rows) {
                        assert!(row.contains(event), "{event}: {row}");
                    }
                }
                // Columns may come in another order.
                false => {
                    let words = |text: &str| -> Vec<String> {
                        let rows = text.lines().skip(1);
                        rows.map(|row| row.split_whitespace().collect()).collect()
                    };
                    assert_eq!(words(&file.stdout), words(&stored.stdout));
                }
            }
            shown += 1;
        }
        let said = project.commute(&format!("explain {}", ids(&project.last_run())[0]));
        assert!(said.stdout.starts_with("in it.std:\n"), "{said:?}");
    }
    assert!(shown >= 4, "{shown}");
}

/// What was changed by hand, or left out, is refused.
#[test]
fn what_is_not_stored_cannot_be_shown() {
    let project = Project::new(&[("race.std", RACE)]);
    let trace = std::fs::File::open(project.path("race.std")).expect("opened");
    let output = project.command("check -").stdin(trace).output();
    assert_eq!(output.expect("commute runs").status.code(), Some(1));
    let run = project.last_run();
    let id = ids(&run)[0].clone();
    let said = project.commute(&format!("explain {id}"));
    assert!(said.stdout.starts_with("in standard input:\n"), "{said:?}");
    let (before, _) = run.split_once(",\"scene\":").expect("a scene");
    let rest = run.lines().last().expect("a summary");
    project.change_last_run(&format!("{before}}}\n{rest}\n"));
    project
        .commute(&format!("replay {id}"))
        .is_refused("there is no trace any more: it came from standard input");
}

/// What the run has suppressed is counted, and nobody knows what it was.
#[test]
fn a_suppression_that_a_stored_run_has_used_is_not_called_unused() {
    let project = Project::new(&[("race.std", RACE), ("known", "CM102 object=x\n")]);
    let said = project.commute("check race.std --suppress known");
    assert_eq!((said.code, &*said.stderr), (Some(0), ""));
    project.commute("check race.std --suppress known");
    for command in ["report", "report diff"] {
        let said = project.commute(&format!("{command} --suppress known"));
        assert_eq!((said.code, &*said.stderr), (Some(0), ""), "{command}");
    }
}

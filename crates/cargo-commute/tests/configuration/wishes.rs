//! What a project wishes for: mistakes in it that every command tells, and commands that
//! cannot do what it wants.

use super::{folder, run};

/// A link to nowhere is no reason to take the file of somebody else.
#[cfg(unix)]
#[test]
fn a_file_that_is_none_is_a_mistake() {
    let here = folder("[check]\nonly = [\"atomicity\"]");
    let below = here.path().join("below");
    std::fs::create_dir(&below).expect("made");
    std::os::unix::fs::symlink("nowhere", below.join("commute.toml")).expect("linked");
    let said = run(&below, "check ../t.std");
    assert_eq!(said.code, Some(2));
    assert!(
        said.err.contains("cannot read commute.toml"),
        "{}",
        said.err
    );
}

#[test]
fn patterns_are_looked_at_by_every_command() {
    let here = folder("[check]\natomic = [\"[a\"]");
    let said = run(here.path(), "trace info t.std");
    let expected = "error: commute.toml:2:11: `atomic` cannot be `[a`: unclosed character class; missing ']'\n";
    assert_eq!((said.code, &*said.err), (Some(2), expected));
}

#[test]
fn who_named_a_file_that_is_not_there_is_said() {
    let here = folder("suppress = \"nowhere\"");
    let said = run(here.path(), "check t.std");
    assert_eq!(said.code, Some(2));
    let expected = "note: commute.toml:1:1 names it\n";
    assert!(said.err.ends_with(expected), "{}", said.err);
    let said = run(here.path(), "check t.std --suppress elsewhere");
    assert!(!said.err.contains("names it"), "{}", said.err);
}

/// What is said for the wrong commands is not heard, and who said it is told.
#[test]
fn a_variable_without_its_command_is_warned_of() {
    let here = folder("");
    let said = run(here.path(), "COMMUTE_ONLY=races check t.std");
    let expected = "warning: the variable COMMUTE_ONLY says nothing: the name of a command belongs in it, as in COMMUTE_CHECK_ONLY, COMMUTE_RUN_ONLY\n";
    assert_eq!(said.err, expected);
}

#[test]
fn lists_and_comparisons_are_printed_whatever_the_file_wants() {
    for format in ["sarif", "junit", "github"] {
        let here = folder(&format!("message-format = \"{format}\"\nout-dir = \"o\""));
        for _ in 0..2 {
            run(here.path(), "check t.std");
        }
        for command in ["report --list", "report diff"] {
            let said = run(here.path(), command);
            assert_eq!(said.code, Some(0), "{format} {command}: {}", said.err);
            assert!(!said.out.is_empty());
        }
        let said = run(
            here.path(),
            &format!("report --list --message-format {format}"),
        );
        let is_refused = format != "github";
        assert_eq!(said.code == Some(2), is_refused, "{format}: {}", said.err);
    }
}

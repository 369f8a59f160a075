//! Each option of our algorithm makes a difference, and only the one it is for.
//!
//! `rust/options` has a file for each: what is found in the function that
//! `//@ depends:` names goes with the option, what is found in the one that
//! `//@ remains:` names does not.

use commute_lint::Options;

use crate::snippet::{Snippet, all, is_in, judged, snippets};
use crate::titles::titles;

/// Options without the one of that name.
fn without(name: &str) -> Options {
    let mut options = Options::default();
    let Options {
        algorithm: _,
        forget: _,
        judges: _,
        paths,
        reads,
        torn_writes,
        other_objects,
        atomics,
        receivers,
        off: _,
    } = &mut options;
    let option = match name {
        "paths" => paths,
        "reads" => reads,
        "torn_writes" => torn_writes,
        "other_objects" => other_objects,
        "atomics" => atomics,
        "receivers" => receivers,
        _ => panic!("no option is called {name}"),
    };
    *option = false;
    options
}

fn wrong(snippet: &Snippet) -> Vec<String> {
    let name = &snippet.name;
    let program = snippet.program(None);
    let with = all(&program, &Options::default());
    let without = all(&program, &without(name));
    let depends = snippet.says("depends");
    // This one tells variables apart: there is more to find without it.
    let expected = match name.as_str() {
        "receivers" => (false, true),
        _ => (true, false),
    };
    let mut wrong = Vec::new();
    if (is_in(&with, depends), is_in(&without, depends)) != expected {
        wrong.push(format!(
            "{name}: with it {}\n  without it {}",
            titles(&with),
            titles(&without)
        ));
    }
    let remains = snippet.says("remains");
    if !is_in(&with, remains) || !is_in(&without, remains) {
        wrong.push(format!("{name}: nothing in {remains}, with or without it"));
    }
    wrong
}

#[test]
fn differences() {
    let snippets = snippets("options", &[]);
    assert_eq!(snippets.len(), 6, "each option has a file");
    let wrong = judged(&snippets, wrong);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

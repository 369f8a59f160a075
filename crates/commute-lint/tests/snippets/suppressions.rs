//! Each suppression holds back something that is right, and no bug that looks
//! like it.
//!
//! `rust/suppressions` has a file of its name for each: `--cfg fixed` is a
//! correct program, silent because of the suppression and reported without it;
//! without the cfg it is a program to which the suppression seems to apply,
//! and has a bug in the function that a line `//@ finding:` names. More files
//! are more such bugs, and what fixes them.

use std::collections::BTreeSet;

use commute_lint::{Options, Suppression};

use crate::snippet::{Snippet, is_in, judged, shown, snippets, stub};
use crate::titles::titles;

/// Bugs that a suppression hides, and why.
const HIDDEN: &[(&str, &str)] = &[
    (
        "atomic_claim_sampled",
        "whatever is decided by an operation that reads and writes is taken for a claim: low confidence",
    ),
    (
        "claim_counter",
        "who counts in the first region is taken to have claimed the count",
    ),
    (
        "decisive_old_sum",
        "which argument is compared and which is stored is not told apart",
    ),
    (
        "noticed_metric",
        "who looks at the result is taken to do something about it",
    ),
    (
        "private_published",
        "what was made here stays private also if a shared list has it",
    ),
    (
        "question_presence",
        "`?` is taken for the handling of an error, also behind `ok_or`",
    ),
    (
        "taken_wrap",
        "`fetch_add` that decides is taken for a claim, as `swap` is",
    ),
];

/// Correct programs that are reported, and why.
const REPORTED: &[(&str, &str)] = &[(
    "validation_late",
    "a version that is older than the value vouches only for its own region",
)];

fn suppression(snippet: &Snippet) -> Suppression {
    let name = snippet.says("suppression");
    let mut all = Suppression::ALL.into_iter();
    all.find(|one| format!("{one:?}") == name)
        .unwrap_or_else(|| panic!("{}: no suppression is called {name}", snippet.name))
}

/// Whether a file has the name of its suppression: `OtherKey` is `other_key`.
fn is_pair(snippet: &Snippet) -> bool {
    let name = snippet.name.replace('_', "");
    name == snippet.says("suppression").to_lowercase()
}

fn listed(list: &[(&str, &str)], snippet: &Snippet) -> bool {
    list.iter().any(|(name, _)| *name == snippet.name)
}

fn wrong(snippet: &Snippet) -> Vec<String> {
    let mut wrong = Vec::new();
    let name = &snippet.name;
    let suppression = suppression(snippet);
    let place = snippet.says("finding");
    let options = Options::default();

    let bug = shown(&snippet.program(None), &options);
    match (is_in(&bug, place), listed(HIDDEN, snippet)) {
        (false, false) => wrong.push(format!("{name}: the bug is hidden; {}", titles(&bug))),
        (true, true) => wrong.push(format!("{name} is listed as hidden, but is found")),
        _ => {}
    }

    let correct = snippet.program(Some("fixed"));
    let alarms = shown(&correct, &options);
    match (alarms.is_empty(), listed(REPORTED, snippet)) {
        (false, false) => wrong.push(format!("{name}: reported: {}", titles(&alarms))),
        (true, true) => wrong.push(format!("{name} is listed as reported, but is not")),
        _ => {}
    }
    let without = shown(&correct, &options.without(suppression));
    if is_pair(snippet) && !is_in(&without, place) {
        wrong.push(format!("{name} does not need {suppression:?}"));
    }
    wrong
}

#[test]
fn pairs() {
    let directory = tempfile::tempdir().expect("a directory");
    let arguments = stub("metrics", directory.path());
    let snippets = snippets("suppressions", &arguments);
    let pairs = snippets.iter().filter(|snippet| is_pair(snippet));
    let there: BTreeSet<Suppression> = pairs.map(suppression).collect();
    for suppression in Suppression::ALL {
        assert!(there.contains(&suppression), "no pair for {suppression:?}");
    }
    for (name, _) in HIDDEN.iter().chain(REPORTED) {
        let is_there = snippets.iter().any(|snippet| snippet.name == *name);
        assert!(is_there, "{name} is not there");
    }
    let wrong = judged(&snippets, wrong);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

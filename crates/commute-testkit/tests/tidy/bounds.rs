//! Bounds on time and memory in tests are listed in CONTRIBUTING.md, where their factors are.

use std::collections::BTreeSet;

use super::none;
use super::source::{files, read, root};

/// Pieces of code that a bound is made of, assembled so that this file has none of them.
fn marks() -> Vec<String> {
    [
        ("elapsed", "() <"),
        ("elapsed", "() >"),
        ("assert!(seconds", " <"),
        ("--max", "-memory"),
        ("memory: ", "Some("),
        ("HELD", ".get()"),
        ("set_read", "_timeout"),
        ("recv_timeout", "(STUCK"),
        ("Instant::now()", " + LONGEST"),
        ("100_000", ", LONG"),
    ]
    .map(|(start, end)| format!("{start}{end}"))
    .to_vec()
}

/// Returns the files in the table of CONTRIBUTING.md.
fn listed() -> BTreeSet<String> {
    let text = read(&root().join("CONTRIBUTING.md"));
    let (_, rest) = text.split_once("## Bounds in tests\n").expect("a section");
    let section = rest.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.filter_map(|row| row.split('`').next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn bounds_on_time_and_memory_are_listed() {
    let (marks, listed) = (marks(), listed());
    let mut paths = Vec::new();
    for folder in ["crates", "examples"] {
        files(&root().join(folder), "rs", &mut paths);
    }
    let mut bounded = BTreeSet::new();
    for path in paths {
        let name = path.strip_prefix(root()).expect("below the root");
        let name = name.to_string_lossy().replace('\\', "/");
        let is_test = name.contains("/tests/") || name.ends_with("/tests.rs");
        // Programs that are analysed.
        let inputs = [
            "crates/commute-lint/tests/rust/",
            "crates/cargo-commute/tests/observed/programs/",
        ];
        let is_input = inputs.iter().any(|folder| name.starts_with(folder));
        if is_test && !is_input {
            let text = read(&path);
            if marks.iter().any(|mark| text.contains(mark)) {
                bounded.insert(name);
            }
        }
    }
    let unlisted = bounded
        .difference(&listed)
        .map(|path| format!("{path} has no row"));
    let stale = listed
        .difference(&bounded)
        .map(|path| format!("{path} has no bound"));
    let complaints: Vec<String> = unlisted.chain(stale).collect();
    none(&complaints, "see \"Bounds in tests\" in CONTRIBUTING.md");
}

//! The invariants of ARCHITECTURE.md. Each is a test that reads the source
//! code of the workspace and names the file and line that breaks it.

mod bounds;
mod hash_order;
mod manifest;
mod source;

use commute_model::Code;

use manifest::{Manifest, crates, dependencies, manifest};
use source::{Source, files, find, read, root, sources};

/// What each crate may use of the others, besides itself. A new crate needs a
/// line here.
const MAY_USE: &[(&str, &[&str])] = &[
    ("commute-model", &[]),
    ("commute-clock", &[]),
    ("commute-spec", &["commute-model"]),
    ("commute-trace", &["commute-model"]),
    (
        "commute-detect",
        &["commute-model", "commute-clock", "commute-spec"],
    ),
    (
        "commute-explore",
        &["commute-model", "commute-clock", "commute-spec"],
    ),
    (
        "commute-compose",
        &[
            "commute-model",
            "commute-spec",
            "commute-trace",
            "commute-explore",
        ],
    ),
    ("commute-lint", &["commute-model", "commute-spec"]),
    ("commute-report", &["commute-model"]),
    ("commute-record", &["commute-model", "commute-trace"]),
    ("commute-macros", &[]),
    (
        "commute",
        &[
            "commute-record",
            "commute-explore",
            "commute-compose",
            "commute-macros",
        ],
    ),
    ("commute-std", &["commute"]),
    ("commute-dashmap", &["commute"]),
    (
        "commute-testkit",
        &["commute-model", "commute-spec", "commute-trace"],
    ),
    (
        "cargo-commute",
        &[
            "commute-model",
            "commute-clock",
            "commute-spec",
            "commute-trace",
            "commute-detect",
            "commute-explore",
            "commute-lint",
            "commute-report",
        ],
    ),
];

/// Fails if there is any complaint, and says what to do.
fn none(complaints: &[String], advice: &str) {
    assert!(complaints.is_empty(), "{advice}\n{}", complaints.join("\n"));
}

#[test]
fn crates_depend_in_one_direction() {
    let mut complaints = Vec::new();
    for (name, manifest) in &crates() {
        let Some((_, allowed)) = MAY_USE.iter().find(|(krate, _)| krate == name) else {
            complaints.push(format!("crates/{name} has no line in MAY_USE"));
            continue;
        };
        for used in dependencies(manifest) {
            if used.starts_with("commute") && !allowed.contains(&used) {
                complaints.push(format!("crates/{name} must not use {used}"));
            }
        }
    }
    none(
        &complaints,
        "the flow of ARCHITECTURE.md goes one way: move the code, or change the table there and here",
    );
}

#[test]
fn the_testkit_is_used_by_tests_only() {
    let crates = crates();
    let complaints: Vec<String> = crates
        .iter()
        .filter(|(_, manifest)| dependencies(manifest).contains("commute-testkit"))
        .map(|(name, _)| format!("crates/{name} uses commute-testkit"))
        .collect();
    none(&complaints, "put it under [dev-dependencies]");
    let publish = crates["commute-testkit"]
        .iter()
        .any(|(_, key, value)| key == "publish" && value == "false");
    assert!(publish, "commute-testkit is never published");
}

#[test]
fn only_the_binary_knows_the_command_line() {
    let mut complaints = Vec::new();
    for (name, manifest) in crates().iter().filter(|(name, _)| *name != "cargo-commute") {
        for only in ["clap", "anyhow", "anstream", "indicatif"] {
            if dependencies(manifest).contains(only) {
                complaints.push(format!("crates/{name} uses {only}"));
            }
        }
    }
    // The process of a test belongs to the command that started it, and ends with it.
    let of_the_command = |source: &Source| {
        source.krate() == "cargo-commute" || source.path.ends_with("commute/src/exploring.rs")
    };
    let library: Vec<Source> = sources()
        .into_iter()
        .filter(|source| !of_the_command(source))
        .collect();
    complaints.extend(find(&library, &["process::exit", "std::env::args"]));
    none(&complaints, "return a value and let cargo-commute decide");
}

#[test]
fn libraries_do_not_print() {
    // The recorder has nobody to tell that a trace cannot be written, nor has a test whose
    // process must end. What a test prints is kept by somebody who has to flush it. The
    // testkit reports skipped tests.
    let may = |source: &Source| {
        source.krate() == "cargo-commute"
            || source.path == "crates/commute-record/src/report.rs"
            || source.path == "crates/commute-testkit/src/tools.rs"
            || source.path == "crates/commute-explore/src/runtime/watchdog.rs"
            || source.path == "crates/commute-explore/src/runtime/panics.rs"
            || source.path == "crates/commute-explore/src/runtime/output.rs"
    };
    let library: Vec<Source> = sources()
        .into_iter()
        .filter(|source| !may(source))
        .collect();
    let words = [
        "println!",
        "eprintln!",
        "print!",
        "eprint!",
        "dbg!",
        "stdout()",
        "stderr()",
    ];
    none(
        &find(&library, &words),
        "hand findings to the Sink, return text as a String",
    );
}

#[test]
fn analyses_do_no_input_or_output() {
    let pure = [
        "commute-model",
        "commute-clock",
        "commute-spec",
        "commute-detect",
        "commute-report",
    ];
    let sources: Vec<Source> = sources()
        .into_iter()
        .filter(|source| pure.contains(&source.krate()))
        .collect();
    let words = [
        "std::fs",
        "std::net",
        "std::env",
        "stdin()",
        "File::open",
        "std::time",
    ];
    none(
        &find(&sources, &words),
        "the same pass runs online and offline: let the caller read, write and measure",
    );
}

#[test]
fn unsafe_code_is_forbidden() {
    let workspace = manifest(&root().join("Cargo.toml"));
    let forbidden = workspace.iter().any(|(table, key, value)| {
        table == "workspace.lints.rust" && key == "unsafe_code" && value == "\"forbid\""
    });
    assert!(forbidden, "Cargo.toml must forbid unsafe_code");
    let has = |manifest: &Manifest, table: &str, key: &str, value: &str| {
        manifest.contains(&(table.into(), key.into(), value.into()))
    };
    // What is part of somebody else's program may have unsafe code, each block with
    // its argument.
    let may = ["commute", "commute-record", "commute-explore"];
    let complaints: Vec<String> = crates()
        .iter()
        .filter(|(name, manifest)| {
            let inherits = has(manifest, "lints", "workspace", "true");
            let argues = has(manifest, "lints.rust", "unsafe_code", "\"deny\"")
                && has(
                    manifest,
                    "lints.clippy",
                    "undocumented_unsafe_blocks",
                    "\"deny\"",
                );
            let argues = argues && may.contains(&&name[..]);
            !inherits && !argues
        })
        .map(|(name, _)| format!("crates/{name}/Cargo.toml"))
        .collect();
    none(&complaints, "add `[lints]` with `workspace = true`");
}

#[test]
fn file_names_say_what_is_inside() {
    let vague = ["util", "helper", "common", "manager", "misc"];
    let complaints: Vec<String> = sources()
        .into_iter()
        .map(|source| source.path)
        .filter(|path| {
            let parts = path.split(['/', '.', '_', '-']);
            parts
                .map(|part| part.trim_end_matches('s'))
                .any(|part| vague.contains(&part))
        })
        .collect();
    none(&complaints, "name the file after what it is about");
}

#[test]
fn files_are_short() {
    let complaints: Vec<String> = sources()
        .iter()
        .map(|source| (source.text.lines().count(), &source.path))
        .filter(|(lines, _)| *lines > 600)
        .map(|(lines, path)| format!("{path}: {lines} lines"))
        .collect();
    none(&complaints, "one concern per file, at most 600 lines");
}

#[test]
fn every_module_says_what_it_is() {
    let complaints: Vec<String> = sources()
        .into_iter()
        .filter(|source| !source.text.starts_with("//!"))
        .map(|source| source.path)
        .collect();
    none(&complaints, "open the file with `//!`");
}

#[test]
fn nothing_is_left_undone() {
    // Assembled, so that this file does not complain about itself.
    let bad = [
        format!("#[{}]", "ignore"),
        format!("#[{} =", "ignore"),
        format!("{}!(", "todo"),
        format!("{}!(", "unimplemented"),
        format!("FIX{}", "ME"),
        format!("XX{}", "X:"),
    ];
    let mut complaints = Vec::new();
    for source in sources() {
        for (number, line) in source.text.lines().enumerate() {
            if bad.iter().any(|word| line.contains(word)) {
                complaints.push(format!("{}:{}: {}", source.path, number + 1, line.trim()));
            }
        }
    }
    none(&complaints, "finish it, or take it out");
}

#[test]
fn every_code_has_a_page() {
    let folder = root().join("docs/codes");
    for code in Code::ALL {
        let page = read(&folder.join(format!("{code}.md")));
        let title = format!("# {code}: {}", code.title());
        assert_eq!(page.lines().next(), Some(&*title), "docs/codes/{code}.md");
        for part in ["## Example", "## How to fix it", "## What it does not mean"] {
            assert!(page.contains(part), "docs/codes/{code}.md lacks {part:?}");
        }
        let kinds = ["```std\n", "```ecl\n", "```console\n"];
        let example = kinds.iter().any(|kind| page.contains(kind));
        assert!(example, "docs/codes/{code}.md has no example");
    }
    let mut pages = Vec::new();
    files(&folder, "md", &mut pages);
    assert_eq!(pages.len(), Code::ALL.len(), "a page without a code");
}

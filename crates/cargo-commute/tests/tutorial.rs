//! The README's own program: a fresh project outside of the repository, its commands
//! one by one.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn block<'a>(text: &'a str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(after).expect("the README has this part");
    let (_, rest) = rest.split_once("```rust\n").expect("a program");
    rest.split_once("```").expect("its end").0
}

fn run(program: &str, arguments: &[&str], directory: &Path) -> Output {
    Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .env_remove("CARGO_TARGET_DIR")
        .output()
        .expect("it can be started")
}

#[test]
fn the_program_of_the_readme_is_watched() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.canonicalize().expect("the workspace is there");
    let readme = fs::read_to_string(root.join("README.md")).expect("the README is there");
    let directory = tempfile::tempdir().expect("a directory");
    let project = directory.path().join("pool");
    let made = run("cargo", &["new", "--vcs", "none", "pool"], directory.path());
    assert!(made.status.success(), "{made:?}");
    let library = root.join("crates/commute");
    let library = library.to_str().expect("a path in UTF-8");
    let add = [
        "add",
        "commute",
        "--offline",
        "--path",
        library,
        "--features",
        "dashmap",
    ];
    let added = run("cargo", &add, &project);
    assert!(added.status.success(), "{added:?}");
    // The versions of the workspace are there without a network.
    fs::copy(root.join("Cargo.lock"), project.join("Cargo.lock")).expect("copied");
    let program = block(&readme, "## Your own program");
    fs::write(project.join("src/main.rs"), program).expect("written");

    let output = run("cargo", &["run", "--quiet", "--offline"], &project);
    assert!(output.status.success(), "{output:?}");
    let output = run(
        env!("CARGO_BIN_EXE_commute"),
        &["run", "--offline", "--color", "never"],
        &project,
    );
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(
        stdout.contains("error[CM101]: commutativity race on `users` (map)"),
        "{stdout}"
    );
    assert!(stdout.contains("--> src/main.rs:1"), "{stdout}");
    assert!(project.join("target/commute/debug/pool").exists());
}

//! The README's own program and the tutorial: fresh projects outside of the workspace,
//! their commands one by one. `COMMUTE_BLESS=1 cargo test -p cargo-commute --test tutorial`
//! writes into the tutorial what its commands print now.
#![cfg(unix)]

mod times;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the workspace is there")
}

/// What is built stays for the next time.
fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("tutorial")
}

fn run(program: &str, arguments: &[&str], directory: &Path) -> Output {
    let ours = Path::new(env!("CARGO_BIN_EXE_cargo-commute"));
    let ours = ours.parent().expect("a folder").display();
    let path = std::env::var("PATH").expect("a path");
    Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .env("PATH", format!("{ours}:{path}"))
        .env("CARGO_TARGET_DIR", target())
        .env("CARGO_NET_OFFLINE", "true")
        .env("CARGO_TERM_QUIET", "true")
        .env("RUST_BACKTRACE", "0")
        .output()
        .expect("it can be started")
}

/// A new project in this folder, which is in no workspace.
fn new_project(folder: &Path, name: &str) -> PathBuf {
    let made = run("cargo", &["new", "--vcs", "none", name], folder);
    assert!(made.status.success(), "{made:?}");
    let project = folder.join(name);
    // The versions of the workspace are there without a network.
    fs::copy(root().join("Cargo.lock"), project.join("Cargo.lock")).expect("copied");
    project
}

/// `cargo add`, with the checkout where it really is.
fn add(words: &[&str], project: &Path) {
    let real = |word: &&str| match word.strip_prefix("../commute/") {
        Some(path) => root().join(path).to_str().expect("UTF-8").to_owned(),
        None => (*word).to_owned(),
    };
    let words: Vec<String> = words.iter().map(real).collect();
    let words: Vec<&str> = words.iter().map(|word| &**word).collect();
    let added = run("cargo", &words, project);
    assert!(added.status.success(), "{added:?}");
}

#[test]
fn the_program_of_the_readme_is_watched() {
    let readme = fs::read_to_string(root().join("README.md")).expect("the README is there");
    let (_, rest) = readme.split_once("## Your own program").expect("this part");
    let adds = |line: &&str| line.starts_with("$ cargo add ");
    let how = rest.lines().find(adds).expect("how to add the library");
    let (_, rest) = rest.split_once("```rust\n").expect("a program");
    let program = rest.split_once("```").expect("its end").0;
    let directory = tempfile::tempdir().expect("a directory");
    let project = new_project(directory.path(), "pool");
    let words: Vec<&str> = how.split(' ').skip(2).collect();
    add(&words, &project);
    fs::write(project.join("src/main.rs"), program).expect("written");

    let output = run("cargo", &["run", "--quiet"], &project);
    assert!(output.status.success(), "{output:?}");
    let output = run("cargo", &["commute", "run", "--color", "never"], &project);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(
        stdout.contains("error[CM101]: commutativity race on `users` (map)"),
        "{stdout}"
    );
    assert!(stdout.contains("--> src/main.rs:1"), "{stdout}");
    assert!(target().join("commute/debug/pool").exists());
}

/// What a command prints.
fn printed(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    times::without_times(&String::from_utf8(text).expect("UTF-8"))
}

/// The titles of all findings, what the program printed, and the last line.
fn found(text: &str) -> Vec<&str> {
    let kinds = ["error[", "to: ", "commute: "];
    let is_one = |line: &&str| kinds.iter().any(|kind| line.starts_with(kind));
    text.lines().filter(is_one).collect()
}

/// The tutorial as somebody follows it.
struct Follower {
    directory: PathBuf,
    /// How the commands ended.
    exit_codes: Vec<i32>,
}

impl Follower {
    /// Types a command, and returns what it prints; what cargo itself says is left out.
    fn types(&mut self, line: &str, expected: &str) -> String {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["cargo", "install", "--path", path] => {
                let path = path
                    .strip_prefix("commute/")
                    .expect("a path in the checkout");
                let manifest = fs::read_to_string(root().join(path).join("Cargo.toml"));
                let manifest = manifest.expect("the path is right");
                assert!(manifest.contains("name = \"cargo-commute\""));
            }
            ["cargo", "new", name] => drop(new_project(&self.directory, name)),
            ["cd", name] => self.directory.push(name),
            ["cargo", "add", ..] => add(&words[1..], &self.directory),
            ["cargo", ..] => return self.prints(&words[1..], expected),
            _ => panic!("who knows `{line}`?"),
        }
        String::new()
    }

    /// In a run that is watched threads do as they like: what is found has to be the same,
    /// the numbers of its events need not.
    fn prints(&mut self, words: &[&str], expected: &str) -> String {
        let is_watched = words.starts_with(&["commute", "run"]);
        let is_same = |output: &Output| found(&printed(output)) == found(expected);
        let mut output = run("cargo", words, &self.directory);
        for _ in 0..20 {
            if !is_watched || is_same(&output) {
                break;
            }
            output = run("cargo", words, &self.directory);
        }
        self.exit_codes.push(output.status.code().expect("a code"));
        match is_watched && is_same(&output) {
            true => expected.to_owned(),
            false => printed(&output),
        }
    }

    /// Writes the program, or replaces a part of it.
    fn writes(&self, text: &str) {
        let file = self.directory.join("src/main.rs");
        if text.starts_with("//!") {
            fs::write(file, text).expect("written");
            return;
        }
        let program = fs::read_to_string(&file).expect("it was written");
        let (before, rest) = program.split_once("fn count(").expect("the function");
        let (_, after) = rest.split_once("#[cfg(test)]").expect("the tests");
        let program = format!("{before}{text}\n#[cfg(test)]{after}");
        fs::write(file, program).expect("written");
    }
}

#[test]
fn the_tutorial_does_what_it_says() {
    let page = root().join("docs/tutorial.md");
    let text = fs::read_to_string(&page).expect("the tutorial is there");
    let directory = tempfile::tempdir().expect("a directory");
    let mut follower = Follower {
        directory: directory.path().to_owned(),
        exit_codes: Vec::new(),
    };
    let mut now = String::new();
    let mut lines = text.lines().peekable();
    let mut block = "";
    let mut code = String::new();
    while let Some(line) = lines.next() {
        writeln!(now, "{line}").expect("written");
        match (block, line.strip_prefix("```")) {
            ("", Some(tag)) => block = tag,
            (_, Some(_)) => {
                if block == "rust" {
                    follower.writes(&std::mem::take(&mut code));
                }
                block = "";
            }
            ("rust", None) => code += &format!("{line}\n"),
            ("console", None) => {
                let command = line.strip_prefix("$ ").expect("a command");
                let mut expected = String::new();
                let is_output = |next: &&str| !next.starts_with("```") && !next.starts_with("$ ");
                while let Some(line) = lines.next_if(is_output) {
                    expected += &format!("{line}\n");
                }
                now += &follower.types(command, &expected);
            }
            _ => {}
        }
    }
    // It runs and passes, is found to be wrong twice, and is mended.
    assert_eq!(follower.exit_codes, [0, 0, 1, 1, 0, 0], "{now}");
    match std::env::var_os("COMMUTE_BLESS") {
        Some(_) => fs::write(page, now).expect("written"),
        None => assert_eq!(text, now, "docs/tutorial.md (COMMUTE_BLESS=1 updates it)"),
    }
}

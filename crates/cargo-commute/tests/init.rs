//! `commute init` in projects of all kinds, and that what it writes works.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run(program: &str, line: &str, here: &Path) -> Output {
    Command::new(program)
        .args(line.split_whitespace())
        .current_dir(here)
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("RUSTFLAGS")
        .output()
        .expect("it can be started")
}

fn commute(line: &str, here: &Path) -> (Option<i32>, String) {
    let output = run(env!("CARGO_BIN_EXE_commute"), line, here);
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.code(),
        String::from_utf8_lossy(&text).into_owned(),
    )
}

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the workspace is there")
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(path, text).expect("written");
}

#[test]
fn nothing_is_written_over() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    let (code, said) = commute("init", here);
    let expected = "\
wrote commute.toml: every option, with its default

There is no Cargo.toml here, and so no test was written. Next:
  commute check TRACE   checks a recorded trace
";
    assert_eq!((code, &*said), (Some(0), expected));
    assert!(!here.join("tests").exists());
    // It changes nothing, and nothing is odd about it.
    fs::copy(
        root().join("examples/traces/connections.std"),
        here.join("t.std"),
    )
    .expect("copied");
    assert_eq!(
        commute("check t.std", here),
        commute("check t.std --no-config", here)
    );

    fs::write(here.join("commute.toml"), "quiet = true\n").expect("written");
    let (code, said) = commute("init", here);
    let expected = "error: commute.toml is already there, so nothing was written; `--force` writes over what is there\n";
    assert_eq!((code, &*said), (Some(2), expected));
    let text = || fs::read_to_string(here.join("commute.toml")).expect("a file");
    assert_eq!(text(), "quiet = true\n");
    assert_eq!(commute("init --force", here).0, Some(0));
    assert!(text().contains("#quiet = false"));
    let (code, said) = commute("init -p x", here);
    assert_eq!(code, Some(2));
    assert!(said.contains("there is no package `x`"), "{said}");
    // Not even a link to nowhere.
    fs::remove_file(here.join("commute.toml")).expect("removed");
    std::os::unix::fs::symlink("nowhere", here.join("commute.toml")).expect("linked");
    assert_eq!(commute("init", here).0, Some(2));
    assert!(!here.join("nowhere").exists());
}

#[test]
fn a_workspace_has_one_file_and_a_package_the_test() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path().canonicalize().expect("it is there");
    write(
        &here.join("Cargo.toml"),
        "[workspace]\nmembers = [\"a\", \"b\"]\nresolver = \"3\"\n",
    );
    for name in ["a", "b"] {
        let manifest =
            format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
        write(&here.join(name).join("Cargo.toml"), &manifest);
        write(&here.join(name).join("src/lib.rs"), "");
    }
    let (code, said) = commute("init", &here);
    assert_eq!(code, Some(2));
    assert!(
        said.contains("`-p NAME` says which package gets the test; there are `a`, `b`"),
        "{said}"
    );
    assert!(!here.join("commute.toml").exists());
    let (code, said) = commute("init -p c", &here);
    assert_eq!(code, Some(2));
    assert!(
        said.contains("there is no package `c`; there are `a`, `b`"),
        "{said}"
    );

    let (code, said) = commute("init", &here.join("b"));
    let library = root().join("crates/commute");
    let expected = format!(
        "\
wrote ../commute.toml: every option, with its default
wrote tests/commute.rs: a first test

Next:
  cargo add commute -p b --path {0}   the library
  cargo test -p b --test commute {1}   runs the test once
  cargo commute test -p b        {1}   runs it once for every outcome
",
        library.display(),
        " ".repeat(library.display().to_string().len() - 1),
    );
    assert_eq!((code, said), (Some(0), expected));
    assert!(here.join("b/tests/commute.rs").exists());
    // What is missing is written, and nothing else.
    let (code, said) = commute("init -p a", &here);
    let expected = "\
wrote a/tests/commute.rs: a first test
left commute.toml as it is: `--force` writes over it
";
    assert_eq!(code, Some(0), "{said}");
    assert!(said.starts_with(expected), "{said}");
    let (code, said) = commute("init -p a", &here);
    let expected = "commute.toml and a/tests/commute.rs are already there";
    assert_eq!(code, Some(2));
    assert!(said.contains(expected), "{said}");
    assert_eq!(
        commute("init -p a --force -q", &here),
        (Some(0), String::new())
    );
}

#[test]
fn what_cannot_be_written_as_a_whole_is_not_written_in_part() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path().canonicalize().expect("it is there");
    let manifest = "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    write(&here.join("Cargo.toml"), manifest);
    write(&here.join("src/lib.rs"), "");
    write(&here.join("tests"), "no folder");
    let (code, said) = commute("init", &here);
    let expected = "error: cannot write tests/commute.rs: tests is no folder\n";
    assert_eq!((code, &*said), (Some(2), expected));
    assert!(!here.join("commute.toml").exists());
}

#[test]
fn the_schema_is_printed() {
    let kept = fs::read_to_string(root().join("schemas/commute.schema.json")).expect("a schema");
    let here = tempfile::tempdir().expect("a folder");
    assert_eq!(commute("init --schema", here.path()), (Some(0), kept));
}

#[test]
fn the_first_test_passes_and_fails_where_it_says_so() {
    let root = root();
    let here = tempfile::tempdir().expect("a folder");
    let made = run("cargo", "new --lib --vcs none bank", here.path());
    assert!(made.status.success(), "{made:?}");
    let here = here.path().join("bank");
    let (code, said) = commute("init", &here);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("  cargo add commute "), "{said}");
    let library = root.join("crates/commute").display().to_string();
    let added = run(
        "cargo",
        &format!("add commute --offline --path {library}"),
        &here,
    );
    assert!(added.status.success(), "{added:?}");
    // The versions of the workspace are there without a network.
    fs::copy(root.join("Cargo.lock"), here.join("Cargo.lock")).expect("copied");

    let tested = run("cargo", "test --offline --test commute", &here);
    assert!(tested.status.success(), "{tested:?}");
    let text = String::from_utf8_lossy(&tested.stdout).into_owned();
    assert!(text.contains("1 passed"), "{text}");
    let (code, said) = commute("test --offline", &here);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("money_is_spent_once"), "{said}");

    // The lock is let go of, as the comment proposes.
    let file = here.join("tests/commute.rs");
    let test = fs::read_to_string(&file).expect("a test");
    let looked =
        "let mut balance = account.lock().unwrap();\n    let is_enough = *balance >= amount;";
    let broken = test.replace(
        looked,
        "let is_enough = *account.lock().unwrap() >= amount;",
    );
    let broken = broken.replace("*balance -=", "*account.lock().unwrap() -=");
    assert_ne!(test, broken);
    fs::write(&file, broken).expect("written");
    // By the file, this once: the project wants lines.
    fs::write(
        here.join("commute.toml"),
        "[test]\nmessage-format = \"short\"\noffline = true\n",
    )
    .expect("written");
    let (code, said) = commute("test", &here);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("CM301") && !said.contains("  --> "), "{said}");
    let (_, said) = commute("init --force", &here);
    assert!(!said.contains("cargo add"), "{said}");
}

//! `commute replay` on schedules that were written to make cargo do something else.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A package with a cargo that writes down its arguments, and fails.
fn project() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("src")).expect("made");
    fs::write(at("src/lib.rs"), "").expect("written");
    let manifest = "[package]\nname = \"p\"\nversion = \"0.1.0\"\n[workspace]\n";
    fs::write(at("Cargo.toml"), manifest).expect("written");
    let cargo = format!(
        "#!/bin/sh\nprintf '%s\\n' \"$@\" >> {0}/asked\n[ \"$1\" = metadata ] && exec {1} \"$@\"\nexit 1\n",
        folder.path().display(),
        env!("CARGO"),
    );
    fs::write(at("cargo"), cargo).expect("written");
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(at("cargo"), executable).expect("made executable");
    folder
}

fn replay(folder: &Path, words: &[&str]) -> Output {
    let _ = fs::remove_file(folder.join("asked"));
    Command::new(env!("CARGO_BIN_EXE_commute"))
        .arg("replay")
        .args(words)
        .current_dir(folder)
        .env("CARGO", folder.join("cargo"))
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("CARGO_BUILD_TARGET_DIR")
        .output()
        .expect("commute runs")
}

/// The words that cargo was given.
fn asked(folder: &Path) -> Vec<String> {
    let asked = fs::read_to_string(folder.join("asked")).unwrap_or_default();
    asked.lines().map(str::to_owned).collect()
}

/// A schedule with these lines after its first one.
fn schedule(header: &str) -> String {
    format!("# commute schedule 1\n{header}\nsteps: 1\n\nm  f()\n")
}

/// A schedule with a line, and the column in which that is refused.
fn check(folder: &Path, line: &str, column: usize) {
    let at = |name: &str| folder.join(name);
    let header = match line.starts_with("test") {
        true => line.to_owned(),
        false => format!("test: t\n{line}"),
    };
    let number = 1 + header.lines().count();
    // A file that is named, and one that is found by the beginning of its name.
    fs::write(at("x.schedule"), schedule(&header)).expect("written");
    let kept = at("target/commute/schedules");
    fs::create_dir_all(&kept).expect("made");
    let kept = kept.join("abcdef0123456789.schedule");
    fs::write(&kept, schedule(&header)).expect("written");
    for name in ["x.schedule", "abcdef01"] {
        let output = replay(folder, &[name]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {stderr}");
        let place = format!(".schedule:{number}:{column}: ");
        assert!(stderr.contains(&place), "{line}: {stderr}");
        assert_eq!(asked(folder), [""; 0], "{line}");
    }
    fs::remove_file(kept).expect("removed");
}

#[test]
fn no_word_of_a_target_reaches_cargo() {
    let folder = project();
    for (line, column) in [
        ("target: --lib --config build.rustc-wrapper=\"/tmp/x\"", 15),
        ("target: --lib --config=patch.crates-io.a.git=\"URL\"", 15),
        ("target: --config x --lib", 9),
        ("target:  --manifest-path /tmp/x/Cargo.toml", 10),
        ("target: --test --config=x", 16),
        ("target: --test -Zunstable-options", 16),
        ("target: --bin -p", 15),
        ("target: --example=x", 9),
        ("target: --test x -- --exec", 18),
        ("target: --test x y", 18),
        ("target: --lib --lib", 15),
        ("target: --lib\u{a0}-q", 15),
        ("target: --test", 15),
        ("target: --test ../x", 16),
        ("target: --test /tmp/x", 16),
        ("target: --test a=b", 16),
        ("target: --test *", 16),
        ("target: --test x\u{1b}[2J", 16),
        ("target: --bench x", 9),
        ("target: --bins", 9),
        ("target: --workspace", 9),
        ("target: +nightly", 9),
        ("target: @args", 9),
        ("target: -", 9),
        ("target: \u{2212}\u{2212}lib", 9),
        ("target:\t--lib", 1),
        ("target: \t", 10),
    ] {
        check(folder.path(), line, column);
    }
}

#[test]
fn no_option_is_a_package_or_a_test() {
    let folder = project();
    for (line, column) in [
        ("package: --config=x", 10),
        ("package: -q", 10),
        ("package: p --config x", 10),
        ("package: https://example.org/p", 10),
        ("package: path+file:///tmp/p#p@1.0.0", 10),
        ("package: ../p", 10),
        ("package: p@1.0.0", 10),
        ("package: *", 10),
        ("package:  ", 11),
        ("test: --nocapture", 7),
        ("test: --exec", 7),
        ("test: -Zx t", 7),
        ("test: a b", 7),
        ("test:  a\u{7}", 8),
        ("test: ", 7),
        ("test: t\ntest: t", 1),
        ("test: t\nconfig: x", 1),
        ("test: t\npackage: p\npackage: p", 1),
        ("test: t\ntarget: --lib\ntarget: --lib", 1),
    ] {
        check(folder.path(), line, column);
    }
}

#[test]
fn a_schedule_as_it_is_written_is_built() {
    let folder = project();
    for (line, word) in [
        ("target: --lib", "--lib"),
        ("target: --test x-1_y", "--test=x-1_y"),
        ("target: --bin b", "--bin=b"),
        ("target: --example e", "--example=e"),
    ] {
        let text = schedule(&format!("test: a::t\npackage: p-q\n{line}"));
        fs::write(folder.path().join("x.schedule"), text).expect("written");
        let output = replay(folder.path(), &["x.schedule"]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains("the tests could not be built"), "{stderr}");
        let asked = asked(folder.path());
        assert!(asked.contains(&word.to_owned()), "{asked:?}");
        assert!(asked.contains(&"--package=p-q".to_owned()), "{asked:?}");
    }
}

/// `--bin` of cargo takes no value if a word with `-` follows, which would then be an option.
#[test]
fn a_key_of_the_configuration_is_no_option_of_cargo() {
    let folder = project();
    let hostile = "--config=build.rustc-wrapper=\"x\"";
    for key in ["bin", "example", "package", "profile"] {
        let config = format!("[replay]\n{key} = '{hostile}'\n");
        fs::write(folder.path().join("commute.toml"), config).expect("written");
        fs::write(folder.path().join("x.schedule"), schedule("test: t")).expect("written");
        replay(folder.path(), &["x.schedule"]);
        let asked = asked(folder.path());
        let word = format!("--{key}={hostile}");
        assert!(asked.contains(&word), "{key}: {asked:?}");
        assert!(!asked.contains(&hostile.to_owned()), "{key}: {asked:?}");
    }
}

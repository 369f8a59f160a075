//! Patterns that were written to take long, or to make the program fail.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A folder with a trace in which two threads race at long locations.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let long = "a".repeat(20_000);
    let mut trace = String::new();
    for i in 0..20 {
        for thread in ["T1", "T2"] {
            trace += &format!("{thread}|w(x{i})|{long}{i}.rs:1\n");
        }
    }
    fs::write(folder.path().join("t.std"), trace).expect("written");
    folder
}

fn check(here: &Path, words: &[&str]) -> (Option<i32>, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new(env!("CARGO_BIN_EXE_commute"))
        .args(["check", "t.std", "--only", "data-races,atomicity"])
        .args(["--message-format", "short", "--no-store"])
        .args(words)
        .current_dir(here)
        .output()
        .expect("commute runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn a_pattern_of_many_stars_is_matched_or_refused() {
    let here = folder();
    let file = here.path().join("s");
    let stars = "*a".repeat(480);
    for (pattern, code) in [
        (format!("location={stars}*"), 0),
        (format!("location={stars}*z"), 1),
        (format!("location={}", "*a?".repeat(320)), 1),
        (format!("location={}*", "{*a,*b}".repeat(140)), 0),
        (format!("location={}*", "*a".repeat(10_000)), 2),
    ] {
        fs::write(&file, format!("# many stars\n{pattern}\n")).expect("written");
        let (found, stdout, stderr) = check(here.path(), &["--suppress", "s"]);
        assert_eq!(found, Some(code), "{stderr}");
        match code {
            0 => assert!(stdout.contains("no findings, 20 suppressed"), "{stdout}"),
            2 => {
                let message =
                    "error: s:2:10: a pattern has at most 1000 bytes, and this one has 20001";
                assert_eq!(stderr.trim_end(), message);
            }
            _ => {}
        }
    }
}

#[test]
fn nested_braces_are_refused_wherever_patterns_are() {
    let here = folder();
    let write = |name: &str, text: &str| fs::write(here.path().join(name), text).expect("written");
    for depth in [11, 249, 250, 251, 300, 100_000] {
        let pattern = "{".repeat(depth) + "a" + &"}".repeat(depth);
        let problem = match 2 * depth < 1000 {
            true => "alternate groups are nested at most 10 deep",
            false => "a pattern has at most 1000 bytes",
        };
        let column = |start: usize| if 2 * depth < 1000 { start + 10 } else { start };
        let refused = |words: &[&str], place: &str| {
            let (code, stdout, stderr) = check(here.path(), words);
            assert_eq!((code, &*stdout), (Some(2), ""), "{stderr}");
            let expected = format!("error: {place}: {problem}");
            assert!(stderr.starts_with(&expected), "{expected}\n{stderr}");
        };
        write("s", &format!("CM101\n  object={pattern}\n"));
        refused(&["--suppress", "s"], &format!("s:2:{}", column(10)));
        write("blocks", &format!("main\n {pattern}  # all\n"));
        for flag in ["--atomic", "--not-atomic"] {
            let place = format!("blocks:2:{}", column(2));
            refused(&[flag, "@blocks"], &place);
            // The system takes no longer words.
            if depth < 50_000 {
                refused(&[flag, &pattern], flag);
            }
        }
        write(
            "c.toml",
            &format!("[[lint.suppress]]\nfile = \"{pattern}\"\n"),
        );
        refused(&["--config", "c.toml"], "c.toml:2:8");
        write("c.toml", &format!("[check]\natomic = [\"{pattern}\"]\n"));
        let (code, _, stderr) = check(here.path(), &["--config", "c.toml"]);
        assert_eq!(code, Some(2), "{stderr}");
        assert!(
            stderr.starts_with("error: c.toml:2:11: `atomic` cannot be "),
            "{stderr}"
        );
        assert!(stderr.contains(problem), "{stderr}");
        assert!(stderr.len() < 2000, "{}", stderr.len());
    }
}

#[test]
fn many_suppressions_are_no_hindrance() {
    let here = folder();
    let mut text = String::new();
    for i in 0..20_000 {
        text += &format!("location=**/vendor/x{i}.rs:* object=y{i}\nobject=y{i}\n");
    }
    fs::write(here.path().join("s"), text + "object=x1?\n").expect("written");
    let (code, stdout, _) = check(here.path(), &["--suppress", "s", "-q"]);
    assert_eq!(code, Some(1));
    assert_eq!(stdout.lines().count(), 10);
}

//! Configuration files of other users, and output of configuration files.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use super::{Said, TRACE, folder, run};

/// A configuration with suppressions.
const SUPPRESSING: &str = "suppress = 'known'\n";

/// The root of a repository, with a configuration that suppresses everything.
fn suppressing() -> tempfile::TempDir {
    let here = folder(SUPPRESSING);
    fs::write(here.path().join("known"), "object=*\nlocation=*\n").expect("written");
    here
}

fn check(said: &Said, code: i32, message: &str) {
    assert_eq!(said.code, Some(code), "{}{}", said.out, said.err);
    assert!(said.err.contains(message), "{message}: {}", said.err);
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("set");
}

#[test]
fn a_file_above_is_obeyed_in_a_repository_only() {
    let here = suppressing();
    fs::remove_dir(here.path().join(".git")).expect("removed");
    let below = here.path().join("a/b");
    fs::create_dir_all(&below).expect("made");
    check(&run(here.path(), "check t.std"), 0, "");
    check(&run(&below, "check ../../t.std"), 1, "");
    fs::create_dir(here.path().join(".git")).expect("made");
    check(&run(&below, "check ../../t.std"), 0, "");
    // The root of a repository inside is where the search ends.
    fs::create_dir(here.path().join("a/.git")).expect("made");
    check(&run(&below, "check ../../t.std"), 1, "");
}

#[test]
fn a_file_that_all_can_write_is_refused_unless_it_is_named() {
    let here = suppressing();
    let file = here.path().join("commute.toml");
    // A group is chosen by the user, and the folder does not matter.
    set_mode(here.path(), 0o777);
    set_mode(&file, 0o664);
    check(&run(here.path(), "check t.std"), 0, "");
    for mode in [0o666, 0o602, 0o777] {
        set_mode(&file, mode);
        let said = run(here.path(), "check t.std");
        check(
            &said,
            2,
            "refusing to read commute.toml: every user can write to it;",
        );
        check(&said, 2, "`--config commute.toml`");
        check(&said, 2, "COMMUTE_CONFIG=commute.toml");
        for command in ["trace info t.std", "spec check", "report"] {
            check(
                &run(here.path(), command),
                2,
                "refusing to read commute.toml",
            );
        }
        check(
            &run(here.path(), "check t.std --config commute.toml"),
            0,
            "",
        );
        check(
            &run(here.path(), "COMMUTE_CONFIG=commute.toml check t.std"),
            0,
            "",
        );
        check(&run(here.path(), "check t.std --no-config"), 1, "");
        let both = "COMMUTE_CONFIG=commute.toml check t.std --no-config";
        check(&run(here.path(), both), 1, "");
    }
}

#[test]
fn what_is_no_regular_file_is_refused_at_once() {
    let here = folder("");
    let file = here.path().join("commute.toml");
    fs::remove_file(&file).expect("removed");
    // No process ever writes to this pipe.
    let made = Command::new("mkfifo").arg(&file).status().expect("mkfifo");
    assert!(made.success());
    check(
        &run(here.path(), "check t.std"),
        2,
        "commute.toml: it is no regular file",
    );
    fs::remove_file(&file).expect("removed");
    symlink("/dev/zero", &file).expect("linked");
    check(
        &run(here.path(), "check t.std"),
        2,
        "commute.toml: it is no regular file",
    );
}

/// Only root can give a file to others.
#[test]
fn a_file_of_another_user_is_refused_unless_it_is_named() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let here = suppressing();
    let file = here.path().join("commute.toml");
    std::os::unix::fs::chown(&file, Some(12345), None).expect("given away");
    let message = "refusing to read commute.toml: it belongs to another user (12345);";
    let said = run(here.path(), "check t.std");
    check(&said, 2, message);
    check(&said, 2, "`--config commute.toml`");
    check(
        &run(here.path(), "check t.std --config commute.toml"),
        0,
        "",
    );
    check(
        &run(here.path(), "COMMUTE_CONFIG=commute.toml check t.std"),
        0,
        "",
    );
    // By a link of one's own the file is still theirs.
    fs::rename(&file, here.path().join("theirs")).expect("renamed");
    symlink("theirs", &file).expect("linked");
    check(&run(here.path(), "check t.std"), 2, message);
    // A link of another user to a file of one's own is refused, too.
    fs::remove_file(&file).expect("removed");
    fs::write(here.path().join("mine"), SUPPRESSING).expect("written");
    symlink("mine", &file).expect("linked");
    check(&run(here.path(), "check t.std"), 0, "");
    std::os::unix::fs::lchown(&file, Some(12345), None).expect("given away");
    let message = "refusing to read the link commute.toml: it belongs to another user (12345);";
    check(&run(here.path(), "check t.std"), 2, message);
}

#[test]
fn what_a_file_has_written_stays_below_its_folder() {
    let parent = tempfile::tempdir().expect("a folder");
    let at = |name: &str| parent.path().join(name);
    fs::create_dir_all(at("p/.git")).expect("made");
    fs::create_dir_all(at("p/inner")).expect("made");
    fs::create_dir(at("p/store")).expect("made");
    fs::create_dir(at("outside")).expect("made");
    fs::write(at("outside/precious"), "precious").expect("written");
    fs::write(at("p/t.std"), TRACE).expect("written");
    symlink("../outside", at("p/away")).expect("linked");
    symlink("../outside/precious", at("p/link.html")).expect("linked");
    symlink("../outside/new", at("p/new.html")).expect("linked");
    symlink("../../outside", at("p/store/findings")).expect("linked");
    symlink("../outside/precious", at("p/t-2.ctr")).expect("linked");
    let precious = at("outside/precious").display().to_string();
    let bad = [
        ("html", "../outside/precious", "check t.std"),
        ("html", &*precious, "check t.std"),
        ("html", "inner/../../outside/precious", "check t.std"),
        ("html", "away/precious", "check t.std"),
        ("html", "away/new", "check t.std"),
        ("html", "link.html", "check t.std"),
        ("html", "new.html", "check t.std"),
        ("html", ".git/hooks", "check t.std"),
        ("html", "/dev/stdout", "check t.std"),
        ("out-dir", "../outside", "check t.std"),
        ("out-dir", "away", "check t.std"),
        ("out-dir", "store", "check t.std"),
        ("write-baseline", "../outside/new", "check t.std"),
        ("write-baseline", "away/new", "check t.std"),
        ("run.save", "../outside/precious", "run -- true"),
        ("run.save", "t.ctr", "run -- true"),
        ("run.output", "../outside/precious", "run -- true"),
        ("record.output", "../outside/precious", "record -- true"),
        ("record.output", "t.ctr", "record -- true"),
        ("test.resume", "../outside/precious", "test"),
        (
            "trace.slice.output",
            "../outside/precious",
            "trace slice t.std",
        ),
        (
            "trace.convert.output",
            "../outside/precious",
            "trace convert t.std",
        ),
        (
            "trace.generate.output",
            "../outside/precious",
            "trace generate --shape racy",
        ),
    ];
    for (key, value, line) in bad {
        let config = format!("{key} = '{value}'\n");
        fs::write(at("p/commute.toml"), config).expect("written");
        let name = key.rsplit('.').next().expect("a key");
        let message = format!(
            "error: commute.toml:1:{}: `{name}` is outside of the folder of this file",
            key.len() + 4
        );
        let said = run(&at("p"), line);
        check(&said, 2, &message);
        check(
            &said,
            2,
            &format!("give it on the command line (`--{name}`)"),
        );
        // A file that is named may not, either.
        check(
            &run(&at("p"), &format!("{line} --config commute.toml")),
            2,
            &message,
        );
        let left = fs::read_dir(at("outside")).expect("read").count();
        assert_eq!(left, 1, "{key} = {value}");
        let left = fs::read_to_string(at("outside/precious")).expect("read");
        assert_eq!(left, "precious", "{key} = {value}");
    }
    // Typed paths and variables are free, and other commands do not write there.
    fs::write(at("p/commute.toml"), "html = '../outside/x.html'\n").expect("written");
    check(
        &run(&at("p"), "check t.std --html ../outside/typed.html"),
        1,
        "",
    );
    check(
        &run(&at("p"), "COMMUTE_HTML=../outside/set.html check t.std"),
        1,
        "",
    );
    check(&run(&at("p"), "check t.std --no-html"), 1, "");
    assert!(at("outside/typed.html").exists() && at("outside/set.html").exists());
    assert!(!at("outside/x.html").exists());
    for good in ["x.html", "inner/x.html", "inner/../y.html", "./z.html"] {
        fs::write(at("p/commute.toml"), format!("html = '{good}'\n")).expect("written");
        check(&run(&at("p/inner"), "check ../t.std"), 1, "");
        assert!(at("p").join(good).exists(), "{good}");
    }
}

#[test]
fn the_summary_says_that_the_file_kept_findings_out() {
    let here = folder("suppress = 'known'\n");
    fs::write(here.path().join("known"), "CM101\n").expect("written");
    let last = |line: &str| {
        let out = run(here.path(), line).out;
        out.lines().last().expect("a summary").to_owned()
    };
    let races = "check t.std --only races,data-races";
    let text = last(races);
    assert!(
        text.contains(", 1 suppressed by commute.toml in "),
        "{text}"
    );
    let json = last(&format!("{races} --message-format json"));
    let expected = r#""configured":{"file":"commute.toml","suppressed":1,"known":0}"#;
    assert!(json.contains(expected), "{json}");
    // A typed option needs no mention.
    let text = last(&format!("{races} --suppress known"));
    assert!(text.contains(", 1 suppressed in "), "{text}");
    let json = last(&format!("{races} --suppress known --message-format json"));
    assert!(!json.contains("configured"), "{json}");

    run(
        here.path(),
        &format!("{races} --no-suppress --write-baseline b.jsonl"),
    );
    fs::write(here.path().join("commute.toml"), "baseline = 'b.jsonl'\n").expect("written");
    let text = last(races);
    let expected = "commute: clean: no findings, 2 known from the baseline of commute.toml in ";
    assert!(text.starts_with(expected), "{text}");
    let text = last(&format!("{races} --baseline b.jsonl"));
    assert!(text.contains(", 2 known from the baseline in "), "{text}");
}

/// A specification decides about findings, too.
#[test]
fn a_specification_that_all_can_write_is_not_used_unless_it_is_named() {
    let here = folder("");
    let at = |name: &str| here.path().join(name);
    fs::write(at("Cargo.toml"), "[package]\nname = 'p'\n").expect("written");
    fs::create_dir(at("specs")).expect("made");
    let counter = include_str!("../../../../specs/counter.ecl");
    let lamp = counter.replace("counter", "lamp");
    fs::write(at("specs/lamp.ecl"), lamp).expect("written");
    let message = "specs/lamp.ecl: every user can write to it;";
    let said = run(here.path(), "check t.std");
    assert!(!said.err.contains("lamp"), "{}", said.err);
    set_mode(&at("specs/lamp.ecl"), 0o666);
    let said = run(here.path(), "check t.std");
    check(&said, 1, message);
    check(&said, 1, "`--spec ");
    let said = run(here.path(), "check t.std --spec specs/lamp.ecl");
    assert_eq!(said.code, Some(1), "{}", said.err);
}

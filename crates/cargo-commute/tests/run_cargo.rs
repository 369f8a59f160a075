//! `commute run` on a cargo project: what is built, with which flags, and what
//! is left alone.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use commute_trace::{CtrWriter, Options, TraceReader};

const MANIFEST: &str = r#"
[package]
name = "subject"
version = "1.2.3"
edition = "2021"

[features]
extra = []

[lints.rust]
unexpected_cfgs = "allow"

[workspace]
"#;

/// The library records by itself: what it sends was made by the test.
const LIBRARY: &str = r#"
//! ```
//! assert!(cfg!(commute), "rustdoc has the flag, too");
//! ```
pub fn act() {
    #[cfg(commute)]
    if let Some(path) = std::env::var_os("COMMUTE_SOCKET") {
        use std::io::Write;
        let mut stream = std::os::unix::net::UnixStream::connect(path).unwrap();
        let program = std::env::current_exe().unwrap();
        writeln!(stream, "commute 1 {} {}", std::process::id(), program.display()).unwrap();
        stream.write_all(include_bytes!("../race.ctr")).unwrap();
    }
    let flags = (cfg!(mine), cfg!(yours), cfg!(feature = "extra"), cfg!(debug_assertions));
    let here = std::path::Path::new("race.ctr").exists();
    let package = std::env::var("CARGO_PKG_NAME");
    let words: Vec<String> = std::env::args().skip(1).collect();
    println!("{flags:?} {here} {package:?} {words:?}");
}
"#;

const RACE: &str = "T0|fork(T1)|src/lib.rs:5\nT0|w(x)|src/lib.rs:5\nT1|w(x)|src/lib.rs:6\n";

fn race() -> Vec<u8> {
    let mut reader = TraceReader::from_reader(RACE.as_bytes(), Options::default()).expect("text");
    let mut writer = CtrWriter::new(Vec::new()).expect("a trace");
    let mut events = Vec::new();
    while reader.read_batch(&mut events).expect("events") > 0 {
        for event in &events {
            writer.write(event, reader.names()).expect("written");
        }
    }
    writer.finish().expect("ended")
}

/// A project with a library, a binary, an example and a test.
fn project(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&root);
    let files = [
        ("Cargo.toml", MANIFEST),
        (
            "Cargo.lock",
            "version = 4\n\n[[package]]\nname = \"subject\"\nversion = \"1.2.3\"\n",
        ),
        (
            ".cargo/config.toml",
            "[build]\nrustflags = [\"--cfg\", \"mine\"]\n",
        ),
        ("src/lib.rs", LIBRARY),
        ("src/main.rs", "fn main() { subject::act() }\n"),
        ("examples/show.rs", "fn main() { subject::act() }\n"),
        ("tests/also.rs", "#[test]\nfn also() { subject::act() }\n"),
        ("tests/works.rs", "#[test]\nfn works() { subject::act() }\n"),
    ];
    for (file, text) in files {
        let file = root.join(file);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder can be made");
        fs::write(file, text).expect("a file can be written");
    }
    fs::write(root.join("race.ctr"), race()).expect("a file can be written");
    root
}

/// A command that does not know how this test was started.
fn clean(program: &str, here: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(here);
    let foreign = [
        "CARGO_TARGET_DIR",
        "RUSTFLAGS",
        "CARGO_ENCODED_RUSTFLAGS",
        "RUSTDOCFLAGS",
    ];
    for variable in foreign
        .iter()
        .chain(&["CARGO_PKG_NAME", "CARGO_BUILD_BUILD_DIR"])
    {
        command.env_remove(variable);
    }
    command
}

fn commute(here: &Path, args: &[&str]) -> Command {
    let mut command = clean(env!("CARGO_BIN_EXE_commute"), here);
    command.args(args);
    command
}

fn taken(mut command: Command) -> (i32, String, String) {
    let output = command.output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let code = output.status.code().expect("an exit code");
    (code, text(&output.stdout), text(&output.stderr))
}

/// Finds the race, and the program says this.
fn finds(here: &Path, args: &[&str], said: &str) -> String {
    let (code, out, err) = taken(commute(here, args));
    assert_eq!(code, 1, "{args:?}: {out}{err}");
    assert!(out.contains("CM102 x1"), "{args:?}: {out}{err}");
    assert!(out.contains(said), "{args:?}: no {said} in {out}{err}");
    out
}

/// The files below a folder and when they were written, without ours.
fn files(folder: &Path, found: &mut BTreeMap<PathBuf, SystemTime>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.ends_with("target/commute") {
        } else if path.is_dir() {
            files(&path, found);
        } else {
            let written = fs::metadata(&path).and_then(|file| file.modified());
            found.insert(path, written.expect("a time"));
        }
    }
}

#[test]
fn targets_are_built_and_ordinary_builds_stay_as_they_are() {
    let here = project("cargo-targets");
    let mut build = clean("cargo", &here);
    build.args(["build", "--quiet"]);
    assert_eq!(taken(build).0, 0);
    let mut before = BTreeMap::new();
    files(&here, &mut before);

    let out = finds(
        &here,
        &["run"],
        "(true, false, false, true) true Ok(\"subject\") []",
    );
    assert!(out.contains("pub fn act() {"), "the source is shown: {out}");
    let args = [
        "run",
        "--bin",
        "subject",
        "--features",
        "extra",
        "--",
        "a",
        "-b",
    ];
    finds(
        &here,
        &args,
        "(true, false, true, true) true Ok(\"subject\") [\"a\", \"-b\"]",
    );
    finds(
        &here,
        &["run", "--example", "show", "--release"],
        "(true, false, false, false)",
    );
    let args = ["run", "--test", "works", "--", "--nocapture"];
    finds(&here, &args, "[\"--nocapture\"]");

    let (code, out, err) = taken(commute(
        &here,
        &["run", "--test", "works", "--test", "also"],
    ));
    assert_eq!(code, 1, "{out}{err}");
    let first = out.find("in target/commute/debug/deps/works-");
    let second = out.find("in target/commute/debug/deps/also-");
    assert!(
        first.is_some() && first < second,
        "as they were named: {out}"
    );

    // From somewhere else: there the configuration is another one.
    let manifest = here.join("Cargo.toml");
    let manifest = manifest.to_str().expect("a path");
    let elsewhere = here.parent().expect("a parent");
    let args = ["run", "-p", "subject", "--manifest-path", manifest];
    let out = finds(elsewhere, &args, "(false, false, false, true) false");
    assert!(out.contains("pub fn act() {"), "the source is shown: {out}");
    let args = [
        "run",
        "--test",
        "works",
        "--manifest-path",
        manifest,
        "--",
        "--nocapture",
    ];
    finds(elsewhere, &args, " true Ok(");

    let mut after = BTreeMap::new();
    files(&here, &mut after);
    assert_eq!(before, after, "files changed outside target/commute");
    assert!(here.join("target/commute/debug/subject").exists());
}

#[test]
fn commands_get_the_flags() {
    let here = project("cargo-commands");
    let run = ["run", "--", "cargo", "run", "--quiet"];
    finds(&here, &run, "(true, false, false, true)");
    assert!(!here.join("target/debug").exists());
    // The tests, and the example in the documentation.
    let (code, out, err) = taken(commute(&here, &["run", "--", "cargo", "test", "--quiet"]));
    assert_eq!(code, 1, "{out}{err}");
    assert_eq!(out.matches("test result: ok. 1 passed").count(), 3, "{out}");
    assert!(out.contains("CM102 x2"), "{out}");

    let flagged = |variable: &str, value: &str| {
        let mut command = commute(&here, &run);
        command.env(variable, value);
        taken(command).1
    };
    // As cargo has it: a variable hides the file, a target hides `build`.
    let out = flagged("RUSTFLAGS", "--cfg yours");
    assert!(out.contains("(false, true, false, true)"), "{out}");
    let out = flagged(
        "CARGO_ENCODED_RUSTFLAGS",
        "--cfg\u{1f}yours\u{1f}--cfg\u{1f}mine",
    );
    assert!(out.contains("(true, true, false, true)"), "{out}");
    let config =
        "[build]\nrustflags = \"--cfg mine\"\n[target.'cfg(unix)']\nrustflags = \"--cfg yours\"\n";
    fs::write(here.join(".cargo/config.toml"), config).expect("written");
    finds(&here, &run, "(false, true, false, true)");
    let out = flagged("CARGO_TARGET_DIR", "other");
    assert!(out.contains("CM102 x1"), "{out}");
    assert!(here.join("other/commute/debug/subject").exists());
}

#[test]
fn what_cannot_be_built_is_said() {
    let here = project("cargo-failures");
    let refused = |args: &[&str], text: &str| {
        let (code, out, err) = taken(commute(&here, args));
        assert_eq!(code, 2, "{args:?}: {out}{err}");
        assert!(err.contains(text), "{args:?}: {err}");
    };
    refused(&["run", "--bin", "nosuch"], "no bin target named `nosuch`");
    refused(
        &["run", "--manifest-path", "nosuch/Cargo.toml"],
        "nosuch/Cargo.toml",
    );
    refused(
        &["record", "-o", "t.ctr", "--bin", "nosuch"],
        "could not be built",
    );
    assert!(!here.join("t.ctr").exists());
    fs::create_dir(here.join("src/bin")).expect("a folder can be made");
    fs::write(here.join("src/bin/second.rs"), "fn main() {}\n").expect("written");
    refused(&["run"], "choose one by `--bin`: `second`, `subject`");
    fs::write(here.join("src/bin/second.rs"), "fn main() { nonsense }\n").expect("written");
    refused(&["run", "--bin", "second"], "cannot find value `nonsense`");
}

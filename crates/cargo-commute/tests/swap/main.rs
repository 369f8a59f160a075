//! `commute run --swap` on a program that must not change: what it uses is replaced,
//! and everything that is the user's stays as it is.
#![cfg(unix)]

mod project;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use project::{MAIN, STORE, command, files, project, taken};

const COMMUTE: &str = env!("CARGO_BIN_EXE_commute");

/// The number of the line with this text.
fn line(source: &str, text: &str) -> usize {
    let found = source.lines().position(|line| line.contains(text));
    found.expect("the source has it") + 1
}

fn commute(here: &Path, args: &[&str]) -> (i32, String, String) {
    taken(command(COMMUTE, here, args))
}

/// The race in the dependency: both places, and the object by where it was made.
fn finds_the_race(out: &str) {
    let made = line(STORE, "DashMap::new()");
    let (get, insert) = (line(STORE, ".get(name)"), line(STORE, ".insert("));
    let name = format!("dashmap@store/src/lib.rs:{made}");
    let findings: Vec<serde_json::Value> = { out.lines() }
        .filter_map(|line| serde_json::from_str(line).ok())
        .filter(|line: &serde_json::Value| line["reason"] == "finding")
        .collect();
    assert!(!findings.is_empty(), "{out}");
    for finding in findings {
        assert_eq!(finding["code"], "CM101", "{finding}");
        assert_eq!(finding["object"], name, "{finding}");
        for event in finding["events"].as_array().expect("events") {
            let place = event["location"].as_str().expect("a place");
            let known = [get, insert].map(|line| format!("store/src/lib.rs:{line}:"));
            assert!(
                known.iter().any(|known| place.starts_with(known)),
                "{place}"
            );
        }
    }
}

#[test]
fn an_unchanged_program_and_its_dependencies_are_watched() {
    let here = project("swap-program");
    let log = here.with_extension("log");
    let (code, out, err) = taken(command("cargo", &here, &["run", "--quiet"]));
    assert_eq!(code, 0, "{err}");
    let plain = "flags true 1";
    assert!(out.contains(plain) && out.contains("std::sync::"), "{out}");
    let lock = fs::read(here.join("Cargo.lock")).expect("a lock file");
    let mut before = BTreeMap::new();
    files(&here, &mut before);
    let _ = fs::remove_file(&log);

    let args = ["run", "--message-format", "json", "--swap", "std,dashmap"];
    let (code, out, err) = commute(&here, &args);
    assert_eq!(code, 1, "{out}{err}");
    finds_the_race(&out);
    let types = "commute::sync::mutex::Mutex<u8> commute::dashmap::map::DashMap<u8, u8>";
    assert!(out.contains(types) && out.contains(plain), "{out}");
    let left = "commute: `spin` does not compile with what `--swap` replaces";
    assert!(err.contains(left), "{err}");
    let calls = fs::read_to_string(&log).expect("the user's wrapper was called");
    let swapped = |line: &str| line.contains("--crate-name store ") && line.contains("std=");
    assert!(calls.lines().any(swapped), "by us: {calls}");

    // A test each, and the example in the documentation.
    let cargo = ["cargo", "test", "-p", "subject", "-p", "store"];
    let args = [&["run", "--swap", "std,dashmap", "--"][..], &cargo].concat();
    let (_, out, err) = commute(&here, &args);
    assert_eq!(
        out.matches("test result: ok. 1 passed").count(),
        2,
        "{out}{err}"
    );
    assert!(!out.contains("FAILED"), "{out}{err}");

    let trace = here.with_extension("ctr");
    let path = trace.to_str().expect("a path");
    let args = ["record", "-o", path, "--swap", "dashmap,std"];
    let (code, out, err) = commute(&here, &args);
    assert_eq!(code, 0, "{out}{err}");
    let (_, out, _) = commute(&here, &["check", "--message-format", "json", path]);
    finds_the_race(&out);
    let (_, events, _) = commute(&here, &["trace", "show", path]);
    for (made, does) in [("Mutex::new(0)", "acq(mutex"), ("mpsc::channel", "channel")] {
        let name = format!("{does}@src/main.rs:{}", line(MAIN, made));
        assert!(events.contains(&name), "no {name} in {events}");
    }
    assert!(events.contains("fork("), "{events}");

    let mut after = BTreeMap::new();
    files(&here, &mut after);
    assert_eq!(before, after, "files changed outside target/commute");
    assert_eq!(
        lock,
        fs::read(here.join("Cargo.lock")).expect("a lock file")
    );
}

#[test]
fn only_what_is_named_is_swapped() {
    let here = project("swap-one");
    let (code, out, err) = commute(&here, &["run", "--swap", "dashmap", "-q"]);
    assert_eq!(code, 1, "{out}{err}");
    assert!(
        out.contains("commute::dashmap::map::DashMap<u8, u8>"),
        "{out}"
    );
    assert!(!out.contains("commute::sync::"), "{out}");
}

#[test]
fn what_cannot_be_swapped_is_said() {
    let here = project("swap-refused");
    let refused = |args: &[&str], text: &str| {
        let (code, out, err) = commute(&here, args);
        assert_eq!(code, 2, "{args:?}: {out}{err}");
        assert!(err.contains(text), "{args:?}: {err}");
    };
    refused(&["run", "--swap", "tokio"], "possible values: std, dashmap");
    let args = ["run", "--swap", "std", "--library", "nowhere"];
    refused(&args, "there is no source code of commute in nowhere");
    refused(&["run", "--library", "nowhere"], "--swap");

    // What the user wrote is not left as it is.
    let main = here.join("src/main.rs");
    let mixed = "fn main() { let a = core::sync::atomic::AtomicBool::new(true);\n\
        let _: std::sync::atomic::AtomicBool = a; }\n";
    fs::write(&main, mixed).expect("written");
    refused(
        &["run", "--swap", "std"],
        "expected `commute_std::sync::atomic::AtomicBool`",
    );

    // Another dashmap, which need not be a real one.
    let dashmap = here.join("dashmap");
    fs::create_dir_all(dashmap.join("src")).expect("a folder can be made");
    let manifest = "[package]\nname = \"dashmap\"\nversion = \"5.5.3\"\nedition = \"2018\"\n";
    fs::write(dashmap.join("Cargo.toml"), manifest).expect("written");
    fs::write(dashmap.join("src/lib.rs"), "").expect("written");
    let store = "[package]\nname = \"store\"\nversion = \"0.1.0\"\nedition = \"2018\"\n\
        [dependencies]\ndashmap = { path = \"../dashmap\" }\n";
    fs::write(here.join("store/Cargo.toml"), store).expect("written");
    let text = "only dashmap 6 can be swapped, and the program depends on 5.5.3";
    refused(&["run", "--swap", "dashmap"], text);
}

//! The tests of the instrumented types, which are those of the originals, in all modes:
//! they pass if nothing is recorded, if it is, and if it is checked while they run. What
//! is found does not matter: some race on purpose.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// A test binary.
struct Suite {
    name: String,
    executable: PathBuf,
    /// Of its package, where it runs.
    directory: PathBuf,
}

/// A suite that takes longer hangs, which a recorder must not bring about: the longest
/// takes a minute.
const LONGEST: Duration = Duration::from_secs(1800);

const PACKAGES: [&str; 3] = ["commute", "commute-std-client", "commute-dashmap"];

/// All of them, built where `commute run` builds.
static SUITES: LazyLock<Vec<Suite>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("commute");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["test", "--all-features", "--no-run"]);
    cargo.args(["--message-format", "json", "--target-dir"]);
    cargo
        .arg(target)
        .args(PACKAGES.map(|name| format!("-p{name}")));
    cargo.current_dir(&root).env("RUSTFLAGS", "--cfg commute");
    let output = cargo.env_remove("CARGO_ENCODED_RUSTFLAGS").output();
    let output = output.expect("cargo runs");
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{err}");
    let messages = String::from_utf8_lossy(&output.stdout);
    let messages = { messages.lines() }
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let suites: Vec<Suite> = messages
        .filter_map(|message| {
            let manifest = Path::new(message["manifest_path"].as_str()?);
            // What is explored is not recorded: that is a mode of its own.
            let name = message["target"]["name"].as_str()?;
            if matches!(name, "explore" | "compose") {
                return None;
            }
            Some(Suite {
                name: name.to_owned(),
                executable: message["executable"].as_str()?.into(),
                directory: manifest.parent()?.to_owned(),
            })
        })
        .collect();
    for wanted in ["behaviour", "interrupted", "dashmap", "crossbeam", "scc"] {
        let is_there = suites.iter().any(|suite| suite.name == wanted);
        assert!(is_there, "{wanted}");
    }
    suites
});

impl Suite {
    /// Runs it by way of `through`, which takes a command.
    fn run(&self, mut through: Command, variable: Option<(&str, &Path)>) -> Output {
        through.current_dir(&self.directory);
        for name in ["COMMUTE_TRACE", "COMMUTE_SOCKET"] {
            through.env_remove(name);
        }
        let files = [(); 2].map(|()| tempfile::NamedTempFile::new().expect("a file"));
        let [stdout, stderr] = files.each_ref().map(|file| file.reopen().expect("a file"));
        let through = through.envs(variable).stdout(stdout).stderr(stderr);
        let mut child = through.spawn().expect("it runs");
        let until = Instant::now() + LONGEST;
        let (status, ended) = loop {
            match child.try_wait().expect("a child") {
                Some(status) => break (status, true),
                None if Instant::now() < until => std::thread::sleep(Duration::from_millis(20)),
                None => {
                    child.kill().expect("a child");
                    break (child.wait().expect("a child"), false);
                }
            }
        };
        let [stdout, stderr] = files.map(|file| std::fs::read(file.path()).expect("a file"));
        let output = Output {
            status,
            stdout,
            stderr,
        };
        assert!(ended, "{} does not end: {}", self.name, text(&output));
        output
    }

    /// What it takes to run it.
    fn words(&self) -> Vec<&str> {
        let mut words = vec![self.executable.to_str().expect("UTF-8")];
        if self.name == "objects" {
            // Nobody can know that these are two objects, and not one; the others have
            // methods that their specification does not have, or no specification.
            for test in [
                "own_objects::by_address",
                "own_objects::inside",
                "own_objects::values",
                "own_objects::waiting",
            ] {
                words.extend(["--skip", test]);
            }
        }
        words
    }

    fn command(&self) -> Command {
        let words = self.words();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]);
        command
    }
}

/// What it printed.
fn text(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

#[test]
fn unrecorded() {
    for suite in SUITES.iter() {
        let output = suite.run(suite.command(), None);
        let name = &suite.name;
        assert!(output.status.success(), "{name}: {}", text(&output));
    }
}

/// Traces are well-formed, and models give the results that were recorded; of objects
/// that have no model, or whose values are not known, this is said, and of operations
/// that were not recorded.
#[test]
fn recorded() {
    let mut traces = 0;
    for suite in SUITES.iter() {
        let (name, here) = (&suite.name, tempfile::tempdir().expect("a directory"));
        let to = here.path().join("%p.ctr");
        let output = suite.run(suite.command(), Some(("COMMUTE_TRACE", &to)));
        assert!(output.status.success(), "{name}: {}", text(&output));
        for trace in std::fs::read_dir(here.path()).expect("a directory") {
            let mut validate = Command::new(env!("CARGO_BIN_EXE_commute"));
            validate.args(["trace", "validate", "--models"]);
            let output = validate.arg(trace.expect("a file").path()).output();
            let output = output.expect("commute runs");
            let said = text(&output);
            match output.status.code() {
                Some(0) => {}
                Some(3) if said.contains(" not: no model of a known size") => {}
                Some(3) => assert!(said.contains(" not recorded: a signal handler"), "{said}"),
                _ => panic!("{name}: {said}"),
            }
            traces += 1;
        }
    }
    assert!(traces >= 9, "{traces}");
}

/// Prediction is left out: it takes minutes for some of them.
#[test]
fn online() {
    let mut checked = 0;
    for suite in SUITES.iter() {
        let name = &suite.name;
        let mut commute = Command::new(env!("CARGO_BIN_EXE_commute"));
        let analyses = ["--only", "races,data-races,atomicity"];
        commute.arg("run").args(analyses).arg("--");
        commute.args(suite.words());
        let output = suite.run(commute, None);
        let said = text(&output);
        let well = !said.contains("the program ended with") && !said.contains("was ended by");
        assert!(well, "{name}: {said}");
        match output.status.code() {
            Some(0 | 1) => checked += 1,
            Some(3) => assert!(said.contains("commute: inconclusive"), "{name}: {said}"),
            _ => panic!("{name}: {said}"),
        }
    }
    assert!(checked >= 9, "{checked}");
}

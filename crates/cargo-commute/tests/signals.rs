//! Signals to `commute run` and `commute record`, with real processes: who gets them,
//! what is reported, and what is left.
#![cfg(unix)]

mod program;
mod shell;

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use program::{CLEAN, RACE, command, nothing_left, run, taken, words};
use shell::after;

#[test]
fn the_program() {
    program::act();
}

/// Far longer than anything takes here, which is a second or two.
const LONG: Duration = Duration::from_secs(120);
/// Longer than what counts as one signal.
const PAUSE: Duration = Duration::from_millis(250);

/// What a process prints, while it does.
struct Printed {
    text: Arc<Mutex<String>>,
    reader: JoinHandle<()>,
}

impl Printed {
    fn collect(mut from: impl Read + Send + 'static) -> Printed {
        let text = Arc::new(Mutex::new(String::new()));
        let into = text.clone();
        let reader = std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(n @ 1..) = from.read(&mut buffer) {
                let new = String::from_utf8_lossy(&buffer[..n]);
                into.lock().expect("no panic").push_str(&new);
            }
        });
        Printed { text, reader }
    }

    fn so_far(&self) -> String {
        self.text.lock().expect("no panic").clone()
    }

    fn wait_for(&self, wanted: &str, times: usize) {
        let started = Instant::now();
        while self.so_far().matches(wanted).count() < times {
            assert!(started.elapsed() < LONG, "no {wanted} in {}", self.so_far());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn whole(self) -> String {
        let Printed { text, reader } = self;
        reader.join().expect("it ends");
        let text = text.lock().expect("no panic");
        text.clone()
    }
}

/// `commute` while it runs.
struct Running {
    name: String,
    commute: Child,
    out: Printed,
    err: Printed,
}

impl Running {
    /// Starts `commute`, and waits until the program says `ready`.
    fn start(name: &str, args: &[&str], script: &str) -> Running {
        Running::start_as(name, command(name, args, script))
    }

    /// The same of a command that was changed.
    fn start_as(name: &str, mut commute: Command) -> Running {
        let mut commute = commute
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("commute runs");
        let running = Running {
            name: name.to_owned(),
            out: Printed::collect(commute.stdout.take().expect("its output")),
            err: Printed::collect(commute.stderr.take().expect("its output")),
            commute,
        };
        running.out.wait_for("ready", 1);
        running
    }

    fn send(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.commute), signal).expect("sent");
    }

    /// Asks what there is so far until the answer has it: what the program sent may
    /// still be on its way.
    fn ask(&self, wanted: &str) {
        let started = Instant::now();
        while !self.err.so_far().contains(wanted) {
            assert!(started.elapsed() < LONG, "{}", self.err.so_far());
            self.send(Signal::USR1);
            std::thread::sleep(PAUSE);
        }
    }

    /// Its exit code, and what it printed to where.
    fn end(mut self) -> (i32, String, String) {
        let status = self.commute.wait().expect("it ends");
        nothing_left(&self.name);
        let code = status.code().expect("an exit code");
        (code, self.out.whole(), self.err.whole())
    }
}

fn file(name: &str, file: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).join(file)
}

/// The exit code of `commute check`, and what it prints.
fn check(path: &Path) -> (i32, String, String) {
    let mut commute = Command::new(env!("CARGO_BIN_EXE_commute"));
    let output = commute.arg("check").arg(path).output();
    taken(&output.expect("commute runs"))
}

#[test]
fn a_signal_is_passed_on_and_what_was_found_is_reported() {
    let script = format!("events {RACE} & flush & say ready & sleep 1200000");
    let commute = Running::start("signal-term", &["run"], &script);
    commute.send(Signal::TERM);
    let (code, out, err) = commute.end();
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("CM102 x1"), "{out}");
    let reason = "interrupted by SIGTERM: the program was ended by signal 15 (SIGTERM)";
    assert!(out.contains(reason), "{out}");
    let lost = "was ended by that: what it did after 3 events is not known";
    assert!(out.contains(lost), "{out}");
    assert_eq!(err, "");
}

#[test]
fn nothing_found_until_it_was_interrupted_is_inconclusive() {
    let script = format!("events {CLEAN} & flush & say ready & sleep 1200000");
    let commute = Running::start("signal-int", &["run"], &script);
    commute.send(Signal::INT);
    let (code, out, err) = commute.end();
    assert_eq!(code, 3, "{out}{err}");
    assert!(out.contains("commute: inconclusive: no findings"), "{out}");
    assert!(out.contains("interrupted by SIGINT"), "{out}");
}

#[test]
fn a_program_that_ends_well_when_it_is_asked_to_has_not_been_cut_off() {
    let rest = "T0|w(y)|a.rs:9";
    let script =
        format!("catch & events {CLEAN} & flush & say ready & wait & events {rest} & end & exit 0");
    let commute = Running::start("signal-handler", &["run"], &script);
    commute.send(Signal::INT);
    let (code, out, err) = commute.end();
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("clean: no findings in 5 events"), "{out}");
    // One that fails then has.
    let script = format!("catch & events {CLEAN} & say ready & wait & end & exit 7");
    let commute = Running::start("signal-handler-fails", &["run"], &script);
    commute.send(Signal::INT);
    let (code, out, err) = commute.end();
    assert_eq!(code, 3, "{out}{err}");
    let reason = "interrupted by SIGINT: the program ended with exit code 7";
    assert!(out.contains(reason), "{out}");
}

#[test]
fn a_second_signal_kills_what_ignores_the_first() {
    let script = format!("catch & events {RACE} & flush & say ready & sleep 1200000");
    let commute = Running::start("signal-ignored", &["run"], &script);
    let started = Instant::now();
    commute.send(Signal::INT);
    commute.err.wait_for("a second signal kills it", 1);
    commute.send(Signal::INT);
    let (code, out, err) = commute.end();
    assert!(started.elapsed() < LONG / 2);
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("CM102 x1"), "{out}");
    let reason = "interrupted by SIGINT, twice: the program was ended by signal 9 (SIGKILL)";
    assert!(out.contains(reason), "{out}");
}

/// That a signal which comes twice at once counts once is a test beside the code: how far
/// apart two signals arrive depends on the load.
#[test]
fn a_terminal_that_goes_is_no_second_signal() {
    let script =
        format!("catch & events {CLEAN} & flush & say ready & wait & sleep 1500 & end & exit 0");
    let commute = Running::start("signal-twice", &["run"], &script);
    commute.send(Signal::TERM);
    std::thread::sleep(PAUSE);
    commute.send(Signal::HUP);
    let (code, out, err) = commute.end();
    assert_eq!(code, 0, "{out}{err}");
}

#[test]
fn a_process_that_records_and_ignores_the_first_signal_is_killed_by_the_second() {
    // The shell ends at once; the process that it started does not want to.
    let shell = "trap 'exit 0' TERM; \"$0\" \"$@\" & wait";
    let script = format!("catch & events {RACE} & flush & say ready & sleep 1200000");
    let args = ["run", "--", "sh", "-c", shell];
    let commute = Running::start("signal-orphan", &args, &script);
    commute.send(Signal::TERM);
    commute.err.wait_for("which still records", 1);
    commute.send(Signal::TERM);
    let (code, out, err) = commute.end();
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("CM102 x1"), "{out}");
}

#[test]
fn all_processes_get_the_signal_and_are_reported() {
    // Like `cargo test`: it starts one after the other, and waits.
    let shell = "COMMUTE_TEST_NAME=/opt/one \"$0\" \"$@\" & \"$0\" \"$@\" & wait; wait; false";
    let script = format!("catch & events {RACE} & flush & say ready & wait & end & exit 0");
    let args = ["run", "--", "sh", "-c", shell];
    let commute = Running::start("signal-several", &args, &script);
    commute.out.wait_for("ready", 2);
    commute.send(Signal::INT);
    let (code, out, err) = commute.end();
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("2 findings (CM102 x2) in 6 events"), "{out}");
}

#[test]
fn a_signal_may_come_before_the_program_connects() {
    let commute = Running::start("signal-early", &["run"], "say ready & sleep 1200000");
    commute.send(Signal::INT);
    let (code, out, err) = commute.end();
    assert_eq!(code, 3, "{out}{err}");
    assert!(out.contains("the program recorded no events"), "{out}");
    assert!(out.contains("interrupted by SIGINT"), "{out}");
    assert!(!err.contains("--cfg commute"), "that is not why: {err}");
    // It may be one that is caught, and connect after that.
    let script = format!("catch & say ready & wait & events {RACE} & end & exit 0");
    let commute = Running::start("signal-early-caught", &["run"], &script);
    commute.send(Signal::INT);
    let (code, out, err) = commute.end();
    assert_eq!(code, 1, "{out}{err}");
}

#[test]
fn a_question_is_answered_while_the_program_goes_on() {
    let more = "T0|w(y)|a.rs:8;T1|w(y)|a.rs:9";
    let script = format!(
        "catch & events {RACE} & flush & say ready & wait & events {more} & end & say bye & exit 0"
    );
    let commute = Running::start("signal-question", &["run"], &script);
    commute.ask("commute: violations: 1 finding (CM102 x1) in 3 events");
    let so_far = commute.err.so_far();
    assert!(so_far.contains("so far; the program goes on\n"), "{so_far}");
    // Every answer is whole.
    let answered = so_far.matches("(CM102 x1)").count();
    commute.send(Signal::USR1);
    commute.err.wait_for("(CM102 x1)", answered + 1);
    let so_far = commute.err.so_far();
    let found = so_far.matches("data race on `x`").count();
    assert_eq!(found, so_far.matches("(CM102 x1)").count(), "{so_far}");
    assert!(!commute.out.so_far().contains("CM102"), "that is no result");
    commute.send(Signal::TERM);
    let (code, out, err) = commute.end();
    // The end has everything, as if nobody had asked.
    assert_eq!(code, 1, "{out}{err}");
    let undisturbed = format!("events {RACE} & flush & say ready & events {more} & end & say bye");
    let (_, expected, _) = run("signal-no-question", &["run"], &undisturbed);
    assert_eq!(out, expected);
}

#[test]
fn a_question_can_be_answered_in_json() {
    let script = format!("catch & events {RACE} & flush & say ready & wait & end & exit 0");
    let shell = "COMMUTE_TEST_NAME=/opt/one \"$0\" \"$@\" & \"$0\" \"$@\" & wait; wait";
    let args = ["run", "--message-format", "json", "--", "sh", "-c", shell];
    let commute = Running::start("signal-json", &args, &script);
    commute.out.wait_for("ready", 2);
    commute.ask("\"findings\":2");
    commute.send(Signal::INT);
    let (code, out, err) = commute.end();
    assert_eq!(code, 1, "{out}{err}");
    let reasons = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.starts_with('{'));
        let lines = lines.map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        lines
            .map(|line| line["reason"].as_str().expect("a reason").to_owned())
            .collect()
    };
    // The last answer is about both.
    let answers = reasons(&err);
    let (_, last) = answers.split_at(answers.len() - 3);
    let expected = ["finding-so-far", "finding-so-far", "summary-so-far"];
    assert_eq!(last, expected, "{err}");
    assert!(!answers.iter().any(|reason| reason == "finding"), "{err}");
    assert_eq!(reasons(&out), ["finding", "finding", "summary"], "{out}");
}

#[test]
fn a_question_may_come_before_the_program_connects() {
    let script = format!("catch & say ready & wait & events {CLEAN} & end & exit 0");
    let commute = Running::start("signal-question-early", &["run"], &script);
    commute.send(Signal::USR1);
    commute
        .err
        .wait_for("the program has recorded no events yet", 1);
    commute.send(Signal::INT);
    let (code, out, err) = commute.end();
    assert_eq!(code, 0, "{out}{err}");
}

#[test]
fn a_document_is_not_disturbed_by_a_question() {
    let script = format!("catch & events {RACE} & flush & say ready & wait & end & exit 0");
    let args = ["run", "--message-format", "sarif", "--output", "r.sarif"];
    let commute = Running::start("signal-document", &args, &script);
    commute.ask("commute: violations: 1 finding");
    commute.send(Signal::INT);
    assert_eq!(commute.end().0, 1);
    let report = std::fs::read(file("signal-document", "r.sarif")).expect("it is there");
    let report: Value = serde_json::from_slice(&report).expect("JSON");
    assert_eq!(report["runs"][0]["results"][0]["ruleId"], "CM102");
}

/// Those that wait for a descriptor get the signal when they have one.
#[test]
fn a_signal_ends_more_processes_than_there_are_descriptors() {
    let shell = "for i in $(seq 40); do \"$0\" \"$@\" & done; wait";
    let script = format!("events {RACE} & flush & say ready & sleep 1200000");
    let name = "signal-crowd";
    let command = command(name, &["run", "--", "sh", "-c", shell], &script);
    let commute = Running::start_as(name, after("ulimit -n 24", &command));
    // All of them have connected, and few are let in.
    commute.out.wait_for("ready", 40);
    commute.send(Signal::TERM);
    let (code, out, err) = commute.end();
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("in 120 events"), "{out}");
}

/// The file is there for others when the first events are, and stays if we are killed.
#[test]
fn a_recording_that_is_killed_keeps_what_was_written() {
    let name = "signal-record-killed";
    let script = format!("events {RACE} & flush & say ready & sleep 1200000");
    let mut commute = Running::start(name, &["record", "-o", "t.ctr"], &script);
    commute.ask("so far, 3 events of 2 threads in t.ctr");
    commute.send(Signal::KILL);
    commute.commute.wait().expect("it ends");
    let (code, out, err) = check(&file(name, "t.ctr"));
    assert_eq!(code, 2, "a file that is cut says so: {err}");
    assert!(out.contains("CM102 x1"), "{out}");
    let here = std::fs::read_dir(file(name, "")).expect("read");
    let files = here.filter(|entry| !entry.as_ref().expect("an entry").path().is_dir());
    assert_eq!(files.count(), 1, "only the trace is left");
}

#[test]
fn nothing_is_left_if_it_is_interrupted_before_the_program_starts() {
    for (name, words) in [
        ("signal-build-run", &["run", "--save", "t.ctr"][..]),
        ("signal-build-record", &["record", "-o", "t.ctr"]),
    ] {
        for before in [None, Some("before")] {
            let mut command = command(name, &[words, &["--bin", "x"]].concat(), "say ran");
            let here = file(name, "");
            let cargo = here.join("cargo");
            // It asks about the project, and gets no answer.
            let text = "#!/bin/sh\ntouch asked\nwhile kill -0 $PPID; do sleep 0.05; done\n";
            std::fs::write(&cargo, text).expect("written");
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            std::fs::set_permissions(&cargo, mode).expect("set");
            if let Some(text) = before {
                std::fs::write(here.join("t.ctr"), text).expect("written");
            }
            let null = || Stdio::null();
            let command = command.env("CARGO", &cargo).env("PATH", path_with(&here));
            let mut commute = command
                .stdout(null())
                .stderr(null())
                .spawn()
                .expect("it runs");
            let started = Instant::now();
            while !here.join("asked").exists() {
                assert!(started.elapsed() < LONG, "cargo is asked");
                std::thread::sleep(Duration::from_millis(5));
            }
            kill_process(Pid::from_child(&commute), Signal::INT).expect("sent");
            assert!(!commute.wait().expect("it ends").success());
            let left = std::fs::read_to_string(here.join("t.ctr")).ok();
            assert_eq!(left.as_deref(), before, "{name}");
        }
    }
}

/// The search path, with this folder first.
fn path_with(folder: &Path) -> std::ffi::OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = [folder.to_owned()]
        .into_iter()
        .chain(std::env::split_paths(&path));
    std::env::join_paths(folders).expect("a path")
}

#[test]
fn a_recording_that_is_interrupted_ends_there() {
    let script = format!("events {RACE} & flush & events {CLEAN} & say ready & sleep 1200000");
    let args = ["record", "-o", "t.ctr"];
    let commute = Running::start("signal-record", &args, &script);
    commute.ask("so far, 3 events of 2 threads in t.ctr");
    commute.send(Signal::INT);
    let (code, out, err) = commute.end();
    assert_eq!(code, 0, "{out}{err}");
    let how = "commute: interrupted by SIGINT: the program was ended by signal 2 (SIGINT)\n";
    assert!(err.contains(how), "{err}");
    assert!(
        err.ends_with("commute: 3 events of 2 threads in t.ctr\n"),
        "{err}"
    );
    let (code, out, err) = check(&file("signal-record", "t.ctr"));
    assert_eq!(code, 1, "the file is whole: {err}");
    assert!(out.contains("CM102 x1"), "{out}");
    // The same if it had to be killed.
    let script = format!("catch & events {CLEAN} & flush & say ready & sleep 1200000");
    let commute = Running::start("signal-record-kill", &args, &script);
    commute.send(Signal::INT);
    commute.err.wait_for("a second signal kills it", 1);
    commute.send(Signal::INT);
    let (code, out, err) = commute.end();
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(check(&file("signal-record-kill", "t.ctr")).0, 0);
}

#[test]
fn a_recording_may_be_interrupted_before_there_is_anything() {
    let args = ["record", "-o", "t.ctr"];
    let commute = Running::start("signal-record-early", &args, "say ready & sleep 1200000");
    commute.send(Signal::USR1);
    commute.err.wait_for("so far, nothing was recorded", 1);
    commute.send(Signal::INT);
    let (code, out, err) = commute.end();
    assert_eq!(code, 3, "{out}{err}");
    assert!(!err.contains("--cfg commute"), "that is not why: {err}");
    assert!(!file("signal-record-early", "t.ctr").exists());
    assert_eq!(words()[1], "the_program");
}

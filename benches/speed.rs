//! How fast `commute check` reads and checks traces, as ratios to `md5sum` on
//! the same file, measured in the same run; the best of five runs each.
//!
//! ```text
//! cargo bench --bench speed                 # 3,000,000 events
//! cargo bench --bench speed -- 30000000     # more events
//! ```
//!
//! Bounds for 3,000,000 events: 3× md5sum on the text (5× for `local`), half
//! of that from CTR, 100 MB (200 MB for `local`).
//!
//! The ratios depend on the traces as much as on the program: shorter lines make
//! `md5sum` faster, more keys miss the cache. The trace is read by one thread and
//! checked by another; with one processor (`taskset -c 0`) both take turns.

#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const RUNS: usize = 5;

struct Subject {
    shape: &'static str,
    only: &'static str,
    bound: f64,
    megabytes: u64,
}

const SUBJECTS: &[Subject] = &[
    subject("locked", "data-races", 3.0, 100),
    subject("local", "data-races", 5.0, 200),
    subject("shared-read", "data-races", 3.0, 100),
    subject("one-lock", "data-races", 3.0, 100),
    subject("dictionary", "races", 3.0, 100),
];

const fn subject(shape: &'static str, only: &'static str, bound: f64, megabytes: u64) -> Subject {
    Subject {
        shape,
        only,
        bound,
        megabytes,
    }
}

fn main() {
    let mut numbers = std::env::args().filter_map(|arg| arg.parse::<u64>().ok());
    let events = numbers.next_back().unwrap_or(3_000_000);
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    println!("{events} events, best of {RUNS}; × is the time of md5sum on the text\n");
    println!("shape         file      md5sum   text                          binary");
    for subject in SUBJECTS {
        let text = directory.join(format!("{}-{events}.std", subject.shape));
        let binary = directory.join(format!("{}-{events}.ctr", subject.shape));
        let generate = ["trace", "generate", "--shape", subject.shape, "--events"];
        run(commute()
            .args(generate)
            .arg(events.to_string())
            .arg("-o")
            .arg(&text));
        let convert = ["trace", "convert", &text.to_string_lossy(), "-o"];
        run(commute().args(convert).arg(&binary));
        let bytes = std::fs::metadata(&text).map_or(0, |m| m.len());
        let yardstick = best(|| Command::new("md5sum"), &text).0;
        let check = || {
            let mut command = commute();
            command.args(["check", "--only", subject.only]);
            command
        };
        let from_text = best(check, &text);
        let from_binary = best(check, &binary);
        println!(
            "{:<12}{:>6.1} MB{:>8.3} s   {}   {}",
            subject.shape,
            bytes as f64 / 1e6,
            yardstick.as_secs_f64(),
            row(
                from_text,
                yardstick,
                subject.bound,
                subject.megabytes,
                events
            ),
            row(
                from_binary,
                yardstick,
                subject.bound / 2.0,
                subject.megabytes,
                events
            ),
        );
    }
}

fn row(
    (time, megabytes): (Duration, u64),
    yardstick: Duration,
    bound: f64,
    most: u64,
    events: u64,
) -> String {
    let ratio = time.as_secs_f64() / yardstick.as_secs_f64();
    let verdict = if ratio <= bound && megabytes <= most {
        "ok"
    } else {
        "OVER"
    };
    let each = time.as_nanos() as f64 / events as f64;
    format!("{ratio:>4.2}× (≤ {bound:.1}) {each:>5.1} ns {megabytes:>3} MB {verdict:<4}")
}

fn commute() -> Command {
    Command::new(env!("CARGO_BIN_EXE_commute"))
}

fn run(command: &mut Command) {
    let status = command.status().expect("the command runs");
    assert!(status.success(), "{command:?} failed");
}

/// The least time of all runs, and the most memory in MB.
fn best(command: impl Fn() -> Command, file: &Path) -> (Duration, u64) {
    let mut least = Duration::MAX;
    let mut memory = 0;
    for _ in 0..RUNS {
        let started = Instant::now();
        let mut command = command();
        command
            .arg(file)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let status = command.status().expect("the command runs");
        assert!(status.success(), "{command:?} failed");
        least = least.min(started.elapsed());
    }
    // Memory in a run of its own: watching costs time.
    let mut command = command();
    command
        .arg(file)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn().expect("the command runs");
    let status = format!("/proc/{}/status", child.id());
    while let Ok(None) = child.try_wait() {
        memory = memory.max(peak(&status).unwrap_or(0));
        std::thread::sleep(Duration::from_millis(1));
    }
    (least, memory)
}

/// The peak resident memory of a process in MB, where the system tells it.
fn peak(status: &str) -> Option<u64> {
    let text = std::fs::read_to_string(status).ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1000)
}

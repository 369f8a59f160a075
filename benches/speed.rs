//! How fast `commute check` reads and checks traces, as ratios to `md5sum` on
//! the same file, measured in the same run; the best of five runs each.
//!
//! ```text
//! cargo bench --bench speed                 # 3,000,000 events
//! cargo bench --bench speed -- 30000000     # more events
//! cargo bench --bench speed -- findings     # reports only
//! ```
//!
//! Bounds for 3,000,000 events: races 3× md5sum on the text (5× for `local`),
//! atomicity 4× (6× for `local`), half of that from CTR; 100 and 150 MB (200 and
//! 300 MB for `local`); prediction 8×, from both, and 300 MB. All analyses at once
//! have no bound but their sum. Then AeroDrome against Velodrome, on a tenth of
//! the events and at most a minute, and prediction on a trace in which things were
//! planted that could have happened: how many are certified, and at what cost. On a trace
//! with thousands of predictions, `jigsaw`, prediction takes at most 40 times as long as data
//! races. Then
//! prediction on objects that get large, such as a channel into which everything is
//! sent before anything is received: an event costs about the same in all sizes. Last,
//! reports of 1,000, of 10,000 and of 100,000 findings in every form: in the largest a finding
//! costs at most 1.5 times as much as in another.
//!
//! The ratios depend on the traces as much as on the program: shorter lines make
//! `md5sum` faster, more keys miss the cache. The trace is read by one thread and
//! checked by another; with one processor (`taskset -c 0`) both take turns.

#![allow(clippy::print_stdout)]

use std::collections::BTreeSet;
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
    subject("locked", "atomicity", 4.0, 150),
    subject("local", "atomicity", 6.0, 300),
    subject("shared-read", "atomicity", 4.0, 150),
    subject("one-lock", "atomicity", 4.0, 150),
    subject("locked", "prediction", 8.0, 300),
    subject("local", "prediction", 8.0, 300),
    subject("shared-read", "prediction", 8.0, 300),
    subject("one-lock", "prediction", 8.0, 300),
];

impl Subject {
    fn bound_of_binary(&self) -> f64 {
        match self.only {
            "prediction" => self.bound,
            _ => self.bound / 2.0,
        }
    }
}

const fn subject(shape: &'static str, only: &'static str, bound: f64, megabytes: u64) -> Subject {
    Subject {
        shape,
        only,
        bound,
        megabytes,
    }
}

fn main() {
    if std::env::args().any(|arg| arg == "findings") {
        return findings();
    }
    let mut numbers = std::env::args().filter_map(|arg| arg.parse::<u64>().ok());
    let events = numbers.next_back().unwrap_or(3_000_000);
    println!("{events} events, best of {RUNS}; × is the time of md5sum on the text\n");
    println!("shape        analysis      file      md5sum   text                          binary");
    for subject in SUBJECTS {
        let (text, binary) = generate(subject.shape, events);
        let bytes = std::fs::metadata(&text).map_or(0, |m| m.len());
        let yardstick = best(|| Command::new("md5sum"), &text).0;
        let from = |file: &Path, bound: f64| {
            let measured = best(|| check(subject.only), file);
            row(measured, yardstick, bound, subject.megabytes, events)
        };
        println!(
            "{:<13}{:<11}{:>6.1} MB{:>8.3} s   {}   {}",
            subject.shape,
            subject.only,
            bytes as f64 / 1e6,
            yardstick.as_secs_f64(),
            from(&text, subject.bound),
            from(&binary, subject.bound_of_binary()),
        );
    }
    println!("\nall analyses in one reading, against the sum of one after the other");
    for shape in ["locked", "local", "shared-read", "one-lock", "dictionary"] {
        let (_, binary) = generate(shape, events);
        let each = ["races", "data-races", "atomicity", "prediction"];
        let sum: Duration = each
            .iter()
            .map(|only| best(|| check(only), &binary).0)
            .sum();
        let all = best(|| check("races,data-races,atomicity,prediction"), &binary).0;
        let ratio = all.as_secs_f64() / sum.as_secs_f64();
        println!("{shape:<13}{ratio:>5.2}");
    }
    let few = events / 10;
    println!("\nAeroDrome and Velodrome, {few} events");
    for shape in ["locked", "local", "shared-read", "one-lock"] {
        let (text, _) = generate(shape, few);
        let fast = best(|| check("atomicity"), &text).0;
        match velodrome(&text) {
            Some(slow) => println!(
                "{shape:<13}{:.3} s, Velodrome {:.3} s: {:.1} times as long",
                fast.as_secs_f64(),
                slow.as_secs_f64(),
                slow.as_secs_f64() / fast.as_secs_f64()
            ),
            None => println!(
                "{shape:<13}{:.3} s, Velodrome more than a minute",
                fast.as_secs_f64()
            ),
        }
    }
    planted(events);
    many_predictions();
    large_objects(events);
    findings();
}

/// What a finding costs in reports of few and of many, in every form.
fn findings() {
    const SIZES: [u64; 3] = [1_000, 10_000, 100_000];
    const BOUND: f64 = 1.5;
    println!("\nreports: µs per finding, of {SIZES:?} findings");
    let traces = SIZES.map(races);
    let runs = [0, 1, 2].map(|size| vec![stored(&traces[size], SIZES[size])]);
    let page = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("findings.html");
    let page = page.to_string_lossy();
    let forms = ["human", "short", "json", "github", "sarif", "junit"];
    let forms = forms.map(|form| vec!["check", "--no-store", "--message-format", form]);
    let others = [
        vec!["check", "--no-store", "--verbose"],
        vec!["check", "--no-store", "--html", &page],
        vec!["report"],
        vec!["report", "--html", &page],
    ];
    for words in forms.into_iter().chain(others) {
        let files = if words[0] == "check" { &traces } else { &runs };
        compare(&words, files, SIZES, BOUND);
    }
    // A file that is named twice is one run.
    let twice = runs.map(|run| {
        let copy = run[0].with_extension("copy.jsonl");
        std::fs::copy(&run[0], &copy).expect("there is room");
        [run, vec![copy]].concat()
    });
    for words in [["report", "merge"], ["report", "diff"]] {
        compare(&words, &twice, SIZES, BOUND);
    }
}

/// Prints what a finding costs in all sizes.
fn compare(words: &[&str], files: &[Vec<PathBuf>; 3], sizes: [u64; 3], bound: f64) {
    let each = [0, 1, 2].map(|size| {
        let (last, others) = files[size].split_last().expect("there is one");
        let time = best(|| command(words, others), last).0;
        time.as_secs_f64() * 1e6 / sizes[size] as f64
    });
    // Of the smallest report the start of the program is a large part.
    let ratio = each[2] / each[0].min(each[1]);
    let verdict = if ratio <= bound { "ok" } else { "OVER" };
    let words = words.iter().filter(|word| !word.contains('/'));
    let words: Vec<&str> = words.copied().collect();
    let words = words.join(" ");
    println!(
        "{words:<44}{:>8.1}{:>8.1}{:>8.1}   {ratio:>4.2}× (≤ {bound:.1}) {verdict}",
        each[0], each[1], each[2]
    );
}

fn command(words: &[&str], files: &[PathBuf]) -> Command {
    let mut command = commute();
    command.args(words).args(files);
    command
}

/// Traces with so many data races, which prediction finds, too: an analysis lists 10,000 of
/// one trace.
fn races(count: u64) -> Vec<PathBuf> {
    const MOST: u64 = 10_000;
    let starts = (0..count).step_by(MOST as usize);
    let trace = |start: u64| {
        let mut text = String::from("T0|fork(T1)|m.rs:1\nT0|fork(T2)|m.rs:2\n");
        for race in start..count.min(start + MOST) {
            let (file, line) = (race % 50, 2 * race + 1);
            text += &format!("T1|w(v{race})|src/f{file}.rs:{line}\n");
            text += &format!("T2|w(v{race})|src/f{file}.rs:{}\n", line + 1);
        }
        let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let path = directory.join(format!("races-{count}-{start}.std"));
        std::fs::write(&path, text).expect("there is room");
        path
    };
    starts.map(trace).collect()
}

/// What a run of these traces prints as lines of JSON.
fn stored(traces: &[PathBuf], count: u64) -> PathBuf {
    let path = traces[0].with_extension("jsonl");
    let mut command = command(&["check", "--no-store", "--message-format", "json"], traces);
    let output = command.output().expect("the command runs").stdout;
    let text = String::from_utf8_lossy(&output);
    let findings = text.lines().filter(|line| line.contains("\"fingerprint\""));
    assert_eq!(findings.count() as u64, count, "all are listed");
    std::fs::write(&path, &output).expect("there is room");
    path
}

/// How much longer prediction takes than data races on a trace in which thousands of
/// races are predicted, between events that lie thousands of events apart.
fn many_predictions() {
    const BOUND: f64 = 40.0;
    let (text, _) = generate("jigsaw", 97_000);
    let [prediction, races] =
        ["prediction", "data-races"].map(|only| best(|| check(only), &text).0.as_secs_f64());
    let ratio = prediction / races;
    let verdict = if ratio <= BOUND { "ok" } else { "OVER" };
    println!(
        "\njigsaw, 97,000 events: prediction {prediction:.3} s, {ratio:.1} times data races \
         (≤ {BOUND}) {verdict}"
    );
}

/// What prediction finds of what was planted, and what that costs.
fn planted(events: u64) {
    let (text, _) = generate("racy", events);
    let (plain, _) = generate("locked", events);
    let lines = std::fs::read_to_string(&text).expect("just written");
    let number = |place: &str, file: &str| {
        let line: u64 = place.strip_prefix(file)?.parse().ok()?;
        Some((line - 1) / 10)
    };
    let places = lines.lines().filter_map(|line| line.rsplit('|').next());
    let planted: BTreeSet<u64> = places
        .filter_map(|place| number(place, "planted.rs:"))
        .collect();
    let mut command = check("prediction");
    let output = command.args(["--message-format", "json"]).arg(&text);
    let output = output.output().expect("the command runs").stdout;
    let output = String::from_utf8_lossy(&output);
    let findings = output
        .lines()
        .filter(|line| line.contains("\"reason\":\"finding\""));
    let (mut found, mut other) = (BTreeSet::new(), 0);
    for line in findings {
        let certified = line.contains("\"certainty\":\"certified\"");
        let place = line.split("\"location\":\"").nth(1);
        let place = place.and_then(|rest| rest.split('"').next());
        match place.and_then(|place| number(place, "planted.rs:")) {
            Some(number) if certified => {
                found.insert(number);
            }
            _ => other += 1,
        }
    }
    let with = best(|| check("prediction"), &text).0;
    let without = best(|| check("prediction"), &plain).0;
    let each = with.saturating_sub(without).as_secs_f64() * 1000.0 / planted.len().max(1) as f64;
    println!(
        "\n{} of {} planted were certified, {other} others reported; {each:.2} ms each",
        found.len(),
        planted.len(),
    );
}

/// What an event costs where objects hold as many elements as there are events, in three
/// sizes, by the reading that replays nothing and by the one that replays everything.
fn large_objects(events: u64) {
    let sizes = [events / 30, events / 10, events / 3];
    println!("\nprediction on large objects: ns per event, of {sizes:?} events");
    for (kind, threads) in [
        ("mpsc", 1),
        ("mpsc", 8),
        ("channel", 1),
        ("queue", 1),
        ("stack", 1),
        ("map", 1),
    ] {
        for legal in ["observe", "replay"] {
            let each = sizes.map(|events| {
                let trace = large_object(kind, threads, events);
                let command = || {
                    let mut command = check("prediction");
                    command.args(["--legal", legal]);
                    command
                };
                best(command, &trace).0.as_nanos() / u128::from(events)
            });
            println!("{kind:<9}{threads} in{legal:>9}   {each:?}");
        }
    }
}

/// A trace in which threads put elements into an object, and then another thread takes
/// all of them out.
fn large_object(kind: &str, threads: u64, events: u64) -> PathBuf {
    let elements = events / 2;
    let (put, take) = match kind {
        "mpsc" | "channel" => ("send({})/true", "recv()/{}"),
        "map" => ("insert({},1)/nil", "remove({})/1"),
        _ => ("push({})", "pop()/{}"),
    };
    let mut text = format!("T0|new(o:{kind})|t.rs:1\n");
    for thread in 1..=threads + 1 {
        text += &format!("T0|fork(T{thread})|t.rs:2\n");
    }
    for element in 0..elements {
        let (thread, put) = (
            1 + element % threads,
            put.replace("{}", &element.to_string()),
        );
        text += &format!("T{thread}|o.{put}|t.rs:{}\n", thread + 2);
    }
    for place in 0..elements {
        let element = match kind {
            "stack" => elements - 1 - place,
            _ => place,
        };
        let take = take.replace("{}", &element.to_string());
        text += &format!("T{}|o.{take}|t.rs:{}\n", threads + 1, threads + 3);
    }
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = directory.join(format!("{kind}-{threads}-{events}.std"));
    std::fs::write(&path, text).expect("there is room");
    path
}

/// The text and the binary trace of this shape.
fn generate(shape: &str, events: u64) -> (PathBuf, PathBuf) {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let text = directory.join(format!("{shape}-{events}.std"));
    let binary = directory.join(format!("{shape}-{events}.ctr"));
    let generate = ["trace", "generate", "--shape", shape, "--events"];
    run(commute()
        .args(generate)
        .arg(events.to_string())
        .arg("-o")
        .arg(&text));
    let convert = ["trace", "convert", &text.to_string_lossy(), "-o"];
    run(commute().args(convert).arg(&binary));
    (text, binary)
}

fn check(only: &str) -> Command {
    let mut command = commute();
    command.args(["check", "--only", only]);
    command
}

/// The time of one run, if it takes less than a minute.
fn velodrome(trace: &Path) -> Option<Duration> {
    let started = Instant::now();
    let mut command = check("atomicity");
    command.args(["--algorithm", "velodrome"]).arg(trace);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the command runs");
    while let Ok(None) = child.try_wait() {
        if started.elapsed() > Duration::from_secs(60) {
            child.kill().expect("it is ours");
            child.wait().expect("it was killed");
            return None;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Some(started.elapsed())
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
        // What was found may be certain, or not.
        let found = matches!(status.code(), Some(1 | 3));
        assert!(status.success() || found, "{command:?} failed");
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

//! The process of a test, and the command that started it: `docs/test.md`.

use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use commute_explore::runtime::{
    Guard, Site, Test, places_are_below, unwatched, used_object, watch_objects,
};
use commute_explore::{
    Cause, Listener, Memory, Message, PROTOCOL, Progress, Report, Settings, Shard, Verdict,
};

use crate::compose::oversight::{self, Oversight};
use crate::compose::{done, results};
use crate::explored::own_model;

/// Where the command listens.
const VARIABLE: &str = commute_explore::runtime::VARIABLE;

/// Whether tests are to be explored.
pub(crate) fn wanted() -> bool {
    std::env::var_os(VARIABLE).is_some()
}

/// Explores a test, and tells what came of it.
pub(crate) fn explore(name: &'static str, body: impl Fn() + 'static) {
    assert!(
        !commute_record::is_on(),
        "a test cannot be recorded while it is explored"
    );
    let mut command = match Command::connect(name) {
        Ok(command) => command,
        Err(error) => panic!("cannot talk to `commute test`: {error}"),
    };
    let mut settings = match command.settings() {
        Ok(settings) => settings,
        Err(error) => panic!("cannot understand `commute test`: {error}"),
    };
    let history = settings.replay.take_if(|plan| results::is_history(plan));
    oversight::begin(command.oversight(&settings));
    let body = move || {
        done::begin();
        body();
    };
    if let Some(root) = settings.root.take() {
        places_are_below(root);
    }
    watch_objects();
    let mut test = Test::guarded(body, command.guard(&settings));
    command.too_large = Box::new(test.watch_memory());
    match commute_explore::explore(&mut test, &settings, &mut command) {
        Ok(mut report) => {
            let is_weak = results::compose(&mut report);
            if is_weak || test.has_weak_orderings() {
                weaken(&mut report, settings.deny_weak_orderings);
            }
            report
                .notes
                .extend(test.remarks().into_iter().map(str::to_owned));
            if report.verdict == Verdict::Passed {
                doubt_libraries(&mut report, &settings);
            }
            for objection in own_model::objections() {
                doubt(&mut report, objection);
            }
            if let Some(history) = &history {
                results::compare(&mut report, history);
            }
            command.tell(&Message::Report(Box::new(report)));
        }
        Err(error) => panic!("{error}"),
    }
}

/// Makes the verdict inconclusive if the test uses objects of other crates, or may use
/// some unnoticed.
fn doubt_libraries(report: &mut Report, settings: &Settings) {
    if let Some(Site { name, location, .. }) = used_object() {
        return report.doubt(Cause::ForeignObject {
            function: name,
            location,
        });
    }
    let libraries = unwatched(&settings.libraries);
    if !libraries.is_empty() {
        report.doubt(Cause::UnwatchedLibrary { libraries });
    }
}

/// A model claimed something that is not so: what passed may have been passed over.
fn doubt(report: &mut Report, objection: String) {
    if report.verdict == Verdict::Passed {
        report.verdict = Verdict::Inconclusive;
    }
    if !report.reasons.contains(&objection) {
        report.reasons.push(objection);
    }
}

/// Orderings that are weaker than sequential consistency allow more than was explored.
fn weaken(report: &mut Report, deny: bool) {
    let what = "under sequential consistency: the test uses weaker orderings".to_owned();
    match report.verdict {
        Verdict::Failed => {}
        Verdict::Passed if deny => {
            report.verdict = Verdict::Inconclusive;
            report.reasons.push(what);
        }
        Verdict::Inconclusive if deny => report.reasons.push(what),
        Verdict::Passed | Verdict::Inconclusive => report.notes.push(what),
    }
}

/// The command, at the other end.
struct Command {
    stream: Arc<Mutex<UnixStream>>,
    /// What it was told last.
    seen: Arc<Mutex<Progress>>,
    /// What it has asked us for since.
    asked: Arc<Asked>,
    /// Why the test has to come to an end, if it uses too much.
    too_large: Box<dyn Fn() -> Option<String>>,
}

/// What the command may ask for while a test is explored.
#[derive(Default)]
struct Asked {
    /// To come to an end.
    stop: AtomicBool,
    /// To leave the rest to others.
    shard: Mutex<Option<Shard>>,
}

impl Command {
    fn connect(name: &str) -> io::Result<Command> {
        let path = std::env::var_os(VARIABLE).unwrap_or_default();
        let stream = UnixStream::connect(path)?;
        let mut command = Command {
            stream: Arc::new(Mutex::new(stream)),
            seen: Arc::default(),
            asked: Arc::default(),
            too_large: Box::new(|| None),
        };
        // The crate is before the first, the test is after the last.
        let name = name.split_once("::").map_or(name, |(_, rest)| rest);
        command.tell(&Message::Hello {
            version: PROTOCOL,
            test: name.to_owned(),
        });
        Ok(command)
    }

    fn settings(&mut self) -> io::Result<Settings> {
        let mut reader = BufReader::new(lock(&self.stream).try_clone()?);
        let mut line = String::new();
        reader.read_line(&mut line)?;
        // Another version may say other things, so that is looked at first.
        let said: serde_json::Value = serde_json::from_str(&line)?;
        if said["version"] != PROTOCOL {
            let version = &said["version"];
            let message = format!("it speaks protocol {version}, and this test {PROTOCOL}");
            return Err(io::Error::other(message));
        }
        let settings: Settings = serde_json::from_value(said)?;
        let asked = Arc::clone(&self.asked);
        thread::spawn(move || listen(reader, &asked));
        Ok(settings)
    }

    fn tell(&mut self, message: &Message) {
        tell(&self.stream, message);
    }

    /// What ends the process if the test does what it must not: it cannot be made to
    /// stop in another way.
    fn guard(&self, settings: &Settings) -> Guard {
        let (stream, seen) = (Arc::clone(&self.stream), Arc::clone(&self.seen));
        Guard {
            patience: Duration::from_secs_f64(settings.max_idle),
            memory: settings.max_memory,
            tell: Box::new(move |reason| {
                let report = cut_short(*lock(&seen), reason);
                tell(&stream, &Message::Report(Box::new(report)));
                process::exit(2);
            }),
        }
    }
}

impl Command {
    /// The same for what is not explored but attacked.
    fn oversight(&self, settings: &Settings) -> Oversight {
        let line = self.line();
        Oversight {
            max_seconds: settings.max_seconds,
            max_executions: settings.max_executions,
            listen: Box::new(move |progress| line.progress(progress)),
            since: Instant::now(),
        }
    }

    fn line(&self) -> Line {
        Line {
            stream: Arc::clone(&self.stream),
            seen: Arc::clone(&self.seen),
            asked: Arc::clone(&self.asked),
        }
    }
}

/// What tells the command how far a test is, and hears whether to stop.
struct Line {
    stream: Arc<Mutex<UnixStream>>,
    seen: Arc<Mutex<Progress>>,
    asked: Arc<Asked>,
}

impl Line {
    fn progress(&self, progress: Progress) -> Option<String> {
        *lock(&self.seen) = progress;
        tell(&self.stream, &Message::Progress(progress));
        let stop = self.asked.stop.load(Relaxed);
        stop.then(|| "it was interrupted".to_owned())
    }
}

impl Listener for Command {
    fn progress(&mut self, progress: Progress) -> Option<String> {
        self.line().progress(progress).or_else(&self.too_large)
    }

    fn remember(&mut self, memory: Memory) {
        self.tell(&Message::Memory(memory));
    }

    fn shard(&mut self) -> Option<Shard> {
        // Asked often: whoever writes it is quick.
        *lock(&self.asked.shard)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn tell(stream: &Mutex<UnixStream>, message: &Message) {
    let mut line = serde_json::to_string(message).expect("what we say can be written");
    line.push('\n');
    // If nobody listens any more, nobody misses it.
    let _ = lock(stream).write_all(line.as_bytes());
}

/// What is known of a test that cannot come to its end.
fn cut_short(seen: Progress, reason: String) -> Report {
    Report {
        verdict: Verdict::Inconclusive,
        shard: None,
        executions: seen.executions,
        redundant: 0,
        outcomes: seen.outcomes,
        shortening: 0,
        learning: 0,
        seconds: seen.seconds,
        reasons: vec![reason],
        causes: Vec::new(),
        names: None,
        notes: Vec::new(),
        failures: Vec::new(),
        composed: None,
    }
}

/// Waits for a word of the command. If that is gone, so are we, whatever the test does.
fn listen(mut reader: impl BufRead, asked: &Asked) {
    let mut line = String::new();
    loop {
        line.clear();
        match reader.read_line(&mut line) {
            Ok(0) | Err(_) => process::exit(2),
            Ok(_) => {}
        }
        match line.trim_end().strip_prefix("shard ") {
            Some(shard) => {
                *lock(&asked.shard) = shard.parse().ok();
            }
            None => asked.stop.store(true, Relaxed),
        }
    }
}

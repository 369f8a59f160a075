//! The process of a test, and the command that started it: `docs/test.md`.

use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::explored::own_model;
use commute_explore::runtime::Test;
use commute_explore::{
    Listener, Memory, Message, PROTOCOL, Progress, Report, Settings, Shard, Verdict,
};

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
    let settings = match command.settings() {
        Ok(settings) => settings,
        Err(error) => panic!("cannot understand `commute test`: {error}"),
    };
    let mut test = Test::new(body);
    match commute_explore::explore(&mut test, &settings, &mut command) {
        Ok(mut report) => {
            if test.has_weak_orderings() {
                weaken(&mut report, settings.deny_weak_orderings);
            }
            for objection in own_model::objections() {
                doubt(&mut report, objection);
            }
            command.tell(&Message::Report(Box::new(report)));
        }
        Err(error) => panic!("{error}"),
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
    stream: UnixStream,
    /// What it has asked us for since.
    asked: Arc<Asked>,
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
            stream,
            asked: Arc::default(),
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
        let mut reader = BufReader::new(self.stream.try_clone()?);
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let settings: Settings = serde_json::from_str(&line)?;
        if settings.version != PROTOCOL {
            let message = format!("protocol {}, not {PROTOCOL}", settings.version);
            return Err(io::Error::other(message));
        }
        let asked = Arc::clone(&self.asked);
        thread::spawn(move || listen(reader, &asked));
        Ok(settings)
    }

    fn tell(&mut self, message: &Message) {
        let mut line = serde_json::to_string(message).expect("what we say can be written");
        line.push('\n');
        // If nobody listens any more, nobody misses it.
        let _ = self.stream.write_all(line.as_bytes());
    }
}

impl Listener for Command {
    fn progress(&mut self, progress: Progress) -> Option<String> {
        self.tell(&Message::Progress(progress));
        let stop = self.asked.stop.load(Relaxed);
        stop.then(|| "it was interrupted".to_owned())
    }

    fn remember(&mut self, memory: Memory) {
        self.tell(&Message::Memory(memory));
    }

    fn shard(&mut self) -> Option<Shard> {
        // Asked often: whoever writes it is quick.
        *self
            .asked
            .shard
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
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
                let mut asked = asked.shard.lock().unwrap_or_else(PoisonError::into_inner);
                *asked = shard.parse().ok();
            }
            None => asked.stop.store(true, Relaxed),
        }
    }
}

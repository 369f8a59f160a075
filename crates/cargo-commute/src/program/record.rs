//! `commute record`: a program in, traces out.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use commute_report::clip;
use commute_trace::{ErrorKind, Options, TraceError, TraceReader};

use super::connection::{Connection, Peer};
use super::process::failure;
use super::supervise::{Stop, supervise};
use super::trace_file::{Copying, FirstFile, numbered};
use super::{Program, name_of};
use crate::cli::{RecordArgs, Shared};
use crate::exit::Exit;
use crate::output::{Output, count};
use crate::refusal::Refusal;
use crate::trace::describe;

/// What was written of one process.
struct Recording {
    path: PathBuf,
    events: u64,
    threads: u64,
    /// Why the file does not hold all.
    lost: Option<io::Error>,
    /// Why the trace cannot be read to its end.
    error: Option<TraceError>,
}

/// Runs the program of the command line and writes what it does.
pub(crate) fn run(args: &RecordArgs, shared: &Shared, output: &mut Output) -> Result<Exit> {
    let first = FirstFile::open(&args.output)?;
    let program = match Program::prepare(&args.program, shared.quiet) {
        Ok(program) => program,
        Err(error) => {
            first.discard();
            return Err(error);
        }
    };
    let mut recordings = Vec::new();
    let mut exit = Exit::Clean;
    let mut before = 0;
    for command in program.commands {
        let name = name_of(&command);
        let to = args.output.clone();
        let handler = Arc::new(move |connection: Connection, _: &Stop| {
            let path = numbered(&to, before + connection.number);
            record(connection, path)
        });
        let done = match supervise(command, &handler, output) {
            Err(error) if recordings.is_empty() => {
                first.discard();
                return Err(error);
            }
            done => done?,
        };
        before += done.processes.len();
        for process in done.processes {
            match process {
                Ok(process) => recordings.push(process),
                Err(stranger) => {
                    output.error_text(&stranger);
                    exit = Exit::BadInput;
                }
            }
        }
        if let Some(how) = failure(done.status) {
            Refusal::new(&name, format!("the program {how}")).report(output);
            exit = Exit::BadInput;
        }
        if done.interrupted {
            break;
        }
    }
    let several = recordings.len() > 1;
    for (peer, recording) in &recordings {
        exit = exit.min(recording.report(peer, several, output));
    }
    if recordings
        .iter()
        .all(|(_, recording)| recording.events == 0)
    {
        if recordings.is_empty() {
            first.discard();
        }
        let help = "was it built with --cfg commute, and does it use commute's types?";
        output.note(&format!(
            "commute: the program recorded no events\nhelp: {help}"
        ));
        exit = exit.min(Exit::Inconclusive);
    }
    Ok(exit)
}

/// Writes what a process sends, and counts it.
fn record(connection: Connection, path: PathBuf) -> Recording {
    let copying = Shareable::new(Copying::new(connection.stream, &path));
    let mut recording = Recording {
        path,
        events: 0,
        threads: 0,
        lost: None,
        error: None,
    };
    let counted = TraceReader::from_reader(copying.clone(), Options::default());
    recording.error = counted.and_then(|trace| recording.count(trace)).err();
    // What is not understood is kept, too.
    let _ = io::copy(&mut copying.clone(), &mut io::sink());
    recording.lost = copying.with(Copying::finish);
    recording
}

impl Recording {
    fn count(&mut self, mut trace: TraceReader) -> Result<(), TraceError> {
        let mut events = Vec::new();
        while trace.read_batch(&mut events)? > 0 {
            self.events = trace.events_read();
            self.threads = trace.names().threads.len() as u64;
        }
        Ok(())
    }

    /// Says what there is.
    fn report(&self, peer: &Peer, several: bool, output: &mut Output) -> Exit {
        let path = self.path.display();
        let (events, threads) = (count(self.events, "event"), count(self.threads, "thread"));
        let mut line = format!("commute: {events} of {threads} in {path}");
        if several {
            let program = peer.program.display().to_string();
            line += &format!(", from {} (process {})", clip(&program, 400), peer.pid);
        }
        if let Some(lost) = &self.lost {
            output.error_text(&format!(
                "cannot write {path}: {lost}; it does not hold all {events} that were recorded"
            ));
            return Exit::BadInput;
        }
        let cut = [ErrorKind::Truncated, ErrorKind::Empty, ErrorKind::Io];
        match &self.error {
            None => output.note(&line),
            Some(error) if cut.contains(&error.kind) => {
                line += "; the process was killed or crashed: what it did after them is lost";
                output.note(&line);
            }
            Some(error) => {
                output.stderr(&describe(error, Path::new(&self.path), &output.style));
                return Exit::BadInput;
            }
        }
        Exit::Clean
    }
}

/// A reader that is not lost when it is given away.
struct Shareable<R>(Arc<Mutex<R>>);

impl<R> Shareable<R> {
    fn new(reader: R) -> Shareable<R> {
        Shareable(Arc::new(Mutex::new(reader)))
    }

    fn clone(&self) -> Shareable<R> {
        Shareable(self.0.clone())
    }

    fn with<T>(&self, use_it: impl FnOnce(&mut R) -> T) -> T {
        use_it(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<R: Read> Read for Shareable<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.with(|reader| reader.read(buffer))
    }
}

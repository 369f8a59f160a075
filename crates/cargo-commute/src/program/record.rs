//! `commute record`: a program in, traces out.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use anyhow::Result;
use commute_report::clip;
use commute_trace::{ErrorKind, Notes, Options, TraceError, TraceReader};

use super::connection::{Connection, Peer};
use super::link::Link;
use super::process::failure;
use super::supervise::{Supervisor, deaf};
use super::trace_file::{Saved, Saving, check_writable, end_here, numbered};
use super::unrecorded::UnrecordedProcesses;
use super::{Program, name_of};
use crate::cli::{RecordArgs, Shared};
use crate::exit::Exit;
use crate::missed::missed;
use crate::output::{Output, count};
use crate::refusal::Refusal;
use crate::trace::tell;

/// What was written of one process.
#[derive(Default)]
struct Recording {
    path: PathBuf,
    events: u64,
    threads: u64,
    /// What the trace says about itself.
    notes: Notes,
    /// What became of the file.
    saved: Saved,
    /// Why the trace cannot be read to its end.
    error: Option<TraceError>,
}

/// What came of all programs.
struct Recorded {
    recordings: Vec<(Peer, Recording)>,
    exit: Exit,
    /// Whether somebody did not want them to go on.
    interrupted: bool,
    unrecorded: UnrecordedProcesses,
}

/// Runs the program of the command line and writes what it does.
pub(crate) fn run(args: &RecordArgs, shared: &Shared, output: &mut Output) -> Result<Exit> {
    check_writable(&args.output)?;
    let program = Program::prepare(&args.program, None, shared.quiet)?;
    let mut recorded = record_all(program.commands, &args.output, output)?;
    recorded.write_held();
    let (recordings, mut exit) = (recorded.recordings, recorded.exit);
    let several = recordings.len() > 1;
    for (peer, recording) in &recordings {
        exit = exit.min(recording.report(peer, several, output));
    }
    if recordings
        .iter()
        .all(|(_, recording)| recording.events == 0)
    {
        output.note("commute: the program recorded no events");
        if !recorded.interrupted && recorded.unrecorded.is_empty() {
            let help = "was it built with --cfg commute, and does it use commute's types?";
            output.note(&format!("help: {help}"));
        }
        exit = exit.min(Exit::Inconclusive);
    }
    for reason in recorded.unrecorded.reasons() {
        output.note(&format!("commute: {reason}"));
        exit = exit.min(Exit::Inconclusive);
    }
    Ok(exit)
}

impl Recorded {
    /// Writes traces without events, if there are others with some.
    fn write_held(&mut self) {
        let mut all = self.recordings.iter();
        if all.any(|(_, recording)| recording.saved.held.is_none()) {
            for (_, recording) in &mut self.recordings {
                recording.saved.write_held(&recording.path);
            }
        }
    }
}

/// Runs one program after the other.
fn record_all(commands: Vec<Command>, to: &Path, output: &mut Output) -> Result<Recorded> {
    // That of the connection, and that of the file.
    let supervisor = Supervisor::new(2)?;
    let mut recorded = Recorded {
        recordings: Vec::new(),
        exit: Exit::Clean,
        interrupted: false,
        unrecorded: UnrecordedProcesses::default(),
    };
    let mut before = 0;
    for command in commands {
        let name = name_of(&command);
        let to = to.to_owned();
        let handler = Arc::new(move |connection: Connection, link: &Link<Recording>| {
            let path = numbered(&to, before + connection.number);
            record(connection, path, link)
        });
        let done = match supervisor.run(command, &handler, &mut so_far, output) {
            Err(error) if !recorded.recordings.is_empty() => {
                output.error(&error);
                recorded.exit = Exit::BadInput;
                break;
            }
            done => done?,
        };
        before += done.processes.len();
        recorded.unrecorded.join(done.unrecorded);
        if let Some(error) = &done.deaf {
            output.error_text(&deaf(error));
            recorded.exit = Exit::BadInput;
        }
        for process in done.processes {
            match process {
                Ok((peer, mut recording)) => {
                    if done.interrupted.is_some() {
                        recording.end_here();
                    }
                    recorded.recordings.push((peer, recording));
                }
                Err(stranger) => {
                    output.error_text(&stranger);
                    recorded.exit = Exit::BadInput;
                }
            }
        }
        match (failure(done.status), done.interrupted) {
            (Some(how), None) => {
                Refusal::new(&name, format!("the program {how}")).report(output);
                recorded.exit = Exit::BadInput;
            }
            (how, Some(interruption)) => {
                output.note(&format!("commute: {}", interruption.describe(how)));
                recorded.interrupted = true;
                break;
            }
            (None, None) => {}
        }
    }
    Ok(recorded)
}

/// Says what is in the files by now.
fn so_far(processes: &[&(Peer, Recording)], output: &mut Output) {
    if processes.is_empty() {
        output.note("commute: so far, nothing was recorded");
    }
    for (peer, recording) in processes {
        let line = recording.describe(peer, processes.len() > 1);
        output.note(&format!("commute: so far, {line}"));
    }
}

/// Writes what a process sends, and counts it.
fn record(connection: Connection, path: PathBuf, link: &Link<Recording>) -> Recording {
    let mut recording = Recording {
        path,
        ..Recording::default()
    };
    let counted = Arc::new([const { AtomicU64::new(0) }; 2]);
    let (asked, known, path) = (link.clone(), counted.clone(), recording.path.clone());
    link.listen(move || {
        let [events, threads] = &*known;
        asked.answer(Recording {
            path: path.clone(),
            events: events.load(Relaxed),
            threads: threads.load(Relaxed),
            ..Recording::default()
        });
    });
    let saving = Saving::new(connection.stream, &recording.path);
    let trace = TraceReader::from_reader(saving.clone(), Options::default());
    let counted_all = trace.and_then(|trace| count_all(trace, &counted, &mut recording.notes));
    recording.error = counted_all.err();
    [recording.events, recording.threads] = [0, 1].map(|i| counted[i].load(Relaxed));
    // What is not understood is kept, too.
    recording.saved = saving.finish();
    recording
}

/// Counts events and threads.
fn count_all(
    mut trace: TraceReader,
    counted: &[AtomicU64; 2],
    notes: &mut Notes,
) -> Result<(), TraceError> {
    let mut events = Vec::new();
    loop {
        let read = trace.read_batch(&mut events);
        *notes = trace.notes();
        if read? == 0 {
            return Ok(());
        }
        counted[0].store(trace.events_read(), Relaxed);
        counted[1].store(trace.names().threads.len() as u64, Relaxed);
    }
}

impl Recording {
    /// The process was to end here, and so is its trace.
    fn end_here(&mut self) {
        let cut = |error: &mut TraceError| error.kind == ErrorKind::Truncated;
        if self.saved.lost.is_none()
            && self.error.take_if(cut).is_some()
            && self.saved.held.is_none()
        {
            end_here(&self.path);
        }
    }

    /// `3 events of 2 threads in t.ctr`
    fn describe(&self, peer: &Peer, several: bool) -> String {
        let (events, threads) = (count(self.events, "event"), count(self.threads, "thread"));
        let mut line = format!("{events} of {threads}");
        if self.saved.held.is_none() {
            line += &format!(" in {}", self.path.display());
        }
        if several {
            let program = peer.program.display().to_string();
            line += &format!(", from {} (process {})", clip(&program, 400), peer.pid);
        }
        line
    }

    /// Says what there is.
    fn report(&self, peer: &Peer, several: bool, output: &mut Output) -> Exit {
        let mut line = format!("commute: {}", self.describe(peer, several));
        if let Some(lost) = &self.saved.lost {
            let (path, events) = (self.path.display(), count(self.events, "event"));
            output.error_text(&format!(
                "cannot write {path}: {lost}; it does not hold all {events} that were recorded"
            ));
            return Exit::BadInput;
        }
        if let Some(missed) = missed(self.notes) {
            line += &format!("; {missed}");
        }
        let cut = [ErrorKind::Truncated, ErrorKind::Empty, ErrorKind::Io];
        match &self.error {
            None => output.note(&line),
            Some(error) if cut.contains(&error.kind) => {
                line += "; the process was killed or crashed: what it did after them is lost";
                output.note(&line);
            }
            Some(error) => {
                return tell(error, Path::new(&self.path), output);
            }
        }
        Exit::Clean
    }
}

//! `commute trace convert`, and writing traces in general.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};
use commute_model::{Event, Names};
use commute_trace::{Format, Notes, TraceError, TraceWriter};

use super::{describe, open};
use crate::cli::{Shared, TraceFormat};
use crate::exit::Exit;
use crate::output::Output;
use crate::progress::Progress;

/// Copies a trace into another format.
pub(super) fn run(
    from: &Path,
    to: &Path,
    format: Option<TraceFormat>,
    shared: &Shared,
    output: &mut Output,
) -> Result<Exit> {
    let mut reader = match open(from, shared) {
        Ok(reader) => reader,
        Err(error) => return Ok(unread(&error, from, output)),
    };
    let size = std::fs::metadata(from).ok().map(|m| m.len());
    let mut progress = Progress::new(size, shared.quiet);
    let mut writer = Writer::create(to, format)?;
    let mut events = Vec::new();
    let read = loop {
        match reader.read_batch(&mut events) {
            Ok(0) => break Ok(()),
            Ok(_) if writer.write(&events, reader.names())? => {}
            Ok(_) => break Ok(()),
            Err(error) => break Err(error),
        }
        progress.update(reader.bytes_read(), reader.events_read());
    };
    progress.finish();
    writer.missed(reader.notes());
    // What could be read is kept, also of a broken trace.
    writer.finish()?;
    match read {
        Ok(()) => Ok(Exit::Clean),
        Err(error) => Ok(unread(&error, from, output)),
    }
}

/// Says that a trace could not be read to its end.
pub(super) fn unread(error: &TraceError, path: &Path, output: &mut Output) -> Exit {
    let text = describe(error, path, &output.style);
    output.stderr(&text);
    Exit::BadInput
}

/// Writes a trace to a file or to standard output.
pub(super) struct Writer {
    writer: TraceWriter<Box<dyn Write>>,
    name: String,
}

impl Writer {
    /// Starts a trace; the ending of the file says the format, or else text.
    pub(super) fn create(path: &Path, format: Option<TraceFormat>) -> Result<Writer> {
        let name = path.display().to_string();
        let context = || format!("cannot write {name}");
        let out: Box<dyn Write> = if path.as_os_str() == "-" {
            Box::new(io::stdout())
        } else {
            Box::new(File::create(path).with_context(context)?)
        };
        let binary = path.extension().is_some_and(|ending| ending == "ctr");
        let format = match format {
            Some(TraceFormat::Std) => Format::Std,
            Some(TraceFormat::Ctr) => Format::Ctr,
            None if binary => Format::Ctr,
            None => Format::Std,
        };
        let writer = TraceWriter::new(format, out).with_context(context)?;
        Ok(Writer { writer, name })
    }

    /// Writes events; false if nobody reads them any more.
    pub(super) fn write(&mut self, events: &[Event], names: &Names) -> Result<bool> {
        let mut events = events.iter();
        settle(
            events.try_for_each(|event| self.writer.write(event, names)),
            &self.name,
        )
    }

    /// Writes how many operations the trace misses that the events are from.
    pub(super) fn missed(&mut self, notes: Notes) {
        self.writer.missed(notes.missed);
    }

    /// Writes the end of the trace.
    pub(super) fn finish(self) -> Result<()> {
        settle(self.writer.finish().map(drop), &self.name).map(drop)
    }
}

/// A reader that went away is no error: false.
fn settle(result: io::Result<()>, name: &str) -> Result<bool> {
    match result {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error).with_context(|| format!("cannot write {name}")),
    }
}

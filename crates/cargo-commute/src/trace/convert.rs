//! `commute trace convert`, and writing traces in general.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use commute_model::{Event, Names};
use commute_trace::{Format, Notes, TraceError, TraceWriter};
use tempfile::TempPath;

use super::draw::{self, Drawing};
use super::{describe, open};
use crate::cli::{ConvertFormat, Shared, TraceFormat};
use crate::exit::Exit;
use crate::output::Output;
use crate::progress::Progress;
use crate::store::whole_file;

/// Copies a trace into another format.
pub(super) fn run(
    from: &Path,
    to: &Path,
    format: Option<ConvertFormat>,
    shared: &Shared,
    output: &mut Output,
) -> Result<Exit> {
    let ending = to.extension().and_then(OsStr::to_str);
    let format = match (format, ending) {
        (None, Some("json")) => ConvertFormat::Perfetto,
        (None, Some("shiviz")) => ConvertFormat::Shiviz,
        (None, Some("ctr")) => ConvertFormat::Ctr,
        (None, _) => ConvertFormat::Std,
        (Some(format), _) => format,
    };
    match format {
        ConvertFormat::Std => copy(from, to, TraceFormat::Std, shared, output),
        ConvertFormat::Ctr => copy(from, to, TraceFormat::Ctr, shared, output),
        ConvertFormat::Perfetto | ConvertFormat::Chrome => {
            let drawing = |library| Drawing::timeline(from, library);
            draw::run(from, to, drawing, shared, output)
        }
        ConvertFormat::Shiviz => draw::run(from, to, Drawing::shiviz, shared, output),
    }
}

fn copy(
    from: &Path,
    to: &Path,
    format: TraceFormat,
    shared: &Shared,
    output: &mut Output,
) -> Result<Exit> {
    let mut reader = match open(from, shared) {
        Ok(reader) => reader,
        Err(error) => return Ok(unread(&error, from, output)),
    };
    refuse_same(from, to)?;
    let mut progress = Progress::beside(to, size(from), shared.quiet);
    let mut writer = Writer::create(to, Some(format))?;
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
    let text = describe(error, path, &output.error_style);
    output.stderr(&text);
    Exit::BadInput
}

/// Writes a trace to a file or to standard output.
pub(super) struct Writer {
    writer: TraceWriter<Box<dyn Write>>,
    name: String,
    /// The file that gets its name when all is there.
    unfinished: Option<(TempPath, PathBuf)>,
}

impl Writer {
    /// Starts a trace; the ending of the file says the format, or else text.
    pub(super) fn create(path: &Path, format: Option<TraceFormat>) -> Result<Writer> {
        let cannot = || format!("cannot write {}", path.display());
        let out = create(path).with_context(cannot)?;
        Writer::to(out, path, format)
    }

    /// The same of a trace of which it turns out late that there is none: if it is not
    /// finished, no file is there.
    pub(super) fn unfinished(path: &Path, format: Option<TraceFormat>) -> Result<Writer> {
        // What is no file, as a pipe or `/dev/null`, cannot be replaced by one.
        let is_there = path.symlink_metadata().is_ok();
        let is_other = is_there && !path.is_file();
        if path.as_os_str() == "-" || is_other {
            return Writer::create(path, format);
        }
        let cannot = || format!("cannot write {}", path.display());
        // A link stays one.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let begun = whole_file::begin(&whole_file::folder_of(&path)).with_context(cannot)?;
        let (file, unfinished) = begun.into_parts();
        let mut writer = Writer::to(Box::new(file), &path, format)?;
        writer.unfinished = Some((unfinished, path));
        Ok(writer)
    }

    fn to(out: Box<dyn Write>, path: &Path, format: Option<TraceFormat>) -> Result<Writer> {
        let name = path.display().to_string();
        let context = || format!("cannot write {name}");
        let binary = path.extension().is_some_and(|ending| ending == "ctr");
        let format = match format {
            Some(TraceFormat::Std) => Format::Std,
            Some(TraceFormat::Ctr) => Format::Ctr,
            None if binary => Format::Ctr,
            None => Format::Std,
        };
        let writer = TraceWriter::new(format, out).with_context(context)?;
        Ok(Writer {
            writer,
            name,
            unfinished: None,
        })
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
        settle(self.writer.finish().map(drop), &self.name)?;
        if let Some((unfinished, path)) = self.unfinished {
            let kept = unfinished.persist(path).map_err(|error| error.error);
            kept.with_context(|| format!("cannot write {}", self.name))?;
        }
        Ok(())
    }
}

/// How long a file is, for who waits.
pub(super) fn size(path: &Path) -> Option<u64> {
    std::fs::metadata(path).ok().map(|metadata| metadata.len())
}

/// To write over what is read would leave nothing of it.
///
/// # Errors
/// If both are the same file.
pub(super) fn refuse_same(from: &Path, to: &Path) -> Result<()> {
    let is_file = |path: &Path| path.as_os_str() != "-" && path.is_file();
    if is_file(from) && is_file(to) && from.canonicalize().ok() == to.canonicalize().ok() {
        bail!("{} cannot be written: it is what is read", to.display());
    }
    Ok(())
}

/// Opens what is written: a file, or `-`.
pub(super) fn create(path: &Path) -> io::Result<Box<dyn Write>> {
    Ok(match path.as_os_str() == "-" {
        true => Box::new(io::stdout()),
        false => Box::new(File::create(path)?),
    })
}

/// A reader that went away is no error: false.
pub(super) fn settle(result: io::Result<()>, name: &str) -> Result<bool> {
    match result {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error).with_context(|| format!("cannot write {name}")),
    }
}

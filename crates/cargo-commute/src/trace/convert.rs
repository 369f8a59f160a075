//! `commute trace convert`, and writing traces in general.

use std::ffi::OsStr;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use super::draw::{self, Drawing};
use super::{describe, open};
use crate::cli::{ConvertFormat, Shared, TraceFormat};
use crate::exit::Exit;
use crate::output::Output;
use crate::progress::Progress;
use crate::store::whole_file::WholeFile;
use anyhow::{Context, Result, bail};
use commute_model::{Event, Names};
use commute_trace::{Format, Notes, TraceError, TraceWriter};

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
    let exit = writer.finish()?;
    match read {
        Ok(()) => Ok(exit),
        Err(error) => Ok(unread(&error, from, output)),
    }
}

/// Says that a trace could not be read to its end.
pub(super) fn unread(error: &TraceError, path: &Path, output: &mut Output) -> Exit {
    let text = describe(error, path, &output.error_style);
    output.stderr(&text);
    Exit::BadInput
}

/// Writes a trace to a file, which gets its name when the trace is complete, or to
/// standard output.
pub(super) struct Writer {
    /// None once the reader of standard output went away.
    writer: Option<TraceWriter<Product>>,
    name: String,
}

impl Writer {
    /// Starts a trace; the ending of the file says the format, or else text.
    pub(super) fn create(path: &Path, format: Option<TraceFormat>) -> Result<Writer> {
        let name = path.display().to_string();
        let context = || format!("cannot write {name}");
        let binary = path.extension().is_some_and(|ending| ending == "ctr");
        let format = match format {
            Some(TraceFormat::Std) => Format::Std,
            Some(TraceFormat::Ctr) => Format::Ctr,
            None if binary => Format::Ctr,
            None => Format::Std,
        };
        let product = Product::create(path).with_context(context)?;
        let writer = match TraceWriter::new(format, product) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => None,
            begun => Some(begun.with_context(context)?),
        };
        Ok(Writer { writer, name })
    }

    /// Writes events; false if nobody reads them any more.
    pub(super) fn write(&mut self, events: &[Event], names: &Names) -> Result<bool> {
        let Some(writer) = &mut self.writer else {
            return Ok(false);
        };
        let mut events = events.iter();
        let written = events.try_for_each(|event| writer.write(event, names));
        if !settle(written, &self.name)? {
            self.writer = None;
        }
        Ok(self.writer.is_some())
    }

    /// Writes how many operations the trace misses that the events are from.
    pub(super) fn missed(&mut self, notes: Notes) {
        if let Some(writer) = &mut self.writer {
            writer.missed(notes.missed);
        }
    }

    /// Writes the end of the trace, and says whether all of it was written.
    pub(super) fn finish(self) -> Result<Exit> {
        let Some(writer) = self.writer else {
            return Ok(INCOMPLETE);
        };
        let written = writer.finish().and_then(Product::finish);
        let is_written = settle(written, &self.name)?;
        Ok(if is_written { Exit::Clean } else { INCOMPLETE })
    }
}

/// How a command ends whose product is not complete because nobody reads on: there is
/// nobody to tell, but a script must not take a part for the whole.
pub(crate) const INCOMPLETE: Exit = Exit::BadInput;

/// Where a product goes: to standard output, or to a file that gets its name when it is
/// complete.
pub(super) enum Product {
    Stdout(io::Stdout),
    File(WholeFile),
}

impl Product {
    /// Begins the file, or takes standard output for `-`.
    pub(super) fn create(path: &Path) -> io::Result<Product> {
        if path.as_os_str() == "-" {
            return Ok(Product::Stdout(io::stdout()));
        }
        WholeFile::create(path).map(Product::File)
    }

    /// Makes the product complete.
    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Product::Stdout(mut stdout) => stdout.flush(),
            Product::File(file) => file.finish(),
        }
    }
}

impl Write for Product {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Product::Stdout(stdout) => stdout.write(bytes),
            Product::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Product::Stdout(stdout) => stdout.flush(),
            Product::File(file) => file.flush(),
        }
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

/// A reader that went away is no error: false.
pub(super) fn settle(result: io::Result<()>, name: &str) -> Result<bool> {
    match result {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error).with_context(|| format!("cannot write {name}")),
    }
}

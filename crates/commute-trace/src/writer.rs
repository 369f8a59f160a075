//! Writing traces of either format, and copying one into another.

use std::io::{self, Write};

use commute_model::{Event, Names};

use crate::ctr::CtrWriter;
use crate::error::TraceError;
use crate::input::Format;
use crate::reader::TraceReader;
use crate::text::StdWriter;

/// Writes a trace in the format asked for.
#[derive(Debug)]
pub struct TraceWriter<W> {
    writer: Either<W>,
}

// There is one per trace: what differs in size does not matter.
#[allow(clippy::large_enum_variant)]
#[derive(Debug)]
enum Either<W> {
    Std(StdWriter<W>),
    Ctr(CtrWriter<W>),
}

impl<W: Write> TraceWriter<W> {
    /// Starts a trace in `out`. It has buffers of its own.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn new(format: Format, out: W) -> io::Result<TraceWriter<W>> {
        let writer = match format {
            Format::Std => Either::Std(StdWriter::new(out)),
            Format::Ctr => Either::Ctr(CtrWriter::new(out)?),
        };
        Ok(TraceWriter { writer })
    }

    /// Writes one event, whose names are in `names`: always the same table, or
    /// one that has grown.
    ///
    /// # Errors
    /// If `out` fails, or if the event cannot be written
    /// ([`io::ErrorKind::InvalidInput`]): a name or a value breaks the rules.
    #[inline]
    pub fn write(&mut self, event: &Event, names: &Names) -> io::Result<()> {
        match &mut self.writer {
            Either::Std(writer) => writer.write(event, names),
            Either::Ctr(writer) => writer.write(event, names),
        }
    }

    /// Says that so many operations, more than were said before, happened but are not
    /// among the events.
    pub fn missed(&mut self, operations: u64) {
        match &mut self.writer {
            Either::Std(writer) => writer.missed(operations),
            Either::Ctr(writer) => writer.missed(operations),
        }
    }

    /// Writes everything that is still buffered, and the end.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn finish(self) -> io::Result<W> {
        match self.writer {
            Either::Std(writer) => writer.finish(),
            Either::Ctr(writer) => writer.finish(),
        }
    }
}

/// Why a trace could not be copied to its end.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// It could not be read on.
    #[error(transparent)]
    Read(#[from] TraceError),
    /// It could not be written.
    #[error("cannot write the trace: {0}")]
    Write(#[from] io::Error),
}

/// Writes all events of `reader`, and how many it misses, to `writer`, which is not finished: if reading
/// fails, what was read until then can still be kept.
///
/// ```
/// use commute_trace::{Format, Options, TraceReader, TraceWriter, copy};
///
/// let text = "T1|acq(m)|a.rs:1\nT1|w(x)|a.rs:2\nT1|rel(m)|a.rs:3\n";
/// let mut reader = TraceReader::from_reader(text.as_bytes(), Options::default())?;
/// let mut writer = TraceWriter::new(Format::Ctr, Vec::new())?;
/// copy(&mut reader, &mut writer)?;
/// let binary = std::io::Cursor::new(writer.finish()?);
///
/// let mut reader = TraceReader::from_reader(binary, Options::default())?;
/// let mut writer = TraceWriter::new(Format::Std, Vec::new())?;
/// copy(&mut reader, &mut writer)?;
/// assert_eq!(writer.finish()?, text.as_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If reading or writing fails.
pub fn copy<W: Write>(
    reader: &mut TraceReader,
    writer: &mut TraceWriter<W>,
) -> Result<(), CopyError> {
    let mut events = Vec::new();
    while reader.read_batch(&mut events)? > 0 {
        for event in &events {
            writer.write(event, reader.names())?;
        }
    }
    writer.missed(reader.notes().missed);
    Ok(())
}

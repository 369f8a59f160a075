//! Reading binary traces.
//!
//! Every number of a frame is checked against what it may be before it is used:
//! the checksums protect against damage, not against malice.

use commute_model::{Event, Names};

use super::cursor::{Cursor, Malformed};
use super::events::{FrameEvents, Trouble};
use super::frame::{self, Frame, FrameReader, read_so_far};
use super::tables::Tables;
use super::{FILE_HEADER, MAGIC, VERSION};
use crate::declared::Declared;
use crate::error::{ErrorKind, Problem, TraceError};
use crate::input::Input;
use crate::reader::Notes;
use crate::recycle::Recycled;

/// Reads events from frames.
pub(crate) struct CtrReader {
    frames: FrameReader,
    tables: Tables,
    current: FrameEvents,
    /// Events delivered.
    events: u64,
}

impl CtrReader {
    /// Starts to read; the file header must be there.
    pub(crate) fn new(mut input: Input) -> Result<CtrReader, TraceError> {
        let mut header = [0; FILE_HEADER.len()];
        let got = input.read_full(&mut header)?;
        if got < header.len() {
            let message = "the trace ends in the middle of its header";
            return Err(TraceError::at_byte(
                ErrorKind::Truncated,
                got as u64,
                message,
            ));
        }
        if header[MAGIC.len()] != VERSION || header[MAGIC.len() + 1] != 0 {
            let message = format!(
                "version {} of the format (flags {}); only version {VERSION} is understood",
                header[MAGIC.len()],
                header[MAGIC.len() + 1],
            );
            let offset = MAGIC.len() as u64;
            return Err(TraceError::at_byte(ErrorKind::Unsupported, offset, message));
        }
        Ok(CtrReader {
            frames: FrameReader::new(input, FILE_HEADER.len() as u64),
            tables: Tables::new(),
            current: FrameEvents::default(),
            events: 0,
        })
    }

    pub(crate) fn input(&self) -> &Input {
        &self.frames.input
    }

    /// How many bytes the places of operations take.
    pub(crate) fn site_bytes(&self) -> usize {
        self.tables.site_bytes()
    }

    pub(crate) fn notes(&self) -> Notes {
        self.current.notes
    }

    /// Adds the next events to `events`, which is empty; none at the end. On an
    /// error the events before it are there.
    pub(crate) fn read_batch(
        &mut self,
        names: &mut Names,
        declared: &mut Declared,
        recycled: &mut Recycled,
        events: &mut Vec<Event>,
    ) -> Result<(), TraceError> {
        while self.current.pending == 0 {
            let frame = self.frames.next(self.events)?;
            match frame.kind {
                frame::EVENTS => self
                    .open_frame(frame.events, names)
                    .map_err(|reason| self.malformed(reason))?,
                frame::END => {
                    let totals = self.tables.check_totals(&self.frames.payload);
                    totals.map_err(|reason| self.malformed(reason))?;
                    return self.frames.expect_end();
                }
                frame::MISSED => self
                    .read_missed()
                    .map_err(|reason| self.malformed(reason))?,
                unknown => {
                    let message = format!("a frame of unknown kind {unknown}");
                    let kind = ErrorKind::Unsupported;
                    return Err(TraceError::at_byte(kind, self.frames.start, message));
                }
            }
        }
        let payload = &self.frames.payload;
        let result = self
            .current
            .decode(payload, &self.tables, declared, recycled, events);
        self.tables.translate(events);
        self.events += events.len() as u64;
        result.map_err(|trouble| match trouble {
            Trouble::Malformed(reason) => self.malformed(reason),
            Trouble::Undeclared(object) => self.undeclared(object, names),
        })
    }

    fn open_frame(&mut self, events: u32, names: &mut Names) -> Result<(), Malformed> {
        let payload = &self.frames.payload;
        let mut cursor = Cursor::new(payload, 0, "", 0);
        self.tables.read(&mut cursor, names)?;
        self.current.open(payload, cursor, events)
    }

    fn read_missed(&mut self) -> Result<(), Malformed> {
        let mut cursor = Cursor::new(&self.frames.payload, 0, "", 0);
        let more = cursor.number()?;
        if !cursor.is_at_end() {
            return Err("bytes after its number");
        }
        let missed = &mut self.current.notes.missed;
        *missed = missed.saturating_add(more);
        Ok(())
    }

    fn malformed(&self, reason: Malformed) -> TraceError {
        let message = format!("this frame has {reason}");
        TraceError::at_byte(ErrorKind::Corrupt, self.frames.start, message)
            .lost(read_so_far(self.events))
    }

    fn undeclared(&self, object: u32, names: &Names) -> TraceError {
        let object = names.objects.name(self.tables.object(object));
        let message = format!(
            "event {}, in the frame that starts here: the type of object `{object}` is not \
             declared; pass `--object {object}=type`",
            self.events + 1
        );
        TraceError::at_byte(ErrorKind::Undeclared, self.frames.start, message)
    }

    /// Where the frame starts that could not be read, and the end frame that could
    /// stand there.
    pub(crate) fn end_frame(&self) -> (u64, Vec<u8>) {
        let end = Frame {
            kind: frame::END,
            events: 0,
            first: self.events,
        };
        let mut bytes = Vec::new();
        frame::write(&mut bytes, &end, &self.tables.totals(), true);
        (self.frames.start, bytes)
    }

    /// An error about the event with this index, which is in the current frame.
    pub(crate) fn error_at(&self, index: u64, problem: Problem) -> TraceError {
        let message = format!(
            "event {index}, in the frame that starts here: {}",
            problem.message
        );
        TraceError::at_byte(problem.kind, self.frames.start, message)
    }
}

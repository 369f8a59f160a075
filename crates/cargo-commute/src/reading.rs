//! The events of a trace that is being checked, from wherever they come.

use commute_model::{Event, Names};
use commute_trace::{Bell, Notes, ReadAhead, TraceError, TraceReader, Waited};

use crate::cli::Shared;
use crate::examine::Origin;
use crate::trace::options;

/// Shorter files are not worth a thread.
const LONG: u64 = 1 << 18;

/// A trace in the course of being read.
// There is one per trace: what differs in size does not matter.
#[allow(clippy::large_enum_variant)]
pub(crate) enum Reading {
    /// By this thread.
    Here(TraceReader, Vec<Event>),
    /// By another, while this one looks at the events before.
    Ahead(ReadAhead),
}

impl Reading {
    /// Reads on in the way that is fastest.
    pub(crate) fn new(reader: TraceReader, origin: &Origin, shared: &Shared) -> Reading {
        let path = &origin.path;
        let long = origin.again && std::fs::metadata(path).is_ok_and(|file| file.len() >= LONG);
        if long && std::thread::available_parallelism().is_ok_and(|n| n.get() > 1) {
            let started = ReadAhead::start(reader, path, options(shared));
            return started.map_or_else(Reading::without_thread, Reading::Ahead);
        }
        Reading::Here(reader, Vec::new())
    }

    /// Reads on what a program does. Whoever has the bell can interrupt, unless the system
    /// has no thread left.
    #[cfg(unix)]
    pub(crate) fn live(reader: TraceReader) -> (Reading, Bell) {
        match ReadAhead::live(reader) {
            Ok(ahead) => {
                let bell = ahead.bell();
                (Reading::Ahead(ahead), bell)
            }
            Err(reader) => (Reading::without_thread(reader), Bell::default()),
        }
    }

    /// The system has no thread left.
    fn without_thread(reader: Box<TraceReader>) -> Reading {
        Reading::Here(*reader, Vec::new())
    }

    /// The next events, as [`next`](Reading::next) gives them; none if somebody rang.
    pub(crate) fn next_unless_rung(&mut self) -> Result<Option<(&[Event], &Names)>, TraceError> {
        match self {
            Reading::Here(..) => self.next().map(Some),
            Reading::Ahead(ahead) => Ok(match ahead.wait()? {
                Waited::Batch => Some(ahead.last_batch()),
                Waited::Rung => None,
            }),
        }
    }

    /// The next events, and the names they use; no event at the end.
    pub(crate) fn next(&mut self) -> Result<(&[Event], &Names), TraceError> {
        match self {
            Reading::Here(reader, events) => {
                reader.read_batch(events)?;
                Ok((events, reader.names()))
            }
            Reading::Ahead(ahead) => {
                ahead.read_batch()?;
                Ok(ahead.last_batch())
            }
        }
    }

    /// The names read so far.
    pub(crate) fn names(&self) -> &Names {
        match self {
            Reading::Here(reader, _) => reader.names(),
            Reading::Ahead(ahead) => ahead.names(),
        }
    }

    /// How many bytes and events have been read.
    pub(crate) fn position(&self) -> (u64, u64) {
        match self {
            Reading::Here(reader, _) => (reader.bytes_read(), reader.events_read()),
            Reading::Ahead(ahead) => (ahead.bytes_read(), ahead.events_read()),
        }
    }

    /// What was noticed so far.
    pub(crate) fn notes(&self) -> Notes {
        match self {
            Reading::Here(reader, _) => reader.notes(),
            Reading::Ahead(ahead) => ahead.notes(),
        }
    }

    /// An error about event `i` of the last batch.
    pub(crate) fn error_at(&self, i: usize, message: &str) -> TraceError {
        match self {
            Reading::Here(reader, _) => reader.error_at(i, message),
            Reading::Ahead(ahead) => ahead.error_at(i, message),
        }
    }
}

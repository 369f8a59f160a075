//! Reading traces of either format in batches.

use std::io::Read;
use std::path::Path;

use commute_model::{Event, Names};

use crate::ctr::CtrReader;
use crate::declared::Declared;
use crate::error::{ErrorKind, Problem, TraceError};
use crate::input::{Compression, Format, Input};
use crate::limits::MAX_NAMES;
use crate::recycle::Recycled;
use crate::text::TextReader;

/// What a reader should know before it starts.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Names of objects whose type is known without a `new` in the trace.
    pub declared: Vec<String>,
}

/// Things worth a note that are no mistake of the trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Notes {
    /// `dummy` events, which no analysis looks at.
    pub dummies: u64,
    /// `branch` events, which no analysis looks at.
    pub branches: u64,
    /// Operations that happened while the trace was recorded, but are not in it.
    pub missed: u64,
}

/// Reads a trace, of either format, compressed or not, in batches of events and
/// in memory that does not depend on how many there are.
///
/// ```
/// use commute_trace::{Options, TraceReader};
///
/// let text = "T1|w(x)|3\n# a comment\nT2|r(x)|4\n";
/// let mut reader = TraceReader::from_reader(text.as_bytes(), Options::default())?;
/// let mut events = Vec::new();
/// while reader.read_batch(&mut events)? > 0 {
///     for (i, event) in events.iter().enumerate() {
///         println!("{}: {}", reader.line(i), event.display(reader.names()));
///     }
/// }
/// assert_eq!(reader.events_read(), 2);
/// # Ok::<(), commute_trace::TraceError>(())
/// ```
pub struct TraceReader {
    source: Source,
    names: Names,
    declared: Declared,
    events_read: u64,
    /// Index of the first event of the last batch, from 1.
    batch_start: u64,
    recycled: Recycled,
    /// How much memory the names may take.
    max_names: usize,
    state: State,
}

// There is one per trace: what differs in size does not matter.
#[allow(clippy::large_enum_variant)]
enum Source {
    Text(TextReader),
    Ctr(CtrReader),
}

enum State {
    Reading,
    /// The next call says so, and all calls after it.
    Failed(TraceError),
    Finished,
}

impl TraceReader {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// If it cannot be opened or its first bytes cannot be read.
    pub fn open(path: impl AsRef<Path>, options: Options) -> Result<TraceReader, TraceError> {
        TraceReader::new(Input::open(path.as_ref())?, options)
    }

    /// Reads from anything, such as standard input. No need for a `BufReader`.
    ///
    /// # Errors
    /// If its first bytes cannot be read.
    pub fn from_reader(
        reader: impl Read + Send + 'static,
        options: Options,
    ) -> Result<TraceReader, TraceError> {
        TraceReader::new(Input::from_reader(reader)?, options)
    }

    fn new(input: Input, options: Options) -> Result<TraceReader, TraceError> {
        let mut names = Names::default();
        let mut declared = Declared::default();
        for object in &options.declared {
            declared.insert(names.objects.intern(object));
        }
        let source = match input.format {
            Format::Std => Source::Text(TextReader::new(input)),
            Format::Ctr => Source::Ctr(CtrReader::new(input)?),
        };
        Ok(TraceReader {
            source,
            names,
            declared,
            events_read: 0,
            batch_start: 1,
            recycled: Recycled::default(),
            max_names: MAX_NAMES,
            state: State::Reading,
        })
    }

    /// The same reader without the quick way through common lines: for tests
    /// that compare the two.
    #[doc(hidden)]
    pub fn careful(mut self) -> TraceReader {
        if let Source::Text(text) = self.source {
            self.source = Source::Text(text.careful());
        }
        self
    }

    /// Replaces the contents of `events` by the next few thousand events and
    /// says how many there are; 0 at the end of the trace.
    ///
    /// # Errors
    /// If the trace cannot be read on. The events before the problem are
    /// delivered first, the error by the next call.
    pub fn read_batch(&mut self, events: &mut Vec<Event>) -> Result<usize, TraceError> {
        self.recycled.take(events);
        self.batch_start = self.events_read + 1;
        match &self.state {
            State::Reading => {}
            State::Finished => return Ok(0),
            State::Failed(error) => return Err(error.clone()),
        }
        let (names, declared) = (&mut self.names, &mut self.declared);
        let recycled = &mut self.recycled;
        let result = match &mut self.source {
            Source::Text(text) => text.read_batch(names, declared, recycled, events),
            Source::Ctr(ctr) => ctr.read_batch(names, declared, recycled, events),
        };
        self.events_read += events.len() as u64;
        let too_many = result.is_ok() && self.name_bytes() > self.max_names;
        if let Err(error) = result {
            self.state = State::Failed(error);
        } else if events.is_empty() {
            self.state = State::Finished;
            if self.events_read == 0 {
                let message = "empty trace: there is no event in it";
                self.state = State::Failed(TraceError::whole(ErrorKind::Empty, message));
            }
        }
        if too_many && !events.is_empty() {
            self.state = State::Failed(self.too_many_names(events.len() - 1));
        }
        match &self.state {
            State::Failed(error) if events.is_empty() => return Err(error.clone()),
            _ => {}
        }
        Ok(events.len())
    }

    /// The names of the trace take too much memory, since about event `i` of the last
    /// batch.
    fn too_many_names(&self, i: usize) -> TraceError {
        let most = self.max_names >> 20;
        let message = format!("the names up to here take more than {most} MiB of memory");
        let mut error = self.error_at(i, message);
        error.kind = ErrorKind::TooLong;
        error
    }

    /// How much memory the names take, and the places of operations in a binary trace.
    fn name_bytes(&self) -> usize {
        let sites = match &self.source {
            Source::Text(_) => 0,
            Source::Ctr(ctr) => ctr.site_bytes(),
        };
        self.names.bytes() + sites
    }

    /// The same reader with another limit than
    /// [`MAX_NAMES`](crate::MAX_NAMES), for tests.
    #[doc(hidden)]
    pub fn with_max_names(mut self, bytes: usize) -> TraceReader {
        self.max_names = bytes;
        self
    }

    /// The names of the events read so far.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The names, for callers that want ids of names that may not have occurred
    /// yet.
    pub fn names_mut(&mut self) -> &mut Names {
        &mut self.names
    }

    /// The names alone, when reading is over.
    pub fn into_names(self) -> Names {
        self.names
    }

    /// How many bytes of the file have been read, for a progress bar.
    pub fn bytes_read(&self) -> u64 {
        self.input().bytes_read()
    }

    /// Where the last whole frame of a binary trace that was cut ends, in bytes, and
    /// the end frame that belongs there. None if the file is compressed.
    pub(crate) fn end_frame(&self) -> Option<(u64, Vec<u8>)> {
        match &self.source {
            Source::Ctr(ctr) if self.compression() == Compression::None => Some(ctr.end_frame()),
            _ => None,
        }
    }

    /// How many events have been delivered.
    pub fn events_read(&self) -> u64 {
        self.events_read
    }

    /// How events are written in the file.
    pub fn format(&self) -> Format {
        self.input().format
    }

    /// How the file is compressed.
    pub fn compression(&self) -> Compression {
        self.input().compression
    }

    /// What was noticed so far.
    pub fn notes(&self) -> Notes {
        match &self.source {
            Source::Text(text) => text.notes,
            Source::Ctr(ctr) => ctr.notes(),
        }
    }

    /// The index in the trace, from 1, of event `i` of the last batch.
    pub fn index(&self, i: usize) -> u64 {
        self.batch_start + i as u64
    }

    /// Where event `i` of the last batch is: its line in a text trace, its index
    /// in a binary one.
    pub fn line(&self, i: usize) -> u64 {
        match &self.source {
            Source::Text(text) => text.line_of(i),
            Source::Ctr(_) => self.index(i),
        }
    }

    /// An error about event `i` of the last batch, for a caller that cannot make
    /// sense of it: with line, column and excerpt, or with the byte at which its
    /// frame starts.
    pub fn error_at(&self, i: usize, message: impl Into<String>) -> TraceError {
        let problem = Problem {
            kind: ErrorKind::Invalid,
            at: 0,
            message: message.into(),
        };
        match &self.source {
            Source::Text(text) => text.error_at(i, problem),
            Source::Ctr(ctr) => ctr.error_at(self.index(i), problem),
        }
    }

    fn input(&self) -> &Input {
        match &self.source {
            Source::Text(text) => text.input(),
            Source::Ctr(ctr) => ctr.input(),
        }
    }
}

impl std::fmt::Debug for TraceReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TraceReader")
            .field("format", &self.format())
            .field("events_read", &self.events_read)
            .finish_non_exhaustive()
    }
}

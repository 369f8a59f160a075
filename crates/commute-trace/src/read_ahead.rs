//! Reading in a thread of its own, while the events before are looked at.
//!
//! Batches go to the user and come back empty, so that neither side allocates;
//! few are on the way, so that memory stays bounded and what one side writes is
//! still in the cache when the other reads it.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

use commute_model::{Event, Names, NewNames};

use crate::error::{ErrorKind, TraceError};
use crate::reader::{Notes, Options, TraceReader};

/// How many batches are ready at most.
const READY: usize = 8;

/// A trace file that is read by another thread.
///
/// ```no_run
/// use commute_trace::{Options, ReadAhead, TraceReader};
///
/// let (path, options) = ("long.ctr", Options::default());
/// let reader = TraceReader::open(path, options.clone())?;
/// let mut ahead = ReadAhead::start(reader, path, options);
/// while !ahead.read_batch()?.is_empty() {
///     println!("{} events so far", ahead.events_read());
/// }
/// # Ok::<(), commute_trace::TraceError>(())
/// ```
#[derive(Debug)]
pub struct ReadAhead {
    path: PathBuf,
    options: Options,
    ready: Receiver<Batch>,
    spent: Sender<Vec<Event>>,
    events: Vec<Event>,
    names: Names,
    /// Index of the first event of the last batch, from 1.
    batch_start: u64,
    bytes_read: u64,
    notes: Notes,
    /// What there is to say after the last batch.
    end: Option<Result<(), TraceError>>,
}

#[derive(Debug)]
struct Batch {
    events: Vec<Event>,
    names: Option<NewNames>,
    bytes_read: u64,
    notes: Notes,
    /// Set if no batch follows.
    end: Option<Result<(), TraceError>>,
}

impl ReadAhead {
    /// Goes on with `reader`, which reads the file at `path` with `options` and
    /// has delivered nothing yet.
    pub fn start(reader: TraceReader, path: impl AsRef<Path>, options: Options) -> ReadAhead {
        let names = reader.names().clone();
        let (to_user, ready) = sync_channel(READY);
        let (spent, from_user) = channel();
        thread::spawn(move || read(reader, &to_user, &from_user));
        ReadAhead {
            path: path.as_ref().to_owned(),
            options,
            ready,
            spent,
            events: Vec::new(),
            names,
            batch_start: 1,
            bytes_read: 0,
            notes: Notes::default(),
            end: None,
        }
    }

    /// The next few thousand events; none at the end of the trace.
    ///
    /// # Errors
    /// If the trace cannot be read on. The events before the problem are
    /// delivered first.
    ///
    /// # Panics
    /// If the reader panicked.
    pub fn read_batch(&mut self) -> Result<&[Event], TraceError> {
        self.batch_start = self.events_read() + 1;
        if self.end.is_none() {
            let batch = self.ready.recv().expect("the reader says when it ends");
            let before = std::mem::replace(&mut self.events, batch.events);
            // Nobody takes it if the reader is through.
            let _ = self.spent.send(before);
            if let Some(new) = batch.names {
                self.names.add(new);
            }
            self.bytes_read = batch.bytes_read;
            self.notes = batch.notes;
            self.end = batch.end;
        } else {
            self.events.clear();
        }
        match &self.end {
            Some(Err(error)) if self.events.is_empty() => Err(error.clone()),
            _ => Ok(&self.events),
        }
    }

    /// The last batch again, and the names of its events.
    pub fn last_batch(&self) -> (&[Event], &Names) {
        (&self.events, &self.names)
    }

    /// The names of the events delivered so far.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// How many bytes of the file were read for them.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read
    }

    /// How many events have been delivered.
    pub fn events_read(&self) -> u64 {
        self.batch_start - 1 + self.events.len() as u64
    }

    /// What was noticed so far.
    pub fn notes(&self) -> Notes {
        self.notes
    }

    /// An error about event `i` of the last batch, as
    /// [`TraceReader::error_at`] makes it. The reader is past that event, so the
    /// file is read again.
    pub fn error_at(&self, i: usize, message: &str) -> TraceError {
        let index = self.batch_start + i as u64;
        let again = || {
            let mut reader = TraceReader::open(&self.path, self.options.clone()).ok()?;
            let mut events = Vec::new();
            while reader.read_batch(&mut events).ok()? > 0 {
                if reader.events_read() >= index {
                    let place = index - reader.index(0);
                    return Some(reader.error_at(place as usize, message));
                }
            }
            None
        };
        // The file may have changed.
        again().unwrap_or_else(|| {
            TraceError::whole(ErrorKind::Invalid, format!("event {index}: {message}"))
        })
    }
}

fn read(mut reader: TraceReader, to_user: &SyncSender<Batch>, from_user: &Receiver<Vec<Event>>) {
    let mut sent = reader.names().sent();
    loop {
        let mut events = from_user.try_recv().unwrap_or_default();
        let end = match reader.read_batch(&mut events) {
            Ok(0) => Some(Ok(())),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        };
        let done = end.is_some();
        let batch = Batch {
            events,
            names: reader.names().new_since(&mut sent),
            bytes_read: reader.bytes_read(),
            notes: reader.notes(),
            end,
        };
        if to_user.send(batch).is_err() || done {
            // The process may be about to end: nobody waits for a million names
            // to be dropped.
            std::mem::forget(reader);
            return;
        }
    }
}

//! Reading in a thread of its own, while the events before are looked at.
//!
//! Batches go to the user and come back empty, so that neither side allocates;
//! few are on the way, so that memory stays bounded and what one side writes is
//! still in the cache when the other reads it.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Weak};
use std::thread;

use commute_model::{Event, Names, NewNames};

use crate::error::{ErrorKind, TraceError};
use crate::reader::{Notes, Options, TraceReader};

/// How many batches are ready at most.
const READY: usize = 8;

/// A trace that is read by another thread.
///
/// ```no_run
/// use commute_trace::{Options, ReadAhead, TraceReader};
///
/// let (path, options) = ("long.ctr", Options::default());
/// let reader = TraceReader::open(path, options.clone())?;
/// let mut ahead = ReadAhead::start(reader, path, options).expect("a thread");
/// while !ahead.read_batch()?.is_empty() {
///     println!("{} events so far", ahead.events_read());
/// }
/// # Ok::<(), commute_trace::TraceError>(())
/// ```
#[derive(Debug)]
pub struct ReadAhead {
    /// The file, if it is one.
    file: Option<(PathBuf, Options)>,
    ready: Receiver<Message>,
    bell: Bell,
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

/// What comes to the user; nothing if somebody rang.
type Message = Option<Batch>;

/// What there was to wait for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waited {
    /// Another batch, which is empty at the end of the trace.
    Batch,
    /// Somebody rang the [`Bell`].
    Rung,
}

/// Wakes who waits for the next batch, for as long as one may come.
#[derive(Clone, Debug, Default)]
pub struct Bell {
    rung: Arc<AtomicBool>,
    /// Gone when the reader is: it must not look as if there still were one.
    to_user: Weak<SyncSender<Message>>,
}

impl Bell {
    /// Rings. Who is at work hears it before the next batch; to ring twice before it
    /// is heard is to ring once.
    pub fn ring(&self) {
        self.rung.store(true, Ordering::Release);
        if let Some(to_user) = self.to_user.upgrade() {
            // If there is no room, nobody waits.
            let _ = to_user.try_send(None);
        }
    }
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
    ///
    /// # Errors
    /// If the system has no thread left: then the reader comes back.
    pub fn start(
        reader: TraceReader,
        path: impl AsRef<Path>,
        options: Options,
    ) -> Result<ReadAhead, Box<TraceReader>> {
        ReadAhead::new(reader, Some((path.as_ref().to_owned(), options)))
    }

    /// Goes on with `reader`, which reads what cannot be read twice and has
    /// delivered nothing yet.
    ///
    /// # Errors
    /// As [`start`](ReadAhead::start).
    pub fn live(reader: TraceReader) -> Result<ReadAhead, Box<TraceReader>> {
        ReadAhead::new(reader, None)
    }

    fn new(
        reader: TraceReader,
        file: Option<(PathBuf, Options)>,
    ) -> Result<ReadAhead, Box<TraceReader>> {
        let names = reader.names().clone();
        let (to_user, ready) = sync_channel(READY);
        let to_user = Arc::new(to_user);
        let bell = Bell {
            rung: Arc::default(),
            to_user: Arc::downgrade(&to_user),
        };
        let (spent, from_user) = channel();
        // The reader is handed over only when there is a thread for it.
        let (give, take) = channel();
        let started = thread::Builder::new().spawn(move || {
            if let Ok(reader) = take.recv() {
                read(reader, &to_user, &from_user);
            }
        });
        if started.is_err() {
            return Err(Box::new(reader));
        }
        let _ = give.send(reader);
        Ok(ReadAhead {
            file,
            ready,
            bell,
            spent,
            events: Vec::new(),
            names,
            batch_start: 1,
            bytes_read: 0,
            notes: Notes::default(),
            end: None,
        })
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
        while self.wait()? == Waited::Rung {}
        Ok(&self.events)
    }

    /// Waits for the next events, which [`last_batch`](ReadAhead::last_batch) then
    /// gives, or for the [`Bell`].
    ///
    /// # Errors
    /// As [`read_batch`](ReadAhead::read_batch).
    ///
    /// # Panics
    /// If the reader panicked.
    pub fn wait(&mut self) -> Result<Waited, TraceError> {
        if self.end.is_none() {
            let batch = loop {
                if self.bell.rung.swap(false, Ordering::Acquire) {
                    return Ok(Waited::Rung);
                }
                let message = self.ready.recv().expect("the reader says when it ends");
                // One that rang may have been heard already.
                if let Some(batch) = message {
                    break batch;
                }
            };
            self.batch_start = self.events_read() + 1;
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
            self.batch_start = self.events_read() + 1;
            self.events.clear();
        }
        match &self.end {
            Some(Err(error)) if self.events.is_empty() => Err(error.clone()),
            _ => Ok(Waited::Batch),
        }
    }

    /// One that wakes who waits.
    pub fn bell(&self) -> Bell {
        self.bell.clone()
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
    /// file is read again; without one only the number of the event is known.
    pub fn error_at(&self, i: usize, message: &str) -> TraceError {
        let index = self.batch_start + i as u64;
        let again = || {
            let (path, options) = self.file.as_ref()?;
            let mut reader = TraceReader::open(path, options.clone()).ok()?;
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

fn read(mut reader: TraceReader, to_user: &SyncSender<Message>, from_user: &Receiver<Vec<Event>>) {
    let mut sent = reader.names().sent();
    loop {
        let mut events = from_user.try_recv().unwrap_or_default();
        let end = match reader.read_batch(&mut events) {
            Ok(0) => Some(Ok(())),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        };
        let done = end.is_some();
        let batch = Some(Batch {
            events,
            names: reader.names().new_since(&mut sent),
            bytes_read: reader.bytes_read(),
            notes: reader.notes(),
            end,
        });
        if done {
            // The file or connection is closed before the user hears of the end, who may
            // open the next. The names may be millions: the user does not wait for them.
            let names = reader.into_names();
            let _ = to_user.send(batch);
            drop(names);
            return;
        }
        if to_user.send(batch).is_err() {
            return;
        }
    }
}

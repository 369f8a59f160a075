//! What all analyses of traces have in common.

use std::fmt;

use commute_model::{Event, Names, Sink};

/// A streaming analysis: it sees every event of a trace once, in order, keeps
/// what it needs, and hands its findings to a sink. It does no I/O, so the same
/// pass runs on a file and inside a running program.
pub trait Pass {
    /// Takes the next events. Lookups that miss the cache are only fast in
    /// batches, so pass many at once where that is possible.
    ///
    /// # Errors
    /// If an event cannot be understood: an object of unknown type, an action
    /// that does not fit its method. Events before it have been taken, the
    /// events after it have not.
    fn steps(&mut self, events: &[Event], names: &Names) -> Result<(), EventError>;

    /// Takes one event.
    ///
    /// # Errors
    /// As [`steps`](Pass::steps).
    fn step(&mut self, event: &Event, names: &Names) -> Result<(), EventError> {
        self.steps(std::slice::from_ref(event), names)
    }

    /// The trace is over, or cannot be read further: reports what was found.
    fn finish(&mut self, names: &Names, sink: &mut dyn Sink);
}

/// An event that an analysis cannot understand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventError {
    /// Position in the slice that was passed to [`Pass::steps`].
    pub offset: usize,
    /// What is wrong.
    pub message: String,
    /// What could be done about it.
    pub help: Option<String>,
}

impl fmt::Display for EventError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for EventError {}

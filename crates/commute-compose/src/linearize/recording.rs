//! Histories that are written down while they happen.

use commute_model::Value;
use rustc_hash::FxHashMap;

use super::history::{Call, History, Returned};

/// A history that grows by one event after the other. Times are numbers of events.
///
/// ```
/// use commute_compose::linearize::Recording;
///
/// let mut recording = Recording::new();
/// recording.invoke("T1", "", "write", [1.into()])?;
/// recording.invoke("T2", "", "read", [])?;
/// recording.returns("T2", 1)?;
/// let history = recording.finish();
/// assert!(history.calls()[0].is_pending());
/// assert_eq!(history.to_string(), "T1 invoke write(1)\nT2 invoke read()\nT2 return 1\n");
/// # Ok::<(), commute_compose::linearize::RecordingError>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct Recording {
    calls: Vec<Call>,
    /// The call that a process is in.
    open: FxHashMap<String, usize>,
    now: u64,
}

/// An event that cannot happen now.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// The process is in another call.
    #[error("`{process}` has not returned from `{call}` yet")]
    Busy {
        /// The process.
        process: String,
        /// What it is in.
        call: String,
    },
    /// The process is in no call.
    #[error("`{process}` has invoked nothing that it could return from")]
    Idle {
        /// The process.
        process: String,
    },
    /// The call is said to take effect twice.
    #[error("`{call}` of `{process}` is said to take effect twice")]
    TwoPoints {
        /// The process.
        process: String,
        /// What it is in.
        call: String,
    },
}

impl Recording {
    /// Nothing has happened yet.
    pub fn new() -> Recording {
        Recording::default()
    }

    /// A process begins a call. Answers its index.
    ///
    /// # Errors
    /// If it is in a call already.
    pub fn invoke(
        &mut self,
        process: &str,
        object: &str,
        method: &str,
        args: impl Into<Vec<Value>>,
    ) -> Result<usize, RecordingError> {
        if let Some(&open) = self.open.get(process) {
            return Err(RecordingError::Busy {
                process: process.into(),
                call: self.calls[open].to_string(),
            });
        }
        let index = self.calls.len();
        let invoked = self.tick();
        self.calls
            .push(Call::pending(process, method, args, invoked).on(object));
        self.open.insert(process.into(), index);
        Ok(index)
    }

    /// The call that a process is in takes effect, as somebody claims.
    ///
    /// # Errors
    /// If it is in none, or if that was said before.
    pub fn takes_effect(&mut self, process: &str) -> Result<usize, RecordingError> {
        let Some(&index) = self.open.get(process) else {
            return Err(idle(process));
        };
        if self.calls[index].point.is_some() {
            return Err(RecordingError::TwoPoints {
                process: process.into(),
                call: self.calls[index].to_string(),
            });
        }
        self.calls[index].point = Some(self.tick());
        Ok(index)
    }

    /// A process returns from the call that it is in. Answers the index of the call.
    ///
    /// # Errors
    /// If it is in none.
    pub fn returns(
        &mut self,
        process: &str,
        result: impl Into<Value>,
    ) -> Result<usize, RecordingError> {
        let index = self.open.remove(process).ok_or_else(|| idle(process))?;
        let (at, result) = (self.tick(), result.into());
        self.calls[index].returned = Some(Returned { at, result });
        Ok(index)
    }

    /// All that happened. Calls that have not returned are pending.
    pub fn finish(self) -> History {
        // Every event has a time of its own, and no process was in two calls.
        History { calls: self.calls }
    }

    fn tick(&mut self) -> u64 {
        let now = self.now;
        self.now += 1;
        now
    }
}

fn idle(process: &str) -> RecordingError {
    RecordingError::Idle {
        process: process.into(),
    }
}

//! Concurrent histories: which calls there were, and when.

use std::fmt;

use commute_model::Value;
use rustc_hash::FxHashMap;

/// A call of a method of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// Who calls. One process does one thing after the other.
    pub process: String,
    /// The object; empty if there is only one and it has no name.
    pub object: String,
    /// What is called.
    pub method: String,
    /// With what.
    pub args: Vec<Value>,
    /// When it began.
    pub invoked: u64,
    /// The moment at which it is claimed to have taken effect, if somebody claims to
    /// know ([`check_points`](super::check_points)).
    pub point: Option<u64>,
    /// How it ended; none if it is pending: it was invoked and never returned.
    pub returned: Option<Returned>,
}

/// The end of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Returned {
    /// When.
    pub at: u64,
    /// With what; `()` if there is nothing to return. What is opaque in it may have
    /// been anything.
    pub result: Value,
}

impl Call {
    /// A call that began at this time and has not returned.
    pub fn pending(
        process: impl Into<String>,
        method: impl Into<String>,
        args: impl Into<Vec<Value>>,
        invoked: u64,
    ) -> Call {
        Call {
            process: process.into(),
            object: String::new(),
            method: method.into(),
            args: args.into(),
            invoked,
            point: None,
            returned: None,
        }
    }

    /// The same call, which returned `result` at this time.
    #[must_use]
    pub fn returning(self, at: u64, result: impl Into<Value>) -> Call {
        let result = result.into();
        Call {
            returned: Some(Returned { at, result }),
            ..self
        }
    }

    /// The same call of an object of this name.
    #[must_use]
    pub fn on(self, object: impl Into<String>) -> Call {
        Call {
            object: object.into(),
            ..self
        }
    }

    /// The same call, which is claimed to have taken effect at this time.
    #[must_use]
    pub fn taking_effect(self, point: u64) -> Call {
        Call {
            point: Some(point),
            ..self
        }
    }

    /// What it returned, if it did.
    pub fn result(&self) -> Option<&Value> {
        self.returned.as_ref().map(|returned| &returned.result)
    }

    /// Whether it never returned.
    pub fn is_pending(&self) -> bool {
        self.returned.is_none()
    }

    /// Whether it had returned when the other one was invoked.
    pub fn precedes(&self, other: &Call) -> bool {
        { self.returned.as_ref() }.is_some_and(|returned| returned.at < other.invoked)
    }

    fn times(&self) -> impl Iterator<Item = u64> {
        let returned = self.returned.as_ref().map(|returned| returned.at);
        [Some(self.invoked), self.point, returned]
            .into_iter()
            .flatten()
    }
}

/// The call as text histories write it, without who made it.
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.object.is_empty() {
            write!(f, "{}.", self.object)?;
        }
        write!(f, "{}(", self.method)?;
        for (i, value) in self.args.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{value}")?;
        }
        f.write_str(")")
    }
}

/// Calls that make sense together. Their indices are those in which they were given.
///
/// ```
/// use commute_compose::linearize::{Call, History, HistoryError};
///
/// let write = Call::pending("T1", "write", [1.into()], 0).returning(2, ());
/// let read = Call::pending("T2", "read", [], 1).returning(3, 1);
/// assert!(History::new(vec![write.clone(), read]).is_ok());
///
/// let late = Call::pending("T1", "read", [], 1);
/// let error = History::new(vec![write, late]).unwrap_err();
/// assert_eq!(error.to_string(), "calls 0 and 1 of process `T1` overlap");
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct History {
    pub(super) calls: Vec<Call>,
}

/// Why calls make no history. Numbers are indices of calls.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// It ended before it began.
    #[error("call {call} returns at {returned}, but is invoked at {invoked}")]
    Backwards {
        /// The call.
        call: usize,
        /// When it was invoked.
        invoked: u64,
        /// When it returned.
        returned: u64,
    },
    /// It is claimed to have taken effect while it did not run.
    #[error("call {call} does not run at {point}, when it is said to take effect")]
    PointOutside {
        /// The call.
        call: usize,
        /// When it is claimed to have taken effect.
        point: u64,
    },
    /// Two things happen at once, so that nobody knows which was first.
    #[error("two events at time {time}: of calls {first} and {second}")]
    SameTime {
        /// When.
        time: u64,
        /// A call.
        first: usize,
        /// Another one, or the same.
        second: usize,
    },
    /// A process does two things at once.
    #[error("calls {first} and {second} of process `{process}` overlap")]
    Overlap {
        /// The process.
        process: String,
        /// The call that it made first.
        first: usize,
        /// The call that it made before that one returned.
        second: usize,
    },
}

impl History {
    /// A history of these calls.
    ///
    /// # Errors
    /// If a call does not begin before it ends, if two things happen at the same time,
    /// or if a process invokes something before its last call has returned.
    pub fn new(calls: Vec<Call>) -> Result<History, HistoryError> {
        let mut times = Vec::with_capacity(2 * calls.len());
        for (index, call) in calls.iter().enumerate() {
            check_call(index, call)?;
            times.extend(call.times().map(|time| (time, index)));
        }
        times.sort_unstable();
        if let Some(pair) = times.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(HistoryError::SameTime {
                time: pair[0].0,
                first: pair[0].1,
                second: pair[1].1,
            });
        }
        check_processes(&calls)?;
        Ok(History { calls })
    }

    /// The calls.
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// The calls of one object, at the same times. They have new indices.
    #[must_use]
    pub fn of_object(&self, object: &str) -> History {
        let of_it = self.calls.iter().filter(|call| call.object == object);
        History {
            calls: of_it.cloned().collect(),
        }
    }
}

fn check_call(index: usize, call: &Call) -> Result<(), HistoryError> {
    let end = call.returned.as_ref().map(|returned| returned.at);
    if let Some(returned) = end.filter(|&end| end < call.invoked) {
        return Err(HistoryError::Backwards {
            call: index,
            invoked: call.invoked,
            returned,
        });
    }
    match call.point {
        Some(point) if point < call.invoked || end.is_some_and(|end| end < point) => {
            Err(HistoryError::PointOutside { call: index, point })
        }
        _ => Ok(()),
    }
}

fn check_processes(calls: &[Call]) -> Result<(), HistoryError> {
    let mut order: Vec<usize> = (0..calls.len()).collect();
    order.sort_unstable_by_key(|&index| calls[index].invoked);
    let mut last: FxHashMap<&str, usize> = FxHashMap::default();
    for second in order {
        let call = &calls[second];
        let Some(first) = last.insert(&call.process, second) else {
            continue;
        };
        if !calls[first].precedes(call) {
            return Err(HistoryError::Overlap {
                process: call.process.clone(),
                first,
                second,
            });
        }
    }
    Ok(())
}

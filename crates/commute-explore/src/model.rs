//! What objects do.

use std::fmt::Debug;

use commute_model::Value;
use smallvec::SmallVec;

use crate::words::ThreadId;

/// What a step leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stepped {
    /// The states afterwards, of each object of the operation.
    pub states: SmallVec<[Value; 2]>,
    /// What is returned; `()` if nothing.
    pub result: Value,
}

impl Stepped {
    /// One object is in this state, and that was returned.
    pub fn to(state: Value, result: Value) -> Stepped {
        Stepped {
            states: SmallVec::from_iter([state]),
            result,
        }
    }
}

/// A sequential object.
///
/// A result is a function of the state, so a search knows all that can happen: where
/// a library may choose, the state says what has not been decided yet.
pub trait Model: Send + Sync + Debug {
    /// Its name, for people.
    fn name(&self) -> &str;

    /// What a call does: nothing yet, if it has to wait. `states` has the states of
    /// the objects of the operation, the one with this model first.
    fn step(&self, states: &[&Value], method: &str, args: &[Value]) -> Option<Stepped>;

    /// Whether the call, when it returns `result`, leaves every state as it was.
    fn only_reads(&self, method: &str, args: &[Value], result: &Value) -> bool {
        let _ = (method, args, result);
        false
    }

    /// Whether two calls with these results can be swapped in every state: what one
    /// order leads to, the other does, and neither call keeps the other from happening
    /// or from returning that. None if it depends on the state.
    fn swaps(&self, a: Called<'_>, b: Called<'_>) -> Option<bool> {
        let _ = (a, b);
        Some(false)
    }

    /// Whether its calls are looked at as a whole, by what commutes, rather than as reads
    /// and writes of memory.
    fn is_specified(&self) -> bool {
        false
    }

    /// Whether the call never waits, returns nothing, and leaves the same state
    /// whatever it finds.
    fn overwrites(&self, method: &str) -> bool {
        let _ = method;
        false
    }

    /// A call, for people. What is there for us only is left out.
    fn shown(&self, method: &str, args: &[Value], result: &Value) -> Shown {
        let _ = method;
        Shown {
            args: args.iter().map(ToString::to_string).collect(),
            result: (*result != Value::unit()).then(|| result.to_string()),
        }
    }

    /// The thread without which nobody else gets on, if the state says so.
    fn owner(&self, state: &Value) -> Option<ThreadId> {
        let _ = state;
        None
    }
}

/// A call that was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Called<'a> {
    /// What was called.
    pub method: &'a str,
    /// With what.
    pub args: &'a [Value],
    /// What came of it.
    pub result: &'a Value,
}

/// A call, for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// Its arguments.
    pub args: Vec<String>,
    /// Its result, if it has one.
    pub result: Option<String>,
}

impl Shown {
    /// Neither arguments nor a result.
    pub fn nothing() -> Shown {
        Shown {
            args: Vec::new(),
            result: None,
        }
    }
}

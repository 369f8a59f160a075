//! What objects do.

use std::fmt::Debug;

use commute_model::Value;
use smallvec::SmallVec;

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
}

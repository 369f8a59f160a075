//! What objects do.

use std::fmt::Debug;

use commute_model::Value;
use smallvec::SmallVec;

use crate::act::Act;
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

/// A call and what it returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label<'a> {
    /// What is called.
    pub method: &'a str,
    /// The arguments.
    pub args: &'a [Value],
    /// What it returns; none stands for whatever that may be.
    pub result: Option<&'a Value>,
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

    /// Whether, in every state in which `first` and then `second` is possible with
    /// these results, `second` and then `first` is possible with them too, and ends in
    /// the same state. The two are calls of different threads.
    fn moves(&self, first: Label<'_>, second: Label<'_>) -> bool {
        let reads = |label: Label<'_>| {
            { label.result }.is_some_and(|r| self.only_reads(label.method, label.args, r))
        };
        reads(first) && reads(second)
    }

    /// Whether `before` may be needed for `after` to be possible with its result: if not,
    /// a run of calls that `before` is taken out of, and with it the rest of what its
    /// thread does, still is possible, as far as `after` is concerned.
    ///
    /// It may say no if `before` leaves the state as it was, if `after` makes the same
    /// state of all states and is always possible, or if `before`, or something that
    /// does the same and returns nothing, [moves](Model::moves) behind `after`.
    fn affects(&self, before: Label<'_>, after: Label<'_>) -> bool {
        let reads =
            { before.result }.is_some_and(|r| self.only_reads(before.method, before.args, r));
        !reads && !self.overwrites(after.method) && !self.moves(before, after)
    }

    /// Whether the method ever returns anything but `()`.
    fn returns(&self, method: &str) -> bool {
        let _ = method;
        true
    }

    /// Whether it returns the same whenever it is possible, as long as each thread does
    /// and gets the same.
    fn returns_one(&self, method: &str) -> bool {
        !self.returns(method)
    }

    /// Whether a thread may have to wait in it.
    fn waits(&self, method: &str) -> bool {
        let _ = method;
        true
    }

    /// Whether it may wait there although all others could go on. A join is not like
    /// that: there is somebody who waits for something else.
    fn hangs(&self, method: &str) -> bool {
        self.waits(method)
    }

    /// Whether there may be a state in which both are possible, but not `other` after
    /// `first`, with these results.
    fn disturbs(&self, first: Label<'_>, other: Label<'_>) -> bool {
        let reads = { first.result }.is_some_and(|r| self.only_reads(first.method, first.args, r));
        let whatever = Label {
            result: None,
            ..other
        };
        let waits = self.waits(other.method);
        !(reads || !waits && (!self.returns(other.method) || self.moves(first, whatever)))
    }

    /// Whether a call can be made as soon as it is possible, before anything that others
    /// do: as long as nobody calls one of these methods, whatever another thread can do
    /// before it, it can do afterwards, with the same result and the same end, and the
    /// call stays possible.
    fn is_free_unless(&self, method: &str) -> Option<&'static [&'static str]> {
        let _ = method;
        None
    }

    /// Whether [`Model::project`] ever says something.
    fn projects(&self) -> bool {
        false
    }

    /// Something that is the same for two states only if all runs of calls that are
    /// among `rest`, each at most as often as it is there, are possible from both or
    /// from neither. None if that is the state itself.
    fn project(&self, state: &Value, rest: &[Label<'_>]) -> Option<Value> {
        let _ = (state, rest);
        None
    }

    /// A call, for people. What is there for us only is left out.
    fn shown(&self, method: &str, args: &[Value], result: &Value) -> Shown {
        let _ = method;
        Shown {
            args: args.iter().map(ToString::to_string).collect(),
            result: (*result != Value::unit()).then(|| result.to_string()),
        }
    }

    /// What a call is in the words of specifications. The state is the one that it found.
    fn act(&self, state: &Value, call: Called<'_>) -> Act {
        let _ = (state, call);
        Act::Unknown
    }

    /// The same of all that a thread did from [`Act::Takes`] to [`Act::Leaves`]: nobody
    /// else could see anything between what it found and what it left.
    fn held(&self, key: &Value, found: &Value, left: &Value) -> Act {
        let _ = (key, found, left);
        Act::Unknown
    }

    /// The state that it would be if threads, which are numbers, were called something
    /// else. None if there is never a thread in a state.
    fn renamed(&self, state: &Value, to: &dyn Fn(&Value) -> Value) -> Option<Value> {
        let _ = (state, to);
        None
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

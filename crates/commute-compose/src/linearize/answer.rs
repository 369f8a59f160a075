//! What is known about a history.

use std::fmt;

use commute_model::Value;

use super::history::History;

/// Whether there is an order of the calls that explains what they returned. Numbers are
/// indices of calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is one: this. It has all calls that returned, and of the pending ones those
    /// that took effect.
    Linearizable(Vec<usize>),
    /// There is none.
    NotLinearizable(Unexplained),
    /// It was not found out.
    Unknown(Unknown),
}

impl Answer {
    /// Whether there is an order, for sure.
    pub fn is_linearizable(&self) -> bool {
        matches!(self, Answer::Linearizable(_))
    }

    /// Whether there is none, for sure.
    pub fn is_not_linearizable(&self) -> bool {
        matches!(self, Answer::NotLinearizable(_))
    }
}

/// How far a history that is not linearizable can be explained.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unexplained {
    /// The object; empty if it has no name.
    pub object: String,
    /// The part of the object whose calls these are, if it has parts.
    pub key: Option<Value>,
    /// An order that explains as many calls that returned as possible.
    pub explained: Vec<usize>,
    /// All calls that would have to be next, one of them. None can.
    pub refused: Vec<Refused>,
}

/// A call that cannot be the next one, because of what it returned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// The call.
    pub call: usize,
    /// What it could return instead, in the state that was reached; nothing if it is not
    /// possible there at all.
    pub possible: Vec<Value>,
}

/// Why something was not found out.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Unknown {
    /// It takes more steps than these.
    Steps(u64),
    /// The specification says nothing of a call.
    Objection {
        /// The call.
        call: usize,
        /// Why.
        reason: String,
    },
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Steps(steps) => write!(f, "not found out in {steps} steps"),
            Unknown::Objection { call, reason } => {
                write!(f, "nothing can be said of call {call}: {reason}")
            }
        }
    }
}

impl Unexplained {
    /// The same for people, with the calls of the history.
    ///
    /// ```
    /// use commute_compose::linearize::{Answer, History, Limits, SequentialModel, check};
    ///
    /// let history = History::parse("
    ///     T1 invoke write(1)
    ///     T1 return
    ///     T2 invoke read()
    ///     T2 return 0
    /// ")?;
    /// let register = SequentialModel::named("register").unwrap();
    /// let answer = check(&register, &history, &Limits::default());
    /// let Answer::NotLinearizable(unexplained) = answer else { panic!() };
    /// assert_eq!(
    ///     unexplained.describe(&history),
    ///     "explained: T1 write(1)/()\n\
    ///      cannot be next: T2 read()/0, it would return 1\n"
    /// );
    /// # Ok::<(), commute_compose::linearize::ParseError>(())
    /// ```
    pub fn describe(&self, history: &History) -> String {
        let mut text = String::new();
        for &call in &self.explained {
            text += &format!("explained: {}\n", shown(history, call));
        }
        for Refused { call, possible } in &self.refused {
            let results: Vec<String> = possible.iter().map(Value::to_string).collect();
            let instead = match results.is_empty() {
                true => "it is not possible there".to_string(),
                false => format!("it would return {}", results.join(" or ")),
            };
            text += &format!("cannot be next: {}, {instead}\n", shown(history, *call));
        }
        text
    }
}

fn shown(history: &History, index: usize) -> String {
    let Some(call) = history.calls().get(index) else {
        return format!("call {index}");
    };
    let result = match call.result() {
        Some(result) => format!("/{result}"),
        None => " (pending)".to_string(),
    };
    format!("{} {call}{result}", call.process)
}

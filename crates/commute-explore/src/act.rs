//! What calls are in the words of the shipped specifications, which say when two of them
//! commute.

use commute_model::Value;

/// What a call is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Act {
    /// A call of a method that a specification has.
    Call(Invoked),
    /// A section of a lock, around something of which nobody knows what it is.
    Section {
        /// Whether something else was there afterwards.
        changes: bool,
    },
    /// Somebody sets what is set once, or looks whether it is.
    Once {
        /// Whether it is set.
        sets: bool,
    },
    /// A use of an object of which only that is known.
    Use,
    /// From now on nobody else gets at something.
    Takes {
        /// What it is; `()` if it is the whole object.
        key: Value,
        /// What was there.
        found: Value,
        /// Whether more was seen than that, for which there is no word.
        more: bool,
    },
    /// The thread that took it leaves this there.
    Leaves {
        /// As it was taken.
        key: Value,
        /// What is there now; none if that is what was there before.
        left: Option<Value>,
        /// Whether others get at it again.
        goes: bool,
    },
    /// Nobody has said when it commutes with something.
    Unknown,
}

/// A call of a method of a specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invoked {
    /// The sequential model that the specification is of.
    pub model: String,
    /// The method.
    pub method: String,
    /// The arguments. What is opaque is there, but nobody knows what it is.
    pub args: Vec<Value>,
    /// All results, also those that the caller does not see.
    pub results: Vec<Value>,
}

impl Invoked {
    /// A call of `method`.
    pub fn new(
        model: &str,
        method: &str,
        args: impl IntoIterator<Item = Value>,
        results: impl IntoIterator<Item = Value>,
    ) -> Invoked {
        Invoked {
            model: model.to_owned(),
            method: method.to_owned(),
            args: args.into_iter().collect(),
            results: results.into_iter().collect(),
        }
    }

    /// How many arguments and results there are.
    pub(crate) fn slots(&self) -> usize {
        self.args.len() + self.results.len()
    }

    /// As specifications write it: `insert('a', 7)/nil`.
    pub(crate) fn text(&self) -> String {
        let list = |values: &[Value]| -> String {
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            values.join(", ")
        };
        let head = format!("{}({})", self.method, list(&self.args));
        match &self.results[..] {
            [] => head,
            [result] => format!("{head}/{result}"),
            results => format!("{head}/({})", list(results)),
        }
    }
}

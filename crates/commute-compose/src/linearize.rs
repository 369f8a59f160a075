//! Whether calls that overlap did what they would have done one after the other.
//!
//! A [`History`] says which calls there were and when they began and returned. It is
//! linearizable if there is an order of the calls such that a sequential object would
//! have returned the same, and such that a call that had returned before another one was
//! invoked comes before it (Herlihy and Wing, "Linearizability: a correctness condition
//! for concurrent objects"). A call that never returned, a pending one, may be in the
//! order, with any result, or not. [`check`] looks for such an order. Here both take the
//! only element:
//!
//! ```
//! use commute_compose::linearize::{Answer, History, Limits, SequentialModel, check};
//!
//! let history = History::parse("
//!     T1 invoke q.push('a')
//!     T1 return
//!     T1 invoke q.pop()
//!     T2 invoke q.pop()
//!     T1 return 'a'
//!     T2 return 'a'
//! ")?;
//! let queue = SequentialModel::named("queue").unwrap();
//! let answer = check(&queue, &history, &Limits::default());
//! assert!(answer.is_not_linearizable());
//! # Ok::<(), commute_compose::linearize::ParseError>(())
//! ```
//!
//! What the object does alone is a [`SequentialSpecification`]: a [`SequentialModel`], or
//! one of your own.
//!
//! # Text
//!
//! [`History::parse`] reads one event a line, in the order in which they happened:
//!
//! ```text
//! <process> invoke <method>(<values>)
//! <process> invoke <object>.<method>(<values>)
//! <process> return
//! <process> return <value>
//! <process> point
//! ```
//!
//! Values are those of text traces: `7`, `'text'`, `nil`, `true`, `word`, `(1, 'two')`,
//! and `?` for what could not be seen. `return` alone returns `()`. `point` is the moment
//! at which a call is claimed to take effect, for [`check_points`]. Names have no blanks.
//! Empty lines, and those that start with `#`, mean nothing. What has not returned at the
//! end is pending. Objects are independent of each other.
//!
//! ```
//! use commute_compose::linearize::History;
//!
//! let error = History::parse("T1 invoke get('a)").unwrap_err();
//! assert_eq!(error.to_string(), "line 1, column 15: unterminated string");
//! let history = History::parse("T1 invoke m.get('a', 1)").unwrap();
//! assert_eq!(history.to_string(), "T1 invoke m.get('a', 1)\n");
//! ```

mod answer;
mod entries;
mod history;
mod linearized;
mod order;
mod parts;
mod recording;
mod search;
mod sequential_model;
mod specification;
mod text;

pub use answer::{Answer, Refused, Unexplained, Unknown};
pub use history::{Call, History, HistoryError, Returned};
pub use order::{OrderError, check_order, check_points};
pub use recording::{Recording, RecordingError};
pub use sequential_model::{PossibleStates, SequentialModel};
pub use specification::{Outcome, SequentialSpecification};
pub use text::ParseError;

use parts::{Part, parts, woven};
use search::{Budget, Found, Longest, Search};

/// How much a search may take, and how it goes about.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// How many calls are tried at most. The problem is NP-complete.
    pub steps: u64,
    /// How many bytes are used, about, to remember what has been tried. With less, more
    /// is tried twice. Besides, a state is kept for each call of a part.
    pub memory: usize,
    /// Whether the parts of an object are searched one by one. There is no reason not to,
    /// but to see that it makes no difference.
    pub by_part: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            steps: 10_000_000,
            memory: 256 << 20,
            by_part: true,
        }
    }
}

impl Limits {
    /// The same, with so many steps.
    #[must_use]
    pub fn steps(self, steps: u64) -> Limits {
        Limits { steps, ..self }
    }

    /// The same, with so many bytes.
    #[must_use]
    pub fn memory(self, memory: usize) -> Limits {
        Limits { memory, ..self }
    }

    /// The same, with parts searched one by one or not.
    #[must_use]
    pub fn by_part(self, by_part: bool) -> Limits {
        Limits { by_part, ..self }
    }
}

/// Looks for an order of the calls that explains what they returned.
pub fn check<S: SequentialSpecification>(
    specification: &S,
    history: &History,
    limits: &Limits,
) -> Answer {
    let calls = history.calls();
    let objection = |(index, call)| {
        let reason = specification.objection(call)?;
        let call = index;
        Some(Unknown::Objection { call, reason })
    };
    if let Some(unknown) = calls.iter().enumerate().find_map(objection) {
        return Answer::Unknown(unknown);
    }
    let mut steps = limits.steps;
    let mut orders = Vec::new();
    for part in parts(specification, history, limits.by_part) {
        let of_part: Vec<&Call> = part.calls.iter().map(|&call| &calls[call]).collect();
        let mut budget = Budget {
            steps,
            memory: limits.memory,
        };
        let found = Search::new(specification, &of_part, &mut budget).run();
        steps = budget.steps;
        match found {
            Found::Order(order) => {
                orders.push(order.into_iter().map(|call| part.calls[call]).collect());
            }
            Found::Nothing(longest) => {
                let unexplained = unexplained(specification, calls, part, longest);
                return Answer::NotLinearizable(unexplained);
            }
            Found::OutOfSteps => return Answer::Unknown(Unknown::Steps(limits.steps)),
        }
    }
    Answer::Linearizable(woven(calls, &orders))
}

fn unexplained<S: SequentialSpecification>(
    specification: &S,
    calls: &[Call],
    part: Part,
    longest: Longest<S::State>,
) -> Unexplained {
    let refused = |call: usize| Refused {
        call: part.calls[call],
        possible: specification.results(&longest.state, &calls[part.calls[call]]),
    };
    let order = longest.order.into_iter();
    Unexplained {
        explained: order.map(|call| part.calls[call]).collect(),
        refused: longest.refused.into_iter().map(refused).collect(),
        object: part.object,
        key: part.key,
    }
}

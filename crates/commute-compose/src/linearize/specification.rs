//! What an object does when one process uses it.

use std::hash::Hash;

use commute_model::Value;

use super::history::Call;

/// A sequential object: what calls do, one after the other.
///
/// ```
/// use commute_compose::linearize::{Call, Outcome, SequentialSpecification};
/// use commute_model::Value;
///
/// /// Numbers that nobody gets twice.
/// struct Tickets;
///
/// impl SequentialSpecification for Tickets {
///     type State = i128;
///
///     fn initial(&self) -> i128 {
///         0
///     }
///
///     fn step(&self, next: &i128, call: &Call) -> Vec<Outcome<i128>> {
///         match call.method.as_str() {
///             "take" => vec![Outcome::new(next + 1, *next)],
///             _ => vec![],
///         }
///     }
/// }
///
/// let take = Call::pending("T1", "take", [], 0);
/// assert_eq!(Tickets.results(&7, &take), [Value::Int(7)]);
/// ```
pub trait SequentialSpecification {
    /// What the object remembers.
    type State: Clone + Eq + Hash;

    /// The state of a new object.
    fn initial(&self) -> Self::State;

    /// Everything the call can do in a state: several outcomes if the object may
    /// choose, none if the call cannot happen then. Outcomes that do not fit what the
    /// call returned may be there or not; they are not followed.
    fn step(&self, state: &Self::State, call: &Call) -> Vec<Outcome<Self::State>>;

    /// What the call could return in a state, for reports.
    fn results(&self, state: &Self::State, call: &Call) -> Vec<Value> {
        let asked = Call {
            returned: None,
            ..call.clone()
        };
        let outcomes = self.step(state, &asked).into_iter();
        let mut results: Vec<Value> = outcomes.map(|outcome| outcome.result).collect();
        results.sort_unstable();
        results.dedup();
        results
    }

    /// What part of the object the call is about, if it neither sees nor changes
    /// anything else: the key of a map. Parts are like objects of their own, each new at
    /// the beginning. If all calls of an object say something, each part is searched for
    /// itself, which is a lot faster.
    fn partition(&self, call: &Call) -> Option<Value> {
        let _ = call;
        None
    }

    /// Why nothing can be said of a call, if so: there is no such method. Such a call is
    /// no proof that anything went wrong, whatever [`step`](Self::step) says of it.
    fn objection(&self, call: &Call) -> Option<String> {
        let _ = call;
        None
    }

    /// About how many bytes it takes to keep a state. A search that must not take too
    /// much memory asks.
    fn size(&self, state: &Self::State) -> usize {
        let _ = state;
        size_of::<Self::State>()
    }
}

/// One thing a call can do.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Outcome<S> {
    /// The state afterwards.
    pub state: S,
    /// What is returned; `()` if nothing. What is opaque in it fits everything.
    pub result: Value,
}

impl<S> Outcome<S> {
    /// Ends in `state` and returns `result`.
    pub fn new(state: S, result: impl Into<Value>) -> Outcome<S> {
        Outcome {
            state,
            result: result.into(),
        }
    }
}

/// The states after a call that returned what it did.
pub(super) fn states_after<'a, S: SequentialSpecification>(
    specification: &S,
    state: &S::State,
    call: &'a Call,
) -> impl Iterator<Item = S::State> + use<'a, S> {
    let fits =
        |outcome: &Outcome<S::State>| call.result().is_none_or(|r| r.may_be(&outcome.result));
    let outcomes = specification.step(state, call).into_iter();
    outcomes.filter(fits).map(|outcome| outcome.state)
}

//! What a model claims of its calls, against what its calls do: in every state that was
//! seen.

use std::panic::{AssertUnwindSafe, catch_unwind};

use commute_record::Value;

use crate::model::{Called, Model};

/// So many claims are remembered for states that are seen later.
const MOST: usize = 1_000;

/// A call with its result.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Call {
    method: String,
    args: Vec<Value>,
    result: Value,
}

impl Call {
    fn of(called: &Called<'_>) -> Call {
        Call {
            method: called.method.to_owned(),
            args: called.args.to_vec(),
            result: called.result.clone(),
        }
    }

    /// The state afterwards, if it is possible with this result.
    fn after<M: Model>(&self, state: &M) -> Option<M> {
        let mut state = state.clone();
        let step = AssertUnwindSafe(|| {
            let result = state.step(&self.method, &self.args)?;
            (result == self.result).then_some(state)
        });
        catch_unwind(step).ok().flatten()
    }

    fn shown(&self) -> String {
        let args: Vec<String> = self.args.iter().map(ToString::to_string).collect();
        format!("{}({}) = {}", self.method, args.join(", "), self.result)
    }
}

/// Pairs of calls that are said to commute, the first one first.
#[derive(Debug, Default)]
pub(super) struct Claims {
    pairs: Vec<(Call, Call)>,
}

impl Claims {
    /// Two calls are said to commute. What is wrong with that, in one of these states.
    pub(super) fn add<'s, M: Model>(
        &mut self,
        first: &Called<'_>,
        second: &Called<'_>,
        states: impl IntoIterator<Item = &'s M>,
    ) -> Option<String> {
        let pair = (Call::of(first), Call::of(second));
        let wrong = states.into_iter().find_map(|state| objection(&pair, state));
        if self.pairs.len() < MOST && !self.pairs.contains(&pair) {
            self.pairs.push(pair);
        }
        wrong
    }

    /// What is wrong with them in a state that was not seen before.
    pub(super) fn check<M: Model>(&self, state: &M) -> Option<String> {
        self.pairs.iter().find_map(|pair| objection(pair, state))
    }
}

fn objection<M: Model>((first, second): &(Call, Call), state: &M) -> Option<String> {
    let straight = second.after(&first.after(state)?)?;
    let swapped = first_after(second, first, state);
    (swapped.as_ref() != Some(&straight)).then(|| {
        let (first, second) = (first.shown(), second.shown());
        format!("the model says that {first} and {second} commute, but not in {state:?}")
    })
}

fn first_after<M: Model>(first: &Call, second: &Call, state: &M) -> Option<M> {
    second.after(&first.after(state)?)
}

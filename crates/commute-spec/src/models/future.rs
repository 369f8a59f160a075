//! A value that is set once. State: the value in a tuple, or an empty tuple.

use commute_model::Value;

use super::domain::{elements, letters, only, product};
use super::{Model, Outcome, Signature};

/// The model `future`.
#[derive(Clone, Copy, Debug)]
pub struct Future;

impl Model for Future {
    fn name(&self) -> &str {
        "future"
    }

    fn methods(&self) -> &[Signature] {
        const METHODS: &[Signature] = &[
            Signature::new("complete", 1, 1),
            Signature::new("get", 0, 1),
            Signature::new("poll", 0, 1),
        ];
        METHODS
    }

    fn initial(&self) -> Value {
        Value::unit()
    }

    fn states(&self) -> Vec<Value> {
        let set = letters().into_iter().map(|value| Value::tuple([value]));
        std::iter::once(Value::unit()).chain(set).collect()
    }

    fn arguments(&self, method: &str) -> Vec<Vec<Value>> {
        match method {
            "complete" => product(&[&letters()]),
            "get" | "poll" => product(&[]),
            _ => vec![],
        }
    }

    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        match (method, args, elements(state)) {
            ("complete", [value], Some([])) => only(Value::tuple([value.clone()]), [true.into()]),
            ("complete", [_], Some([_])) => only(state.clone(), [false.into()]),
            ("get" | "poll", [], Some([value])) => only(state.clone(), [value.clone()]),
            ("poll", [], Some([])) => only(state.clone(), [Value::Nil]),
            // `get` waits for the value.
            _ => vec![],
        }
    }
}

//! A counter whose updates return nothing. State: the count.

use commute_model::Value;

use super::domain::{integers, only, product};
use super::{Model, Outcome, Signature};

/// The model `counter`.
#[derive(Clone, Copy, Debug)]
pub struct Counter;

impl Model for Counter {
    fn name(&self) -> &str {
        "counter"
    }

    fn methods(&self) -> &[Signature] {
        const METHODS: &[Signature] = &[
            Signature::new("inc", 0, 0),
            Signature::new("dec", 0, 0),
            Signature::new("add", 1, 0),
            Signature::new("read", 0, 1),
        ];
        METHODS
    }

    fn initial(&self) -> Value {
        Value::Int(0)
    }

    fn states(&self) -> Vec<Value> {
        [0, 1, -1, 2, -2].map(Value::Int).into()
    }

    fn arguments(&self, method: &str) -> Vec<Vec<Value>> {
        match method {
            "inc" | "dec" | "read" => product(&[]),
            "add" => product(&[&integers(-2..=2)]),
            _ => vec![],
        }
    }

    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        let Some(count) = state.as_int() else {
            return vec![];
        };
        let change = match (method, args) {
            ("inc", []) => 1,
            ("dec", []) => -1,
            ("add", [Value::Int(d)]) => *d,
            ("read", []) => return only(state.clone(), [state.clone()]),
            _ => return vec![],
        };
        match count.checked_add(change) {
            Some(count) => only(Value::Int(count), []),
            None => vec![],
        }
    }
}

//! An unbounded first-in, first-out queue. State: its elements, oldest first.

use commute_model::Value;

use super::domain::{appended, elements, letters, only, product, sequences, tuple_of, tuples};
use super::{Model, Outcome, Signature};

/// The model `queue`.
#[derive(Clone, Copy, Debug)]
pub struct Queue;

impl Model for Queue {
    fn name(&self) -> &str {
        "queue"
    }

    fn methods(&self) -> &[Signature] {
        const METHODS: &[Signature] = &[
            Signature::new("push", 1, 0),
            Signature::new("pop", 0, 1),
            Signature::new("peek", 0, 1),
            Signature::new("len", 0, 1),
            Signature::new("is_empty", 0, 1),
        ];
        METHODS
    }

    fn initial(&self) -> Value {
        Value::unit()
    }

    fn states(&self) -> Vec<Value> {
        tuples(sequences(&letters(), 3))
    }

    fn arguments(&self, method: &str) -> Vec<Vec<Value>> {
        match method {
            "push" => product(&[&letters()]),
            "pop" | "peek" | "len" | "is_empty" => product(&[]),
            _ => vec![],
        }
    }

    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        let Some(items) = elements(state) else {
            return vec![];
        };
        match (method, args, items) {
            ("push", [v], _) => only(appended(items, v), []),
            ("pop", [], [first, rest @ ..]) => only(tuple_of(rest), [first.clone()]),
            ("peek", [], [first, ..]) => only(state.clone(), [first.clone()]),
            ("pop" | "peek", [], []) => only(state.clone(), [Value::Nil]),
            ("len", [], _) => only(state.clone(), [items.len().into()]),
            ("is_empty", [], _) => only(state.clone(), [items.is_empty().into()]),
            _ => vec![],
        }
    }
}

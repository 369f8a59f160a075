//! A priority queue that gives the least element first. State: its elements,
//! sorted.

use commute_model::Value;

use super::domain::{elements, integers, only, product, sequences, sorted_with, tuple_of, tuples};
use super::{Model, Outcome, Signature};

/// The model `priority_queue`.
#[derive(Clone, Copy, Debug)]
pub struct PriorityQueue;

impl Model for PriorityQueue {
    fn name(&self) -> &str {
        "priority_queue"
    }

    fn methods(&self) -> &[Signature] {
        const METHODS: &[Signature] = &[
            Signature::new("push", 1, 0),
            Signature::new("pop_min", 0, 1),
            Signature::new("peek", 0, 1),
            Signature::new("len", 0, 1),
        ];
        METHODS
    }

    fn initial(&self) -> Value {
        Value::unit()
    }

    fn states(&self) -> Vec<Value> {
        let mut multisets = sequences(&integers(1..=3), 3);
        multisets.retain(|items| items.is_sorted());
        tuples(multisets)
    }

    fn arguments(&self, method: &str) -> Vec<Vec<Value>> {
        match method {
            "push" => product(&[&integers(1..=3)]),
            "pop_min" | "peek" | "len" => product(&[]),
            _ => vec![],
        }
    }

    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        let Some(items) = elements(state) else {
            return vec![];
        };
        match (method, args, items) {
            ("push", [v], _) => only(sorted_with(items, v), []),
            ("pop_min", [], [first, rest @ ..]) => only(tuple_of(rest), [first.clone()]),
            ("peek", [], [first, ..]) => only(state.clone(), [first.clone()]),
            ("pop_min" | "peek", [], []) => only(state.clone(), [Value::Nil]),
            ("len", [], _) => only(state.clone(), [items.len().into()]),
            _ => vec![],
        }
    }
}

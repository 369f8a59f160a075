//! The set of the thesis (Table 2.1): `add` returns whether the value *was*
//! present. State: its elements, sorted.

use commute_model::Value;

use super::domain::{elements, integers, only, product, sequences, sorted_with, tuples};
use super::{Model, Outcome, Signature};

/// The model `set`.
#[derive(Clone, Copy, Debug)]
pub struct Set;

impl Model for Set {
    fn name(&self) -> &str {
        "set"
    }

    fn methods(&self) -> &[Signature] {
        const METHODS: &[Signature] = &[
            Signature::new("add", 1, 1),
            Signature::new("contains", 1, 1),
            Signature::new("size", 0, 1),
        ];
        METHODS
    }

    fn initial(&self) -> Value {
        Value::unit()
    }

    fn states(&self) -> Vec<Value> {
        let mut sets = sequences(&integers(0..=1), 2);
        sets.retain(|items| items.is_sorted_by(|a, b| a < b));
        tuples(sets)
    }

    fn arguments(&self, method: &str) -> Vec<Vec<Value>> {
        match method {
            "add" | "contains" => product(&[&integers(0..=1)]),
            "size" => product(&[]),
            _ => vec![],
        }
    }

    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        let Some(items) = elements(state) else {
            return vec![];
        };
        match (method, args) {
            ("add", [v]) if !items.contains(v) => only(sorted_with(items, v), [false.into()]),
            ("add", [_]) => only(state.clone(), [true.into()]),
            ("contains", [v]) => only(state.clone(), [items.contains(v).into()]),
            ("size", []) => only(state.clone(), [items.len().into()]),
            _ => vec![],
        }
    }
}

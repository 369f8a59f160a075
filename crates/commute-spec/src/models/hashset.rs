//! Rust's sets (`HashSet`, `DashSet`, `SkipSet`): `insert` returns whether the
//! value is *new*, `remove` whether it was there. State: its elements, sorted.
//!
//! `insert_` is `insert` with the result dropped; `clear` has the number of
//! removed elements as a shadow result.

use commute_model::Value;

use super::domain::{elements, integers, only, product, sequences, sorted_with, tuples, without};
use super::{Model, Outcome, Signature};

/// The model `hashset`.
#[derive(Clone, Copy, Debug)]
pub struct HashSet;

impl Model for HashSet {
    fn name(&self) -> &str {
        "hashset"
    }

    fn methods(&self) -> &[Signature] {
        const METHODS: &[Signature] = &[
            Signature::new("insert", 1, 1),
            Signature::new("insert_", 1, 0),
            Signature::new("remove", 1, 1),
            Signature::new("contains", 1, 1),
            Signature::new("len", 0, 1),
            Signature::new("is_empty", 0, 1),
            Signature::new("clear", 0, 1).with_shadow(1),
            Signature::new("snapshot", 0, 1),
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
            "insert" | "insert_" | "remove" | "contains" => product(&[&integers(0..=1)]),
            "len" | "is_empty" | "clear" | "snapshot" => product(&[]),
            _ => vec![],
        }
    }

    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        let Some(items) = elements(state) else {
            return vec![];
        };
        match (method, args) {
            ("insert" | "insert_", [x]) => {
                let new = !items.contains(x);
                let after = if new {
                    sorted_with(items, x)
                } else {
                    state.clone()
                };
                only(after, observed(method == "insert", new))
            }
            ("remove", [x]) => only(without(items, x), [items.contains(x).into()]),
            ("contains", [x]) => only(state.clone(), [items.contains(x).into()]),
            ("len", []) => only(state.clone(), [items.len().into()]),
            ("is_empty", []) => only(state.clone(), [items.is_empty().into()]),
            ("clear", []) => only(Value::unit(), [items.len().into()]),
            ("snapshot", []) => only(state.clone(), [state.clone()]),
            _ => vec![],
        }
    }
}

fn observed(used: bool, result: bool) -> Vec<Value> {
    if used { vec![result.into()] } else { vec![] }
}

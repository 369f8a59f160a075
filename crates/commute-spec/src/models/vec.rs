//! A growable array. State: its elements.
//!
//! Shadow results: `push` gives the index of the new element, `pop` the index
//! of the removed one (`nil` if there was none).

use commute_model::Value;

use super::domain::{
    appended, elements, integers, letters, only, product, sequences, tuple_of, tuples,
};
use super::{Model, Outcome, Signature};

/// The model `vec`.
#[derive(Clone, Copy, Debug)]
pub struct Vector;

impl Model for Vector {
    fn name(&self) -> &str {
        "vec"
    }

    fn methods(&self) -> &[Signature] {
        const METHODS: &[Signature] = &[
            Signature::new("push", 1, 1).with_shadow(1),
            Signature::new("pop", 0, 2).with_shadow(1),
            Signature::new("get", 1, 1),
            Signature::new("set", 2, 1),
            Signature::new("len", 0, 1),
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
        let indexes = integers(0..=3);
        match method {
            "push" => product(&[&letters()]),
            "get" => product(&[&indexes]),
            "set" => product(&[&indexes, &letters()]),
            "pop" | "len" => product(&[]),
            _ => vec![],
        }
    }

    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        let Some(items) = elements(state) else {
            return vec![];
        };
        match (method, args, items) {
            ("push", [v], _) => only(appended(items, v), [items.len().into()]),
            ("pop", [], [rest @ .., last]) => {
                only(tuple_of(rest), [last.clone(), rest.len().into()])
            }
            ("pop", [], []) => only(state.clone(), [Value::Nil, Value::Nil]),
            ("get", [i], _) => {
                let found = place(items, i).map_or(Value::Nil, |at| items[at].clone());
                only(state.clone(), [found])
            }
            ("set", [i, v], _) => match place(items, i) {
                None => only(state.clone(), [Value::Nil]),
                Some(at) => {
                    let mut after = items.to_vec();
                    let before = std::mem::replace(&mut after[at], v.clone());
                    only(Value::tuple(after), [before])
                }
            },
            ("len", [], _) => only(state.clone(), [items.len().into()]),
            _ => vec![],
        }
    }
}

/// `index` as an index into `items`, if it is one.
fn place(items: &[Value], index: &Value) -> Option<usize> {
    let index = usize::try_from(index.as_int()?).ok()?;
    (index < items.len()).then_some(index)
}

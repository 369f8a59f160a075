//! What queues and stacks share: a state is the elements in the order in which
//! they were pushed. They differ in the end from which they are taken.

use commute_model::Value;

use super::domain::{appended, elements, letters, only, product, sequences, tuple_of, tuples};
use super::{Outcome, Signature};

/// From where elements are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// The element that was pushed first.
    Oldest,
    /// The one that was pushed last.
    Newest,
}

pub(super) const METHODS: &[Signature] = &[
    Signature::new("push", 1, 0),
    Signature::new("pop", 0, 1),
    Signature::new("peek", 0, 1),
    Signature::new("len", 0, 1),
    Signature::new("is_empty", 0, 1),
];

/// All states of at most this many elements.
pub(super) fn states(longest: usize) -> Vec<Value> {
    tuples(sequences(&letters(), longest))
}

pub(super) fn arguments(method: &str) -> Vec<Vec<Value>> {
    match method {
        "push" => product(&[&letters()]),
        "pop" | "peek" | "len" | "is_empty" => product(&[]),
        _ => vec![],
    }
}

pub(super) fn step(end: End, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
    let Some(items) = elements(state) else {
        return vec![];
    };
    let next = match end {
        End::Oldest => items.split_first(),
        End::Newest => items.split_last(),
    };
    match (method, args, next) {
        ("push", [v], _) => only(appended(items, v), []),
        ("pop", [], Some((item, rest))) => only(tuple_of(rest), [item.clone()]),
        ("peek", [], Some((item, _))) => only(state.clone(), [item.clone()]),
        ("pop" | "peek", [], None) => only(state.clone(), [Value::Nil]),
        ("len", [], _) => only(state.clone(), [items.len().into()]),
        ("is_empty", [], _) => only(state.clone(), [items.is_empty().into()]),
        _ => vec![],
    }
}

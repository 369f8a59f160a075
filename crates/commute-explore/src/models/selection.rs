//! One of several operations that is chosen. State: how many were not looked at yet, or
//! `(i, r)`: the `i`-th was done, and `r` came of it.
//!
//! Any operation that is possible may be chosen, and nothing says which. So each is tried
//! by a thread of its own, and whoever comes first has decided: the choice is an order of
//! steps, like everything else. A step of such a thread has two objects, what is tried and
//! the selection, so nobody can come in between.

use commute_model::Value;
use smallvec::SmallVec;

use super::parts;
use crate::model::{Model, Shown, Stepped};

/// The model of selections.
///
/// `begin()` does nothing; `chosen()` waits until something was chosen, and returns it; or `false`, if all were
/// looked at and none was possible. What is tried is a method of what it is tried on:
/// its second object is the selection, its first argument the number, and it returns
/// whether it was chosen.
#[derive(Clone, Copy, Debug)]
pub struct Selection;

impl Selection {
    /// Nothing was chosen, and so many operations are to be looked at.
    pub fn initial(operations: usize) -> Value {
        Value::Int(operations as i128)
    }
}

impl Model for Selection {
    fn name(&self) -> &str {
        "selection"
    }

    fn step(&self, states: &[&Value], method: &str, _args: &[Value]) -> Option<Stepped> {
        let result = match (method, states[0]) {
            ("begin", _) => Value::unit(),
            ("chosen", Value::Int(0)) => false.into(),
            ("chosen", chosen @ Value::Tuple(_)) => chosen.clone(),
            _ => return None,
        };
        Some(Stepped::to(states[0].clone(), result))
    }

    fn only_reads(&self, _method: &str, _args: &[Value], _result: &Value) -> bool {
        true
    }

    fn returns(&self, method: &str) -> bool {
        method != "begin"
    }

    fn waits(&self, method: &str) -> bool {
        method != "begin"
    }

    fn shown(&self, method: &str, _args: &[Value], result: &Value) -> Shown {
        let result = match parts(result) {
            [number, ..] => format!("operation {number}"),
            _ => "none".to_owned(),
        };
        Shown {
            args: Vec::new(),
            result: (method != "begin").then_some(result),
        }
    }
}

/// What comes of trying an operation on an object.
pub(super) enum Tried {
    /// The state afterwards, and what is returned.
    Done(Value, Value),
    /// It is not possible.
    NotReady,
    /// It cannot be said yet.
    Unclear,
}

/// Whether a method tries something for a selection, and whether it waits for it.
pub(super) fn is_raced(method: &str) -> Option<bool> {
    let tries = method.strip_prefix("try_");
    let rest = tries.unwrap_or(method);
    let is_raced = rest.starts_with("select_") || rest.starts_with("ready_");
    is_raced.then_some(tries.is_none())
}

/// Whether the only operation of a selection is tried, which needs no thread of its own:
/// then there is no second object, and what comes of it is returned as by `chosen()`.
pub(super) fn is_alone(args: &[Value]) -> bool {
    args.first() == Some(&Value::Nil)
}

/// A step of one who tries the operation of this number.
pub(super) fn raced(
    states: &[&Value],
    waits: bool,
    number: &Value,
    tried: impl FnOnce() -> Tried,
) -> Option<Stepped> {
    let to = |object: Value, selection: Value, chosen: bool| {
        Some(Stepped {
            states: SmallVec::from_iter([object, selection]),
            result: chosen.into(),
        })
    };
    let left = match states {
        [_] => None,
        [_, Value::Int(left)] => Some(left),
        // Somebody else has decided.
        [object, selection] => return to((*object).clone(), (*selection).clone(), false),
        _ => return None,
    };
    match (tried(), left) {
        (Tried::Done(object, result), left) => {
            let chosen = Value::tuple([number.clone(), result]);
            match left {
                Some(_) => to(object, chosen, true),
                None => Some(Stepped::to(object, chosen)),
            }
        }
        (Tried::NotReady, Some(left)) if !waits => {
            to(states[0].clone(), Value::Int(left - 1), false)
        }
        (Tried::NotReady, None) if !waits => Some(Stepped::to(states[0].clone(), false.into())),
        (Tried::NotReady | Tried::Unclear, _) => None,
    }
}

/// Whether such a step has left everything as it was.
pub(super) fn raced_in_vain(method: &str, args: &[Value], result: &Value) -> bool {
    // Who was there in vain, and not alone, has said so.
    let says = is_raced(method) != Some(true) && !is_alone(args);
    is_raced(method).is_some() && !says && *result == Value::Bool(false)
}

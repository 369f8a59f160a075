//! Calls in the words of the specifications `map` and `hashset`. All that is done under a
//! guard is one of them, since nobody else gets at the key meanwhile.

use commute_model::Value;

use super::{Keyed, Values, parts};
use crate::act::{Act, Invoked};
use crate::model::Called;

pub(super) fn act(values: Values, call: Called<'_>) -> Act {
    let Called {
        method,
        args,
        result,
    } = call;
    let is_there = *result != Value::Nil;
    match (method, args) {
        ("len" | "len_at_once", []) => called(values, "len", [], result.clone()),
        ("is_empty" | "is_empty_at_once", []) => called(values, "is_empty", [], result.clone()),
        ("contains_key", [k]) => match values {
            Values::None => called(values, "contains", [k.clone()], result.clone()),
            _ => called(values, "contains_key", [k.clone()], result.clone()),
        },
        ("try_insert", [k, _]) if values == Values::None => {
            called(values, "insert", [k.clone()], result.clone())
        }
        ("try_insert", [k, v]) => {
            let args = [k.clone(), comparable(values, v)];
            called(values, "try_insert", args, result.clone())
        }
        ("insert", [k, v]) => insert(values, k, v, result),
        ("remove", [k]) => remove(values, k, result),
        ("look", [k]) => get(values, k, result),
        ("try_get" | "try_get_mut" | "try_entry", _) if *result == Keyed::locked() => Act::Unknown,
        ("get" | "try_get" | "get_mut" | "try_get_mut", [_, k]) if !is_there => {
            get(values, k, result)
        }
        ("get" | "try_get" | "get_mut" | "try_get_mut" | "entry" | "try_entry", [_, k]) => {
            Act::Takes {
                key: k.clone(),
                found: result.clone(),
                more: false,
            }
        }
        ("set", [_, k, v]) => leaves(k, Some(v.clone()), false),
        ("unset", [_, k, ..]) => leaves(k, Some(Value::Nil), false),
        ("release_removed", [_, k, ..]) => leaves(k, Some(Value::Nil), true),
        ("release" | "downgrade", [_, k, v @ ..]) => {
            leaves(k, v.first().cloned(), method == "release")
        }
        ("next" | "next_mut", _) => match parts(result) {
            [k, v] => Act::Takes {
                key: k.clone(),
                found: v.clone(),
                // That there is no key before it.
                more: true,
            },
            _ => Act::Unknown,
        },
        _ => Act::Unknown,
    }
}

pub(super) fn held(values: Values, key: &Value, found: &Value, left: &Value) -> Act {
    match left {
        left if left == found => get(values, key, found),
        Value::Nil => remove(values, key, found),
        left => insert(values, key, left, found),
    }
}

fn leaves(key: &Value, left: Option<Value>, goes: bool) -> Act {
    Act::Leaves {
        key: key.clone(),
        left,
        goes,
    }
}

fn get(values: Values, key: &Value, found: &Value) -> Act {
    match values {
        Values::None => called(values, "contains", [key.clone()], is_there(found)),
        _ => called(values, "get", [key.clone()], comparable(values, found)),
    }
}

fn insert(values: Values, key: &Value, value: &Value, found: &Value) -> Act {
    match values {
        Values::None => {
            let is_new = Value::Bool(*found == Value::Nil);
            called(values, "insert", [key.clone()], is_new)
        }
        _ => {
            let args = [key.clone(), comparable(values, value)];
            called(values, "insert", args, comparable(values, found))
        }
    }
}

fn remove(values: Values, key: &Value, found: &Value) -> Act {
    match values {
        Values::None => called(values, "remove", [key.clone()], is_there(found)),
        _ => called(values, "remove", [key.clone()], comparable(values, found)),
    }
}

fn is_there(found: &Value) -> Value {
    Value::Bool(*found != Value::Nil)
}

/// Two versions may be of equal values.
fn comparable(values: Values, value: &Value) -> Value {
    match value {
        Value::Nil => Value::Nil,
        _ if values == Values::Versions => Value::Opaque,
        value => value.clone(),
    }
}

fn called<const N: usize>(values: Values, method: &str, args: [Value; N], result: Value) -> Act {
    let model = match values {
        Values::None => "hashset",
        Values::Known | Values::Versions => "map",
    };
    Act::Call(Invoked::new(model, method, args, [result]))
}

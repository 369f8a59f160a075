//! Calls as people know them.

use commute_model::Value;

use super::{Keyed, Values, parts};
use crate::model::Shown;

pub(super) fn shown(values: Values, method: &str, args: &[Value], result: &Value) -> Shown {
    let (key, value) = match (method, args) {
        ("contains_key" | "look" | "insert" | "try_insert" | "remove", [k, rest @ ..]) => {
            (Some(k), rest.first())
        }
        // The key that it came to.
        ("next" | "next_mut", _) => (parts(result).first(), None),
        ("len" | "is_empty" | "len_at_once" | "is_empty_at_once", _) => (None, None),
        (_, [_, k, rest @ ..]) => (Some(k), rest.first()),
        _ => (None, None),
    };
    let of_value = |value: &Value| match values {
        Values::Known => Some(value.to_string()),
        Values::Versions => Some("?".to_owned()),
        Values::None => None,
    };
    let args = key.map(ToString::to_string).into_iter();
    Shown {
        args: args.chain(value.and_then(of_value)).collect(),
        result: result_of(values, method, result),
    }
}

fn result_of(values: Values, method: &str, result: &Value) -> Option<String> {
    let is_there = *result != Value::Nil;
    match (method, values) {
        ("set" | "unset" | "release" | "release_removed" | "downgrade", _) => None,
        ("contains_key" | "try_insert" | "len" | "is_empty", _) => Some(result.to_string()),
        ("len_at_once" | "is_empty_at_once", _) => Some(result.to_string()),
        _ if *result == Keyed::locked() => Some("locked".to_owned()),
        ("insert", Values::None) => Some((!is_there).to_string()),
        (_, Values::None) => Some(is_there.to_string()),
        _ if !is_there => Some("nil".to_owned()),
        (_, Values::Versions) => Some("?".to_owned()),
        ("next" | "next_mut", Values::Known) => parts(result).last().map(ToString::to_string),
        (_, Values::Known) => Some(result.to_string()),
    }
}

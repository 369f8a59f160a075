//! What of a collection the calls that are left can tell.

use commute_model::Value;

use super::super::parts;
use crate::model::Label;

/// How a call looks at a collection.
enum Look<'a> {
    /// At what is there for this key.
    Key(&'a Value),
    /// At how many there are; it may remove them all.
    Count,
    Everything,
}

/// Whether this module knows the model.
pub(super) fn are_known(model: &str) -> bool {
    matches!(model, "set" | "hashset" | "map")
}

fn look<'a>(method: &str, args: &'a [Value]) -> Look<'a> {
    match method {
        "size" | "len" | "is_empty" | "clear" | "clear_" => Look::Count,
        "snapshot" | "retain" => Look::Everything,
        _ => args.first().map_or(Look::Everything, Look::Key),
    }
}

/// What is there for the keys that are asked for, and how many others there are, if that
/// is.
pub(super) fn project(model: &str, state: &Value, rest: &[Label<'_>]) -> Option<Value> {
    let mut keys: Vec<&Value> = Vec::new();
    let mut counts = false;
    for label in rest {
        match look(label.method, label.args) {
            Look::Key(key) => keys.push(key),
            Look::Count => counts = true,
            Look::Everything => return None,
        }
    }
    keys.sort_unstable();
    let key = |entry: &Value| match model {
        "map" => parts(entry).first().cloned(),
        _ => Some(entry.clone()),
    };
    let asked = |entry: &&Value| key(entry).is_some_and(|k| keys.binary_search(&&k).is_ok());
    let entries = parts(state);
    let kept: Vec<Value> = entries.iter().filter(asked).cloned().collect();
    let others = if counts {
        entries.len() - kept.len()
    } else {
        0
    };
    Some(Value::tuple([
        Value::Int(others as i128),
        Value::tuple(kept),
    ]))
}

//! The small domains models enumerate, and the sequences their states are
//! made of.

use commute_model::Value;

use super::Outcome;

/// The elements of a tuple; `None` for any other value.
pub(crate) fn elements(value: &Value) -> Option<&[Value]> {
    match value {
        Value::Tuple(items) => Some(items),
        _ => None,
    }
}

/// The two halves of a pair; `None` for any other value.
pub(crate) fn pair(value: &Value) -> Option<(&Value, &Value)> {
    match elements(value)? {
        [first, second] => Some((first, second)),
        _ => None,
    }
}

/// The integers of a range.
pub(super) fn integers(range: std::ops::RangeInclusive<i128>) -> Vec<Value> {
    range.map(Value::Int).collect()
}

/// Two values that mean nothing.
pub(super) fn letters() -> Vec<Value> {
    vec![Value::str("a"), Value::str("b")]
}

/// `items` with `nil` in front.
pub(super) fn or_nil(items: Vec<Value>) -> Vec<Value> {
    std::iter::once(Value::Nil).chain(items).collect()
}

/// Every choice of one value from each domain, the last changing fastest.
pub(super) fn product(domains: &[&[Value]]) -> Vec<Vec<Value>> {
    domains.iter().fold(vec![vec![]], |lists, domain| {
        let longer = |list: &Vec<Value>, value: &Value| {
            let mut list = list.clone();
            list.push(value.clone());
            list
        };
        lists
            .iter()
            .flat_map(|list| domain.iter().map(move |value| longer(list, value)))
            .collect()
    })
}

/// Every sequence over `alphabet` of at most `longest` elements, short ones
/// first.
pub(super) fn sequences(alphabet: &[Value], longest: usize) -> Vec<Vec<Value>> {
    (0..=longest)
        .flat_map(|length| product(&vec![alphabet; length]))
        .collect()
}

/// `sequences` as states.
pub(super) fn tuples(sequences: Vec<Vec<Value>>) -> Vec<Value> {
    sequences.into_iter().map(Value::tuple).collect()
}

/// `items` and then `last`.
pub(super) fn appended(items: &[Value], last: &Value) -> Value {
    Value::tuple(items.iter().chain([last]).cloned())
}

/// `items` in a tuple.
pub(super) fn tuple_of(items: &[Value]) -> Value {
    Value::tuple(items.iter().cloned())
}

/// The sorted sequence `items` with `item` where it belongs.
pub(super) fn sorted_with(items: &[Value], item: &Value) -> Value {
    let place = items.partition_point(|other| other <= item);
    Value::tuple(
        items[..place]
            .iter()
            .chain([item])
            .chain(&items[place..])
            .cloned(),
    )
}

/// `items` without any `item`.
pub(super) fn without(items: &[Value], item: &Value) -> Value {
    Value::tuple(items.iter().filter(|other| *other != item).cloned())
}

/// The only thing that can happen.
pub(super) fn only(state: Value, results: impl Into<Vec<Value>>) -> Vec<Outcome> {
    vec![Outcome::new(state, results)]
}

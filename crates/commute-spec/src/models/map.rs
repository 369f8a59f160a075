//! Maps: RD2's dictionary (Figure 5) and Rust's concurrent maps in one.
//! State: the entries as (key, value), by key.
//!
//! `nil` is absence: `put(k, nil)` removes, `cas(k, nil, v)` inserts. Methods
//! that end in `_` are called for their effect alone. Shadow results: the
//! previous value of `insert_`, whether `or_insert` inserted, how many entries
//! `clear` removed, which keys `retain` removed.

use commute_model::Value;

use super::domain::{elements, integers, letters, only, or_nil, pair, product, sequences};
use super::{Model, Outcome, Signature};
use crate::evaluate::{Interpretation, Ints};

/// The model `map`.
#[derive(Clone, Copy, Debug)]
pub struct Map;

impl Model for Map {
    fn name(&self) -> &str {
        "map"
    }

    fn methods(&self) -> &[Signature] {
        const METHODS: &[Signature] = &[
            Signature::new("put", 2, 1),
            Signature::new("get", 1, 1),
            Signature::new("size", 0, 1),
            Signature::new("contains_key", 1, 1),
            Signature::new("insert", 2, 1),
            Signature::new("insert_", 2, 1).with_shadow(1),
            Signature::new("remove", 1, 1),
            Signature::new("remove_", 1, 0),
            Signature::new("or_insert", 2, 2).with_shadow(1),
            Signature::new("try_insert", 2, 1),
            Signature::new("cas", 3, 1),
            Signature::new("remove_if", 2, 1),
            Signature::new("modify", 2, 1),
            Signature::new("len", 0, 1),
            Signature::new("is_empty", 0, 1),
            Signature::new("clear", 0, 1).with_shadow(1),
            Signature::new("clear_", 0, 0),
            Signature::new("snapshot", 0, 1),
            Signature::new("retain", 1, 1).with_shadow(1),
        ];
        METHODS
    }

    fn initial(&self) -> Value {
        Value::unit()
    }

    fn states(&self) -> Vec<Value> {
        let entry = |parts: Vec<Value>| Value::tuple(parts);
        let entries: Vec<Value> = product(&[&integers(0..=1), &letters()])
            .into_iter()
            .map(entry)
            .collect();
        let mut maps = sequences(&entries, 2);
        maps.retain(|map| map.is_sorted_by(|a, b| key(a) < key(b)));
        maps.into_iter().map(Value::tuple).collect()
    }

    fn arguments(&self, method: &str) -> Vec<Vec<Value>> {
        let (keys, values) = (integers(0..=1), letters());
        let maybe = or_nil(letters());
        match method {
            "get" | "contains_key" | "remove" | "remove_" => product(&[&keys]),
            "put" => product(&[&keys, &maybe]),
            "insert" | "insert_" | "or_insert" | "try_insert" | "remove_if" => {
                product(&[&keys, &values])
            }
            "cas" => product(&[&keys, &maybe, &maybe]),
            "modify" => product(&[&keys, &["flip".into(), "set_a".into()]]),
            "retain" => product(&[&["is_a".into()]]),
            "size" | "len" | "is_empty" | "clear" | "clear_" | "snapshot" => product(&[]),
            _ => vec![],
        }
    }

    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        let Some(entries) = elements(state) else {
            return vec![];
        };
        let same = || state.clone();
        match (method, args) {
            ("size" | "len", []) => only(same(), [entries.len().into()]),
            ("is_empty", []) => only(same(), [entries.is_empty().into()]),
            ("snapshot", []) => only(same(), [state.clone()]),
            ("clear", []) => only(Value::unit(), [entries.len().into()]),
            ("clear_", []) => only(Value::unit(), []),
            ("retain", [f]) => retain(entries, f),
            (_, [k, rest @ ..]) => {
                let now = lookup(entries, k);
                let with = |v: &Value| replaced(entries, k, v);
                let present = now != Value::Nil;
                match (method, rest) {
                    ("get", []) => only(same(), [now]),
                    ("contains_key", []) => only(same(), [present.into()]),
                    ("put", [v]) => only(with(v), [now]),
                    ("remove", []) => only(with(&Value::Nil), [now]),
                    ("remove_", []) => only(with(&Value::Nil), []),
                    ("cas", [o, n]) if now == *o => only(with(n), [true.into()]),
                    ("cas", [_, _]) => only(same(), [false.into()]),
                    ("modify", [f]) => match Functions.app(f, &now) {
                        Value::Opaque => vec![],
                        new => only(with(&new), [now]),
                    },
                    // What follows stores or expects a value, and nil is none.
                    (_, [Value::Nil]) => vec![],
                    ("insert" | "insert_", [v]) => only(with(v), [now]),
                    ("or_insert", [_]) if present => only(same(), [now, false.into()]),
                    ("or_insert", [v]) => only(with(v), [v.clone(), true.into()]),
                    ("try_insert", [_]) if present => only(same(), [false.into()]),
                    ("try_insert", [v]) => only(with(v), [true.into()]),
                    ("remove_if", [v]) if now == *v => only(with(&Value::Nil), [true.into()]),
                    ("remove_if", [_]) => only(same(), [false.into()]),
                    _ => vec![],
                }
            }
            _ => vec![],
        }
    }

    fn interpretation(&self) -> &dyn Interpretation {
        &Functions
    }
}

/// The functions that `modify` and `retain` are called with.
struct Functions;

impl Interpretation for Functions {
    fn min(&self) -> Value {
        Ints.min()
    }

    fn max(&self) -> Value {
        Ints.max()
    }

    fn app(&self, function: &Value, value: &Value) -> Value {
        let (a, b) = (Value::str("a"), Value::str("b"));
        let Value::Str(name) = function else {
            return Value::Opaque;
        };
        match (name.as_str(), value) {
            // An absent entry stays absent.
            ("flip" | "set_a", Value::Nil) => Value::Nil,
            ("flip", v) if *v == a => b,
            ("flip", v) if *v == b => a,
            ("flip", v) => v.clone(),
            ("set_a", _) => a,
            ("is_a", v) => (*v == a).into(),
            _ => Value::Opaque,
        }
    }
}

fn key(entry: &Value) -> Option<&Value> {
    pair(entry).map(|(key, _)| key)
}

fn lookup(entries: &[Value], k: &Value) -> Value {
    let found = entries.iter().filter_map(pair).find(|(key, _)| *key == k);
    found.map_or(Value::Nil, |(_, value)| value.clone())
}

/// The entries with `k` holding `v`; without `k` if `v` is `nil`.
fn replaced(entries: &[Value], k: &Value, v: &Value) -> Value {
    let mut after = entries.to_vec();
    after.retain(|entry| key(entry) != Some(k));
    if *v != Value::Nil {
        let place = after.partition_point(|entry| key(entry) < Some(k));
        after.insert(place, Value::tuple([k.clone(), v.clone()]));
    }
    Value::tuple(after)
}

fn retain(entries: &[Value], f: &Value) -> Vec<Outcome> {
    let (mut kept, mut removed) = (vec![], vec![]);
    for entry in entries {
        let Some((key, value)) = pair(entry) else {
            return vec![];
        };
        match Functions.app(f, value) {
            Value::Bool(true) => kept.push(entry.clone()),
            Value::Bool(false) => removed.push(key.clone()),
            _ => return vec![],
        }
    }
    only(Value::tuple(kept), [Value::tuple(removed)])
}

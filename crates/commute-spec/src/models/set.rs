//! The set of the thesis (Table 2.1): Rust's set with fewer methods and other
//! names, but `add` returns whether the value *was* present, the opposite of
//! `insert`. State: its elements, sorted.

use commute_model::Value;

use super::{HashSet, Model, Outcome, Signature};

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
        HashSet.initial()
    }

    fn states(&self) -> Vec<Value> {
        HashSet.states()
    }

    fn arguments(&self, method: &str) -> Vec<Vec<Value>> {
        translated(method).map_or(vec![], |method| HashSet.arguments(method))
    }

    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        let Some(translated) = translated(method) else {
            return vec![];
        };
        let mut outcomes = HashSet.step(state, translated, args);
        if method == "add" {
            for result in outcomes.iter_mut().flat_map(|o| &mut o.results) {
                *result = (*result != Value::Bool(true)).into();
            }
        }
        outcomes
    }
}

/// What the method is called there.
fn translated(method: &str) -> Option<&'static str> {
    Some(match method {
        "add" => "insert",
        "contains" => "contains",
        "size" => "len",
        _ => return None,
    })
}

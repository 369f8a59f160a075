//! A wait group. State: how many tasks have been added and are not done; less than none
//! if more were done than added, which Go calls a mistake.

use commute_model::Value;

use super::domain::{integers, only, product};
use super::{Model, Outcome, Signature};

/// The model `wait_group`.
#[derive(Clone, Copy, Debug)]
pub struct WaitGroup;

impl Model for WaitGroup {
    fn name(&self) -> &str {
        "wait_group"
    }

    fn methods(&self) -> &[Signature] {
        const METHODS: &[Signature] = &[
            Signature::new("add", 1, 0),
            Signature::new("done", 0, 0),
            Signature::new("wait", 0, 0),
        ];
        METHODS
    }

    fn initial(&self) -> Value {
        Value::Int(0)
    }

    fn states(&self) -> Vec<Value> {
        integers(-1..=3)
    }

    fn arguments(&self, method: &str) -> Vec<Vec<Value>> {
        match method {
            "add" => product(&[&integers(-1..=2)]),
            "done" | "wait" => product(&[]),
            _ => vec![],
        }
    }

    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        let Some(left) = state.as_int() else {
            return vec![];
        };
        let changed = |by: i128| match left.checked_add(by) {
            Some(left) => only(Value::Int(left), []),
            None => vec![],
        };
        match (method, args) {
            ("add", [n]) => n.as_int().map_or(vec![], changed),
            ("done", []) => changed(-1),
            ("wait", []) if left == 0 => only(state.clone(), []),
            // `wait` waits until all are done.
            _ => vec![],
        }
    }
}

//! One cell that is read and written. State: what it holds.

use commute_model::Value;

use super::domain::{integers, only, product};
use super::{Model, Outcome, Signature};

/// The model `register`.
#[derive(Clone, Copy, Debug)]
pub struct Register;

impl Model for Register {
    fn name(&self) -> &str {
        "register"
    }

    fn methods(&self) -> &[Signature] {
        const METHODS: &[Signature] =
            &[Signature::new("read", 0, 1), Signature::new("write", 1, 0)];
        METHODS
    }

    fn initial(&self) -> Value {
        Value::Int(0)
    }

    fn states(&self) -> Vec<Value> {
        integers(0..=2)
    }

    fn arguments(&self, method: &str) -> Vec<Vec<Value>> {
        match method {
            "read" => product(&[]),
            "write" => product(&[&self.states()]),
            _ => vec![],
        }
    }

    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        match (method, args) {
            ("read", []) => only(state.clone(), [state.clone()]),
            ("write", [v]) => only(v.clone(), []),
            _ => vec![],
        }
    }
}

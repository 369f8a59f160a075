//! A cancellation context (Go's `context.Context`). State: what `Err` returns,
//! `nil` until it is cancelled.

use commute_model::Value;

use super::domain::{only, product};
use super::{Model, Outcome, Signature};

/// The model `context`.
#[derive(Clone, Copy, Debug)]
pub struct Context;

impl Model for Context {
    fn name(&self) -> &str {
        "context"
    }

    fn methods(&self) -> &[Signature] {
        const METHODS: &[Signature] =
            &[Signature::new("cancel", 0, 0), Signature::new("Err", 0, 1)];
        METHODS
    }

    fn initial(&self) -> Value {
        Value::Nil
    }

    fn states(&self) -> Vec<Value> {
        vec![Value::Nil, Value::str("canceled")]
    }

    fn arguments(&self, method: &str) -> Vec<Vec<Value>> {
        match method {
            "cancel" | "Err" => product(&[]),
            _ => vec![],
        }
    }

    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        match (method, args) {
            ("cancel", []) => only(Value::str("canceled"), []),
            ("Err", []) => only(state.clone(), [state.clone()]),
            _ => vec![],
        }
    }
}

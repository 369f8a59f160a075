//! A file handle, of which only the life is modelled: contents and position
//! are not. State: `open` or `closed`. Using a closed handle is not enabled.

use commute_model::Value;

use super::domain::{only, product};
use super::{Model, Outcome, Signature};

/// The model `file`.
#[derive(Clone, Copy, Debug)]
pub struct File;

impl Model for File {
    fn name(&self) -> &str {
        "file"
    }

    fn methods(&self) -> &[Signature] {
        const METHODS: &[Signature] = &[
            Signature::new("read", 0, 0),
            Signature::new("write", 0, 0),
            Signature::new("close", 0, 0),
        ];
        METHODS
    }

    fn initial(&self) -> Value {
        Value::symbol("open")
    }

    fn states(&self) -> Vec<Value> {
        vec![Value::symbol("open"), Value::symbol("closed")]
    }

    fn arguments(&self, method: &str) -> Vec<Vec<Value>> {
        match method {
            "read" | "write" | "close" => product(&[]),
            _ => vec![],
        }
    }

    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        if *state != self.initial() || !args.is_empty() {
            return vec![];
        }
        match method {
            "read" | "write" => only(state.clone(), []),
            "close" => only(Value::symbol("closed"), []),
            _ => vec![],
        }
    }
}

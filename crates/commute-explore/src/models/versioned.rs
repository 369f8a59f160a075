//! An object of which nothing is known but that it can be called. State: its version,
//! which is the place of the last call.

use commute_model::Value;

use crate::model::{Model, Shown, Stepped};

/// The model of objects without one: any method, whose last argument is the place of the
/// call, finds a version and leaves another.
#[derive(Clone, Copy, Debug)]
pub struct Versioned;

impl Versioned {
    /// Nobody has called it.
    pub fn initial() -> Value {
        Value::Nil
    }
}

impl Model for Versioned {
    fn name(&self) -> &str {
        "object"
    }

    fn step(&self, states: &[&Value], _method: &str, args: &[Value]) -> Option<Stepped> {
        Some(Stepped::to(args.last()?.clone(), states[0].clone()))
    }

    fn waits(&self, _method: &str) -> bool {
        false
    }

    /// Versions say nothing to people.
    fn shown(&self, _method: &str, args: &[Value], _result: &Value) -> Shown {
        let args = &args[..args.len().saturating_sub(1)];
        Shown {
            args: args.iter().map(ToString::to_string).collect(),
            result: None,
        }
    }
}

//! An object of which nothing is known but that it can be called. State: its version,
//! which is made of the one before and the place of the last call.

use std::hash::Hasher;

use commute_model::Value;
use rustc_hash::FxHasher;

use crate::act::Act;
use crate::code::mixed;
use crate::digest;
use crate::model::{Called, Model, Shown, Stepped};

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
        // What is inside afterwards depends on what was there, and not only on who calls.
        let half = |value: &Value| {
            let mut hasher = FxHasher::default();
            digest::write(value, &mut hasher);
            hasher.finish()
        };
        let version = mixed(half(states[0]), half(args.last()?));
        Some(Stepped::to(Value::Int(version.into()), states[0].clone()))
    }

    fn waits(&self, _method: &str) -> bool {
        false
    }

    fn act(&self, _state: &Value, _call: Called<'_>) -> Act {
        Act::Use
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

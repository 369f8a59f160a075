//! What whoever runs a program decides. State: `()`.

use commute_model::Value;

use crate::model::{Model, Stepped};

/// The model of decisions: `choose()`, which returns what
/// [`Knowledge::decide`](crate::Knowledge::decide) was told, and nothing if nobody did.
#[derive(Clone, Copy, Debug)]
pub struct Choice;

impl Model for Choice {
    fn name(&self) -> &str {
        "choice"
    }

    fn step(&self, states: &[&Value], method: &str, _args: &[Value]) -> Option<Stepped> {
        (method == "choose").then(|| Stepped::to(states[0].clone(), Value::unit()))
    }

    fn waits(&self, _method: &str) -> bool {
        false
    }
}

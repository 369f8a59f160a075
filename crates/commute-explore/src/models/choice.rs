//! What whoever runs a program decides or is told. State: `()`.

use commute_model::Value;

use crate::model::{Model, Stepped};

/// The model of decisions: `choose()`, which returns what
/// [`Knowledge::decide`](crate::Knowledge::decide) was told, and nothing if nobody did;
/// `takes_effect()`, which says that the caller's last operation is what others see of it.
#[derive(Clone, Copy, Debug)]
pub struct Choice;

impl Model for Choice {
    fn name(&self) -> &str {
        "choice"
    }

    fn step(&self, states: &[&Value], method: &str, _args: &[Value]) -> Option<Stepped> {
        matches!(method, "choose" | "takes_effect")
            .then(|| Stepped::to(states[0].clone(), Value::unit()))
    }

    fn waits(&self, _method: &str) -> bool {
        false
    }
}

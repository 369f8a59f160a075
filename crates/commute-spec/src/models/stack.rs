//! A last-in, first-out stack. State: its elements, the top one last.

use commute_model::Value;

use super::sequence::{self, End};
use super::{Model, Outcome, Signature};

/// The model `stack`.
#[derive(Clone, Copy, Debug)]
pub struct Stack;

impl Model for Stack {
    fn name(&self) -> &str {
        "stack"
    }

    fn methods(&self) -> &[Signature] {
        sequence::METHODS
    }

    fn initial(&self) -> Value {
        Value::unit()
    }

    fn states(&self) -> Vec<Value> {
        sequence::states(3)
    }

    fn arguments(&self, method: &str) -> Vec<Vec<Value>> {
        sequence::arguments(method)
    }

    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        sequence::step(End::Newest, state, method, args)
    }
}

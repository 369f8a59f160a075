//! An unbounded first-in, first-out queue. State: its elements, oldest first.

use commute_model::Value;

use super::sequence::{self, End};
use super::{Model, Outcome, Signature};

/// The model `queue`.
#[derive(Clone, Copy, Debug)]
pub struct Queue;

impl Model for Queue {
    fn name(&self) -> &str {
        "queue"
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
        sequence::step(End::Oldest, state, method, args)
    }
}

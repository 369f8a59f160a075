//! A latch. State: how often it must be counted down until it is open.

use commute_model::Value;

use super::domain::{integers, only, product};
use super::{Model, Outcome, Signature};

/// The model `latch`.
#[derive(Clone, Copy, Debug)]
pub struct Latch {
    count: u64,
}

impl Latch {
    pub(super) const OF_TWO: Latch = Latch { count: 2 };

    /// A latch that opens when it was counted down so many times.
    pub fn new(count: u64) -> Latch {
        Latch { count }
    }
}

impl Model for Latch {
    fn name(&self) -> &str {
        "latch"
    }

    fn methods(&self) -> &[Signature] {
        const METHODS: &[Signature] = &[
            Signature::new("count_down", 0, 0),
            Signature::new("wait", 0, 0),
            Signature::new("try_wait", 0, 1),
        ];
        METHODS
    }

    fn initial(&self) -> Value {
        Value::Int(self.count.into())
    }

    fn states(&self) -> Vec<Value> {
        integers(0..=3)
    }

    fn arguments(&self, method: &str) -> Vec<Vec<Value>> {
        match method {
            "count_down" | "wait" | "try_wait" => product(&[]),
            _ => vec![],
        }
    }

    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        let (Some(left @ 0..), []) = (state.as_int(), args) else {
            return vec![];
        };
        match method {
            "count_down" => only(Value::Int((left - 1).max(0)), []),
            "wait" if left == 0 => only(state.clone(), []),
            "try_wait" => only(state.clone(), [(left == 0).into()]),
            // `wait` waits until the latch is open.
            _ => vec![],
        }
    }

    fn parameter(&self) -> Option<u64> {
        Some(self.count)
    }
}

//! A counting semaphore. State: how many permits are free.

use commute_model::Value;

use super::domain::{integers, only, product};
use super::{Model, Outcome, Signature};

/// The model `semaphore`.
#[derive(Clone, Copy, Debug)]
pub struct Semaphore {
    permits: u64,
}

impl Semaphore {
    pub(super) const OF_ONE: Semaphore = Semaphore { permits: 1 };

    /// A semaphore that starts with this many free permits.
    pub fn new(permits: u64) -> Semaphore {
        Semaphore { permits }
    }
}

impl Model for Semaphore {
    fn name(&self) -> &str {
        "semaphore"
    }

    fn methods(&self) -> &[Signature] {
        const METHODS: &[Signature] = &[
            Signature::new("acquire", 0, 0),
            Signature::new("try_acquire", 0, 1),
            Signature::new("release", 0, 0),
            Signature::new("available", 0, 1),
        ];
        METHODS
    }

    fn initial(&self) -> Value {
        Value::Int(self.permits.into())
    }

    fn states(&self) -> Vec<Value> {
        integers(0..=3)
    }

    fn arguments(&self, method: &str) -> Vec<Vec<Value>> {
        match method {
            "acquire" | "try_acquire" | "release" | "available" => product(&[]),
            _ => vec![],
        }
    }

    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        let (Some(free @ 0..), []) = (state.as_int(), args) else {
            return vec![];
        };
        match method {
            "acquire" if free > 0 => only(Value::Int(free - 1), []),
            "try_acquire" if free > 0 => only(Value::Int(free - 1), [true.into()]),
            "try_acquire" => only(state.clone(), [false.into()]),
            "release" => match free.checked_add(1) {
                Some(more) => only(Value::Int(more), []),
                None => vec![],
            },
            "available" => only(state.clone(), [state.clone()]),
            // `acquire` waits for a permit.
            _ => vec![],
        }
    }

    fn parameter(&self) -> Option<u64> {
        Some(self.permits)
    }
}

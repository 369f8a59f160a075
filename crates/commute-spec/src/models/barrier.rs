//! A barrier. State: how many have arrived in the current round, and how many of
//! earlier rounds may leave.

use commute_model::Value;

use super::domain::{integers, only, pair, product};
use super::{Model, Outcome, Signature};

/// The model `barrier`.
#[derive(Clone, Copy, Debug)]
pub struct Barrier {
    parties: u64,
}

impl Barrier {
    pub(super) const OF_TWO: Barrier = Barrier { parties: 2 };

    /// A barrier for so many threads.
    pub fn new(parties: u64) -> Barrier {
        Barrier { parties }
    }
}

fn state(arrived: i128, leaving: i128) -> Value {
    Value::tuple([Value::Int(arrived), Value::Int(leaving)])
}

impl Model for Barrier {
    fn name(&self) -> &str {
        "barrier"
    }

    fn methods(&self) -> &[Signature] {
        const METHODS: &[Signature] = &[
            Signature::new("arrive", 0, 0),
            Signature::new("leave", 0, 0),
        ];
        METHODS
    }

    fn initial(&self) -> Value {
        state(0, 0)
    }

    fn states(&self) -> Vec<Value> {
        let arrived = integers(0..=i128::from(self.parties.clamp(1, 3)) - 1);
        let states = product(&[&arrived, &integers(0..=4)]);
        states.into_iter().map(Value::tuple).collect()
    }

    fn arguments(&self, method: &str) -> Vec<Vec<Value>> {
        match method {
            "arrive" | "leave" => product(&[]),
            _ => vec![],
        }
    }

    fn step(&self, now: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        let Some((Some(arrived @ 0..), Some(leaving @ 0..))) =
            pair(now).map(|(arrived, leaving)| (arrived.as_int(), leaving.as_int()))
        else {
            return vec![];
        };
        let parties = i128::from(self.parties.max(1));
        match (method, args) {
            ("arrive", []) if arrived + 1 < parties => only(state(arrived + 1, leaving), []),
            ("arrive", []) => only(state(0, leaving.saturating_add(parties)), []),
            ("leave", []) if leaving > 0 => only(state(arrived, leaving - 1), []),
            // `leave` waits until all have arrived.
            _ => vec![],
        }
    }

    fn parameter(&self) -> Option<u64> {
        Some(self.parties)
    }
}

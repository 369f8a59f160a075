//! A first-in, first-out queue that is full at some length. State: its
//! elements, oldest first.

use commute_model::Value;

use super::domain::{appended, elements, only};
use super::sequence::{self, End};
use super::{Model, Outcome, Signature};

/// The model `bounded_queue`.
#[derive(Clone, Copy, Debug)]
pub struct BoundedQueue {
    capacity: usize,
}

impl BoundedQueue {
    pub(super) const OF_TWO: BoundedQueue = BoundedQueue { capacity: 2 };

    /// A queue that is full with `capacity` elements.
    pub fn new(capacity: usize) -> BoundedQueue {
        BoundedQueue { capacity }
    }
}

impl Model for BoundedQueue {
    fn name(&self) -> &str {
        "bounded_queue"
    }

    fn methods(&self) -> &[Signature] {
        const METHODS: &[Signature] = &[
            Signature::new("push", 1, 1),
            Signature::new("pop", 0, 1),
            Signature::new("peek", 0, 1),
            Signature::new("len", 0, 1),
            Signature::new("is_empty", 0, 1),
            Signature::new("force_push", 1, 1),
        ];
        METHODS
    }

    fn initial(&self) -> Value {
        Value::unit()
    }

    fn states(&self) -> Vec<Value> {
        sequence::states(self.capacity.min(3))
    }

    fn arguments(&self, method: &str) -> Vec<Vec<Value>> {
        match method {
            "force_push" => sequence::arguments("push"),
            _ => sequence::arguments(method),
        }
    }

    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        let Some(items) = elements(state) else {
            return vec![];
        };
        let full = items.len() >= self.capacity;
        match (method, args, items) {
            ("push", [_], _) if full => only(state.clone(), [false.into()]),
            ("push", [v], _) => only(appended(items, v), [true.into()]),
            // A queue of capacity 0 takes nothing: the element itself is dropped.
            ("force_push", [v], []) if full => only(state.clone(), [v.clone()]),
            ("force_push", [v], [first, rest @ ..]) if full => {
                only(appended(rest, v), [first.clone()])
            }
            ("force_push", [v], _) => only(appended(items, v), [Value::Nil]),
            ("push", ..) => vec![],
            _ => sequence::step(End::Oldest, state, method, args),
        }
    }
}

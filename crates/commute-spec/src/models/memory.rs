//! Memory with addresses that are allocated and freed. State: the allocated
//! cells as (address, value), by address; a new cell holds `nil`.
//!
//! Reading, writing or freeing what is not allocated is not enabled, and
//! neither is allocating what is: such a use is exactly what an order
//! violation looks like.

use commute_model::Value;

use super::domain::{elements, integers, letters, only, or_nil, pair, product};
use super::{Model, Outcome, Signature};

/// The model `memory`.
#[derive(Clone, Copy, Debug)]
pub struct Memory;

impl Model for Memory {
    fn name(&self) -> &str {
        "memory"
    }

    fn methods(&self) -> &[Signature] {
        const METHODS: &[Signature] = &[
            Signature::new("alloc", 1, 0),
            Signature::new("read", 1, 1),
            Signature::new("write", 2, 0),
            Signature::new("free", 1, 0),
        ];
        METHODS
    }

    fn initial(&self) -> Value {
        Value::unit()
    }

    fn states(&self) -> Vec<Value> {
        let contents = or_nil(letters());
        let cells = |address: i128| {
            contents
                .iter()
                .map(move |value| Value::tuple([Value::Int(address), value.clone()]))
        };
        let mut states = vec![Value::unit()];
        states.extend(cells(0).chain(cells(1)).map(|cell| Value::tuple([cell])));
        for first in cells(0) {
            states.extend(cells(1).map(|second| Value::tuple([first.clone(), second])));
        }
        states
    }

    fn arguments(&self, method: &str) -> Vec<Vec<Value>> {
        let addresses = integers(0..=1);
        match method {
            "alloc" | "read" | "free" => product(&[&addresses]),
            "write" => product(&[&addresses, &letters()]),
            _ => vec![],
        }
    }

    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        let (Some(cells), [address, rest @ ..]) = (elements(state), args) else {
            return vec![];
        };
        let of = |cell: &Value| pair(cell).is_some_and(|(a, _)| a == address);
        let found = cells.iter().position(of);
        let holding = |value: &Value| Value::tuple([address.clone(), value.clone()]);
        let mut after = cells.to_vec();
        match (method, rest, found) {
            ("alloc", [], None) => {
                after.push(holding(&Value::Nil));
                after.sort();
                only(Value::tuple(after), [])
            }
            ("read", [], Some(at)) => {
                let value = pair(&cells[at]).map_or(Value::Nil, |(_, value)| value.clone());
                only(state.clone(), [value])
            }
            ("write", [value], Some(at)) => {
                after[at] = holding(value);
                only(Value::tuple(after), [])
            }
            ("free", [], Some(at)) => {
                after.remove(at);
                only(Value::tuple(after), [])
            }
            _ => vec![],
        }
    }
}

//! An unbounded channel. State: the messages, oldest first, and whether the
//! channel is closed.
//!
//! `recv` waits while the channel is empty and open, and returns `nil` when it
//! is empty and closed; `try_recv` returns `'empty'` or `'closed'` instead.
//! `close` returns whether this call closed the channel. What was sent before
//! the close can still be received.

use commute_model::Value;

use super::domain::{appended, elements, letters, only, pair, product, sequences, tuple_of};
use super::{Model, Outcome, Signature};

/// The model `channel`.
#[derive(Clone, Copy, Debug)]
pub struct Channel;

impl Model for Channel {
    fn name(&self) -> &str {
        "channel"
    }

    fn methods(&self) -> &[Signature] {
        const METHODS: &[Signature] = &[
            Signature::new("send", 1, 1),
            Signature::new("recv", 0, 1),
            Signature::new("try_recv", 0, 1),
            Signature::new("close", 0, 1),
            Signature::new("is_closed", 0, 1),
            Signature::new("len", 0, 1),
        ];
        METHODS
    }

    fn initial(&self) -> Value {
        holding(Value::unit(), false)
    }

    fn states(&self) -> Vec<Value> {
        sequences(&letters(), 2)
            .into_iter()
            .flat_map(|items| {
                let items = Value::tuple(items);
                [holding(items.clone(), false), holding(items, true)]
            })
            .collect()
    }

    fn arguments(&self, method: &str) -> Vec<Vec<Value>> {
        match method {
            "send" => product(&[&letters()]),
            "recv" | "try_recv" | "close" | "is_closed" | "len" => product(&[]),
            _ => vec![],
        }
    }

    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        let Some((messages, Value::Bool(closed))) = pair(state) else {
            return vec![];
        };
        let (Some(items), closed) = (elements(messages), *closed) else {
            return vec![];
        };
        match (method, args, items) {
            ("send", [_], _) if closed => only(state.clone(), [false.into()]),
            ("send", [v], _) => only(holding(appended(items, v), false), [true.into()]),
            ("recv" | "try_recv", [], [first, rest @ ..]) => {
                only(holding(tuple_of(rest), closed), [first.clone()])
            }
            ("recv", [], []) if closed => only(state.clone(), [Value::Nil]),
            ("try_recv", [], []) => {
                let why = if closed { "closed" } else { "empty" };
                only(state.clone(), [why.into()])
            }
            ("close", [], _) => only(holding(messages.clone(), true), [(!closed).into()]),
            ("is_closed", [], _) => only(state.clone(), [closed.into()]),
            ("len", [], _) => only(state.clone(), [items.len().into()]),
            _ => vec![],
        }
    }
}

fn holding(messages: Value, closed: bool) -> Value {
    Value::tuple([messages, Value::Bool(closed)])
}

//! Rust's `mpsc`: many senders, one receiver. State: the messages, sorted, whether the
//! receiver is gone, and whether the senders are.
//!
//! Messages are a bag: a receive takes any of them. `recv` waits while there is none and
//! somebody could send, and returns `nil` when nobody can; `try_recv` returns `'empty'`
//! or `'closed'` instead. `close` is the end of the receiver, after which nothing is
//! received; `disconnect` is the end of the last sender, after which nothing is sent.

use commute_model::Value;

use super::domain::{elements, letters, only, product, sequences, sorted_with};
use super::{Model, Outcome, Signature};

/// The model `mpsc`.
#[derive(Clone, Copy, Debug)]
pub struct Mpsc;

impl Model for Mpsc {
    fn name(&self) -> &str {
        "mpsc"
    }

    fn methods(&self) -> &[Signature] {
        const METHODS: &[Signature] = &[
            Signature::new("send", 1, 1),
            Signature::new("recv", 0, 1),
            Signature::new("try_recv", 0, 1),
            Signature::new("close", 0, 1),
            Signature::new("disconnect", 0, 0),
        ];
        METHODS
    }

    fn initial(&self) -> Value {
        channel(Value::unit(), false, false)
    }

    fn states(&self) -> Vec<Value> {
        let mut bags = sequences(&letters(), 2);
        bags.retain(|messages| messages.is_sorted());
        let flags = [(false, false), (false, true), (true, false), (true, true)];
        let with = |messages: Vec<Value>| {
            let messages = Value::tuple(messages);
            flags.map(|(closed, disconnected)| channel(messages.clone(), closed, disconnected))
        };
        bags.into_iter().flat_map(with).collect()
    }

    fn arguments(&self, method: &str) -> Vec<Vec<Value>> {
        match method {
            "send" => product(&[&letters()]),
            "recv" | "try_recv" | "close" | "disconnect" => product(&[]),
            _ => vec![],
        }
    }

    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        let Some([messages, Value::Bool(closed), Value::Bool(disconnected)]) = elements(state)
        else {
            return vec![];
        };
        let Some(items) = elements(messages) else {
            return vec![];
        };
        let (closed, disconnected) = (*closed, *disconnected);
        let same = || state.clone();
        let holding = |messages: Value| channel(messages, closed, disconnected);
        match (method, args) {
            ("send", [_]) if closed && !disconnected => only(same(), [false.into()]),
            ("send", [v]) if !disconnected => only(holding(sorted_with(items, v)), [true.into()]),
            ("recv" | "try_recv", []) if closed => vec![],
            ("recv" | "try_recv", []) if !items.is_empty() => {
                let is_new = |&i: &usize| i == 0 || items[i] != items[i - 1];
                let take = |i: usize| {
                    let rest = [&items[..i], &items[i + 1..]].concat();
                    Outcome::new(holding(Value::tuple(rest)), [items[i].clone()])
                };
                (0..items.len()).filter(is_new).map(take).collect()
            }
            ("recv", []) if disconnected => only(same(), [Value::Nil]),
            ("try_recv", []) if disconnected => only(same(), ["closed".into()]),
            ("try_recv", []) => only(same(), ["empty".into()]),
            ("close", []) if closed => only(same(), [false.into()]),
            ("close", []) => only(channel(messages.clone(), true, disconnected), [true.into()]),
            ("disconnect", []) if !disconnected => {
                only(channel(messages.clone(), closed, true), [])
            }
            _ => vec![],
        }
    }
}

fn channel(messages: Value, closed: bool, disconnected: bool) -> Value {
    Value::tuple([messages, closed.into(), disconnected.into()])
}

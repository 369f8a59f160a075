//! A channel with one receiver. State: `(messages, senders, receiver)`, where a message
//! is `(v)` or, of a sender that waits until it is taken, `(v, t)`; the receiver is
//! `nil` if it is gone, and else whether it waits for a message.

pub(super) mod act;

use commute_model::Value;

use super::parts;
use crate::act::Act;
use crate::model::{Called, Model, Shown, Stepped};

/// The model of channels.
///
/// - `send(v)` waits for room; whether there is a receiver. `try_send(v)` does not wait,
///   and returns `nil` if there is no room;
/// - without room (`bound` is 0) a message is handed over: `offer(v, t)`, then
///   `taken(t)` waits until it is; whether it was, or the receiver is gone.
///   `await()` comes before a receive that waits: only then `try_send` finds room;
/// - `recv()` waits, and returns `(v)`, or `nil` if there are no senders; `try_recv()`
///   and `recv_or_not()` return `false` rather than wait;
/// - `clone_sender()`, `drop_sender()`, `drop_receiver()`.
#[derive(Clone, Copy, Debug)]
pub struct Channel {
    /// How many messages there is room for.
    pub bound: Option<usize>,
}

impl Channel {
    /// A channel with a sender and a receiver, and nothing in it.
    pub fn initial() -> Value {
        Channel::with([], 1, false.into())
    }

    fn with(messages: impl IntoIterator<Item = Value>, senders: i128, receiver: Value) -> Value {
        Value::tuple([Value::tuple(messages), Value::Int(senders), receiver])
    }
}

impl Model for Channel {
    fn name(&self) -> &str {
        "channel"
    }

    fn step(&self, states: &[&Value], method: &str, args: &[Value]) -> Option<Stepped> {
        let [messages, senders, receiver] = parts(states[0]) else {
            return None;
        };
        let (messages, senders) = (parts(messages), senders.as_int()?);
        let stays = |result: Value| Some(Stepped::to(states[0].clone(), result));
        let to = |messages: &[Value], senders: i128, receiver: Value, result: Value| {
            let state = Channel::with(messages.iter().cloned(), senders, receiver);
            Some(Stepped::to(state, result))
        };
        let with = |message: Value| [messages, &[message]].concat();
        let is_gone = *receiver == Value::Nil;
        match (method, args) {
            ("send" | "try_send" | "offer", _) if is_gone => stays(false.into()),
            ("send" | "try_send", [v]) => {
                let has_room = match self.bound {
                    None => true,
                    Some(0) => *receiver == Value::Bool(true) && messages.is_empty(),
                    Some(bound) => messages.len() < bound,
                };
                match (has_room, method) {
                    (true, _) => {
                        let messages = with(Value::tuple([v.clone()]));
                        to(&messages, senders, receiver.clone(), true.into())
                    }
                    (false, "send") => None,
                    (false, _) => stays(Value::Nil),
                }
            }
            ("offer", [v, t]) => {
                let messages = with(Value::tuple([v.clone(), t.clone()]));
                to(&messages, senders, receiver.clone(), true.into())
            }
            ("taken", [t]) => {
                let is_there = messages.iter().any(|m| parts(m).get(1) == Some(t));
                match (is_there, is_gone) {
                    (false, _) => stays(true.into()),
                    (true, true) => {
                        let left = messages.iter().filter(|m| parts(m).get(1) != Some(t));
                        let left: Vec<Value> = left.cloned().collect();
                        to(&left, senders, Value::Nil, false.into())
                    }
                    (true, false) => None,
                }
            }
            ("await", []) if !is_gone => to(messages, senders, true.into(), Value::unit()),
            ("recv" | "try_recv" | "recv_or_not", []) if !is_gone => match messages {
                [first, rest @ ..] => {
                    let v = parts(first).first()?.clone();
                    to(rest, senders, false.into(), Value::tuple([v]))
                }
                [] if senders == 0 => to(&[], 0, false.into(), Value::Nil),
                [] if method == "recv" => None,
                [] => to(&[], senders, false.into(), false.into()),
            },
            ("clone_sender", []) => to(messages, senders + 1, receiver.clone(), Value::unit()),
            ("drop_sender", []) => to(messages, senders - 1, receiver.clone(), Value::unit()),
            ("drop_receiver", []) => {
                let waiting = messages.iter().filter(|m| parts(m).len() == 2);
                let waiting: Vec<Value> = waiting.cloned().collect();
                to(&waiting, senders, Value::Nil, Value::unit())
            }
            _ => None,
        }
    }

    fn only_reads(&self, method: &str, _args: &[Value], result: &Value) -> bool {
        match method {
            "send" | "offer" => *result == Value::Bool(false),
            "try_send" => *result != Value::Bool(true),
            "taken" => *result == Value::Bool(true),
            // Whoever waited waits no longer.
            "recv" | "try_recv" | "recv_or_not" => {
                parts(result).is_empty() && self.bound != Some(0)
            }
            _ => false,
        }
    }

    fn act(&self, _state: &Value, call: Called<'_>) -> Act {
        act::act(self.bound, call)
    }

    fn renamed(&self, state: &Value, to: &dyn Fn(&Value) -> Value) -> Option<Value> {
        let [messages, senders, receiver] = parts(state) else {
            return None;
        };
        let messages = parts(messages).iter().map(|message| match parts(message) {
            [v, t] => Value::tuple([v.clone(), to(t)]),
            _ => message.clone(),
        });
        let messages = Value::tuple(messages);
        Some(Value::tuple([messages, senders.clone(), receiver.clone()]))
    }

    fn shown(&self, method: &str, args: &[Value], result: &Value) -> Shown {
        let result = match (method, result) {
            ("taken", Value::Bool(true)) => None,
            ("recv" | "try_recv" | "recv_or_not", Value::Tuple(v)) => {
                v.first().map(|v| format!("Ok({v})"))
            }
            (_, Value::Bool(true)) => Some("Ok(())".to_owned()),
            ("try_send", Value::Nil) => Some("Err(Full)".to_owned()),
            ("recv_or_not", Value::Bool(false)) => Some("Err(Timeout)".to_owned()),
            ("try_recv", Value::Bool(false)) => Some("Err(Empty)".to_owned()),
            (_, Value::Bool(false) | Value::Nil) => Some("Err(Disconnected)".to_owned()),
            _ => None,
        };
        Shown {
            args: args.first().map(ToString::to_string).into_iter().collect(),
            result,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{RecvTimeoutError, TryRecvError, TrySendError, sync_channel};
    use std::time::Duration;

    use super::*;

    /// What one thread can do to a channel without waiting, against std's.
    #[test]
    fn does_what_std_does() {
        let mut state = 1_u64;
        let mut next = |n: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % n
        };
        for round in 0..2_000 {
            let bound = 1 + round % 3;
            let model = Channel { bound: Some(bound) };
            let (sender, receiver) = sync_channel(bound);
            let (mut senders, mut receiver) = (vec![sender], Some(receiver));
            let mut world = Channel::initial();
            for _ in 0..12 {
                let v = next(5) as i128;
                let (method, args, result) = match (next(8), senders.last(), &receiver) {
                    (0..3, Some(sender), _) => {
                        let result = match sender.try_send(v) {
                            Ok(()) => true.into(),
                            Err(TrySendError::Full(_)) => Value::Nil,
                            Err(TrySendError::Disconnected(_)) => false.into(),
                        };
                        ("try_send", vec![Value::Int(v)], result)
                    }
                    (3, _, Some(receiver)) => {
                        let result = match receiver.try_recv() {
                            Ok(v) => Value::tuple([Value::Int(v)]),
                            Err(TryRecvError::Empty) => false.into(),
                            Err(TryRecvError::Disconnected) => Value::Nil,
                        };
                        ("try_recv", vec![], result)
                    }
                    (4, _, Some(receiver)) => {
                        let result = match receiver.recv_timeout(Duration::ZERO) {
                            Ok(v) => Value::tuple([Value::Int(v)]),
                            Err(RecvTimeoutError::Timeout) => false.into(),
                            Err(RecvTimeoutError::Disconnected) => Value::Nil,
                        };
                        ("recv_or_not", vec![], result)
                    }
                    (5, Some(sender), _) => {
                        let another = sender.clone();
                        senders.push(another);
                        ("clone_sender", vec![], Value::unit())
                    }
                    (6, Some(_), _) => {
                        senders.pop();
                        ("drop_sender", vec![], Value::unit())
                    }
                    (7, _, Some(_)) if next(3) == 0 => {
                        receiver = None;
                        ("drop_receiver", vec![], Value::unit())
                    }
                    _ => continue,
                };
                let stepped = model.step(&[&world], method, &args).unwrap();
                assert_eq!(stepped.result, result, "{method} in {world}");
                if model.only_reads(method, &args, &result) {
                    assert_eq!(stepped.states[0], world);
                }
                world = stepped.states[0].clone();
            }
        }
    }

    #[test]
    fn without_room_a_message_is_handed_over() {
        let model = Channel { bound: Some(0) };
        let mut world = Channel::initial();
        let mut step = |method: &str, args: &[Value]| {
            let stepped = model.step(&[&world], method, args)?;
            world = stepped.states[0].clone();
            Some(stepped.result)
        };
        let me = Value::Int(1);
        assert_eq!(step("try_send", &[7.into()]), Some(Value::Nil));
        assert_eq!(step("offer", &[7.into(), me.clone()]), Some(true.into()));
        assert_eq!(step("taken", std::slice::from_ref(&me)), None);
        assert_eq!(step("try_recv", &[]), Some(Value::tuple([7.into()])));
        assert_eq!(step("taken", std::slice::from_ref(&me)), Some(true.into()));
        assert_eq!(step("await", &[]), Some(Value::unit()));
        assert_eq!(step("try_send", &[8.into()]), Some(true.into()));
        assert_eq!(step("recv", &[]), Some(Value::tuple([8.into()])));
        assert_eq!(step("offer", &[9.into(), me.clone()]), Some(true.into()));
        assert_eq!(step("drop_receiver", &[]), Some(Value::unit()));
        assert_eq!(step("taken", &[me]), Some(false.into()));
    }
}

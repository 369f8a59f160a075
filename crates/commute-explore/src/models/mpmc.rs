//! A channel with any number of receivers, and room for messages. State: `(messages,
//! senders, receivers)`, where a message is `(v)`, or the name of a place that somebody
//! has been promised and has not filled yet.

use commute_model::Value;

use super::channel::act::act;
use super::parts;
use super::selection::{Tried, is_raced, raced, raced_in_vain};
use crate::act::Act;
use crate::model::{Called, Label, Model, Shown, Stepped};

/// The model of channels with several receivers.
///
/// - `send(v)` waits for room; whether there is a receiver. `try_send(v)` and
///   `send_or_not(v)` do not wait, and return `nil` if there is no room;
/// - `recv()` waits, and returns `(v)`, or `nil` if there are no senders; `try_recv()`
///   and `recv_or_not()` return `false` rather than wait. All of them wait for a place
///   that is promised;
/// - `len()`, `is_empty()`, `is_full()`;
/// - `ring(v)` is a message of nobody, if there is room;
/// - `clone_sender()`, `drop_sender()`, `clone_receiver()`, `drop_receiver()`. Messages go
///   with the last receiver; `leave()` is the same for one who learns which: what they
///   do when they are dropped can be noticed;
/// - for a [selection](super::Selection), `select_recv(i)` and `select_send(i, place)`,
///   after which `fill(place, v)` has to come, or `put(place, v)`, which tells whether
///   there is anybody left to receive it; `ready_recv(i)` and `ready_send(i)` do
///   nothing. All of them wait unless they begin with `try_`. If `i` is `nil`, there is
///   no selection.
#[derive(Clone, Copy, Debug)]
pub struct Mpmc {
    /// How many messages there is room for; at least one.
    pub bound: Option<usize>,
}

impl Mpmc {
    /// A channel with a sender and a receiver, and nothing in it.
    pub fn initial() -> Value {
        State {
            messages: Vec::new(),
            senders: 1,
            receivers: 1,
        }
        .value()
    }

    fn has_room(self, messages: &[Value]) -> bool {
        self.bound.is_none_or(|bound| messages.len() < bound)
    }

    fn tried(self, mut state: State, method: &str, args: &[Value]) -> Tried {
        let done = |state: State, result: Value| Tried::Done(state.value(), result);
        match (method.trim_start_matches("try_"), args) {
            ("select_recv", [_]) => match state.messages.first().map(parts) {
                Some([v]) => {
                    let v = v.clone();
                    state.messages.remove(0);
                    done(state, Value::tuple([v]))
                }
                Some(_) => Tried::Unclear,
                None if state.senders == 0 => done(state, Value::Nil),
                None => Tried::NotReady,
            },
            ("ready_recv", [_]) if !state.messages.is_empty() || state.senders == 0 => {
                done(state, Value::unit())
            }
            ("select_send" | "ready_send", _) if state.receivers == 0 => done(state, Value::Nil),
            ("select_send", [_, place]) if self.has_room(&state.messages) => {
                state.messages.push(place.clone());
                done(state, place.clone())
            }
            ("ready_send", [_]) if self.has_room(&state.messages) => done(state, Value::Nil),
            _ => Tried::NotReady,
        }
    }
}

#[derive(Clone)]
struct State {
    messages: Vec<Value>,
    senders: i128,
    receivers: i128,
}

impl State {
    fn of(state: &Value) -> Option<State> {
        let [messages, senders, receivers] = parts(state) else {
            return None;
        };
        Some(State {
            messages: parts(messages).to_vec(),
            senders: senders.as_int()?,
            receivers: receivers.as_int()?,
        })
    }

    fn value(self) -> Value {
        Value::tuple([
            Value::tuple(self.messages),
            Value::Int(self.senders),
            Value::Int(self.receivers),
        ])
    }
}

fn sends(method: &str) -> bool {
    matches!(method, "send" | "try_send" | "send_or_not")
}

fn receives(method: &str) -> bool {
    matches!(method, "recv" | "try_recv" | "recv_or_not")
}

fn looks(method: &str) -> bool {
    matches!(method, "len" | "is_empty" | "is_full")
}

/// Whether of a method nothing is claimed but what it reads.
fn is_special(method: &str) -> bool {
    matches!(method, "leave" | "put") || is_raced(method).is_some()
}

/// The message that a receive got.
fn got<'a>(label: Label<'a>) -> Option<&'a Value> {
    parts(label.result?).first()
}

fn is(label: Label<'_>, result: bool) -> bool {
    label.result == Some(&Value::Bool(result))
}

impl Model for Mpmc {
    fn name(&self) -> &str {
        "mpmc"
    }

    fn step(&self, states: &[&Value], method: &str, args: &[Value]) -> Option<Stepped> {
        let mut state = State::of(states[0])?;
        if let Some(waits) = is_raced(method) {
            return raced(states, waits, args.first()?, || {
                self.tried(state, method, args)
            });
        }
        let has_room = self.has_room(&state.messages);
        let result = match (method, args) {
            (_, [_]) if sends(method) && state.receivers == 0 => false.into(),
            (_, [v]) if sends(method) && has_room => {
                state.messages.push(Value::tuple([v.clone()]));
                true.into()
            }
            ("try_send" | "send_or_not", [_]) => Value::Nil,
            (_, []) if receives(method) => match state.messages.first().map(parts) {
                Some([v]) => {
                    let v = v.clone();
                    state.messages.remove(0);
                    Value::tuple([v])
                }
                Some(_) => return None,
                None if state.senders == 0 => Value::Nil,
                None if method == "recv" => return None,
                None => false.into(),
            },
            ("len", []) => Value::Int(state.messages.len() as i128),
            ("is_empty", []) => state.messages.is_empty().into(),
            ("is_full", []) => (!has_room).into(),
            ("ring", [v]) => {
                if has_room && state.receivers > 0 {
                    state.messages.push(Value::tuple([v.clone()]));
                }
                Value::unit()
            }
            ("fill" | "put", [place, v]) => {
                let promised = state.messages.iter_mut().find(|m| *m == place);
                let is_there = promised.is_some();
                if let Some(promised) = promised {
                    *promised = Value::tuple([v.clone()]);
                }
                match method {
                    "put" => is_there.into(),
                    _ => Value::unit(),
                }
            }
            ("clone_sender", []) => {
                state.senders += 1;
                Value::unit()
            }
            ("drop_sender", []) => {
                state.senders = (state.senders - 1).max(0);
                Value::unit()
            }
            ("clone_receiver", []) => {
                state.receivers += 1;
                Value::unit()
            }
            ("drop_receiver" | "leave", []) => {
                state.receivers = (state.receivers - 1).max(0);
                let left = match state.receivers {
                    0 => std::mem::take(&mut state.messages),
                    _ => Vec::new(),
                };
                match method {
                    "leave" => Value::tuple(left),
                    _ => Value::unit(),
                }
            }
            _ => return None,
        };
        Some(Stepped::to(state.value(), result))
    }

    fn only_reads(&self, method: &str, args: &[Value], result: &Value) -> bool {
        match method {
            _ if looks(method) => true,
            _ if sends(method) => *result != Value::Bool(true),
            _ if receives(method) => parts(result).is_empty(),
            _ => raced_in_vain(method, args, result),
        }
    }

    fn returns(&self, method: &str) -> bool {
        sends(method) || receives(method) || looks(method) || is_special(method)
    }

    fn waits(&self, method: &str) -> bool {
        method == "send" || receives(method) || is_raced(method).is_some()
    }

    fn moves(&self, first: Label<'_>, second: Label<'_>) -> bool {
        let reads = |label: Label<'_>| {
            { label.result }.is_some_and(|r| self.only_reads(label.method, label.args, r))
        };
        let (a, b) = (first.method, second.method);
        match (a, b) {
            _ if reads(first) && reads(second) => true,
            _ if is_special(a) || is_special(b) => false,
            ("clone_sender", "drop_sender") | ("drop_sender", "clone_sender") => false,
            ("clone_receiver", "drop_receiver") | ("drop_receiver", "clone_receiver") => false,
            // Only who finds nothing can tell how many senders there are.
            ("clone_sender" | "drop_sender", _) => !receives(b) || got(second).is_some(),
            (_, "clone_sender" | "drop_sender") => !receives(a) || got(first).is_some(),
            // And only who is refused, how many receivers.
            ("clone_receiver", "ring") | ("ring", "clone_receiver") => false,
            ("clone_receiver", _) => !sends(b),
            (_, "clone_receiver") => !sends(a) || is(first, true),
            ("fill", _) if receives(b) => match (first.args, got(second)) {
                ([_, v], Some(got)) => v != got,
                _ => false,
            },
            ("fill", "fill") => first.args.first() != second.args.first(),
            ("fill", _) | (_, "fill") => true,
            ("drop_receiver", "drop_receiver") => true,
            ("drop_receiver", _) => is(second, true) && sends(b) || got(second).is_some(),
            _ if sends(a) && is(first, true) && receives(b) => {
                { got(second) }.is_some_and(|got| Some(got) != first.args.first())
            }
            _ if sends(b) && is(second, true) && got(first).is_some() => self.bound.is_none(),
            _ if is(first, true) && is(second, true) && sends(a) && sends(b) => {
                first.args == second.args
            }
            _ => receives(a) && receives(b) && got(first).is_some() && got(first) == got(second),
        }
    }

    fn disturbs(&self, first: Label<'_>, other: Label<'_>) -> bool {
        let reads = { first.result }.is_some_and(|r| self.only_reads(first.method, first.args, r));
        let a = first.method;
        if reads || !self.returns(other.method) || a == "fill" && other.method != "leave" {
            return false;
        }
        if is_special(a) || is_special(other.method) || other.result.is_none() {
            return true;
        }
        let adds = sends(a) || a == "ring";
        match other.method {
            b if receives(b) => match (got(other), is(other, false)) {
                (Some(_), _) => receives(a) || a == "drop_receiver",
                (None, true) => adds || a == "drop_sender",
                (None, false) => adds || a == "clone_sender",
            },
            b if sends(b) => match other.result {
                Some(Value::Bool(true)) => adds && self.bound.is_some() || a == "drop_receiver",
                Some(Value::Bool(false)) => a == "clone_receiver",
                _ => receives(a) || a == "drop_receiver",
            },
            _ => adds || receives(a) || a == "drop_receiver",
        }
    }

    fn is_free_unless(&self, method: &str) -> Option<&'static [&'static str]> {
        match method {
            "fill" => Some(&["leave"]),
            "drop_sender" => Some(&[
                "clone_sender",
                "try_recv",
                "recv_or_not",
                "try_select_recv",
                "try_ready_recv",
            ]),
            _ => None,
        }
    }

    fn act(&self, _state: &Value, call: Called<'_>) -> Act {
        act(self.bound, call)
    }

    fn shown(&self, method: &str, args: &[Value], result: &Value) -> Shown {
        shown(method, args, result)
    }
}

/// A call of a channel, for people.
pub(super) fn shown(method: &str, args: &[Value], result: &Value) -> Shown {
    let text = match (method, result) {
        ("len" | "is_empty" | "is_full", result) => result.to_string(),
        ("leave" | "put", _) => String::new(),
        (_, Value::Bool(true) | Value::Tuple(_)) if is_raced(method).is_some() => {
            "chosen".to_owned()
        }
        (_, Value::Bool(false)) if is_raced(method).is_some() => "not chosen".to_owned(),
        ("taken", Value::Bool(true)) => String::new(),
        ("taken_or_not" | "send_or_not", Value::Nil) => "Err(Timeout)".to_owned(),
        ("try_send", Value::Nil) => "Err(Full)".to_owned(),
        ("try_recv", Value::Bool(false)) => "Err(Empty)".to_owned(),
        ("recv_or_not" | "got_or_not", Value::Bool(false)) => "Err(Timeout)".to_owned(),
        (_, Value::Bool(true)) => "Ok(())".to_owned(),
        (_, Value::Tuple(v)) => v.first().map_or(String::new(), |v| format!("Ok({v})")),
        _ => "Err(Disconnected)".to_owned(),
    };
    let args = match (method, args) {
        ("send" | "try_send" | "send_or_not" | "offer", [v, ..]) => vec![v.to_string()],
        ("fill" | "put", [_, v]) => vec![v.to_string()],
        _ => Vec::new(),
    };
    let result = (!text.is_empty()).then_some(text);
    Shown { args, result }
}

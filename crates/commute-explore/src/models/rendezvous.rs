//! A channel without room, and with any number of receivers: messages are handed over.
//! State: `(offers, waiting, handed, senders, receivers)`, where an offer is `(v, t)` of
//! a sender that waits, `waiting` are receivers that do, and `handed` are `(t, (v))` for
//! a receiver that was given a message, or `(t, place)` if it was promised one.
//!
//! Whoever comes first waits longest: senders and receivers meet in the order in which
//! they came, as those of `crossbeam-channel` do.

use commute_model::Value;

use super::mpmc::shown;
use super::parts;
use super::selection::{Tried, is_raced, raced, raced_in_vain};
use crate::model::{Model, Shown, Stepped};

/// The model of channels without room.
///
/// - `offer(v, t)` and then `taken(t)`, which waits until the message is taken; whether
///   it was, or there are no receivers. `taken_or_not(t)` does not wait, takes the
///   message back, and returns `nil`;
/// - `await(t)` and then `got(t)`, which waits for a message, and returns `(v)`, or `nil`
///   if there are no senders. `got_or_not(t)` returns `false` rather than wait, unless
///   there is a message to come;
/// - `try_send(v)` and `try_recv()` meet only those who wait;
/// - `clone_sender()`, `drop_sender()`, `clone_receiver()`, `drop_receiver()`;
/// - for a [selection](super::Selection) as [`Mpmc`](super::Mpmc). It meets only those
///   who wait, of which it is none itself.
#[derive(Clone, Copy, Debug)]
pub struct Rendezvous;

impl Rendezvous {
    /// A channel with a sender and a receiver.
    pub fn initial() -> Value {
        State {
            senders: 1,
            receivers: 1,
            ..State::default()
        }
        .value()
    }
}

#[derive(Clone, Default)]
struct State {
    offers: Vec<Value>,
    waiting: Vec<Value>,
    handed: Vec<Value>,
    senders: i128,
    receivers: i128,
}

impl State {
    fn of(state: &Value) -> Option<State> {
        let [offers, waiting, handed, senders, receivers] = parts(state) else {
            return None;
        };
        Some(State {
            offers: parts(offers).to_vec(),
            waiting: parts(waiting).to_vec(),
            handed: parts(handed).to_vec(),
            senders: senders.as_int()?,
            receivers: receivers.as_int()?,
        })
    }

    fn value(self) -> Value {
        Value::tuple([
            Value::tuple(self.offers),
            Value::tuple(self.waiting),
            Value::tuple(self.handed),
            Value::Int(self.senders),
            Value::Int(self.receivers),
        ])
    }

    /// Gives something to the receiver that waits longest; whether there is one.
    fn hand(&mut self, what: Value) -> bool {
        if self.waiting.is_empty() {
            return false;
        }
        let to = self.waiting.remove(0);
        self.handed.push(Value::tuple([to, what]));
        true
    }

    /// Takes the message of the sender that waits longest: `(v)`.
    fn take(&mut self) -> Option<Value> {
        let v = parts(self.offers.first()?).first()?.clone();
        self.offers.remove(0);
        Some(Value::tuple([v]))
    }

    fn offer_of(&self, t: &Value) -> Option<usize> {
        { self.offers.iter() }.position(|offer| parts(offer).get(1) == Some(t))
    }

    fn tried(mut self, method: &str, args: &[Value]) -> Tried {
        let done = |state: State, result: Value| Tried::Done(state.value(), result);
        match (method.trim_start_matches("try_"), args) {
            ("select_recv", [_]) => match self.take() {
                Some(message) => done(self, message),
                None if self.senders == 0 => done(self, Value::Nil),
                None => Tried::NotReady,
            },
            ("ready_recv", [_]) if !self.offers.is_empty() || self.senders == 0 => {
                done(self, Value::unit())
            }
            ("select_send" | "ready_send", _) if self.receivers == 0 => done(self, Value::Nil),
            ("select_send", [_, place]) => match self.hand(place.clone()) {
                true => done(self, place.clone()),
                false => Tried::NotReady,
            },
            ("ready_send", [_]) if !self.waiting.is_empty() => done(self, Value::Nil),
            _ => Tried::NotReady,
        }
    }
}

impl Model for Rendezvous {
    fn name(&self) -> &str {
        "rendezvous"
    }

    fn step(&self, states: &[&Value], method: &str, args: &[Value]) -> Option<Stepped> {
        let mut state = State::of(states[0])?;
        if let Some(waits) = is_raced(method) {
            return raced(states, waits, args.first()?, || state.tried(method, args));
        }
        let result = match (method, args) {
            ("offer", [..]) | ("try_send", [_]) if state.receivers == 0 => false.into(),
            ("offer", [v, t]) => {
                if !state.hand(Value::tuple([v.clone()])) {
                    state.offers.push(Value::tuple([v.clone(), t.clone()]));
                }
                true.into()
            }
            ("try_send", [v]) => match state.hand(Value::tuple([v.clone()])) {
                true => true.into(),
                false => Value::Nil,
            },
            ("taken" | "taken_or_not", [t]) => match state.offer_of(t) {
                None => true.into(),
                Some(_) if method == "taken" && state.receivers > 0 => return None,
                Some(offer) => {
                    state.offers.remove(offer);
                    match state.receivers {
                        0 => false.into(),
                        _ => Value::Nil,
                    }
                }
            },
            ("await", [t]) => {
                match state.take() {
                    Some(message) => state.handed.push(Value::tuple([t.clone(), message])),
                    None => state.waiting.push(t.clone()),
                }
                Value::unit()
            }
            ("got" | "got_or_not", [t]) => {
                let mut handed = state.handed.iter();
                match handed.position(|handed| parts(handed).first() == Some(t)) {
                    Some(place) => match parts(&state.handed.remove(place)) {
                        [_, message @ Value::Tuple(_)] => message.clone(),
                        // It is promised, and will come.
                        _ => return None,
                    },
                    None if state.senders > 0 && method == "got" => return None,
                    None => {
                        state.waiting.retain(|waits| waits != t);
                        match state.senders {
                            0 => Value::Nil,
                            _ => false.into(),
                        }
                    }
                }
            }
            ("try_recv", []) => match state.take() {
                Some(message) => message,
                None if state.senders == 0 => Value::Nil,
                None => false.into(),
            },
            ("fill", [place, v]) => {
                for handed in &mut state.handed {
                    if let [t, promised] = parts(handed)
                        && promised == place
                    {
                        *handed = Value::tuple([t.clone(), Value::tuple([v.clone()])]);
                    }
                }
                Value::unit()
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
            ("drop_receiver", []) => {
                state.receivers = (state.receivers - 1).max(0);
                Value::unit()
            }
            _ => return None,
        };
        Some(Stepped::to(state.value(), result))
    }

    fn only_reads(&self, method: &str, args: &[Value], result: &Value) -> bool {
        match method {
            "offer" => *result == Value::Bool(false),
            "try_send" => *result != Value::Bool(true),
            "taken" | "taken_or_not" => *result == Value::Bool(true),
            "try_recv" => parts(result).is_empty(),
            _ => raced_in_vain(method, args, result),
        }
    }

    fn returns(&self, method: &str) -> bool {
        !matches!(
            method,
            "await" | "fill" | "clone_sender" | "drop_sender" | "clone_receiver" | "drop_receiver"
        )
    }

    fn waits(&self, method: &str) -> bool {
        // Promises are kept, but that may take a while.
        matches!(method, "taken" | "got" | "got_or_not") || is_raced(method).is_some()
    }

    fn is_free_unless(&self, method: &str) -> Option<&'static [&'static str]> {
        (method == "fill").then_some(&[])
    }

    fn renamed(&self, state: &Value, to: &dyn Fn(&Value) -> Value) -> Option<Value> {
        let State {
            offers,
            waiting,
            handed,
            senders,
            receivers,
        } = State::of(state)?;
        let offer = |offer: &Value| match parts(offer) {
            [v, t] => Value::tuple([v.clone(), to(t)]),
            _ => offer.clone(),
        };
        let one = |handed: &Value| match parts(handed) {
            [t, what] => Value::tuple([to(t), what.clone()]),
            _ => handed.clone(),
        };
        let renamed = State {
            offers: offers.iter().map(offer).collect(),
            waiting: waiting.iter().map(to).collect(),
            handed: handed.iter().map(one).collect(),
            senders,
            receivers,
        };
        Some(renamed.value())
    }

    fn shown(&self, method: &str, args: &[Value], result: &Value) -> Shown {
        shown(method, args, result)
    }
}

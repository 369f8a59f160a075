//! Channels in a test that is explored. Whether there is a message, and room, is said by
//! the model; the messages are here.

use commute_explore::runtime::{Arg, is_stopped, misuse, stuck, surprise};
use commute_record::Value;

use super::shared::{At, Channel, Nothing, Patience, Refused};
use crate::explored::channel::message;
use crate::explored::mpmc::{Came, Model};
use crate::explored::plain::is_plain;

/// Whether nobody can tell when a message is dropped.
fn goes_unnoticed<T>() -> bool {
    !std::mem::needs_drop::<T>() || is_plain::<T>()
}

impl<T> Channel<T> {
    pub(super) fn model(&self, at: At) -> Model<'_> {
        let bound = self.capacity();
        let tag = &self.tag;
        Model { tag, bound, at }
    }

    /// What is told to others: senders and receivers that come, and senders that go.
    pub(super) fn tell_explored(&self, method: &'static str, at: At) {
        if crate::explored::is_on(&self.tag) {
            self.model(at).tell(method, &[]);
        }
    }

    /// A receiver goes. Messages go with the last one, and what they do then is done by
    /// this thread, so it has to know when; and, if they do something, which there are.
    pub(super) fn drop_receiver_explored(&self, at: At) {
        if crate::explored::is_on(&self.tag) {
            let model = self.model(at);
            let method = match model.hands_over() || goes_unnoticed::<T>() {
                true => "drop_receiver",
                false => "leave",
            };
            model.ask(method, &[], |_| ());
        }
    }

    pub(super) fn send_explored(
        &self,
        value: T,
        patience: Patience,
        at: At,
    ) -> Result<(), Refused<T>> {
        let model = self.model(at);
        if model.hands_over() {
            return self.hand_over(&model, value, patience);
        }
        let method = match patience {
            Patience::Endless => "send",
            Patience::Until(_) => "send_or_not",
            Patience::None | Patience::Selecting { .. } => "try_send",
        };
        match model.send(method, &value) {
            Some(Came::NotNow) => return Err(Refused::Full(value)),
            Some(Came::Disconnected) => return Err(Refused::Disconnected(value)),
            Some(Came::Yes) => {}
            None => {
                let state = self.lock();
                let is_full = model.bound.is_some_and(|b| state.store.len() >= b);
                match is_full && !is_stopped() {
                    _ if state.receivers == 0 => return Err(Refused::Disconnected(value)),
                    true if patience != Patience::Endless => return Err(Refused::Full(value)),
                    true => {
                        drop(state);
                        stuck("room is waited for")
                    }
                    false => {}
                }
            }
        }
        self.lock().store.push(value);
        Ok(())
    }

    fn hand_over(&self, model: &Model<'_>, value: T, patience: Patience) -> Result<(), Refused<T>> {
        let tries = matches!(patience, Patience::None | Patience::Selecting { .. });
        if tries {
            self.note_meeting(true, false);
        }
        let method = if tries { "try_send" } else { "offer" };
        match model.send(method, &value) {
            Some(Came::Yes) if tries => {
                let handed = self.lock().store.hand(value);
                return handed.map_err(|value| {
                    surprise("a receiver that waits".into(), "none".into());
                    Refused::Full(value)
                });
            }
            Some(Came::Yes) => self.lock().store.offer(value),
            Some(Came::NotNow) => return Err(Refused::Full(value)),
            Some(Came::Disconnected) => return Err(Refused::Disconnected(value)),
            None if is_stopped() => return Err(Refused::Disconnected(value)),
            None => stuck("a message is handed over"),
        }
        let method = match patience {
            Patience::Endless => "taken",
            _ => "taken_or_not",
        };
        let came = model.taken(method);
        if let Some(Came::Yes) = came {
            return Ok(());
        }
        match self.lock().store.withdraw() {
            Some(value) if came == Some(Came::NotNow) => Err(Refused::Full(value)),
            Some(value) => Err(Refused::Disconnected(value)),
            None => Ok(()),
        }
    }

    pub(super) fn receive_explored(&self, patience: Patience, at: At) -> Result<T, Nothing> {
        let model = self.model(at);
        let came = match (model.hands_over(), patience) {
            (false, Patience::Endless) => model.receive("recv"),
            (false, Patience::Until(_)) => model.receive("recv_or_not"),
            (false, _) => model.receive("try_recv"),
            (true, Patience::None | Patience::Selecting { .. }) => {
                self.note_meeting(false, false);
                model.receive("try_recv")
            }
            (true, _) => {
                let waits = model.ask("await", &[Arg::Me], |_| ());
                if waits.is_some() {
                    self.lock().store.wait();
                }
                waits.and_then(|()| {
                    let came = match patience {
                        Patience::Endless => model.got("got"),
                        _ => model.got("got_or_not"),
                    };
                    if came != Some(Came::Yes) {
                        self.lock().store.give_up();
                    }
                    came
                })
            }
        };
        match came {
            Some(Came::NotNow) => Err(Nothing::Empty),
            Some(Came::Disconnected) => Err(Nothing::Disconnected),
            Some(Came::Yes) => {
                let mut state = self.lock();
                let value = match (model.hands_over(), patience) {
                    (false, _) => state.store.pop(),
                    (true, Patience::None | Patience::Selecting { .. }) => state.store.take(),
                    (true, _) => state.store.given(),
                };
                drop(state);
                value.ok_or_else(|| {
                    surprise("a message".into(), "none".into());
                    stuck("a message is waited for")
                })
            }
            None => {
                let mut state = self.lock();
                match (state.store.pop(), state.senders) {
                    (Some(value), _) => Ok(value),
                    (None, 0) => Err(Nothing::Disconnected),
                    (None, _) if is_stopped() => Err(Nothing::Disconnected),
                    (None, _) if patience != Patience::Endless => Err(Nothing::Empty),
                    (None, _) => {
                        drop(state);
                        stuck("a message is waited for")
                    }
                }
            }
        }
    }

    /// A message of nobody: the time of a timer has come.
    pub(super) fn ring(&self, value: T, at: At) {
        let message = Arg::Value(Value::symbol("time"));
        self.model(at).ask("ring", &[message], |_| ());
        let mut state = self.lock();
        if state.receivers > 0 {
            state.store.push(value);
        }
    }

    /// Puts a message where it was promised.
    pub(super) fn fill(&self, place: u64, name: Value, value: T, at: At) {
        let args = [Arg::Value(name), message(&value)];
        let model = self.model(at);
        if model.hands_over() || goes_unnoticed::<T>() {
            model.tell("fill", &args);
        } else {
            model.ask("put", &args, |_| ());
        }
        let left = self.lock().store.fill(place, value);
        drop(left);
    }

    /// How many messages there are: `len`, `is_empty` or `is_full`.
    pub(super) fn look_explored(&self, method: &'static str, at: At) -> Value {
        let model = self.model(at);
        let real = || {
            let len = self.lock().store.len();
            match method {
                "is_empty" => (len == 0).into(),
                "is_full" => model.bound.is_some_and(|bound| len >= bound).into(),
                _ => Value::Int(len as i128),
            }
        };
        // There is never anything in a channel without room.
        if model.hands_over() {
            return real();
        }
        match model.ask(method, &[], Value::clone) {
            Some(result) => {
                // Where a loop is tried out, what is there may be something else.
                if result != real() && !commute_explore::runtime::is_trying() {
                    surprise(format!("{method} = {result}"), format!("{}", real()));
                }
                result
            }
            None => real(),
        }
    }

    /// An end of a channel without room is used by one who does not wait for the others.
    pub(super) fn note_meeting(&self, sends: bool, selects: bool) {
        if self.lock().store.meet(sends, selects) {
            misuse(
                "a channel without room is used in a selection, and on the other side in one, \
                 too, or by `try_send` or `try_recv`: that these meet is not explored"
                    .to_owned(),
            );
        }
    }
}

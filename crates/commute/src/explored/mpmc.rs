//! Channels with several receivers, and selections among what can be done to them.

use std::panic::Location;

use commute_explore::models;
use commute_explore::runtime::{Arg, Call, First, Mark, Object, post, visit};
use commute_record::{Tag, Value};

use super::channel::message;
use super::first;

/// A channel, for its model.
pub(crate) struct Model<'a> {
    pub(crate) tag: &'a Tag,
    pub(crate) bound: Option<usize>,
    pub(crate) at: &'static Location<'static>,
}

/// What came of a step that may fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Came {
    Yes,
    /// There was no room, no message, or no time.
    NotNow,
    Disconnected,
}

impl Model<'_> {
    /// Whether messages are handed over.
    pub(crate) fn hands_over(&self) -> bool {
        self.bound == Some(0)
    }

    fn describe(&self) -> First {
        match self.bound {
            Some(0) => first(self.tag, models::Rendezvous, models::Rendezvous::initial()),
            bound => first(self.tag, models::Mpmc { bound }, models::Mpmc::initial()),
        }
    }

    /// A step; none if that is none.
    pub(crate) fn ask<R>(
        &self,
        method: &'static str,
        args: &[Arg],
        then: impl FnOnce(&Value) -> R,
    ) -> Option<R> {
        let is = || self.describe();
        let objects = [Object {
            mark: self.tag.mark(),
            first: &is,
        }];
        visit(&Call::new(&objects, method, args, self.at), then)
    }

    /// What is told to others, who see nothing else of it.
    pub(crate) fn tell(&self, method: &'static str, args: &[Arg]) {
        let is = || self.describe();
        let objects = [Object {
            mark: self.tag.mark(),
            first: &is,
        }];
        post(&Call::new(&objects, method, args, self.at));
    }

    /// A step that sends: `send`, `try_send`, `send_or_not`, `offer`.
    pub(crate) fn send<T>(&self, method: &'static str, value: &T) -> Option<Came> {
        let mut args = vec![message(value)];
        if method == "offer" {
            args.push(Arg::Me);
        }
        self.ask(method, &args, sent)
    }

    /// Waits until what was offered is taken: `taken`, `taken_or_not`.
    pub(crate) fn taken(&self, method: &'static str) -> Option<Came> {
        self.ask(method, &[Arg::Me], sent)
    }

    /// A step that receives: `recv`, `try_recv`, `recv_or_not`.
    pub(crate) fn receive(&self, method: &'static str) -> Option<Came> {
        self.ask(method, &[], received)
    }

    /// Waits for a message that is handed over: `got`, `got_or_not`.
    pub(crate) fn got(&self, method: &'static str) -> Option<Came> {
        self.ask(method, &[Arg::Me], received)
    }

    /// Tries an operation for a selection; whether it was chosen.
    pub(crate) fn race(&self, race: &Race, method: &'static str, number: usize) -> Option<bool> {
        let is = || self.describe();
        let race_is = || race.describe();
        let objects = [
            Object {
                mark: self.tag.mark(),
                first: &is,
            },
            Object {
                mark: &race.mark,
                first: &race_is,
            },
        ];
        let args = place_for(method, Arg::Int(number as i128));
        let call = Call::new(&objects, method, &args, self.at);
        visit(&call, |chosen| *chosen == Value::Bool(true))
    }

    /// The same for the only operation of a selection; what came of it.
    pub(crate) fn alone(&self, method: &'static str) -> Option<Option<Value>> {
        let args = place_for(method, Arg::Value(Value::Nil));
        self.ask(method, &args, |chosen| match chosen.as_tuple() {
            Some([_, result]) => Some(result.clone()),
            _ => None,
        })
    }
}

/// With a place, if one is to be promised.
fn place_for(method: &str, number: Arg) -> Vec<Arg> {
    match method {
        "select_send" | "try_select_send" => vec![number, Arg::OwnPlace],
        _ => vec![number],
    }
}

fn sent(result: &Value) -> Came {
    match result {
        Value::Bool(true) => Came::Yes,
        Value::Nil => Came::NotNow,
        _ => Came::Disconnected,
    }
}

fn received(result: &Value) -> Came {
    match result {
        Value::Tuple(_) => Came::Yes,
        Value::Nil => Came::Disconnected,
        _ => Came::NotNow,
    }
}

/// A selection, for its model.
pub(crate) struct Race {
    mark: Mark,
    operations: usize,
    at: &'static Location<'static>,
}

impl Race {
    /// Among so many operations.
    pub(crate) fn new(operations: usize, at: &'static Location<'static>) -> Race {
        Race {
            mark: Mark::default(),
            operations,
            at,
        }
    }

    fn describe(&self) -> First {
        let model = std::sync::Arc::new(models::Selection);
        let initial = models::Selection::initial(self.operations);
        First::new(model, initial, "selection", Some(self.at))
    }

    fn ask<R>(&self, method: &'static str, then: impl FnOnce(&Value) -> R) -> Option<R> {
        let is = || self.describe();
        let objects = [Object {
            mark: &self.mark,
            first: &is,
        }];
        visit(&Call::new(&objects, method, &[], self.at), then)
    }

    /// Begins, so that it has a name before several threads use it; whether that was a
    /// step.
    pub(crate) fn begin(&self) -> bool {
        self.ask("begin", |_| ()).is_some()
    }

    /// Waits until something was chosen: its number, and what came of it.
    pub(crate) fn chosen(&self) -> Option<Option<(usize, Value)>> {
        self.ask("chosen", |chosen| match chosen.as_tuple() {
            Some([number, result]) => {
                let number = usize::try_from(number.as_int()?).ok()?;
                Some((number, result.clone()))
            }
            _ => None,
        })
    }
}

//! Channels.

use std::panic::Location;

use commute_explore::models;
use commute_explore::runtime::{Arg, Call, First, Object, Returned, post, visit};
use commute_record::{Tag, Value};

use super::first;

/// A channel, for its model.
pub(crate) struct Model<'a> {
    pub(crate) tag: &'a Tag,
    pub(crate) bound: Option<usize>,
    pub(crate) at: &'static Location<'static>,
}

/// What came of an attempt to send.
pub(crate) enum Sent {
    Yes,
    Full,
    Disconnected,
}

/// What came of an attempt to receive.
pub(crate) enum Received {
    Yes,
    Empty,
    Disconnected,
}

/// A message, as an argument.
pub(crate) fn message<T>(value: &T) -> Arg {
    match super::thread::shown(value) {
        Returned::Value(value) => Arg::Value(value),
        // It may have something in it that only its sender has.
        _ => Arg::OwnPlace,
    }
}

impl Model<'_> {
    fn describe(&self) -> First {
        let model = models::Channel { bound: self.bound };
        first(self.tag, model, models::Channel::initial())
    }

    fn ask<R>(
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

    /// What is told to others: `clone_sender`, `drop_sender`, `drop_receiver`.
    pub(crate) fn tell(&self, method: &'static str) {
        let is = || self.describe();
        let objects = [Object {
            mark: self.tag.mark(),
            first: &is,
        }];
        post(&Call::new(&objects, method, &[], self.at));
    }

    /// Sends; none if that is no step.
    pub(crate) fn send<T>(&self, value: &T, wait: bool) -> Option<Sent> {
        let sent = |result: &Value| match result {
            Value::Bool(true) => Sent::Yes,
            Value::Nil => Sent::Full,
            _ => Sent::Disconnected,
        };
        let message = message(value);
        match wait {
            true if self.bound == Some(0) => self.ask("offer", &[message, Arg::Me], sent),
            true => self.ask("send", &[message], sent),
            false => self.ask("try_send", &[message], sent),
        }
    }

    /// Waits until a message that was offered is taken; whether it was.
    pub(crate) fn taken(&self) -> Option<bool> {
        self.ask("taken", &[Arg::Me], |taken| *taken == Value::Bool(true))
    }

    /// Receives: `recv`, `try_recv` or `recv_or_not`; none if that is no step.
    pub(crate) fn receive(&self, method: &'static str) -> Option<Received> {
        if self.bound == Some(0) && method == "recv" {
            self.tell("await");
        }
        self.ask(method, &[], |result| match result {
            Value::Tuple(_) => Received::Yes,
            Value::Nil => Received::Disconnected,
            _ => Received::Empty,
        })
    }
}

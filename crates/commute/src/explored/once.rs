//! What is initialised once.

use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};

use commute_explore::models;
use commute_explore::runtime::{Arg, Call, First, Object, Returned, post, visit};
use commute_record::{Tag, Value};

use super::first;

/// Something that is initialised, for its model.
pub(crate) struct Model<'a> {
    pub(crate) tag: &'a Tag,
    /// Whether it is, if nobody has asked before.
    pub(crate) is_done: &'a dyn Fn() -> bool,
    pub(crate) at: &'static Location<'static>,
}

/// What somebody finds who wants to initialise it.
pub(crate) enum Found {
    /// It is to be done, by the caller.
    ToDo,
    /// It is done.
    Done,
    /// Somebody else panicked in the middle of it.
    Poisoned,
    /// The real one has to say.
    Through,
}

impl Model<'_> {
    fn describe(&self) -> First {
        let initial = match (self.is_done)() {
            true => models::Once::done(),
            false => models::Once::initial(),
        };
        first(self.tag, models::Once, initial)
    }

    fn ask(&self, method: &'static str, args: &[Arg]) -> Found {
        let is = || self.describe();
        let objects = [Object {
            mark: self.tag.mark(),
            first: &is,
        }];
        let call = Call::new(&objects, method, args, self.at);
        let found = visit(&call, |result| match result {
            Value::Tuple(_) => Found::Done,
            Value::Bool(false) => Found::Poisoned,
            _ => Found::ToDo,
        });
        found.unwrap_or(Found::Through)
    }

    fn tell(&self, method: &'static str, args: &[Arg]) {
        let is = || self.describe();
        let objects = [Object {
            mark: self.tag.mark(),
            first: &is,
        }];
        post(&Call::new(&objects, method, args, self.at));
    }

    /// Wants to initialise it; also after a panic, if `again`.
    pub(crate) fn begin(&self, again: bool) -> Found {
        let method = match again {
            true => "begin_again",
            false => "begin",
        };
        self.ask(method, &[Arg::Me])
    }

    /// Runs an initialisation that has begun. `failed` is what others are told if it
    /// panics: `fail` or `give_up`.
    pub(crate) fn initialise<T>(&self, failed: &'static str, f: impl FnOnce() -> T) -> T {
        match catch_unwind(AssertUnwindSafe(f)) {
            Ok(value) => value,
            Err(payload) => {
                self.tell(failed, &[Arg::Me]);
                resume_unwind(payload)
            }
        }
    }

    /// It is done, and what is there now is this.
    pub(crate) fn finish<T>(&self, value: &T) {
        let version = match super::thread::shown(value) {
            Returned::Value(value) => Arg::Value(value),
            _ => Arg::Place,
        };
        self.tell("finish", &[Arg::Me, version]);
    }

    /// Whether it is done; none if that is no step.
    pub(crate) fn get(&self) -> Option<bool> {
        match self.ask("get", &[]) {
            Found::Through => None,
            found => Some(matches!(found, Found::Done)),
        }
    }

    /// Waits until it is done, or also until somebody panicked.
    pub(crate) fn wait(&self, or_panicked: bool) -> Found {
        let method = match or_panicked {
            true => "wait",
            false => "wait_on",
        };
        self.ask(method, &[])
    }
}

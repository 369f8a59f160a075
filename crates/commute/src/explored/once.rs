//! What is initialised once.

use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};

use commute_explore::models;
use commute_explore::runtime::{Arg, Call, First, Object, Returned, post, visit};
use commute_record::{Tag, Value};

use super::first;

/// Something that is initialised, for its model.
pub(crate) struct Model<'a> {
    pub(crate) tag: &'a Tag,
    /// What it is, if nobody has asked before.
    pub(crate) first: &'a dyn Fn() -> First,
    pub(crate) at: &'static Location<'static>,
}

/// What is initialised once, or was already.
pub(crate) fn object_of(tag: &Tag, is_done: bool) -> First {
    let initial = match is_done {
        true => models::Once::done(),
        false => models::Once::initial(),
    };
    first(tag, models::Once, initial)
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
    fn ask(&self, method: &'static str, args: &[Arg]) -> Found {
        let (mark, first) = (self.tag.mark(), self.first);
        let objects = [Object { mark, first }];
        let call = Call::new(&objects, method, args, self.at);
        let found = visit(&call, |result| match result {
            Value::Tuple(_) => Found::Done,
            Value::Bool(false) => Found::Poisoned,
            _ => Found::ToDo,
        });
        found.unwrap_or(Found::Through)
    }

    fn tell(&self, method: &'static str, args: &[Arg]) {
        let (mark, first) = (self.tag.mark(), self.first);
        let objects = [Object { mark, first }];
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

//! The queue that can be full.

use std::fmt;
use std::panic::Location;

use ::crossbeam_queue as original;
use commute_record::{Kind, Method, Raw, value_of};

use super::{IS_EMPTY, LEN, POP, PUSH, picture};
use crate::turns::Turns;

static QUEUE: Kind = Kind::object("queue", "bounded_queue");
static FORCE_PUSH: Method = Method::new("force_push");

/// As [`crossbeam_queue::ArrayQueue`](original::ArrayQueue).
pub struct ArrayQueue<T> {
    pub(crate) turns: Turns,
    inner: original::ArrayQueue<T>,
}

impl<T> ArrayQueue<T> {
    /// As the original's.
    #[track_caller]
    pub fn new(cap: usize) -> ArrayQueue<T> {
        ArrayQueue {
            turns: Turns::new(&QUEUE),
            inner: original::ArrayQueue::new(cap),
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn push(&self, value: T) -> Result<(), T> {
        let Some(turn) = self.turns.turn() else {
            return self.inner.push(value);
        };
        // Nobody else can fill it, or make room.
        let has_room = !self.inner.is_full();
        let results = [Raw::Bool(has_room)];
        turn.say(&PUSH, Location::caller(), &[value_of(&value)], &results);
        self.inner.push(value)
    }

    /// As the original's.
    #[track_caller]
    pub fn push_mut(&mut self, value: T) -> Result<(), T> {
        self.push(value)
    }

    /// As the original's.
    #[track_caller]
    pub fn force_push(&self, value: T) -> Option<T> {
        let Some(turn) = self.turns.turn() else {
            return self.inner.force_push(value);
        };
        let pushed = value_of(&value).to_value();
        let thrown_out = self.inner.force_push(value);
        let args = [Raw::Value(&pushed)];
        turn.say(
            &FORCE_PUSH,
            Location::caller(),
            &args,
            &[picture(&thrown_out)],
        );
        thrown_out
    }

    /// As the original's.
    #[track_caller]
    pub fn pop(&self) -> Option<T> {
        let turn = self.turns.turn();
        let popped = self.inner.pop();
        if let Some(turn) = turn {
            turn.say(&POP, Location::caller(), &[], &[picture(&popped)]);
        }
        popped
    }

    /// As the original's.
    #[track_caller]
    pub fn pop_mut(&mut self) -> Option<T> {
        self.pop()
    }

    /// As the original's.
    pub fn capacity(&self) -> usize {
        self.inner.capacity()
    }

    /// As the original's.
    #[track_caller]
    pub fn is_empty(&self) -> bool {
        let turn = self.turns.turn();
        let is_empty = self.inner.is_empty();
        if let Some(turn) = turn {
            turn.say(&IS_EMPTY, Location::caller(), &[], &[Raw::Bool(is_empty)]);
        }
        is_empty
    }

    /// As the original's.
    pub fn is_full(&self) -> bool {
        self.inner.is_full()
    }

    /// As the original's.
    #[track_caller]
    pub fn len(&self) -> usize {
        let turn = self.turns.turn();
        let len = self.inner.len();
        if let Some(turn) = turn {
            turn.say(&LEN, Location::caller(), &[], &[Raw::Int(len as i128)]);
        }
        len
    }
}

impl<T> fmt::Debug for ArrayQueue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl<T> IntoIterator for ArrayQueue<T> {
    type Item = T;
    type IntoIter = <original::ArrayQueue<T> as IntoIterator>::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        self.inner.into_iter()
    }
}

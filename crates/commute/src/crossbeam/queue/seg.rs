//! The queue that always has room.

use std::fmt;
use std::panic::Location;

use ::crossbeam_queue as original;
use commute_record::{Kind, Raw, value_of};

use super::{IS_EMPTY, LEN, POP, PUSH, picture};
use crate::turns::Turns;

static QUEUE: Kind = Kind::object("queue", "queue");

/// As [`crossbeam_queue::SegQueue`](original::SegQueue).
pub struct SegQueue<T> {
    pub(crate) turns: Turns,
    inner: original::SegQueue<T>,
}

impl<T> SegQueue<T> {
    /// As the original's.
    #[track_caller]
    pub const fn new() -> SegQueue<T> {
        SegQueue {
            turns: Turns::new(&QUEUE),
            inner: original::SegQueue::new(),
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn push(&self, value: T) {
        match self.turns.turn() {
            Some(turn) => {
                // Before, because then the value is gone. Nobody is in between.
                turn.say(&PUSH, Location::caller(), &[value_of(&value)], &[]);
                self.inner.push(value);
            }
            None => self.inner.push(value),
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn push_mut(&mut self, value: T) {
        self.push(value);
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

impl<T> Default for SegQueue<T> {
    #[track_caller]
    fn default() -> SegQueue<T> {
        SegQueue::new()
    }
}

impl<T> fmt::Debug for SegQueue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl<T> IntoIterator for SegQueue<T> {
    type Item = T;
    type IntoIter = <original::SegQueue<T> as IntoIterator>::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        self.inner.into_iter()
    }
}

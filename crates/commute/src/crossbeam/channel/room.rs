//! The order that the room in a bounded channel makes.
//!
//! With room for `n` messages the `i`-th receive comes before the `i + n`-th send,
//! which could not have been before it. That is no action of the specification, so
//! every place for a message is a lock, and who enters or leaves it passes a short
//! section. Without room, a receiver that waits passes the one lock that there is,
//! and so does the sender whose message it gets.

use commute_record::{Kind, Tag, is_on};

use super::shared::At;
use crate::sync::{Held, How};

static ROOM: Kind = Kind::lock("room");

/// With more places than this, some share a lock, which orders more than it must.
const LOCKS: usize = 256;

#[derive(Debug)]
pub(super) struct Room {
    bound: usize,
    /// The place that the next message enters, and the one that the next leaves.
    enter: usize,
    leave: usize,
    /// Of the places that were used.
    locks: Vec<Tag>,
    created: At,
}

impl Room {
    pub(super) fn new(bound: usize, created: At) -> Room {
        Room {
            bound,
            enter: 0,
            leave: 0,
            locks: Vec::new(),
            created,
        }
    }

    pub(super) fn bound(&self) -> usize {
        self.bound
    }

    pub(super) fn enter(&mut self, at: At) {
        let place = self.enter;
        self.enter = self.after(place);
        self.pass(place, at);
    }

    pub(super) fn leave(&mut self, at: At) {
        let place = self.leave;
        self.leave = self.after(place);
        if self.bound > 0 {
            self.pass(place, at);
        }
    }

    /// A receiver waits for a message.
    pub(super) fn offer(&mut self, at: At) {
        if self.bound == 0 {
            self.pass(0, at);
        }
    }

    fn after(&self, place: usize) -> usize {
        match place + 1 {
            next if next < self.bound => next,
            _ => 0,
        }
    }

    fn pass(&mut self, place: usize, at: At) {
        if !is_on() {
            return;
        }
        let lock = place % LOCKS;
        while self.locks.len() <= lock {
            self.locks.push(Tag::made_at(&ROOM, self.created));
        }
        drop(Held::new(&self.locks[lock], How::Alone, at));
    }
}

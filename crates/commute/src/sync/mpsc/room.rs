//! The room in a bounded channel, and the order that it makes.
//!
//! With room for `n` messages the `i`-th receive comes before the `i + n`-th send,
//! which could not have been before it; with no room the receiver that waits for a
//! message comes before the send of it. That is no action of the specification, so
//! every place for a message is a lock: whoever leaves the place or enters it
//! passes a short section. As the places are used in turn, exactly those two are
//! ordered, and a send and its receive, which are anyway.

use commute_record::{Kind, Tag, is_on};

use super::channel::Place;
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
    /// Whether the receiver waits for a message, in a channel without room.
    offered: bool,
    /// Of the places that were used.
    locks: Vec<Tag>,
    created: Place,
}

impl Room {
    pub(super) fn new(bound: usize, created: Place) -> Room {
        Room {
            bound,
            enter: 0,
            leave: 0,
            offered: false,
            locks: Vec::new(),
            created,
        }
    }

    /// Whether messages must be handed over.
    pub(super) fn is_none(&self) -> bool {
        self.bound == 0
    }

    /// Enters if there is room beside the messages that are there.
    pub(super) fn enter(&mut self, messages: usize, at: Place) -> bool {
        let fits = match self.bound {
            0 => std::mem::take(&mut self.offered),
            bound => messages < bound,
        };
        if fits {
            let place = self.enter;
            self.enter = self.after(place);
            self.pass(place, at);
        }
        fits
    }

    /// A message is taken out.
    pub(super) fn leave(&mut self, at: Place) {
        let place = self.leave;
        self.leave = self.after(place);
        if self.bound > 0 {
            self.pass(place, at);
        }
    }

    /// The receiver waits for a message; whether that is news to a sender.
    pub(super) fn offer(&mut self, at: Place) -> bool {
        if self.bound > 0 || self.offered {
            return false;
        }
        self.offered = true;
        self.pass(0, at);
        true
    }

    /// The receiver waits no longer.
    pub(super) fn withdraw(&mut self) {
        self.offered = false;
    }

    fn after(&self, place: usize) -> usize {
        match place + 1 {
            next if next < self.bound => next,
            _ => 0,
        }
    }

    fn pass(&mut self, place: usize, at: Place) {
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

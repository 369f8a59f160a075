//! The order that the room in a bounded channel makes.
//!
//! With room for `n` messages the `i`-th receive comes before the `i + n`-th send,
//! which could not have been before it; with no room a receiver that waits for a
//! message comes before the send of it. That is no action of the specification, so
//! every place for a message has a tally of its own: who leaves the place adds to it,
//! who enters finds that.

use commute_record::{Kind, is_on};

use super::shared::At;
use super::tally::Tally;

static ROOM: Kind = Kind::object("room", "atomic");

/// With more places than this, some share a tally, which orders more than it must.
const TALLIES: usize = 256;

#[derive(Debug)]
pub(super) struct Room {
    bound: usize,
    /// The place that the next message enters, and the one that the next leaves.
    enter: usize,
    leave: usize,
    /// Of the places that were left.
    tallies: Vec<Tally>,
    created: At,
}

impl Room {
    pub(super) fn new(bound: usize, created: At) -> Room {
        Room {
            bound,
            enter: 0,
            leave: 0,
            tallies: Vec::new(),
            created,
        }
    }

    pub(super) fn bound(&self) -> usize {
        self.bound
    }

    pub(super) fn enter(&mut self, at: At) {
        let place = self.enter;
        self.enter = self.after(place);
        // If nobody has left it, nobody knows it.
        if let Some(tally) = self.tallies.get(place % TALLIES) {
            tally.find(at);
        }
    }

    pub(super) fn leave(&mut self, at: At) {
        let place = self.leave;
        self.leave = self.after(place);
        if self.bound > 0 {
            self.leave_place(place, at);
        }
    }

    /// A receiver waits for a message.
    pub(super) fn offer(&mut self, at: At) {
        if self.bound == 0 {
            self.leave_place(0, at);
        }
    }

    fn after(&self, place: usize) -> usize {
        match place + 1 {
            next if next < self.bound => next,
            _ => 0,
        }
    }

    fn leave_place(&mut self, place: usize, at: At) {
        if !is_on() {
            return;
        }
        let place = place % TALLIES;
        while self.tallies.len() <= place {
            self.tallies.push(Tally::new(&ROOM, self.created));
        }
        self.tallies[place].add(at);
    }

    /// The channel is gone.
    pub(super) fn end(&self) {
        self.tallies.iter().for_each(Tally::end);
    }
}

//! The room in a bounded channel, and the order that it makes.
//!
//! With room for `n` messages the `i`-th receive comes before the `i + n`-th send,
//! which could not have been before it; with no room the receiver that waits for a
//! message comes before the send of it. That is no action of the specification, so
//! every place for a message has a tally of its own: who leaves the place adds to it,
//! who enters finds that. As the places are used in turn, exactly those two are
//! ordered, and a send and its receive, which are anyway.

use commute_record::{Kind, is_on};

use super::channel::Place;
use crate::sync::tally::Tally;

static ROOM: Kind = Kind::object("room", "atomic").with_owners();

/// With more places than this, some share a tally, which orders more than it must.
const TALLIES: usize = 256;

#[derive(Debug)]
pub(super) struct Room {
    bound: usize,
    /// The place that the next message enters, and the one that the next leaves.
    enter: usize,
    leave: usize,
    /// Whether the receiver waits for a message, in a channel without room.
    offered: bool,
    /// Of the places that were left.
    tallies: Vec<Tally>,
    created: Place,
}

impl Room {
    pub(super) fn new(bound: usize, created: Place) -> Room {
        Room {
            bound,
            enter: 0,
            leave: 0,
            offered: false,
            tallies: Vec::new(),
            created,
        }
    }

    /// How many messages there is room for.
    pub(super) fn bound(&self) -> usize {
        self.bound
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
            // If nobody has left it, nobody knows it.
            if let Some(tally) = self.tallies.get(place % TALLIES) {
                tally.find(at);
            }
        }
        fits
    }

    /// A message is taken out.
    pub(super) fn leave(&mut self, at: Place) {
        let place = self.leave;
        self.leave = self.after(place);
        if self.bound > 0 {
            self.leave_place(place, at);
        }
    }

    /// The receiver waits for a message; whether that is news to a sender.
    pub(super) fn offer(&mut self, at: Place) -> bool {
        if self.bound > 0 || self.offered {
            return false;
        }
        self.offered = true;
        self.leave_place(0, at);
        true
    }

    /// The receiver waits no longer.
    pub(super) fn withdraw(&mut self) {
        self.offered = false;
    }

    /// The channel is gone.
    pub(super) fn end(&self) {
        self.tallies.iter().for_each(|tally| tally.tag.end());
    }

    fn after(&self, place: usize) -> usize {
        match place + 1 {
            next if next < self.bound => next,
            _ => 0,
        }
    }

    fn leave_place(&mut self, place: usize, at: Place) {
        if !is_on() {
            return;
        }
        let place = place % TALLIES;
        while self.tallies.len() <= place {
            self.tallies.push(Tally::new(&ROOM, self.created));
        }
        self.tallies[place].add(at);
    }
}

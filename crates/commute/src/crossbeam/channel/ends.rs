//! How many there are on one side of a channel.

use commute_record::{Kind, Method, Order, Raw, Tag, action, is_on};

use super::shared::At;

static ENDS: Kind = Kind::object("ends", "atomic").with_owners();
static FETCH_ADD: Method = Method::new("fetch_add");
static FETCH_SUB: Method = Method::new("fetch_sub");

/// Once there were two, their number is an atomic integer in the trace: what each of
/// them did comes before the end of the last, in every order that can be.
#[derive(Debug)]
pub(super) struct Ends {
    tag: Tag,
    number: usize,
    were_two: bool,
}

impl Ends {
    pub(super) fn one(at: At) -> Ends {
        Ends {
            tag: Tag::made_at(&ENDS, at),
            number: 1,
            were_two: false,
        }
    }

    pub(super) fn are_none(&self) -> bool {
        self.number == 0
    }

    pub(super) fn add(&mut self, at: At) {
        self.were_two = true;
        self.count(&FETCH_ADD, at);
        self.number += 1;
    }

    /// One goes; whether it was the last.
    pub(super) fn remove(&mut self, at: At) -> bool {
        if self.were_two {
            self.count(&FETCH_SUB, at);
        }
        self.number -= 1;
        self.number == 0
    }

    /// With the channel locked.
    fn count(&self, method: &Method, at: At) {
        if is_on() {
            let (args, results) = ([Raw::Int(1)], [Raw::Int(self.number as i128)]);
            action(&self.tag, method, Order::Alone, at, &args, &results);
        }
    }
}

//! A sum that makes an order: who finds it comes after all who added to it.

use commute_record::{Kind, Method, Order, Raw, Tag, action, is_on};

use super::shared::At;

static ADD: Method = Method::new("add");
static LOAD: Method = Method::new("load");

/// An integer of the specification `atomic`, used while the channel is locked.
#[derive(Debug)]
pub(super) struct Tally {
    tag: Tag,
    sum: u64,
}

impl Tally {
    pub(super) fn new(kind: &'static Kind, at: At) -> Tally {
        let tag = Tag::made_at(kind, at);
        Tally { tag, sum: 0 }
    }

    /// What this thread did is to come before what others do who find it.
    pub(super) fn add(&mut self, at: At) {
        if is_on() {
            self.sum += 1;
            action(&self.tag, &ADD, Order::Alone, at, &[Raw::Int(1)], &[]);
        }
    }

    /// What this thread does comes after what was done by all who added.
    pub(super) fn find(&self, at: At) {
        if is_on() {
            let sum = Raw::Int(self.sum.into());
            action(&self.tag, &LOAD, Order::Alone, at, &[], &[sum]);
        }
    }

    /// It is not needed any more.
    pub(super) fn end(&self) {
        self.tag.end();
    }
}

//! A sum that makes an order: who finds it comes after all who added to it.

use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use commute_record::{Kind, Method, Order, Raw, Tag, action, is_on};

static ADD: Method = Method::new("add");
static LOAD: Method = Method::new("load");

/// An integer of the specification `atomic`, used by one thread at a time: something
/// is locked around it.
#[derive(Debug)]
pub(crate) struct Tally {
    pub(crate) tag: Tag,
    sum: AtomicU64,
}

impl Tally {
    pub(super) const fn new(kind: &'static Kind, at: &'static Location<'static>) -> Tally {
        Tally {
            tag: Tag::made_at(kind, at),
            sum: AtomicU64::new(0),
        }
    }

    /// What this thread did is to come before what others do who find it.
    pub(super) fn add(&self, at: &'static Location<'static>) {
        if is_on() {
            self.sum.fetch_add(1, Relaxed);
            action(&self.tag, &ADD, Order::Alone, at, &[Raw::Int(1)], &[]);
        }
    }

    /// What this thread does comes after what was done by all who added.
    pub(super) fn find(&self, at: &'static Location<'static>) {
        if is_on() {
            let sum = Raw::Int(self.sum.load(Relaxed).into());
            action(&self.tag, &LOAD, Order::Alone, at, &[], &[sum]);
        }
    }
}

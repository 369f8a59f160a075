//! Atomic booleans.

use std::fmt;
use std::panic::Location;
use std::sync::atomic::{self, Ordering};

use commute_record::Value;

use super::elsewhere::{Elsewhere, Made};
use super::every::{asked, changes, every_atomic, is_weak, never};
use super::observed::{Asked, Done, Observed, Width};
use crate::explored;

/// As [`std::sync::atomic::AtomicBool`].
pub struct AtomicBool {
    pub(crate) observed: Observed,
    elsewhere: Elsewhere,
    inner: atomic::AtomicBool,
}

const WIDTH: Width = Width {
    bits: 1,
    signed: false,
    points: false,
};

fn value_of(picture: i128) -> Option<bool> {
    Some(picture != 0)
}

every_atomic!(
    [] AtomicBool, bool, atomic::AtomicBool, i128::from, value_of, WIDTH, AtomicBool
);

impl AtomicBool {
    changes! {
        bool, bool, i128::from, value_of;
        fetch_and: |found, val| found & val;
        fetch_nand: |found, val| !(found & val);
        fetch_or: |found, val| found | val;
        fetch_xor: |found, val| found ^ val;
    }

    /// As std's, recorded as the exchange that it amounts to.
    #[track_caller]
    #[inline]
    pub fn fetch_not(&self, order: Ordering) -> bool {
        self.fetch_xor(true, order)
    }
}

impl Default for AtomicBool {
    #[track_caller]
    fn default() -> AtomicBool {
        AtomicBool::new(false)
    }
}

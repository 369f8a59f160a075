//! Atomic pointers.

use std::fmt;
use std::panic::Location;
use std::sync::atomic::{self, Ordering};

use commute_record::Value;

use super::elsewhere::{Elsewhere, Made};
use super::every::{asked, changes, every_atomic, is_weak, never};
use super::observed::{Asked, Done, Observed, Width};
use crate::explored;

/// As [`std::sync::atomic::AtomicPtr`]. Laid out alike for every `T`.
#[repr(C)]
pub struct AtomicPtr<T> {
    pub(crate) observed: Observed,
    elsewhere: Elsewhere,
    inner: atomic::AtomicPtr<T>,
}

fn picture<T>(pointer: *mut T) -> i128 {
    pointer.addr() as i128
}

const WIDTH: Width = Width {
    bits: usize::BITS,
    signed: false,
    points: true,
};

/// What a number points to is not known.
fn value_of<T>(_: i128) -> Option<*mut T> {
    None
}

every_atomic!(
    [T] AtomicPtr<T>, *mut T, atomic::AtomicPtr<T>, picture, value_of, WIDTH, AtomicPtr<()>
);

#[clippy::msrv = "1.91"]
impl<T> AtomicPtr<T> {
    changes! {
        *mut T, usize, picture, value_of;
        fetch_ptr_add: |found, val| found.wrapping_add(val);
        fetch_ptr_sub: |found, val| found.wrapping_sub(val);
        fetch_byte_add: |found, val| found.wrapping_byte_add(val);
        fetch_byte_sub: |found, val| found.wrapping_byte_sub(val);
        fetch_or: |found, val| found.map_addr(|address| address | val);
        fetch_and: |found, val| found.map_addr(|address| address & val);
        fetch_xor: |found, val| found.map_addr(|address| address ^ val);
    }
}

impl<T> Default for AtomicPtr<T> {
    #[track_caller]
    fn default() -> AtomicPtr<T> {
        AtomicPtr::new(std::ptr::null_mut())
    }
}

/// Shows the value, without an event.
impl<T> fmt::Pointer for AtomicPtr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Pointer::fmt(self.there().unwrap_or(&self.inner), f)
    }
}

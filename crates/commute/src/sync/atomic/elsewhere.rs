//! Atomics whose value is somewhere in memory: `from_ptr`.
//!
//! What has only a pointer to an integer has no place for anything else, so such an
//! atomic is one of ours that knows where its value is. There is one for each
//! address, for ever. What is done to it is not recorded: nobody says when the memory
//! becomes another object, or is changed as plain memory is.

use std::collections::BTreeMap;
use std::ptr;
use std::sync::{Mutex, PoisonError};

/// The address of a value; 0 if it is where it belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub(super) struct Elsewhere(usize);

impl Elsewhere {
    pub(super) const NO: Elsewhere = Elsewhere(0);

    /// At this pointer, as long as whoever has it says.
    pub(super) fn at<T>(pointer: *mut T) -> Elsewhere {
        Elsewhere(pointer.expose_provenance())
    }

    /// `None` if it is where it belongs.
    #[inline]
    pub(super) const fn pointer<T>(self) -> Option<*mut T> {
        match self.0 {
            0 => None,
            address => Some(ptr::with_exposed_provenance_mut(address)),
        }
    }
}

/// The atomics of one type that were made for addresses.
pub(super) struct Made<A: 'static>(Mutex<BTreeMap<usize, &'static A>>);

impl<A> Made<A> {
    pub(super) const fn new() -> Made<A> {
        Made(Mutex::new(BTreeMap::new()))
    }

    /// The atomic for this place.
    pub(super) fn get(&self, place: Elsewhere, make: impl FnOnce() -> A) -> &'static A {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        made.entry(place.0)
            .or_insert_with(|| Box::leak(Box::new(make())))
    }
}

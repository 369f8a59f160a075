//! Real code, explored: every type that takes part, in programs whose outcomes can be
//! counted by hand.

#![cfg(commute)]

mod atomics;
mod channels;
mod condvar;
#[cfg(feature = "crossbeam")]
mod crossbeam;
#[cfg(feature = "dashmap")]
mod dashmap;
mod futures;
mod interchangeable;
#[cfg(any(feature = "crossbeam", feature = "papaya", feature = "arc-swap"))]
mod libraries;
mod loops;
mod memory;
mod misuse;
mod mutex;
mod objects;
mod once;
mod own_models;
#[cfg(feature = "parking_lot")]
mod parking_lot;
mod pointers;
mod reality;
mod rwlock;
#[cfg(feature = "scc")]
mod scc;
mod scope;
mod seen;
mod statics;
mod threads;

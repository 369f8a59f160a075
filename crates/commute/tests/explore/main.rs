//! Real code, explored: every type that takes part, in programs whose outcomes can be
//! counted by hand.

#![cfg(commute)]

mod atomics;
mod channels;
mod condvar;
mod mutex;
mod objects;
mod once;
mod rwlock;
mod scope;
mod seen;
mod statics;
mod threads;

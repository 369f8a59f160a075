//! Real code, explored: every type that takes part, in programs whose outcomes can be
//! counted by hand.

#![cfg(commute)]

mod atomics;
mod mutex;
mod seen;
mod threads;

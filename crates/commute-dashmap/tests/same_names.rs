//! The same client code, once with the original and once with the stand-in: that it
//! compiles compares names and signatures, that it passes compares behaviour. In a
//! normal build the two are the same; with `--cfg commute` they are not.
#![allow(clippy::duplicate_mod, reason = "that is what this is about")]

mod original;
mod stand_in;

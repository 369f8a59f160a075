//! The client code with the types of `std`.

#![allow(clippy::duplicate_mod, reason = "that is the point")]

pub(crate) use std::{sync, thread};

#[path = "../client/atomics.rs"]
mod atomics;
#[path = "../client/barriers.rs"]
mod barriers;
#[path = "../client/channels.rs"]
mod channels;
#[path = "../client/condvar.rs"]
mod condvar;
#[path = "../client/mutex.rs"]
mod mutex;
#[path = "../client/once.rs"]
mod once;
#[path = "../client/rwlock.rs"]
mod rwlock;
#[path = "../client/threads.rs"]
mod threads;

//! The client code with the types of `std`.

pub(crate) use std::{sync, thread};

#[path = "../client/condvar.rs"]
mod condvar;
#[path = "../client/mutex.rs"]
mod mutex;
#[path = "../client/rwlock.rs"]
mod rwlock;
#[path = "../client/threads.rs"]
mod threads;

//! What threads share without a lock, or instead of it what loom runs in every order.

#[cfg(not(commute_loom))]
pub(crate) use std::sync::{Arc, Mutex, atomic};

#[cfg(commute_loom)]
pub(crate) use loom::sync::{Arc, Mutex, atomic};

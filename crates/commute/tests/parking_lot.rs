//! The same program with the locks of `parking_lot` and with ours: that it compiles
//! compares signatures, that it runs compares behaviour, and what is recorded is
//! looked at.

#![allow(clippy::duplicate_mod, reason = "the same program with other types")]

#[path = "libraries"]
mod original {
    pub(crate) use ::parking_lot as library;
    #[path = "parking_lot.rs"]
    pub(crate) mod client;
}

#[path = "libraries"]
mod ours {
    pub(crate) use commute::parking_lot as library;
    #[path = "parking_lot.rs"]
    pub(crate) mod client;
}

#[cfg(commute)]
mod replayed;

#[cfg(not(commute))]
fn main() {
    original::client::main();
    ours::client::main();
}

#[cfg(commute)]
fn main() {
    let recorded = replayed::record(ours::client::main);
    recorded.has(1000, &["acq", "rel", "racq", "rrel"]);
    recorded.has(10, &["wait", "wake", "notify"]);
    let count = |what| recorded.counts[what];
    // A mutex and a lock whose guards went to other threads stay with who took them.
    let lost = usize::from(cfg!(feature = "parking_lot-send_guard"));
    let taken = count("acq") + count("wake") - lost;
    assert_eq!(taken, count("rel") + count("wait"));
    assert_eq!(count("racq") - lost, count("rrel"));
    original::client::main();
}

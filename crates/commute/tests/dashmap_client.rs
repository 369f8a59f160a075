//! The same program with the maps and sets of `dashmap` and with ours: that it compiles
//! compares signatures, that it runs compares behaviour, and what is recorded is
//! replayed.

#![allow(clippy::duplicate_mod, reason = "the same program with other types")]

#[path = "libraries"]
mod original {
    pub(crate) use ::dashmap as library;
    #[path = "dashmap.rs"]
    pub(crate) mod client;
}

#[path = "libraries"]
mod ours {
    pub(crate) use commute::dashmap as library;
    #[path = "dashmap.rs"]
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
    recorded.is_complete();
    recorded.has(2, &["get", "insert", "remove", "contains"]);
    original::client::main();
}

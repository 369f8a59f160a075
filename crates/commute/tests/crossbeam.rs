//! The same program with channels, queues and skip lists of `crossbeam` and with
//! ours: that it compiles compares signatures, that it runs compares behaviour, and
//! what is recorded is replayed.

#![allow(clippy::duplicate_mod, reason = "the same program with other types")]

#[path = "libraries"]
mod original {
    pub(crate) mod library {
        pub(crate) use ::crossbeam_channel as channel;
        pub(crate) use ::crossbeam_queue as queue;
        pub(crate) use ::crossbeam_skiplist as skiplist;
    }
    #[path = "channel.rs"]
    pub(crate) mod channel;
    #[path = "queue.rs"]
    pub(crate) mod queue;
    #[path = "skiplist.rs"]
    pub(crate) mod skiplist;
}

#[path = "libraries"]
mod ours {
    pub(crate) use commute::crossbeam as library;
    #[path = "channel.rs"]
    pub(crate) mod channel;
    #[path = "queue.rs"]
    pub(crate) mod queue;
    #[path = "skiplist.rs"]
    pub(crate) mod skiplist;
}

#[cfg(commute)]
mod replayed;

fn with_the_original() {
    original::channel::main();
    original::queue::main();
    original::skiplist::main();
}

fn with_ours() {
    ours::channel::main();
    ours::queue::main();
    ours::skiplist::main();
}

#[cfg(not(commute))]
fn main() {
    with_the_original();
    with_ours();
}

#[cfg(commute)]
fn main() {
    let recorded = replayed::record(with_ours);
    recorded.has(1000, &["send", "recv", "push", "pop", "len"]);
    recorded.has(1000, &["get", "insert", "remove", "contains"]);
    recorded.has(
        100,
        &["force_push", "is_empty", "or_insert", "contains_key"],
    );
    // How often a channel is polled depends on how threads are scheduled.
    recorded.has(5, &["try_recv", "close", "disconnect", "add", "load"]);
    let bounded = recorded.replay_as("bounded_queue", || {
        commute_spec::models::BoundedQueue::new(ours::queue::CAPACITY)
    });
    assert!(bounded > 1000);
    assert_eq!(recorded.replayed.1, bounded, "the rest was replayed before");
    with_the_original();
}

//! Channels, queues and skip lists of `crossbeam`, observable.

pub mod channel;
pub mod queue;
pub mod skiplist;

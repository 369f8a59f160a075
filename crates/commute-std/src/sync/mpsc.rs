//! `std::sync::mpsc`, with the types of `commute`.

pub use ::std::sync::mpsc::*;

pub use commute::sync::mpsc::{
    IntoIter, Iter, Receiver, Sender, SyncSender, TryIter, channel, sync_channel,
};

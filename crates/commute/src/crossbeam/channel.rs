//! The channels of the crate `crossbeam-channel`, observable.
//!
//! In a normal build this is `crossbeam_channel` itself. Under `--cfg commute` the
//! channel is our own, because from outside of the original it cannot be known in
//! which order messages went in and out; its errors are the original's. What is done
//! to it are actions of the specification `mpsc`, recorded while it is locked:
//!
//! | here | recorded as |
//! |---|---|
//! | `send`, `try_send`, `send_timeout`, `send_deadline` | `send(v)/true`, or `/false` if the receivers are gone |
//! | `recv`, iteration, a `recv_timeout` that got one | `recv()/v`, `/nil` if all senders are gone |
//! | `try_recv`, a `recv_timeout` that got none | `try_recv()/v`, `'empty'`, `'closed'` |
//! | the drop of the last receiver, or of the last sender | `close()/true`, `disconnect()` |
//! | `select!`, `Select` | what the selected operation is: `send` or `recv`. Looking for one is nothing |
//! | a `send` that finds no room, `len`, `is_empty`, `is_full` | nothing |
//! | everything on a channel of `after`, `at`, `tick` and `never` | nothing: they are the original's |
//!
//! A message is pictured when it is sent. In a bounded channel what makes room comes
//! before what uses it.
//!
//! In a test that is explored nothing is recorded and nothing waits: a model says what
//! happens, and the messages are moved accordingly (`explored.rs`, `store.rs`). There
//! `after`, `at` and `never` are channels of ours, too.

#[cfg(not(commute))]
pub use ::crossbeam_channel::*;

#[cfg(commute)]
mod ends;
#[cfg(commute)]
mod explored;
#[cfg(commute)]
mod handle;
#[cfg(commute)]
mod race;
#[cfg(commute)]
mod receiver;
#[cfg(commute)]
mod room;
#[cfg(commute)]
mod select;
#[cfg(commute)]
mod select_macro;
#[cfg(commute)]
mod selected;
#[cfg(commute)]
mod sender;
#[cfg(commute)]
mod shared;
#[cfg(commute)]
mod store;
#[cfg(commute)]
mod tally;
#[cfg(commute)]
mod waker;

#[cfg(commute)]
pub use self::{
    receiver::{IntoIter, Iter, Receiver, TryIter, after, at, never, tick},
    select::Select,
    select_macro::{select, select_biased},
    selected::SelectedOperation,
    sender::Sender,
};
#[cfg(commute)]
pub use ::crossbeam_channel::{
    ReadyTimeoutError, RecvError, RecvTimeoutError, SelectTimeoutError, SendError,
    SendTimeoutError, TryReadyError, TryRecvError, TrySelectError, TrySendError,
};

#[cfg(commute)]
use {self::shared::Channel, std::panic::Location, std::sync::Arc};

/// As [`crossbeam_channel::unbounded`](::crossbeam_channel::unbounded).
#[cfg(commute)]
#[track_caller]
pub fn unbounded<T>() -> (Sender<T>, Receiver<T>) {
    both(None, Location::caller())
}

/// As [`crossbeam_channel::bounded`](::crossbeam_channel::bounded).
#[cfg(commute)]
#[track_caller]
pub fn bounded<T>(cap: usize) -> (Sender<T>, Receiver<T>) {
    both(Some(cap), Location::caller())
}

#[cfg(commute)]
fn both<T>(bound: Option<usize>, at: &'static Location<'static>) -> (Sender<T>, Receiver<T>) {
    let channel = Arc::new(Channel::new(bound, at));
    let sender = Sender::new(Arc::clone(&channel), at);
    (sender, Receiver::new(channel, at))
}

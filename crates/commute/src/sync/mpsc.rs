//! `std::sync::mpsc`, observable: what is done to a channel are actions of the
//! specification `mpsc`.
//!
//! The channel is our own, because from outside of std's it cannot be known in which
//! order messages went in. Its errors are std's.
//!
//! | here | recorded as |
//! |---|---|
//! | `send`, `try_send` | `send(v)/true`, or `/false` if the receiver is gone |
//! | `recv`, iteration, a `recv_timeout` that got one | `recv()/v`, `/nil` if all senders are gone |
//! | `try_recv`, a `recv_timeout` that got none | `try_recv()/v`, `'empty'`, `'closed'` |
//! | the drop of the receiver | `close()/true` |
//! | the drop of the last sender | `disconnect()` |
//!
//! A `try_send` that finds no room is no event: the specification has no room. What
//! room orders is recorded beside it.

mod channel;
mod receiver;
mod room;
mod sender;

use std::panic::Location;
use std::sync::Arc;

use self::channel::Channel;
pub use self::receiver::{IntoIter, Iter, Receiver, TryIter};
pub use self::sender::{Sender, SyncSender};
pub use std::sync::mpsc::{RecvError, RecvTimeoutError, SendError, TryRecvError, TrySendError};

/// As [`std::sync::mpsc::channel`].
#[track_caller]
#[must_use]
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let at = Location::caller();
    let channel = Arc::new(Channel::new(None, at));
    let sender = Sender::new(Arc::clone(&channel), at);
    (sender, Receiver::new(channel, at))
}

/// As [`std::sync::mpsc::sync_channel`].
#[track_caller]
#[must_use]
pub fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>) {
    let at = Location::caller();
    let channel = Arc::new(Channel::new(Some(bound), at));
    let sender = SyncSender::new(Arc::clone(&channel), at);
    (sender, Receiver::new(channel, at))
}

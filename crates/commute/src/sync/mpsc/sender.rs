//! The ends that send.

use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use super::channel::{Channel, Place};
use super::{SendError, TrySendError};

/// As [`std::sync::mpsc::Sender`].
pub struct Sender<T> {
    pub(crate) end: End<T>,
}

/// As [`std::sync::mpsc::SyncSender`].
pub struct SyncSender<T> {
    pub(crate) end: End<T>,
}

/// One of the senders of a channel.
pub(crate) struct End<T> {
    pub(crate) channel: Arc<Channel<T>>,
    /// Where it was made: a drop has no caller.
    at: Place,
}

impl<T> End<T> {
    fn send(&self, t: T, at: Place) -> Result<(), SendError<T>> {
        let sent = self.channel.send(t, true, at);
        sent.map_err(|error| match error {
            TrySendError::Disconnected(t) | TrySendError::Full(t) => SendError(t),
        })
    }

    fn another(&self, at: Place) -> End<T> {
        self.channel.add_sender(at);
        let channel = Arc::clone(&self.channel);
        End { channel, at }
    }
}

impl<T> Drop for End<T> {
    fn drop(&mut self) {
        self.channel.drop_sender(self.at);
    }
}

impl<T> Sender<T> {
    pub(super) fn new(channel: Arc<Channel<T>>, at: Place) -> Sender<T> {
        let end = End { channel, at };
        Sender { end }
    }

    /// As [`std::sync::mpsc::Sender::send`].
    #[track_caller]
    pub fn send(&self, t: T) -> Result<(), SendError<T>> {
        self.end.send(t, Location::caller())
    }
}

impl<T> SyncSender<T> {
    pub(super) fn new(channel: Arc<Channel<T>>, at: Place) -> SyncSender<T> {
        let end = End { channel, at };
        SyncSender { end }
    }

    /// As [`std::sync::mpsc::SyncSender::send`].
    #[track_caller]
    pub fn send(&self, t: T) -> Result<(), SendError<T>> {
        self.end.send(t, Location::caller())
    }

    /// As [`std::sync::mpsc::SyncSender::try_send`].
    #[track_caller]
    pub fn try_send(&self, t: T) -> Result<(), TrySendError<T>> {
        self.end.channel.send(t, false, Location::caller())
    }
}

impl<T> Clone for Sender<T> {
    #[track_caller]
    fn clone(&self) -> Sender<T> {
        let end = self.end.another(Location::caller());
        Sender { end }
    }
}

impl<T> Clone for SyncSender<T> {
    #[track_caller]
    fn clone(&self) -> SyncSender<T> {
        let end = self.end.another(Location::caller());
        SyncSender { end }
    }
}

impl<T> fmt::Debug for Sender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sender").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for SyncSender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SyncSender").finish_non_exhaustive()
    }
}

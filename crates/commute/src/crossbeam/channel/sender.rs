//! The ends that send.

use std::fmt;
use std::panic::Location;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::shared::{At, Channel, Patience, Refused};
use super::{SendError, SendTimeoutError, TrySendError};

/// As [`crossbeam_channel::Sender`](::crossbeam_channel::Sender).
pub struct Sender<T> {
    pub(crate) channel: Arc<Channel<T>>,
    /// Where it was made: a drop has no caller.
    at: At,
}

impl<T> Sender<T> {
    pub(super) fn new(channel: Arc<Channel<T>>, at: At) -> Sender<T> {
        Sender { channel, at }
    }

    /// As the original's.
    #[track_caller]
    pub fn try_send(&self, msg: T) -> Result<(), TrySendError<T>> {
        let sent = self.channel.send(msg, Patience::None, Location::caller());
        sent.map_err(|refused| match refused {
            Refused::Full(msg) => TrySendError::Full(msg),
            Refused::Disconnected(msg) => TrySendError::Disconnected(msg),
        })
    }

    /// As the original's.
    #[track_caller]
    pub fn send(&self, msg: T) -> Result<(), SendError<T>> {
        let sent = self
            .channel
            .send(msg, Patience::Endless, Location::caller());
        sent.map_err(|refused| match refused {
            Refused::Full(msg) | Refused::Disconnected(msg) => SendError(msg),
        })
    }

    /// As the original's.
    #[track_caller]
    pub fn send_timeout(&self, msg: T, timeout: Duration) -> Result<(), SendTimeoutError<T>> {
        match Instant::now().checked_add(timeout) {
            Some(deadline) => self.send_deadline(msg, deadline),
            // A time that no clock can show is none.
            None => self.send(msg).map_err(SendTimeoutError::from),
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn send_deadline(&self, msg: T, deadline: Instant) -> Result<(), SendTimeoutError<T>> {
        let patience = Patience::Until(deadline);
        let sent = self.channel.send(msg, patience, Location::caller());
        sent.map_err(|refused| match refused {
            Refused::Full(msg) => SendTimeoutError::Timeout(msg),
            Refused::Disconnected(msg) => SendTimeoutError::Disconnected(msg),
        })
    }

    /// As the original's.
    #[track_caller]
    pub fn is_empty(&self) -> bool {
        self.channel.is_empty(Location::caller())
    }

    /// As the original's.
    #[track_caller]
    pub fn is_full(&self) -> bool {
        self.channel.is_full(Location::caller())
    }

    /// As the original's.
    #[track_caller]
    pub fn len(&self) -> usize {
        self.channel.len(Location::caller())
    }

    /// As the original's.
    pub fn capacity(&self) -> Option<usize> {
        self.channel.capacity()
    }

    /// As the original's.
    pub fn same_channel(&self, other: &Sender<T>) -> bool {
        Arc::ptr_eq(&self.channel, &other.channel)
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        self.channel.drop_sender(self.at);
    }
}

impl<T> Clone for Sender<T> {
    #[track_caller]
    fn clone(&self) -> Sender<T> {
        let at = Location::caller();
        self.channel.add_sender(at);
        Sender::new(Arc::clone(&self.channel), at)
    }
}

impl<T> fmt::Debug for Sender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("Sender { .. }")
    }
}

//! The end that receives.

use std::fmt;
use std::marker::PhantomData;
use std::panic::Location;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use super::channel::{Channel, Place};
use super::{RecvError, RecvTimeoutError, TryRecvError};

/// As [`std::sync::mpsc::Receiver`].
pub struct Receiver<T> {
    pub(crate) channel: Arc<Channel<T>>,
    /// Where it was made: a drop has no caller.
    at: Place,
    /// Not `Sync`, as std's: there is one thread that receives at a time.
    _one: PhantomData<mpsc::Receiver<()>>,
}

/// As [`std::sync::mpsc::Iter`]. Receives where it was made, because `next` is mostly
/// called by std.
pub struct Iter<'a, T> {
    rx: &'a Receiver<T>,
    at: Place,
}

/// As [`std::sync::mpsc::TryIter`].
pub struct TryIter<'a, T> {
    rx: &'a Receiver<T>,
    at: Place,
}

/// As [`std::sync::mpsc::IntoIter`].
pub struct IntoIter<T> {
    rx: Receiver<T>,
    at: Place,
}

impl<T> Receiver<T> {
    pub(super) fn new(channel: Arc<Channel<T>>, at: Place) -> Receiver<T> {
        let _one = PhantomData;
        Receiver { channel, at, _one }
    }

    /// As [`std::sync::mpsc::Receiver::try_recv`].
    #[track_caller]
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        self.channel.try_receive(Location::caller())
    }

    /// As [`std::sync::mpsc::Receiver::recv`].
    #[track_caller]
    pub fn recv(&self) -> Result<T, RecvError> {
        let received = self.channel.receive(None, Location::caller());
        received.map_err(|_| RecvError)
    }

    /// As [`std::sync::mpsc::Receiver::recv_timeout`].
    #[track_caller]
    pub fn recv_timeout(&self, timeout: Duration) -> Result<T, RecvTimeoutError> {
        // A time that no clock can show is none.
        let until = Instant::now().checked_add(timeout);
        self.channel.receive(until, Location::caller())
    }

    /// As [`std::sync::mpsc::Receiver::iter`].
    #[track_caller]
    pub fn iter(&self) -> Iter<'_, T> {
        let at = Location::caller();
        Iter { rx: self, at }
    }

    /// As [`std::sync::mpsc::Receiver::try_iter`].
    #[track_caller]
    pub fn try_iter(&self) -> TryIter<'_, T> {
        let at = Location::caller();
        TryIter { rx: self, at }
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        self.channel.drop_receiver(self.at);
    }
}

impl<T> Iterator for Iter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.rx.channel.receive(None, self.at).ok()
    }
}

impl<T> Iterator for TryIter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.rx.channel.try_receive(self.at).ok()
    }
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.rx.channel.receive(None, self.at).ok()
    }
}

impl<'a, T> IntoIterator for &'a Receiver<T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;

    #[track_caller]
    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<T> IntoIterator for Receiver<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    #[track_caller]
    fn into_iter(self) -> IntoIter<T> {
        let at = Location::caller();
        IntoIter { rx: self, at }
    }
}

impl<T> fmt::Debug for Receiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Receiver").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for Iter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Iter").field("rx", self.rx).finish()
    }
}

impl<T> fmt::Debug for TryIter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TryIter").field("rx", self.rx).finish()
    }
}

impl<T> fmt::Debug for IntoIter<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IntoIter").field("rx", &self.rx).finish()
    }
}

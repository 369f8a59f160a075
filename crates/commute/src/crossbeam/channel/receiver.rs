//! The ends that receive.

use std::fmt;
use std::iter::FusedIterator;
use std::panic::Location;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ::crossbeam_channel as original;
use commute_explore::runtime::{is_inside, misuse};
use commute_record::Tag;

use super::shared::{At, Channel, Nothing, Patience};
use super::{RecvError, RecvTimeoutError, TryRecvError};
use crate::explored::thread;

/// As [`crossbeam_channel::Receiver`](original::Receiver).
pub struct Receiver<T> {
    pub(super) of: Of<T>,
}

/// What it receives from.
pub(super) enum Of<T> {
    /// With where this end was made: a drop has no caller.
    Channel(Arc<Channel<T>>, At),
    /// Time, or nothing; and what selections have taken from it, by number.
    Original(original::Receiver<T>, Mutex<Vec<(u64, T)>>),
}

/// Something that may have a name.
pub(crate) struct Nameable<'a>(Option<&'a Tag>);

impl Nameable<'_> {
    pub(crate) fn call(&self, name: &str) {
        if let Some(tag) = self.0 {
            crate::explored::Called::call(tag, name);
        }
    }
}

/// A channel of time in a test that is explored, or of nothing. There is always a sender,
/// though nobody has it.
fn of_nobody<T>(bound: Option<usize>, at: At) -> Receiver<T> {
    Receiver::new(Arc::new(Channel::new(bound, at)), at)
}

/// A timer in a test that is explored: a thread, so it may come at any time. If it comes
/// at once, it has come already.
fn timer(when: Instant, at_once: bool, at: At) -> Receiver<Instant> {
    let receiver = of_nobody(Some(1), at);
    let Of::Channel(channel, _) = &receiver.of else {
        unreachable!("it was made of one");
    };
    if at_once {
        channel.ring(when, at);
    } else {
        let channel = Arc::clone(channel);
        let ring = Box::new(move || channel.ring(when, at));
        thread::spawn(Some("timer".to_owned()), ring, at);
    }
    receiver
}

/// Why a channel of `tick` is not explored.
pub(super) fn ticks() -> String {
    "`crossbeam::channel::tick` never comes to an end, so it is not explored".to_owned()
}

/// As [`crossbeam_channel::after`](original::after).
#[track_caller]
pub fn after(duration: Duration) -> Receiver<Instant> {
    let at = Location::caller();
    if is_inside() {
        return match Instant::now().checked_add(duration) {
            Some(when) => timer(when, duration.is_zero(), at),
            None => of_nobody(None, at),
        };
    }
    Receiver::of_original(original::after(duration))
}

/// As [`crossbeam_channel::at`](original::at).
#[track_caller]
pub fn at(when: Instant) -> Receiver<Instant> {
    if is_inside() {
        return timer(when, when <= Instant::now(), Location::caller());
    }
    Receiver::of_original(original::at(when))
}

/// As [`crossbeam_channel::tick`](original::tick).
pub fn tick(duration: Duration) -> Receiver<Instant> {
    if is_inside() {
        misuse(ticks());
    }
    Receiver::of_original(original::tick(duration))
}

/// As [`crossbeam_channel::never`](original::never).
#[track_caller]
pub fn never<T>() -> Receiver<T> {
    if is_inside() {
        return of_nobody(None, Location::caller());
    }
    Receiver::of_original(original::never())
}

impl<T> Receiver<T> {
    pub(super) fn new(channel: Arc<Channel<T>>, at: At) -> Receiver<T> {
        let of = Of::Channel(channel, at);
        Receiver { of }
    }

    fn of_original(inner: original::Receiver<T>) -> Receiver<T> {
        let of = Of::Original(inner, Mutex::new(Vec::new()));
        Receiver { of }
    }

    fn try_recv_at(&self, at: At) -> Result<T, TryRecvError> {
        match &self.of {
            Of::Original(inner, _) => inner.try_recv(),
            Of::Channel(channel, _) => {
                let received = channel.receive(Patience::None, at);
                received.map_err(|nothing| match nothing {
                    Nothing::Empty => TryRecvError::Empty,
                    Nothing::Disconnected => TryRecvError::Disconnected,
                })
            }
        }
    }

    fn recv_at(&self, at: At) -> Result<T, RecvError> {
        match &self.of {
            Of::Original(inner, _) => inner.recv(),
            Of::Channel(channel, _) => channel
                .receive(Patience::Endless, at)
                .map_err(|_| RecvError),
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        self.try_recv_at(Location::caller())
    }

    /// As the original's.
    #[track_caller]
    pub fn recv(&self) -> Result<T, RecvError> {
        self.recv_at(Location::caller())
    }

    /// As the original's.
    #[track_caller]
    pub fn recv_timeout(&self, timeout: Duration) -> Result<T, RecvTimeoutError> {
        match Instant::now().checked_add(timeout) {
            Some(deadline) => self.recv_deadline(deadline),
            // A time that no clock can show is none.
            None => self.recv().map_err(RecvTimeoutError::from),
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn recv_deadline(&self, deadline: Instant) -> Result<T, RecvTimeoutError> {
        match &self.of {
            Of::Original(inner, _) => inner.recv_deadline(deadline),
            Of::Channel(channel, _) => {
                let received = channel.receive(Patience::Until(deadline), Location::caller());
                received.map_err(|nothing| match nothing {
                    Nothing::Empty => RecvTimeoutError::Timeout,
                    Nothing::Disconnected => RecvTimeoutError::Disconnected,
                })
            }
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn is_empty(&self) -> bool {
        match &self.of {
            Of::Original(inner, _) => inner.is_empty(),
            Of::Channel(channel, _) => channel.is_empty(Location::caller()),
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn is_full(&self) -> bool {
        match &self.of {
            Of::Original(inner, _) => inner.is_full(),
            Of::Channel(channel, _) => channel.is_full(Location::caller()),
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn len(&self) -> usize {
        match &self.of {
            Of::Original(inner, _) => inner.len(),
            Of::Channel(channel, _) => channel.len(Location::caller()),
        }
    }

    /// As the original's.
    pub fn capacity(&self) -> Option<usize> {
        match &self.of {
            Of::Original(inner, _) => inner.capacity(),
            Of::Channel(channel, _) => channel.capacity(),
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn iter(&self) -> Iter<'_, T> {
        let at = Location::caller();
        Iter { receiver: self, at }
    }

    /// As the original's.
    #[track_caller]
    pub fn try_iter(&self) -> TryIter<'_, T> {
        let at = Location::caller();
        TryIter { receiver: self, at }
    }

    /// As the original's.
    pub fn same_channel(&self, other: &Receiver<T>) -> bool {
        match (&self.of, &other.of) {
            (Of::Original(one, _), Of::Original(other, _)) => one.same_channel(other),
            (Of::Channel(one, _), Of::Channel(other, _)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }

    /// What can be named, if it is in reports at all.
    pub(crate) fn named(&self) -> Nameable<'_> {
        match &self.of {
            Of::Channel(channel, _) => Nameable(Some(&channel.tag)),
            Of::Original(..) => Nameable(None),
        }
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        if let Of::Channel(channel, at) = &self.of {
            channel.drop_receiver(at);
        }
    }
}

impl<T> Clone for Receiver<T> {
    #[track_caller]
    fn clone(&self) -> Receiver<T> {
        match &self.of {
            Of::Original(inner, _) => Receiver::of_original(inner.clone()),
            Of::Channel(channel, _) => {
                let at = Location::caller();
                channel.add_receiver(at);
                Receiver::new(Arc::clone(channel), at)
            }
        }
    }
}

impl<T> fmt::Debug for Receiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("Receiver { .. }")
    }
}

/// As [`crossbeam_channel::Iter`](original::Iter). Receives where it was made, because
/// `next` is mostly called by std.
pub struct Iter<'a, T> {
    receiver: &'a Receiver<T>,
    at: At,
}

/// As [`crossbeam_channel::TryIter`](original::TryIter).
pub struct TryIter<'a, T> {
    receiver: &'a Receiver<T>,
    at: At,
}

/// As [`crossbeam_channel::IntoIter`](original::IntoIter).
pub struct IntoIter<T> {
    receiver: Receiver<T>,
    at: At,
}

macro_rules! iterators {
    ($($Iter:ident<$($lifetime:lifetime)?> => $receive:ident;)*) => {
        $(impl<T> Iterator for $Iter<$($lifetime,)? T> {
            type Item = T;

            fn next(&mut self) -> Option<T> {
                self.receiver.$receive(self.at).ok()
            }
        }

        impl<T> fmt::Debug for $Iter<$($lifetime,)? T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(concat!(stringify!($Iter), " { .. }"))
            }
        })*
    };
}

iterators! {
    Iter<'_> => recv_at;
    TryIter<'_> => try_recv_at;
    IntoIter<> => recv_at;
}

impl<T> FusedIterator for Iter<'_, T> {}

impl<T> FusedIterator for IntoIter<T> {}

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
        IntoIter { receiver: self, at }
    }
}

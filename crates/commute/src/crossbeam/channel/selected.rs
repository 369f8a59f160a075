//! An operation that was selected, and is to be completed.

use std::fmt;
use std::marker::PhantomData;
use std::mem;
use std::sync::PoisonError;

use commute_explore::runtime::is_inside;

use super::handle::Token;
use super::receiver::{Of, Receiver};
use super::sender::Sender;
use super::shared::{At, Patience, Refused};
use super::{RecvError, SendError};

/// As [`crossbeam_channel::SelectedOperation`](::crossbeam_channel::SelectedOperation).
#[must_use]
pub struct SelectedOperation<'a> {
    pub(super) index: usize,
    pub(super) handle: usize,
    /// `None` when it is completed.
    pub(super) token: Option<Token>,
    pub(super) at: At,
    pub(super) _ends: PhantomData<&'a ()>,
}

impl SelectedOperation<'_> {
    /// As the original's.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    fn complete<T>(mut self, handle: &T) -> Option<Token> {
        let same = std::ptr::from_ref(handle).cast::<()>().addr() == self.handle;
        let token = self.token.take();
        mem::forget(self);
        assert!(same, "passed an end of a channel that wasn't selected");
        token
    }

    /// As the original's.
    pub fn send<T>(self, s: &Sender<T>, msg: T) -> Result<(), SendError<T>> {
        let at = self.at;
        let token = self.complete(s);
        if let Some(Token::Place(place, name)) = token {
            s.channel.fill(place, name, msg, at);
            return Ok(());
        }
        if is_inside() {
            return Err(SendError(msg));
        }
        let promised = matches!(token, Some(Token::Room));
        let sent = s.channel.put(msg, promised, Patience::None, at);
        if promised {
            s.channel.lock().blocked -= 1;
            s.channel.filled.notify_all();
        }
        sent.map_err(|refused| match refused {
            Refused::Full(msg) | Refused::Disconnected(msg) => SendError(msg),
        })
    }

    /// As the original's.
    pub fn recv<T>(self, r: &Receiver<T>) -> Result<T, RecvError> {
        let Some(Token::Message(number)) = self.complete(r) else {
            return Err(RecvError);
        };
        let find = |taken: &mut Vec<(u64, T)>| {
            let i = taken.iter().position(|(other, _)| *other == number)?;
            Some(taken.swap_remove(i).1)
        };
        let message = match &r.of {
            Of::Channel(channel, _) => find(&mut channel.lock().taken),
            Of::Original(_, taken) => {
                find(&mut taken.lock().unwrap_or_else(PoisonError::into_inner))
            }
        };
        message.ok_or(RecvError)
    }
}

impl Drop for SelectedOperation<'_> {
    fn drop(&mut self) {
        panic!("dropped `SelectedOperation` without completing the operation");
    }
}

impl fmt::Debug for SelectedOperation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("SelectedOperation { .. }")
    }
}

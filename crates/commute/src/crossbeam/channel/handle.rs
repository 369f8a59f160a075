//! What a selection asks of the ends of channels.

use std::sync::{Arc, PoisonError};

use commute_record::Value;

use super::race::{End, Operation};
use super::receiver::{Of, Receiver};
use super::sender::Sender;
use super::shared::{At, Channel, Nothing, Patience};
use super::waker::{Waker, any_number};

/// What a selection was promised.
#[derive(Debug)]
pub(super) enum Token {
    /// The message of this number, which is taken already.
    Message(u64),
    /// Room for a message.
    Room,
    /// A place for a message, and its name in a test that is explored.
    Place(u64, Value),
    /// Nothing: there is nobody on the other side.
    Disconnected,
}

/// An end of a channel, of any type of messages.
pub(super) trait Handle {
    /// Does what can be done now. Of the senders that wait, `own` are this selection.
    fn attempt(&self, own: usize, at: At) -> Option<Token>;

    /// Whether something could be done now.
    fn is_ready(&self) -> bool;

    /// Begins to wake, and ends.
    fn watch(&self, waker: &Arc<Waker>);
    fn unwatch(&self, waker: &Arc<Waker>);

    /// What can be chosen in a test that is explored; none if it is not a channel of ours.
    fn operation<'a>(&'a self) -> Option<Arc<dyn Operation + 'a>>;

    /// The channel, and whether this is an end that sends.
    fn channel(&self) -> Option<(usize, bool)>;
}

fn address<T>(channel: &Arc<Channel<T>>) -> usize {
    Arc::as_ptr(channel).addr()
}

/// Keeps a message for the selection that took it.
pub(super) fn keep<T>(taken: &mut Vec<(u64, T)>, message: T) -> Token {
    let number = loop {
        let number = any_number();
        if taken.iter().all(|(other, _)| *other != number) {
            break number;
        }
    };
    taken.push((number, message));
    Token::Message(number)
}

impl<T> Handle for Receiver<T> {
    fn attempt(&self, own: usize, at: At) -> Option<Token> {
        match &self.of {
            Of::Original(inner, taken) => {
                let value = inner.try_recv().ok()?;
                let mut taken = taken.lock().unwrap_or_else(PoisonError::into_inner);
                Some(keep(&mut taken, value))
            }
            Of::Channel(channel, _) => match channel.receive(Patience::Selecting { own }, at) {
                Ok(value) => Some(keep(&mut channel.lock().taken, value)),
                Err(Nothing::Disconnected) => Some(Token::Disconnected),
                Err(Nothing::Empty) => None,
            },
        }
    }

    fn is_ready(&self) -> bool {
        match &self.of {
            Of::Original(inner, _) => !inner.is_empty(),
            Of::Channel(channel, _) => {
                let state = channel.lock();
                let comes = state.hands_over() && state.blocked > 0;
                !state.messages.is_empty() || state.senders == 0 || comes
            }
        }
    }

    fn watch(&self, waker: &Arc<Waker>) {
        if let Of::Channel(channel, _) = &self.of {
            channel.lock().wakers.push(Arc::clone(waker));
        }
    }

    fn unwatch(&self, waker: &Arc<Waker>) {
        if let Of::Channel(channel, _) = &self.of {
            forget(&mut channel.lock().wakers, waker);
        }
    }

    fn operation<'a>(&'a self) -> Option<Arc<dyn Operation + 'a>> {
        match &self.of {
            Of::Original(..) => None,
            Of::Channel(channel, _) => Some(Arc::new(End {
                channel: Arc::clone(channel),
                sends: false,
            })),
        }
    }

    fn channel(&self) -> Option<(usize, bool)> {
        match &self.of {
            Of::Original(..) => None,
            Of::Channel(channel, _) => Some((address(channel), false)),
        }
    }
}

impl<T> Handle for Sender<T> {
    fn attempt(&self, _own: usize, _at: At) -> Option<Token> {
        let mut state = self.channel.lock();
        if state.receivers == 0 {
            return Some(Token::Disconnected);
        }
        state.has_room().then(|| {
            state.promised += 1;
            // Who waits for a message to be handed over must not give up.
            state.blocked += 1;
            Token::Room
        })
    }

    fn is_ready(&self) -> bool {
        let state = self.channel.lock();
        state.receivers == 0 || state.has_room()
    }

    fn watch(&self, waker: &Arc<Waker>) {
        let mut state = self.channel.lock();
        state.wakers.push(Arc::clone(waker));
        state.blocked += 1;
        // Selections on the other side may find that now a sender waits.
        state
            .wakers
            .iter()
            .filter(|other| !Arc::ptr_eq(other, waker))
            .for_each(|other| other.wake());
    }

    fn unwatch(&self, waker: &Arc<Waker>) {
        let mut state = self.channel.lock();
        forget(&mut state.wakers, waker);
        state.blocked -= 1;
        drop(state);
        // Somebody may wait for us to hand a message over.
        self.channel.filled.notify_all();
    }

    fn operation<'a>(&'a self) -> Option<Arc<dyn Operation + 'a>> {
        Some(Arc::new(End {
            channel: Arc::clone(&self.channel),
            sends: true,
        }))
    }

    fn channel(&self) -> Option<(usize, bool)> {
        Some((address(&self.channel), true))
    }
}

fn forget(wakers: &mut Vec<Arc<Waker>>, waker: &Arc<Waker>) {
    if let Some(i) = wakers.iter().position(|other| Arc::ptr_eq(other, waker)) {
        wakers.swap_remove(i);
    }
}

//! A channel, which its senders and receivers share.
//!
//! Without room (`bounded(0)`) it hands over: a sender puts its message in only when
//! there is a receiver that waits for one, and then one of them takes it.

use std::collections::VecDeque;
use std::panic::Location;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use commute_record::{Kind, Method, Order, Raw, Tag, Value, action, is_on, value_of};

use super::room::Room;
use super::store::Store;
use super::tally::Tally;
use super::waker::{Waker, a_moment};
use crate::explored;

static CHANNEL: Kind = Kind::object("channel", "mpsc");
static ENDS: Kind = Kind::object("ends", "atomic");

static SEND: Method = Method::new("send");
static RECV: Method = Method::new("recv");
static TRY_RECV: Method = Method::new("try_recv");
pub(super) static CLOSE: Method = Method::new("close");
pub(super) static DISCONNECT: Method = Method::new("disconnect");

/// Where in the program.
pub(super) type At = &'static Location<'static>;

/// How long to wait for something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Patience {
    None,
    /// None either, and nothing is no event. Of the senders that wait, so many are the
    /// one who asks.
    Selecting {
        own: usize,
    },
    Until(Instant),
    Endless,
}

impl Patience {
    fn is_over(self) -> bool {
        match self {
            Patience::None | Patience::Selecting { .. } => true,
            Patience::Until(until) => Instant::now() >= until,
            Patience::Endless => false,
        }
    }
}

/// Why nothing was sent.
pub(super) enum Refused<T> {
    Full(T),
    Disconnected(T),
}

/// Why nothing was received.
pub(super) enum Nothing {
    Empty,
    Disconnected,
}

pub(crate) struct Channel<T> {
    pub(crate) tag: Tag,
    state: Mutex<State<T>>,
    pub(super) filled: Condvar,
    pub(super) emptied: Condvar,
}

pub(super) struct State<T> {
    /// With their pictures.
    pub(super) messages: VecDeque<(T, Value)>,
    pub(super) senders: usize,
    pub(super) receivers: usize,
    /// Senders and receivers that are gone: what each did comes before the end of the
    /// last on its side, and before the end of the channel.
    pub(super) gone: Tally,
    /// How many senders wait for room, and how many receivers for a message.
    pub(super) blocked: usize,
    pub(super) waiting: usize,
    /// What selections have been promised: room, and messages, by number.
    pub(super) promised: usize,
    pub(super) taken: Vec<(u64, T)>,
    /// Selections that wait.
    pub(super) wakers: Vec<Arc<Waker>>,
    /// The messages, in a test that is explored.
    pub(super) store: Store<T>,
    /// `None` if there is always room.
    pub(super) room: Option<Room>,
}

impl<T> State<T> {
    pub(super) fn hands_over(&self) -> bool {
        self.room.as_ref().is_some_and(|room| room.bound() == 0)
    }

    pub(super) fn has_room(&self) -> bool {
        let used = self.messages.len() + self.promised;
        match &self.room {
            None => true,
            Some(room) if room.bound() == 0 => used < self.waiting,
            Some(room) => used < room.bound(),
        }
    }

    /// Selections look again.
    pub(super) fn wake(&self) {
        self.wakers.iter().for_each(|waker| waker.wake());
    }
}

impl<T> Channel<T> {
    pub(super) fn new(bound: Option<usize>, at: At) -> Channel<T> {
        Channel {
            tag: Tag::made_at(&CHANNEL, at),
            state: Mutex::new(State {
                messages: VecDeque::new(),
                senders: 1,
                receivers: 1,
                gone: Tally::new(&ENDS, at),
                blocked: 0,
                waiting: 0,
                promised: 0,
                taken: Vec::new(),
                wakers: Vec::new(),
                store: Store::default(),
                room: bound.map(|bound| Room::new(bound, at)),
            }),
            filled: Condvar::new(),
            emptied: Condvar::new(),
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn act(&self, method: &Method, at: At, args: &[Raw<'_>], results: &[Raw<'_>]) {
        if is_on() {
            action(&self.tag, method, Order::Alone, at, args, results);
        }
    }

    fn wait<'a>(
        condvar: &Condvar,
        state: MutexGuard<'a, State<T>>,
        patience: Patience,
    ) -> MutexGuard<'a, State<T>> {
        match patience {
            Patience::Until(until) => {
                let left = until.saturating_duration_since(Instant::now());
                let waited = condvar.wait_timeout(state, left);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
            _ => condvar.wait(state).unwrap_or_else(PoisonError::into_inner),
        }
    }

    pub(super) fn send(&self, value: T, patience: Patience, at: At) -> Result<(), Refused<T>> {
        if explored::is_on(&self.tag) {
            return self.send_explored(value, patience, at);
        }
        self.put(value, false, patience, at)
    }

    /// Sends, maybe into room that was promised.
    pub(super) fn put(
        &self,
        value: T,
        promised: bool,
        patience: Patience,
        at: At,
    ) -> Result<(), Refused<T>> {
        // Outside of the lock, because it may take code of the program.
        let picture = match is_on() {
            true => value_of(&value).to_value(),
            false => Value::Nil,
        };
        let say = |picture: &Value, ok| {
            self.act(&SEND, at, &[Raw::Value(picture)], &[Raw::Bool(ok)]);
        };
        let mut state = self.lock();
        loop {
            if state.receivers == 0 {
                state.promised -= usize::from(promised);
                say(&picture, false);
                drop(state);
                return Err(Refused::Disconnected(value));
            }
            if promised || state.has_room() {
                state.promised -= usize::from(promised);
                if let Some(room) = &mut state.room {
                    room.enter(at);
                }
                say(&picture, true);
                state.messages.push_back((value, picture));
                state.wake();
                let hands_over = state.hands_over();
                drop(state);
                match hands_over {
                    // Who only tries must see that no sender is blocked any more.
                    true => self.filled.notify_all(),
                    false => self.filled.notify_one(),
                }
                return Ok(());
            }
            if patience.is_over() {
                drop(state);
                // Somebody may wait for us to hand our message over.
                self.filled.notify_all();
                return Err(Refused::Full(value));
            }
            state.blocked += 1;
            state = Self::wait(&self.emptied, state, patience);
            state.blocked -= 1;
        }
    }

    pub(super) fn receive(&self, patience: Patience, at: At) -> Result<T, Nothing> {
        if explored::is_on(&self.tag) {
            return self.receive_explored(patience, at);
        }
        let method = match patience {
            Patience::None => &TRY_RECV,
            _ => &RECV,
        };
        let mut tried = false;
        let mut state = self.lock();
        loop {
            if let Some((value, picture)) = state.messages.pop_front() {
                if let Some(room) = &mut state.room {
                    room.leave(at);
                }
                self.act(method, at, &[], &[Raw::Value(&picture)]);
                state.wake();
                drop(state);
                self.emptied.notify_one();
                return Ok(value);
            }
            if state.senders == 0 {
                let closed = match patience {
                    Patience::None => Raw::Str("closed"),
                    _ => Raw::Nil,
                };
                self.act(method, at, &[], &[closed]);
                return Err(Nothing::Disconnected);
            }
            // Selections were told that somebody waits for a message: that is us.
            let owed = state.hands_over() && state.promised > state.waiting;
            // A sender that waits to hand its message over does so as soon as it can.
            let comes = state.hands_over()
                && match patience {
                    _ if owed => true,
                    Patience::None => state.blocked > 0,
                    Patience::Selecting { own } => state.blocked > own && !tried,
                    _ => false,
                };
            if !comes && patience.is_over() {
                if !matches!(patience, Patience::Selecting { .. }) {
                    self.act(&TRY_RECV, at, &[], &[Raw::Str("empty")]);
                }
                return Err(Nothing::Empty);
            }
            state.waiting += 1;
            if let Some(room) = &mut state.room {
                room.offer(at);
            }
            if state.hands_over() {
                self.emptied.notify_one();
                state.wake();
            }
            // Two selections may wait for each other: one gives up first.
            tried = true;
            let patience = match patience {
                _ if owed => Patience::Endless,
                Patience::Selecting { .. } => Patience::Until(Instant::now() + a_moment()),
                patience => patience,
            };
            state = Self::wait(&self.filled, state, patience);
            state.waiting -= 1;
        }
    }

    pub(super) fn len(&self, at: At) -> usize {
        if explored::is_on(&self.tag) {
            let len = self.look_explored("len", at).as_int();
            return len.map_or(0, |len| len as usize);
        }
        self.lock().messages.len()
    }

    pub(super) fn is_empty(&self, at: At) -> bool {
        if explored::is_on(&self.tag) {
            return self.look_explored("is_empty", at) == Value::Bool(true);
        }
        self.lock().messages.is_empty()
    }

    pub(super) fn is_full(&self, at: At) -> bool {
        if explored::is_on(&self.tag) {
            return self.look_explored("is_full", at) == Value::Bool(true);
        }
        self.capacity()
            .is_some_and(|capacity| self.lock().messages.len() >= capacity)
    }

    pub(super) fn capacity(&self) -> Option<usize> {
        self.lock().room.as_ref().map(Room::bound)
    }
}

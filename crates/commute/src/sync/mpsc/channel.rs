//! A channel with one receiver.
//!
//! Every action is recorded while the channel is locked, but for a receive that got
//! a message: its picture may take code of the program, which must not run under
//! our lock. There is one receiver, and a receive of the oldest message gives the
//! same before and after other sends, so the order stays one that can have been.
//!
//! A channel without room (`sync_channel(0)`) hands over: a sender puts its message
//! in only when the receiver waits for one, and then the receiver takes it.

use std::collections::VecDeque;
use std::panic::Location;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use commute_explore::runtime::{stuck, surprise};
use commute_record::{Kind, Method, Order, Raw, Tag, action, is_on, value_of};

use super::room::Room;
use super::{RecvTimeoutError, TryRecvError, TrySendError};
use crate::explored;
use crate::explored::channel::{Model, Received, Sent};
use crate::sync::tally::Tally;

static CHANNEL: Kind = Kind::object("channel", "mpsc").with_owners();
static ENDS: Kind = Kind::object("ends", "atomic").with_owners();

static SEND: Method = Method::new("send");
static RECV: Method = Method::new("recv");
static TRY_RECV: Method = Method::new("try_recv");
static CLOSE: Method = Method::new("close");
static DISCONNECT: Method = Method::new("disconnect");

/// Where in the program.
pub(super) type Place = &'static Location<'static>;

#[derive(Debug)]
pub(crate) struct Channel<T> {
    pub(crate) tag: Tag,
    /// Senders that are gone: what each did comes before the end of the
    /// last sender, and before the end of the channel.
    gone: Tally,
    state: Mutex<State<T>>,
    filled: Condvar,
    emptied: Condvar,
}

#[derive(Debug)]
struct State<T> {
    messages: VecDeque<T>,
    /// How many were put in, in a test that is explored.
    sent: u64,
    senders: usize,
    /// Whether there was ever more than one.
    had_senders: bool,
    has_receiver: bool,
    /// How many senders wait for room.
    blocked: usize,
    /// `None` if there is always room.
    room: Option<Room>,
}

impl<T> State<T> {
    fn hands_over(&self) -> bool {
        self.room.as_ref().is_some_and(Room::is_none)
    }
}

impl<T> Channel<T> {
    pub(super) fn new(bound: Option<usize>, at: Place) -> Channel<T> {
        Channel {
            tag: Tag::made_at(&CHANNEL, at),
            gone: Tally::new(&ENDS, at),
            state: Mutex::new(State {
                messages: VecDeque::new(),
                sent: 0,
                senders: 1,
                had_senders: false,
                has_receiver: true,
                blocked: 0,
                room: bound.map(|bound| Room::new(bound, at)),
            }),
            filled: Condvar::new(),
            emptied: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn act(&self, method: &Method, at: Place, args: &[Raw<'_>], result: Raw<'_>) {
        if is_on() {
            action(&self.tag, method, Order::AmongOthers, at, args, &[result]);
        }
    }

    /// Sends, if that can be without waiting or `wait` is set.
    pub(super) fn send(&self, value: T, wait: bool, at: Place) -> Result<(), TrySendError<T>> {
        if explored::is_on(&self.tag) {
            return self.send_explored(value, wait, at);
        }
        let picture = is_on().then(|| value_of(&value));
        let sent = |picture: Option<Raw<'_>>, ok| {
            if let Some(picture) = picture {
                self.act(&SEND, at, &[picture], Raw::Bool(ok));
            }
        };
        let mut state = self.lock();
        loop {
            if !state.has_receiver {
                sent(picture, false);
                drop(state);
                return Err(TrySendError::Disconnected(value));
            }
            let waiting = state.messages.len();
            if state
                .room
                .as_mut()
                .is_none_or(|room| room.enter(waiting, at))
            {
                sent(picture, true);
                state.messages.push_back(value);
                drop(state);
                self.filled.notify_one();
                return Ok(());
            }
            if !wait {
                drop((state, picture));
                return Err(TrySendError::Full(value));
            }
            state.blocked += 1;
            let waited = self.emptied.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
            state.blocked -= 1;
        }
    }

    /// Receives a message, and waits for it.
    pub(super) fn receive(&self, until: Option<Instant>, at: Place) -> Result<T, RecvTimeoutError> {
        if explored::is_on(&self.tag) {
            let method = match until {
                None => "recv",
                Some(_) => "recv_or_not",
            };
            return self
                .receive_explored(method, at)
                .map_err(|error| match error {
                    TryRecvError::Empty => RecvTimeoutError::Timeout,
                    TryRecvError::Disconnected => RecvTimeoutError::Disconnected,
                });
        }
        let mut state = self.lock();
        loop {
            if let Some(value) = self.take(&mut state, at) {
                drop(state);
                self.received(&RECV, &value, at);
                return Ok(value);
            }
            if state.senders == 0 {
                self.act(&RECV, at, &[], Raw::Nil);
                return Err(RecvTimeoutError::Disconnected);
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                if let Some(room) = &mut state.room {
                    room.withdraw();
                }
                self.act(&TRY_RECV, at, &[], Raw::Str("empty"));
                return Err(RecvTimeoutError::Timeout);
            }
            state = self.await_message(state, until, at);
        }
    }

    /// Receives a message if there is one.
    pub(super) fn try_receive(&self, at: Place) -> Result<T, TryRecvError> {
        if explored::is_on(&self.tag) {
            return self.receive_explored("try_recv", at);
        }
        let mut state = self.lock();
        // A sender that waits to hand its message over does so as soon as it can.
        while state.messages.is_empty() && state.blocked > 0 && state.hands_over() {
            state = self.await_message(state, None, at);
        }
        if let Some(value) = self.take(&mut state, at) {
            drop(state);
            self.received(&TRY_RECV, &value, at);
            return Ok(value);
        }
        let (word, error) = match state.senders {
            0 => ("closed", TryRecvError::Disconnected),
            _ => ("empty", TryRecvError::Empty),
        };
        self.act(&TRY_RECV, at, &[], Raw::Str(word));
        Err(error)
    }

    fn received(&self, method: &Method, value: &T, at: Place) {
        if is_on() {
            self.act(method, at, &[], value_of(value));
        }
    }

    fn take(&self, state: &mut State<T>, at: Place) -> Option<T> {
        let value = state.messages.pop_front()?;
        if let Some(room) = &mut state.room {
            room.leave(at);
            self.emptied.notify_one();
        }
        Some(value)
    }

    fn await_message<'a>(
        &self,
        mut state: MutexGuard<'a, State<T>>,
        until: Option<Instant>,
        at: Place,
    ) -> MutexGuard<'a, State<T>> {
        if let Some(room) = &mut state.room
            && room.offer(at)
        {
            self.emptied.notify_one();
        }
        match until {
            None => self
                .filled
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner),
            Some(until) => {
                let left = until.saturating_duration_since(Instant::now());
                let waited = self.filled.wait_timeout(state, left);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
        }
    }

    pub(super) fn add_sender(&self, at: Place) {
        self.tell_explored("clone_sender", at);
        let mut state = self.lock();
        state.senders += 1;
        state.had_senders = true;
    }

    /// A sender is gone; the last one disconnects the channel.
    pub(super) fn drop_sender(&self, at: Place) {
        self.tell_explored("drop_sender", at);
        let mut state = self.lock();
        state.senders -= 1;
        if state.had_senders {
            self.gone.add(at);
        }
        if state.senders > 0 {
            return;
        }
        if state.had_senders {
            self.gone.find(at);
        }
        if is_on() {
            action(&self.tag, &DISCONNECT, Order::AmongOthers, at, &[], &[]);
        }
        if !state.has_receiver {
            self.end(&state);
        }
        drop(state);
        self.filled.notify_one();
    }

    /// The receiver is gone, and the messages that nobody will receive.
    pub(super) fn drop_receiver(&self, at: Place) {
        self.tell_explored("drop_receiver", at);
        let mut state = self.lock();
        state.has_receiver = false;
        self.act(&CLOSE, at, &[], Raw::Bool(true));
        if state.senders == 0 {
            self.end(&state);
        }
        // A sender may still wait for its message to be taken, and gets it back.
        let messages = match state.hands_over() && explored::is_on(&self.tag) {
            true => VecDeque::new(),
            false => std::mem::take(&mut state.messages),
        };
        drop(state);
        self.emptied.notify_all();
        drop(messages);
    }

    /// Both sides are gone. The memory may be given back later, by one who does not
    /// come after all others.
    fn end(&self, state: &State<T>) {
        self.tag.end();
        self.gone.tag.end();
        if let Some(room) = &state.room {
            room.end();
        }
    }
}

/// In a test that is explored. Whether there is a message, and room, is said by the
/// model; the messages are here.
impl<T> Channel<T> {
    fn model(&self, at: Place) -> Model<'_> {
        let bound = self.lock().room.as_ref().map(Room::bound);
        let tag = &self.tag;
        Model { tag, bound, at }
    }

    fn tell_explored(&self, method: &'static str, at: Place) {
        if explored::is_on(&self.tag) {
            self.model(at).tell(method);
        }
    }

    fn send_explored(&self, value: T, wait: bool, at: Place) -> Result<(), TrySendError<T>> {
        let model = self.model(at);
        match model.send(&value, wait) {
            Some(Sent::Full) => return Err(TrySendError::Full(value)),
            Some(Sent::Disconnected) => return Err(TrySendError::Disconnected(value)),
            None if !self.lock().has_receiver => return Err(TrySendError::Disconnected(value)),
            Some(Sent::Yes) | None => {}
        }
        let number = {
            let mut state = self.lock();
            state.messages.push_back(value);
            state.sent += 1;
            state.sent
        };
        if !wait || model.bound != Some(0) || model.taken() != Some(false) {
            return Ok(());
        }
        // The receiver is gone, and the message is where it was.
        let mut state = self.lock();
        let from_last = usize::try_from(state.sent - number).unwrap_or(usize::MAX);
        let place = state.messages.len().checked_sub(from_last + 1);
        match place.and_then(|place| state.messages.remove(place)) {
            Some(value) => Err(TrySendError::Disconnected(value)),
            None => Ok(()),
        }
    }

    fn receive_explored(&self, method: &'static str, at: Place) -> Result<T, TryRecvError> {
        let model = self.model(at);
        let waits = method == "recv";
        match model.receive(method) {
            Some(Received::Empty) => Err(TryRecvError::Empty),
            Some(Received::Disconnected) => Err(TryRecvError::Disconnected),
            Some(Received::Yes) => match self.lock().messages.pop_front() {
                Some(value) => Ok(value),
                None => {
                    surprise("a message".into(), "none".into());
                    stuck("a message is waited for")
                }
            },
            None => {
                let mut state = self.lock();
                match (state.messages.pop_front(), state.senders) {
                    (Some(value), _) => Ok(value),
                    (None, 0) => Err(TryRecvError::Disconnected),
                    (None, _) if !waits => Err(TryRecvError::Empty),
                    (None, _) => {
                        drop(state);
                        stuck("a message is waited for")
                    }
                }
            }
        }
    }
}

//! What the supervisor of a program hears, and how those who look after one
//! process are asked.

use std::io;
use std::sync::mpsc::Sender;
use std::thread;

use rustix::process::Pid;

use super::connection::Peer;
use super::signals::Received;
use super::socket::Stranger;
use super::stream::Closer;

/// What a thread made of a connection, if it did not panic.
pub(super) type Outcome<T> = thread::Result<Result<(Peer, T), String>>;

/// Calls for an answer.
pub(super) type Ask = Box<dyn Fn() + Send>;

/// What the supervisor hears. Connections have numbers.
pub(super) enum Happening<T> {
    /// The program has ended.
    Ended,
    Signal(Received),
    /// A connection, whose it is, and what closes it.
    Opened(usize, Option<Pid>, Closer),
    /// A process was not let in.
    Refused(Stranger),
    /// A handler can be asked what there is so far.
    Listening(usize, Ask),
    /// And answers.
    Answer(usize, (Peer, T)),
    /// A handler has seen enough.
    Enough,
    Closed(usize, Outcome<T>),
    /// No connection follows.
    NoMore(io::Result<()>),
}

/// The supervisor, as the handler of a connection sees it.
pub(super) struct Link<T> {
    pub number: usize,
    pub peer: Peer,
    pub tell: Sender<Happening<T>>,
}

impl<T> Link<T> {
    /// The program has done enough, and is to be ended.
    pub(super) fn enough(&self) {
        let _ = self.tell.send(Happening::Enough);
    }

    /// `ask` will be called when somebody wants to know what there is so far. An
    /// [`answer`](Link::answer) is to come soon after that, unless the handler
    /// returns.
    pub(super) fn listen(&self, ask: impl Fn() + Send + 'static) {
        let _ = { &self.tell }.send(Happening::Listening(self.number, Box::new(ask)));
    }

    /// What there is so far.
    pub(super) fn answer(&self, so_far: T) {
        let answer = (self.peer.clone(), so_far);
        let _ = self.tell.send(Happening::Answer(self.number, answer));
    }
}

impl<T> Clone for Link<T> {
    fn clone(&self) -> Link<T> {
        Link {
            number: self.number,
            peer: self.peer.clone(),
            tell: self.tell.clone(),
        }
    }
}

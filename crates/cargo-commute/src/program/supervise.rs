//! The program, its processes and the signals, watched until all is over.

use std::io;
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use super::connection::{Connection, Peer};
use super::descriptors::RaisedLimit;
use super::link::{Happening, Link};
use super::notices::Notices;
use super::process::{self, Process};
use super::signals;
use super::slots::Slots;
use super::socket::{Acceptor, Arrival, Socket};
use super::stream::Stream;
use super::unrecorded::UnrecordedProcesses;
use super::watched::{Interruption, Show, Watched};
use crate::output::Output;

/// Before another attempt to start a thread.
const PAUSE: Duration = Duration::from_millis(10);

/// What is done with a connection, in a thread of its own.
pub(super) trait Handler<T>: Fn(Connection, &Link<T>) -> T + Send + Sync + 'static {}
impl<T, F: Fn(Connection, &Link<T>) -> T + Send + Sync + 'static> Handler<T> for F {}

/// Runs programs, and has their processes that record looked after.
///
/// While there is one, signals come here: those that ask for an end are for the
/// program, also if they come between two programs.
pub(super) struct Supervisor<T> {
    tell: Sender<Happening<T>>,
    happenings: Receiver<Happening<T>>,
    /// How many descriptors a handler needs, with the one of the connection.
    descriptors: usize,
}

/// What came of a program.
pub(super) struct Supervised<T> {
    pub status: ExitStatus,
    /// Whether a handler had seen enough, and we ended it.
    pub stopped: bool,
    /// Whether somebody asked us to end.
    pub interrupted: Option<Interruption>,
    /// The processes, in the order in which they connected, and what the handler
    /// made of them. An error is a process that did not say who it is.
    pub processes: Vec<Result<(Peer, T), String>>,
    /// Processes that could not be recorded.
    pub unrecorded: UnrecordedProcesses,
    /// Why no more connections could be taken, if that was before the end.
    pub deaf: Option<io::Error>,
}

impl<T: Send + 'static> Supervisor<T> {
    /// Begins to watch for signals. A handler has `descriptors` open, with that of its
    /// connection.
    ///
    /// # Errors
    /// If the system fails.
    pub(super) fn new(descriptors: usize) -> Result<Supervisor<T>> {
        let (tell, happenings) = channel();
        let signals = tell.clone();
        signals::watch(move |received| signals.send(Happening::Signal(received)).is_ok())?;
        Ok(Supervisor {
            tell,
            happenings,
            descriptors,
        })
    }

    /// Runs a program and calls `handler` for each of its processes that records. Over
    /// is all when it has ended and all connections are closed. If somebody asks in
    /// between, `show` gets what there is.
    ///
    /// # Errors
    /// If the program cannot be started, or the system fails.
    pub(super) fn run(
        &self,
        mut command: Command,
        handler: &Arc<impl Handler<T>>,
        show: Show<'_, T>,
        output: &mut Output,
    ) -> Result<Supervised<T>> {
        let (socket, acceptor, enough) = Socket::listen()?;
        command.env("COMMUTE_SOCKET", socket.path());
        // The program would write that file itself.
        command.env_remove("COMMUTE_TRACE");
        let (notices, inherited) = Notices::open().context("cannot make a pipe")?;
        inherited.give(&mut command).context("cannot use a pipe")?;
        let (over, is_over) = UnixStream::pair().context("cannot make a socket")?;
        let listening = notices.clone();
        start_thread(move || listening.listen(&is_over))?;

        // Threads that cannot be started are better known before the program runs.
        let (give, take) = channel();
        let ended = self.tell.clone();
        start_thread(move || {
            if let Ok(pid) = take.recv() {
                process::wait_until_over(pid);
                let _ = ended.send(Happening::Ended);
            }
        })?;
        let (give_slots, take_slots) = channel();
        let (handler, tell) = (handler.clone(), self.tell.clone());
        start_thread(move || {
            if let Ok(slots) = take_slots.recv() {
                accept(acceptor, &slots, &handler, &tell);
            }
        })?;

        let process = Process::start(&mut command)?;
        // From now on, only the program keeps the pipe open.
        drop(inherited);
        let _ = give.send(process.pid());
        let limit = RaisedLimit::raise();
        let slots = Slots::new(limit.connections(self.descriptors));
        let _ = give_slots.send(slots);
        let mut watched = Watched::new(process);
        watched.until_over(&self.happenings, enough, show, output)?;
        drop(over);
        let status = watched.status.context("the program has not ended")?;
        let mut unrecorded = watched.unrecorded;
        unrecorded.join(notices.take());
        Ok(Supervised {
            status,
            stopped: watched.stopped,
            interrupted: watched.interrupted,
            // A bug of ours in one of the threads is one of the whole.
            processes: { watched.closed.into_values() }
                .map(|result| result.unwrap_or_else(|panic| resume_unwind(panic)))
                .collect(),
            unrecorded,
            deaf: watched.deaf,
        })
    }
}

/// Says that no more processes of a program could be recorded.
pub(super) fn deaf(error: &io::Error) -> String {
    format!(
        "cannot take the connections of the program: {error}; processes that connected later are not recorded"
    )
}

/// Starts a detached thread.
///
/// # Errors
/// If the system has none left.
fn start_thread(f: impl FnOnce() + Send + 'static) -> Result<()> {
    let started = thread::Builder::new().spawn(f);
    started.map(drop).context("cannot start a thread")
}

/// Takes connections, each in a thread of its own. When this returns, the socket is
/// closed, and a process that waited to be let in goes on without being recorded.
fn accept<T: Send + 'static>(
    acceptor: Acceptor,
    slots: &Arc<Slots>,
    handler: &Arc<impl Handler<T>>,
    tell: &Sender<Happening<T>>,
) {
    let mut number = 0;
    let result = loop {
        let slot = slots.take();
        match acceptor.next(|| slots.how_many_are_taken() > 1) {
            Ok(Some(Arrival::Admitted(stream, pid))) => {
                let stream = Stream::new(stream, slot);
                let _ = tell.send(Happening::Opened(number, pid, stream.closer()));
                let served = start_serving(number, &stream, slots, handler, tell);
                if let Err(error) = served {
                    let message = format!(
                        "a process connected and cannot be recorded: cannot start a thread: {error}"
                    );
                    let _ = tell.send(Happening::Closed(number, Ok(Err(message))));
                }
                number += 1;
            }
            Ok(Some(Arrival::Refused(stranger))) => {
                let _ = tell.send(Happening::Refused(stranger));
            }
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    drop(acceptor);
    let _ = tell.send(Happening::NoMore(result));
}

/// Starts the thread of a connection. If there are too many threads, waits until one of
/// another connection has ended.
///
/// # Errors
/// If there is no other.
fn start_serving<T: Send + 'static>(
    number: usize,
    stream: &Stream,
    slots: &Arc<Slots>,
    handler: &Arc<impl Handler<T>>,
    tell: &Sender<Happening<T>>,
) -> io::Result<()> {
    loop {
        let (stream, handler, tell) = (stream.clone(), handler.clone(), tell.clone());
        let serve = move || serve(number, stream, &*handler, &tell);
        match thread::Builder::new().spawn(serve) {
            Ok(_) => return Ok(()),
            Err(_) if slots.how_many_are_taken() > 1 => thread::sleep(PAUSE),
            Err(error) => return Err(error),
        }
    }
}

fn serve<T: Send + 'static>(
    number: usize,
    stream: Stream,
    handler: &impl Handler<T>,
    tell: &Sender<Happening<T>>,
) {
    let mut rest = stream.clone();
    let result = catch_unwind(AssertUnwindSafe(|| {
        let connection = Connection::open(number, stream)?;
        let peer = connection.peer.clone();
        let link = Link {
            number,
            peer: peer.clone(),
            tell: tell.clone(),
        };
        Ok((peer, handler(connection, &link)))
    }));
    // What nobody wants to know is read all the same: the program would wait.
    let _ = io::copy(&mut rest, &mut io::sink());
    drop(rest);
    let _ = tell.send(Happening::Closed(number, result));
}

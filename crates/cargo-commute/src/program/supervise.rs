//! The program, its processes and the signals, watched until all is over.

use std::collections::BTreeMap;
use std::io;
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rustix::process::{Pid, Signal};

use super::connection::{Connection, Peer};
use super::process::{self, Process};
use super::signals::{Received, Watch};
use super::socket::{self, Acceptor, Socket};
use crate::output::Output;

/// How long a program may take to end when it was asked to.
const GRACE: Duration = Duration::from_secs(2);
/// How long processes may outlive the program before we say that we wait.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is done with a connection, in a thread of its own.
pub(super) trait Handler<T>: Fn(Connection, &Stop) -> T + Send + Sync + 'static {}
impl<T, F: Fn(Connection, &Stop) -> T + Send + Sync + 'static> Handler<T> for F {}

/// Ends the program.
pub(super) struct Stop(Box<dyn Fn() + Send>);

impl Stop {
    /// The program has done enough.
    pub(super) fn press(&self) {
        (self.0)();
    }
}

/// What came of a program.
pub(super) struct Supervised<T> {
    pub status: ExitStatus,
    /// Whether it was ended by [`Stop`].
    pub stopped: bool,
    /// Whether somebody asked us to end.
    pub interrupted: bool,
    /// The processes, in the order in which they connected, and what the handler
    /// made of them. An error is a process that did not say who it is.
    pub processes: Vec<Result<(Peer, T), String>>,
}

/// What a thread made of a connection, if it did not panic.
type Outcome<T> = thread::Result<Result<(Peer, T), String>>;

enum Happening<T> {
    /// The program has ended.
    Ended,
    Signal(Received),
    Opened(usize, Option<Pid>),
    /// A handler pressed [`Stop`].
    Enough,
    Closed(usize, Outcome<T>),
    /// No connection follows.
    NoMore(io::Result<()>),
}

/// Runs a program and calls `handler` for each of its processes that records.
/// Over is all when the program has ended and all connections are closed.
///
/// # Errors
/// If the program cannot be started, or the system fails.
pub(super) fn supervise<T: Send + 'static>(
    mut command: Command,
    handler: &Arc<impl Handler<T>>,
    output: &mut Output,
) -> Result<Supervised<T>> {
    let socket = Socket::new()?;
    let (tell, happenings) = channel();
    let signals = tell.clone();
    let _watch = Watch::start(move |received| {
        let _ = signals.send(Happening::Signal(received));
    })?;
    let (acceptor, enough) = socket.acceptor().context("cannot use the socket")?;
    command.env("COMMUTE_SOCKET", socket.path());
    // The program would write that file itself.
    command.env_remove("COMMUTE_TRACE");
    let process = Process::start(&mut command)?;
    let (ended, pid) = (tell.clone(), process.pid());
    thread::spawn(move || {
        process::wait_until_over(pid);
        let _ = ended.send(Happening::Ended);
    });
    let handler = handler.clone();
    thread::spawn(move || accept(&acceptor, &handler, &tell));
    let mut watched = Watched {
        process,
        status: None,
        open: BTreeMap::new(),
        closed: BTreeMap::new(),
        stopped: false,
        interrupted: false,
        deadline: None,
    };
    watched.until_over(&happenings, enough, output)?;
    let results = watched.closed.into_values();
    Ok(Supervised {
        status: watched.status.context("the program has not ended")?,
        stopped: watched.stopped,
        interrupted: watched.interrupted,
        // A bug of ours in one of the threads is one of the whole.
        processes: results
            .map(|result| result.unwrap_or_else(|panic| resume_unwind(panic)))
            .collect(),
    })
}

/// Takes connections, each in a thread of its own.
fn accept<T: Send + 'static>(
    acceptor: &Acceptor,
    handler: &Arc<impl Handler<T>>,
    tell: &Sender<Happening<T>>,
) {
    let mut number = 0;
    let result = loop {
        match acceptor.next() {
            Ok(Some(stream)) => {
                let _ = tell.send(Happening::Opened(number, socket::process(&stream)));
                let (handler, tell) = (handler.clone(), tell.clone());
                thread::spawn(move || serve(number, stream, &*handler, &tell));
                number += 1;
            }
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    let _ = tell.send(Happening::NoMore(result));
}

fn serve<T: Send + 'static>(
    number: usize,
    stream: UnixStream,
    handler: &impl Handler<T>,
    tell: &Sender<Happening<T>>,
) {
    let rest = stream.try_clone();
    let enough = tell.clone();
    let stop = Stop(Box::new(move || {
        let _ = enough.send(Happening::Enough);
    }));
    let result = catch_unwind(AssertUnwindSafe(|| {
        let connection = Connection::open(number, stream)?;
        let peer = connection.peer.clone();
        Ok((peer, handler(connection, &stop)))
    }));
    // What nobody wants to know is read all the same: the program would wait.
    if let Ok(mut rest) = rest {
        let _ = io::copy(&mut rest, &mut io::sink());
    }
    let _ = tell.send(Happening::Closed(number, result));
}

/// Says what a process does to those who want to know.
fn mention(pid: Option<Pid>, what: &str, output: &mut Output) {
    if output.style.verbose {
        let pid = pid.map(|pid| pid.as_raw_nonzero().to_string());
        let pid = pid.as_deref().unwrap_or("?");
        output.note(&format!("commute: process {pid} {what}"));
    }
}

struct Watched<T> {
    process: Process,
    status: Option<ExitStatus>,
    /// Connections, and whose they are.
    open: BTreeMap<usize, Option<Pid>>,
    closed: BTreeMap<usize, Outcome<T>>,
    stopped: bool,
    interrupted: bool,
    deadline: Option<Instant>,
}

impl<T> Watched<T> {
    fn until_over(
        &mut self,
        happenings: &Receiver<Happening<T>>,
        enough: socket::Enough,
        output: &mut Output,
    ) -> Result<()> {
        let (mut enough, mut no_more) = (Some(enough), None);
        while self.status.is_none() || no_more.is_none() || !self.open.is_empty() {
            match self.next(happenings) {
                None => self.too_late(output),
                Some(Happening::Ended) => {
                    self.status = Some(self.process.wait()?);
                    self.deadline = self.deadline.or(Some(Instant::now() + PATIENCE));
                }
                Some(Happening::Signal(received)) => {
                    self.interrupted = true;
                    if received.for_us_only {
                        self.send(received.signal);
                    }
                }
                Some(Happening::Opened(number, pid)) => {
                    self.open.insert(number, pid);
                    mention(pid, "records", output);
                }
                Some(Happening::Enough) if !self.stopped => {
                    self.stopped = true;
                    self.send(Signal::TERM);
                    self.deadline = Some(Instant::now() + GRACE);
                }
                Some(Happening::Enough) => {}
                Some(Happening::Closed(number, result)) => {
                    let pid = self.open.remove(&number).flatten();
                    mention(pid, "is through", output);
                    self.closed.insert(number, result);
                }
                Some(Happening::NoMore(result)) => no_more = Some(result),
            }
            if self.status.is_some() && self.open.is_empty() {
                // Those that wait to be let in still are.
                enough.take();
            }
        }
        { no_more.unwrap_or(Ok(())) }.context("cannot take the connections of the program")
    }

    /// What happens next; none if it took too long.
    fn next(&self, happenings: &Receiver<Happening<T>>) -> Option<Happening<T>> {
        let gone = "one of the threads that tell waits for us to end";
        match self.deadline {
            None => Some(happenings.recv().expect(gone)),
            Some(deadline) => {
                let patience = deadline.saturating_duration_since(Instant::now());
                match happenings.recv_timeout(patience) {
                    Ok(happening) => Some(happening),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => panic!("{gone}"),
                }
            }
        }
    }

    fn too_late(&mut self, output: &mut Output) {
        self.deadline = None;
        if self.stopped {
            return self.send(Signal::KILL);
        }
        for pid in self.open.values().flatten() {
            let pid = pid.as_raw_nonzero();
            output.note(&format!(
                "commute: the program has ended; waiting for process {pid}, which still records"
            ));
        }
    }

    /// Sends a signal to the program and all that records.
    fn send(&self, signal: Signal) {
        let program = Some(self.process.pid()).filter(|_| self.status.is_none());
        let others = self.open.values().flatten().copied();
        for pid in others.filter(|pid| Some(*pid) != program).chain(program) {
            process::send(pid, signal);
        }
    }
}

//! The program, its processes and the signals, watched until all is over.

use std::io;
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use anyhow::{Context, Result};

use super::connection::{Connection, Peer};
use super::link::{Happening, Link};
use super::process::{self, Process};
use super::signals;
use super::socket::{self, Acceptor, Socket};
use super::watched::{Interruption, Show, Watched};
use crate::output::Output;

/// What is done with a connection, in a thread of its own.
pub(super) trait Handler<T>: Fn(Connection, &Link<T>) -> T + Send + Sync + 'static {}
impl<T, F: Fn(Connection, &Link<T>) -> T + Send + Sync + 'static> Handler<T> for F {}

/// Runs programs, and has their processes that record looked after.
///
/// While there is one, signals come here: those that ask for an end are for the
/// program, also if they come between two programs.
pub(super) struct Supervisor<T> {
    socket: Socket,
    tell: Sender<Happening<T>>,
    happenings: Receiver<Happening<T>>,
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
}

impl<T: Send + 'static> Supervisor<T> {
    /// Begins to watch for signals.
    ///
    /// # Errors
    /// If the system fails.
    pub(super) fn new() -> Result<Supervisor<T>> {
        let socket = Socket::new()?;
        let (tell, happenings) = channel();
        let signals = tell.clone();
        signals::watch(move |received| signals.send(Happening::Signal(received)).is_ok())?;
        Ok(Supervisor {
            socket,
            tell,
            happenings,
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
        let acceptor = self.socket.acceptor();
        let (acceptor, enough) = acceptor.context("cannot use the socket")?;
        command.env("COMMUTE_SOCKET", self.socket.path());
        // The program would write that file itself.
        command.env_remove("COMMUTE_TRACE");
        let process = Process::start(&mut command)?;
        let (ended, pid) = (self.tell.clone(), process.pid());
        thread::spawn(move || {
            process::wait_until_over(pid);
            let _ = ended.send(Happening::Ended);
        });
        let (handler, tell) = (handler.clone(), self.tell.clone());
        thread::spawn(move || accept(&acceptor, &handler, &tell));
        let mut watched = Watched::new(process);
        watched.until_over(&self.happenings, enough, show, output)?;
        let status = watched.status.context("the program has not ended")?;
        Ok(Supervised {
            status,
            stopped: watched.stopped,
            interrupted: watched.interrupted,
            // A bug of ours in one of the threads is one of the whole.
            processes: { watched.closed.into_values() }
                .map(|result| result.unwrap_or_else(|panic| resume_unwind(panic)))
                .collect(),
        })
    }
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
                let (pid, closes) = (socket::process(&stream), stream.try_clone().ok());
                let _ = tell.send(Happening::Opened(number, pid, closes));
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
    if let Ok(mut rest) = rest {
        let _ = io::copy(&mut rest, &mut io::sink());
    }
    let _ = tell.send(Happening::Closed(number, result));
}

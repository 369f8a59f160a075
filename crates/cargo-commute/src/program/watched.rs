//! A program that runs, and what is done when something happens.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::process::ExitStatus;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::Result;
use rustix::process::{Pid, Signal};
use signal_hook::low_level::signal_name;

use super::connection::Peer;
use super::link::{Ask, Happening, Outcome};
use super::process::{self, Process};
use super::signals::Received;
use super::socket;
use super::stream::Closer;
use super::unrecorded::{Unrecorded, UnrecordedProcesses};
use crate::output::Output;

/// How long a program may take to end when it was asked to, or was killed.
const GRACE: Duration = Duration::from_secs(2);
/// How long it may take before we say that we wait.
const PATIENCE: Duration = Duration::from_secs(1);
/// A signal may come twice, by way of a group of processes for example. Nobody
/// presses keys that fast.
const AT_ONCE: Duration = Duration::from_millis(100);

/// Shows what there is so far of every process that records.
pub(super) type Show<'a, T> = &'a mut dyn FnMut(&[&(Peer, T)], &mut Output);

/// Somebody asked us to end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interruption {
    pub signal: Signal,
    /// Whether it had to be said twice: the program was killed.
    pub twice: bool,
    at: Instant,
}

impl Interruption {
    /// What it did to the program: `interrupted by SIGINT: the program …`, where `how`
    /// it failed may follow.
    pub(super) fn describe(&self, how: Option<String>) -> String {
        let signal = self.signal.as_raw();
        let name = signal_name(signal).map_or_else(|| signal.to_string(), str::to_owned);
        let again = if self.twice { ", twice" } else { "" };
        let how = how.unwrap_or_else(|| "ended by itself".to_owned());
        format!("interrupted by {name}{again}: the program {how}")
    }
}

/// Somebody asked us what there is so far.
struct Question<T> {
    /// Who has not answered yet.
    waiting: BTreeSet<usize>,
    answers: BTreeMap<usize, (Peer, T)>,
}

/// A connection.
struct Open {
    pid: Option<Pid>,
    closes: Closer,
    ask: Option<Ask>,
}

/// A program that runs.
pub(super) struct Watched<T> {
    process: Process,
    pub status: Option<ExitStatus>,
    open: BTreeMap<usize, Open>,
    pub closed: BTreeMap<usize, Outcome<T>>,
    question: Option<Question<T>>,
    pub stopped: bool,
    pub interrupted: Option<Interruption>,
    pub unrecorded: UnrecordedProcesses,
    /// Why no more connections can be taken.
    pub deaf: Option<io::Error>,
    /// The signal that was sent last, and the processes that were there then: those that
    /// waited to be let in get it when they are.
    sent: Option<(Signal, Vec<Pid>)>,
    killed: bool,
    deadline: Option<Instant>,
}

impl<T> Watched<T> {
    pub(super) fn new(process: Process) -> Watched<T> {
        Watched {
            process,
            status: None,
            open: BTreeMap::new(),
            closed: BTreeMap::new(),
            question: None,
            stopped: false,
            interrupted: None,
            unrecorded: UnrecordedProcesses::default(),
            deaf: None,
            sent: None,
            killed: false,
            deadline: None,
        }
    }

    /// Returns when it has ended and all connections are closed.
    ///
    /// # Errors
    /// If the system fails.
    pub(super) fn until_over(
        &mut self,
        happenings: &Receiver<Happening<T>>,
        enough: socket::Enough,
        show: Show<'_, T>,
        output: &mut Output,
    ) -> Result<()> {
        let (mut enough, mut no_more) = (Some(enough), false);
        while self.status.is_none() || !no_more || !self.open.is_empty() {
            match self.next(happenings) {
                None => self.too_late(output),
                Some(Happening::Ended) => {
                    self.status = Some(self.process.wait()?);
                    self.deadline = self.deadline.or(Some(Instant::now() + PATIENCE));
                }
                Some(Happening::NoMore(result)) => {
                    no_more = true;
                    self.deaf = result.err();
                }
                Some(happening) => self.react(happening, output),
            }
            if let Some(question) = self.question.take_if(|q| q.waiting.is_empty()) {
                self.show(&question, show, output);
            }
            if self.status.is_some() && self.open.is_empty() {
                // Those that wait to be let in still are.
                enough.take();
            }
        }
        Ok(())
    }

    /// What happens next; none if it took too long.
    fn next(&self, happenings: &Receiver<Happening<T>>) -> Option<Happening<T>> {
        let gone = "the supervisor can tell, too";
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

    fn react(&mut self, happening: Happening<T>, output: &mut Output) {
        match happening {
            Happening::Signal(received) if received.is_question() => self.ask(),
            Happening::Signal(received) => self.interrupt(received),
            Happening::Opened(number, pid, closes) => {
                let ask = None;
                mention(pid, "records", output);
                self.catch_up(pid.filter(|_| closes.is_in_use()));
                self.open.insert(number, Open { pid, closes, ask });
            }
            Happening::Refused(stranger) => {
                self.unrecorded.add(Unrecorded::stranger(stranger));
            }
            Happening::Listening(number, ask) => {
                if let Some(open) = self.open.get_mut(&number) {
                    open.ask = Some(ask);
                }
            }
            Happening::Answer(number, answer) => {
                if let Some(question) = &mut self.question {
                    question.waiting.remove(&number);
                    question.answers.insert(number, answer);
                }
            }
            Happening::Enough if !self.stopped => {
                self.stopped = true;
                self.send(Signal::TERM);
                self.deadline = Some(Instant::now() + GRACE);
            }
            Happening::Closed(number, result) => {
                let pid = self.open.remove(&number).and_then(|open| open.pid);
                mention(pid, "is through", output);
                self.closed.insert(number, result);
                if let Some(question) = &mut self.question {
                    question.waiting.remove(&number);
                    question.answers.remove(&number);
                }
            }
            Happening::Enough | Happening::Ended | Happening::NoMore(_) => {}
        }
    }

    /// The first time the program is told, unless it knows; the second time it is
    /// killed. That a terminal is gone is often said by several.
    fn interrupt(&mut self, received: Received) {
        match &mut self.interrupted {
            None => {
                self.interrupted = Some(Interruption {
                    signal: received.signal,
                    twice: false,
                    at: Instant::now(),
                });
                if received.for_us_only {
                    self.send(received.signal);
                }
                self.deadline = self.deadline.or(Some(Instant::now() + PATIENCE));
            }
            Some(first) => {
                if is_repeated(received.signal, first.at.elapsed()) {
                    first.twice = true;
                    self.kill();
                }
            }
        }
    }

    /// Sends a process that was let in the signal that it did not get while it waited.
    fn catch_up(&mut self, pid: Option<Pid>) {
        if let (Some((signal, there)), Some(pid)) = (&self.sent, pid)
            && (self.killed || there.contains(&pid))
            && pid != self.process.pid()
        {
            process::send(pid, *signal);
        }
        if self.killed {
            self.deadline = self.deadline.or(Some(Instant::now() + GRACE));
        }
    }

    fn kill(&mut self) {
        self.killed = true;
        self.send(Signal::KILL);
        self.deadline = Some(Instant::now() + GRACE);
    }

    fn too_late(&mut self, output: &mut Output) {
        self.deadline = None;
        if self.killed {
            // Whoever has the connections now, a process that may not be killed for
            // example, is not waited for.
            self.open.values().for_each(|open| open.closes.close());
        } else if self.stopped {
            self.kill();
        } else if self.interrupted.is_some() && self.status.is_none() {
            output.note("commute: waiting for the program to end; a second signal kills it");
        } else {
            for pid in self.open.values().filter_map(|open| open.pid) {
                let pid = pid.as_raw_nonzero();
                output.note(&format!(
                    "commute: the program has ended; waiting for process {pid}, which still records"
                ));
            }
        }
    }

    /// Asks all that can be asked. Who asks while others answer gets their answer.
    fn ask(&mut self) {
        if self.question.is_some() {
            return;
        }
        let mut waiting = BTreeSet::new();
        for (number, open) in &self.open {
            if let Some(ask) = &open.ask {
                ask();
                waiting.insert(*number);
            }
        }
        self.question = Some(Question {
            waiting,
            answers: BTreeMap::new(),
        });
    }

    /// Shows the answers, and what came of those processes that are through.
    fn show(&self, question: &Question<T>, show: Show<'_, T>, output: &mut Output) {
        let through = self.closed.iter().filter_map(|(number, outcome)| {
            let process = outcome.as_ref().ok()?.as_ref().ok()?;
            Some((number, process))
        });
        let all: BTreeMap<_, _> = through.chain(&question.answers).collect();
        let all: Vec<_> = all.into_values().collect();
        show(&all, output);
    }

    /// Sends a signal to the program and all that records.
    fn send(&mut self, signal: Signal) {
        self.sent = Some((signal, process::all()));
        let program = Some(self.process.pid()).filter(|_| self.status.is_none());
        let others = self.open.values().filter_map(|open| open.pid);
        for pid in others.filter(|pid| Some(*pid) != program).chain(program) {
            process::send(pid, signal);
        }
    }
}

/// Whether a signal so long after the first one asks again, and is not the same request
/// by another way. That the terminal is gone (`SIGHUP`) never is.
fn is_repeated(signal: Signal, after: Duration) -> bool {
    signal != Signal::HUP && after > AT_ONCE
}

/// Says what a process does to those who want to know.
fn mention(pid: Option<Pid>, what: &str, output: &mut Output) {
    if output.style.verbose {
        let pid = pid.map(|pid| pid.as_raw_nonzero().to_string());
        let pid = pid.as_deref().unwrap_or("?");
        output.note(&format!("commute: process {pid} {what}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_at_once_are_one_request() {
        let later = AT_ONCE + Duration::from_millis(1);
        assert!(!is_repeated(Signal::TERM, Duration::ZERO));
        assert!(!is_repeated(Signal::INT, AT_ONCE));
        assert!(is_repeated(Signal::INT, later));
        assert!(is_repeated(Signal::TERM, later));
        assert!(!is_repeated(Signal::HUP, later));
    }
}

//! With the process of a test: settings go there, progress and a report come back.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use commute_explore::{Memory, Message, PROTOCOL, Progress, Report, Settings, Shard};
use commute_report::clip_lines;

use super::super::notices::NOTICES;
use super::super::process::failure;
use super::super::socket::{Acceptor, Arrival, Socket};
use super::targets::{Target, name_in_harness};

/// A longer line is none of ours.
const LONGEST_LINE: u64 = 64 << 20;

/// How much is kept of what a test prints.
const KEPT: usize = 16 << 10;

/// For a process that fell silent to end by itself.
const PATIENCE: Duration = Duration::from_millis(50);

/// For a process that was asked to come to an end.
const GRACE: Duration = Duration::from_secs(2);

/// The process ended, or closed the connection, and has not reported.
#[derive(Debug)]
struct Silent;

impl std::fmt::Display for Silent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the test ended without a report")
    }
}

impl std::error::Error for Silent {}

/// Something that the process tells.
pub(super) enum Happening {
    Progress(Progress),
    Memory(Memory),
}

/// A process that explores a test.
#[derive(Clone)]
pub(super) struct Conversation(Arc<Inner>);

struct Inner {
    stream: UnixStream,
    running: Mutex<Option<Running>>,
}

/// The process, and the ends of what it prints.
struct Running {
    child: Child,
    stdout: JoinHandle<String>,
    stderr: JoinHandle<String>,
}

impl Conversation {
    /// Starts the process, and waits until it speaks.
    ///
    /// # Errors
    /// If it does not, or not our language.
    pub(super) fn begin(target: &Target, name: &str, settings: &Settings) -> Result<Conversation> {
        let (socket, acceptor, enough) = Socket::listen()?;
        let mut command = target.command();
        command
            .args([&name_in_harness(name), "--exact"])
            // What is printed would be kept, all of it. Also a test that is ignored was
            // asked for.
            .args(["--nocapture", "--include-ignored", "--test-threads=1"])
            .env("COMMUTE_EXPLORE", socket.path())
            .env_remove("COMMUTE_TRACE")
            .env_remove("COMMUTE_SOCKET")
            .env_remove(NOTICES)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // What a terminal sends is for us; we pass it on.
            .process_group(0);
        let mut child = command.spawn().context("cannot run the test")?;
        let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
            bail!("the test has no output");
        };
        let pid = super::super::process::pid(&child);
        let waiting = move || {
            super::super::process::wait_until_over(pid);
            drop(enough);
        };
        let start = || {
            let stdout = thread::Builder::new().spawn(|| last_of(stdout))?;
            let stderr = thread::Builder::new().spawn(|| last_of(stderr))?;
            thread::Builder::new().spawn(waiting)?;
            Ok((stdout, stderr))
        };
        let threads: io::Result<_> = start();
        if threads.is_err() {
            // Nobody would see how it ends.
            let _ = child.kill().and_then(|()| child.wait());
        }
        let (stdout, stderr) = threads.context("cannot start a thread")?;
        let running = Running {
            child,
            stdout,
            stderr,
        };
        let Some(mut stream) = connected(&acceptor).context("cannot use the socket")? else {
            return Err(running.ended());
        };
        let mut line = serde_json::to_string(settings).context("cannot write the settings")?;
        line.push('\n');
        { stream.write_all(line.as_bytes()) }.context("the test does not listen")?;
        Ok(Conversation(Arc::new(Inner {
            stream,
            running: Mutex::new(Some(running)),
        })))
    }

    /// Asks it to do a part only, because others do the rest.
    pub(super) fn share(&self, shard: Shard) {
        // If it is over by then, it has done everything, and says so.
        let _ = (&self.0.stream).write_all(format!("shard {shard}\n").as_bytes());
    }

    /// Asks it to come to an end, and sees to it.
    pub(super) fn stop(&self) {
        // If it is over by then, so much the better.
        let _ = (&self.0.stream).write_all(b"stop\n");
        let inner = Arc::downgrade(&self.0);
        let later = thread::Builder::new().spawn(move || {
            thread::sleep(GRACE);
            // It ends when nobody listens any more.
            let _ = (inner.upgrade()).map(|inner| inner.stream.shutdown(Shutdown::Both));
        });
        if later.is_err() {
            let _ = self.0.stream.shutdown(Shutdown::Both);
        }
    }

    /// Whether it is the same one.
    pub(super) fn is(&self, other: &Conversation) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Listens to the end.
    ///
    /// # Errors
    /// If the process ends before it has reported, or says what we do not understand.
    pub(super) fn listen(&self, tell: &mut dyn FnMut(Happening)) -> Result<Report> {
        let result = self.converse(tell);
        let running = self.0.running.lock();
        let running = running.unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut running) = running else {
            return result;
        };
        match result {
            Ok(report) => {
                let _ = running.child.wait();
                Ok(report)
            }
            Err(error) => {
                // What it said last is worth more than that it fell silent.
                thread::sleep(PATIENCE);
                let _ = running.child.kill();
                Err(match error.is::<Silent>() {
                    true => running.ended(),
                    false => running.ended().context(format!("{error:#}")),
                })
            }
        }
    }

    fn converse(&self, tell: &mut dyn FnMut(Happening)) -> Result<Report> {
        let mut reader = BufReader::new(&self.0.stream);
        let mut line = String::new();
        let mut next = || -> Result<Message> {
            line.clear();
            let read = (&mut reader).take(LONGEST_LINE).read_line(&mut line);
            match read.context("cannot hear the test")? {
                0 => Err(Silent.into()),
                _ => serde_json::from_str(&line).context("the test says what nobody understands"),
            }
        };
        match next()? {
            Message::Hello { version, .. } if version == PROTOCOL => {}
            Message::Hello { version, .. } => bail!(
                "the test was built with another version of commute (protocol {version}, not {PROTOCOL})"
            ),
            _ => bail!("the test does not say who it is"),
        }
        loop {
            match next()? {
                Message::Progress(progress) => tell(Happening::Progress(progress)),
                Message::Memory(memory) => tell(Happening::Memory(memory)),
                Message::Report(report) => return Ok(*report),
                Message::Hello { .. } => bail!("the test says twice who it is"),
            }
        }
    }
}

/// The connection of the test; none if it ended before. Processes of other users are not
/// listened to.
fn connected(acceptor: &Acceptor) -> io::Result<Option<UnixStream>> {
    loop {
        match acceptor.next(|| false)? {
            Some(Arrival::Admitted(stream, _)) => return Ok(Some(stream)),
            Some(Arrival::Refused(_)) => {}
            None => return Ok(None),
        }
    }
}

/// The end of what comes.
fn last_of(mut pipe: impl Read) -> String {
    let mut kept: Vec<u8> = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        match pipe.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => kept.extend_from_slice(&buffer[..n]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
        if kept.len() > 2 * KEPT {
            kept.drain(..kept.len() - KEPT);
        }
    }
    String::from_utf8_lossy(&kept).into_owned()
}

impl Running {
    /// Why it is not there any more, although it should be.
    fn ended(mut self) -> anyhow::Error {
        let how = match self.child.wait() {
            Ok(status) => failure(status).unwrap_or_else(|| "ended with exit code 0".to_owned()),
            Err(error) => format!("is lost: {error}"),
        };
        let mut said = self.stderr.join().unwrap_or_default();
        if said.trim().is_empty() {
            said = self.stdout.join().unwrap_or_default();
        }
        let how = format!("the test {how} while it was explored");
        match without_harness(&said) {
            "" => anyhow!("{how}"),
            said => anyhow!("{how}:\n{}", clip_lines(said, 400, 12)),
        }
    }
}

/// What a test prints, without what its harness prints before.
fn without_harness(said: &str) -> &str {
    let said = said.trim();
    let after = said
        .split_once("running 1 test\n")
        .map_or(said, |(_, after)| after);
    let after = match after.strip_prefix("test ") {
        Some(test) => test.split_once(" ...").map_or("", |(_, after)| after),
        None => after,
    };
    after.trim()
}

#[cfg(test)]
mod tests {
    use super::without_harness;

    #[test]
    fn what_the_harness_prints_is_left_out() {
        let said = "\nrunning 1 test\ntest a::commute ... hello\nthere\n";
        assert_eq!(without_harness(said), "hello\nthere");
        assert_eq!(without_harness("running 1 test\ntest a::commute ..."), "");
        assert_eq!(without_harness("all of it"), "all of it");
    }
}

//! One process of the program, as seen through its connection.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use commute_report::clip;

use super::stream::Stream;

/// The version of the protocol.
const VERSION: &str = "1";
/// A longer first line is not ours. Paths have 4096 bytes at most.
const LONGEST: u64 = 8192;

/// A process that records.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Peer {
    pub pid: u32,
    /// The program it runs: relative to the current directory, if it is below.
    pub program: PathBuf,
}

/// A connection whose first line was read. What follows is a trace.
pub(super) struct Connection {
    /// Which of the connections it is, from 0.
    pub number: usize,
    pub peer: Peer,
    pub stream: BufReader<Stream>,
}

impl Connection {
    /// Reads the first line.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn open(number: usize, stream: Stream) -> Result<Connection, String> {
        let mut stream = BufReader::with_capacity(1 << 16, stream);
        let mut line = Vec::new();
        let read: io::Result<usize> = (&mut stream).take(LONGEST).read_until(b'\n', &mut line);
        read.map_err(|error| format!("a process connected and could not be read: {error}"))?;
        let peer = Peer::parse(&line)?;
        Ok(Connection {
            number,
            peer,
            stream,
        })
    }
}

impl Peer {
    /// `commute 1 PID EXE`
    fn parse(line: &[u8]) -> Result<Peer, String> {
        let Some(text) = line.strip_suffix(b"\n") else {
            return Err("a process connected and ended before it said who it is".to_owned());
        };
        let mut words = text.splitn(4, |byte| *byte == b' ');
        let mut word = || words.next().unwrap_or_default();
        let (name, version, pid, program) = (word(), word(), word(), word());
        let pid = std::str::from_utf8(pid)
            .ok()
            .and_then(|pid| pid.parse().ok());
        match pid {
            Some(pid) if name == b"commute" && version == VERSION.as_bytes() => Ok(Peer {
                pid,
                program: shortened(Path::new(OsStr::from_bytes(program))),
            }),
            Some(_) if name == b"commute" => Err(format!(
                "the program speaks version {} of the protocol and not {VERSION}: build it with the version of the library that belongs to this `commute`",
                clip(&String::from_utf8_lossy(version), 20),
            )),
            _ => Err(format!(
                "a process connected that is not built with commute: it said `{}`",
                clip(&String::from_utf8_lossy(text), 100),
            )),
        }
    }
}

/// The path as somebody would write it here.
pub(super) fn shortened(program: &Path) -> PathBuf {
    let here = std::env::current_dir().ok();
    let below = here.and_then(|here| program.strip_prefix(here).ok().map(Path::to_owned));
    below.unwrap_or_else(|| program.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_says_who_it_is() {
        let peer = Peer::parse(b"commute 1 42 /opt/my server\n").expect("a header");
        assert_eq!(peer.pid, 42);
        assert_eq!(peer.program, Path::new("/opt/my server"));
    }

    #[test]
    fn other_lines_are_refused_with_the_reason() {
        let refused = |line: &[u8]| Peer::parse(line).expect_err("no header");
        assert!(refused(b"commute 2 42 /opt/x\n").contains("version 2"));
        assert!(refused(b"GET / HTTP/1.1\n").contains("it said `GET / HTTP/1.1`"));
        assert!(refused(b"commute 1 4").contains("before it said"));
        assert!(refused(b"").contains("before it said"));
    }

    #[test]
    fn damaged_first_lines_are_refused_without_harm() {
        commute_testkit::fuzz::each(
            "first lines of connections",
            2000,
            |random| {
                let mut line = b"commute 1 4711 /usr/bin/program\n".to_vec();
                commute_testkit::fuzz::damage(random, &mut line, &[b" ", b"\n", b"\0", b"../"]);
                line
            },
            |line| drop(Peer::parse(line)),
        );
    }
}

//! The stream of a connection, which several threads share.

use std::io::{self, Read};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Weak};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::slots::Slot;

/// The stream of a connection. Clones share one descriptor; the last one closes it and
/// frees its slot.
#[derive(Clone, Debug)]
pub(super) struct Stream(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    stream: UnixStream,
    /// After the stream: a slot is free only when the descriptor is closed.
    _slot: Slot,
}

impl Stream {
    pub(super) fn new(stream: UnixStream, slot: Slot) -> Stream {
        Stream(Arc::new(Inner {
            stream,
            _slot: slot,
        }))
    }

    /// Ends the connection from elsewhere.
    pub(super) fn closer(&self) -> Closer {
        Closer(Arc::downgrade(&self.0))
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (&self.0.stream).read(buffer)
    }
}

/// Ends a connection, and does not keep it open.
#[derive(Debug)]
pub(super) struct Closer(Weak<Inner>);

impl Closer {
    /// Lets readers of the stream see its end.
    pub(super) fn close(&self) {
        if let Some(inner) = self.0.upgrade() {
            let _ = inner.stream.shutdown(Shutdown::Both);
        }
    }

    /// Whether the process at the other end still has the connection. If not, its number
    /// may be another process's by now.
    pub(super) fn is_in_use(&self) -> bool {
        let Some(inner) = self.0.upgrade() else {
            return false;
        };
        let mut state = [PollFd::new(&inner.stream, PollFlags::empty())];
        let at_once = Timespec::default();
        poll(&mut state, Some(&at_once)).is_ok_and(|n| n == 0)
    }
}

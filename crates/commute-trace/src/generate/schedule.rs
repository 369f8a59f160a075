//! What all shapes share: threads that are forked, take turns and are joined,
//! and names for things.

use commute_model::{Event, Id, LocationId, NameTable, Names, Op, ThreadId};

use super::random::Random;
use crate::decimal::Digits;

/// Where in the trace the generator is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    /// The first thread prepares.
    Setup,
    /// The next thread to be forked has this number.
    Fork(u32),
    /// All threads work.
    Work,
    /// The next thread to be joined has this number.
    Join(u32),
    /// The first thread cleans up.
    Teardown,
    Done,
}

/// Whose turn it is.
#[derive(Debug)]
pub(super) struct Turns {
    threads: u32,
    current: u32,
    /// How many events the current thread may still have in a row.
    left: u32,
}

/// No thread has more events in a row, as long as another can go on.
const LONGEST_TURN: u32 = 16;

impl Turns {
    pub(super) fn new(threads: u32) -> Turns {
        Turns {
            threads,
            current: 0,
            left: 0,
        }
    }

    /// The thread whose turn it is: one that can go on, or none.
    pub(super) fn next(
        &mut self,
        random: &mut Random,
        can_go_on: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        if self.left == 0 || !can_go_on(self.current) {
            let first = random.below(self.threads);
            let mut order = (first..self.threads).chain(0..first);
            self.current = order.find(|&thread| can_go_on(thread))?;
            self.left = random.between(1, LONGEST_TURN);
        }
        self.left -= 1;
        Some(self.current)
    }
}

/// The event of `thread` at this line of the imagined program.
pub(super) fn event(names: &mut Names, thread: u32, line: u32, op: Op) -> Event {
    Event {
        thread: thread_id(names, thread),
        location: location(names, line),
        op,
    }
}

/// The event of `thread` at this line of a file.
pub(super) fn event_in(
    names: &mut Names,
    thread: ThreadId,
    file: &[u8],
    line: u32,
    op: Op,
) -> Event {
    Event {
        thread,
        location: numbered(&mut names.locations, file, line),
        op,
    }
}

/// `T0`, `T1`, …
pub(super) fn thread_id(names: &mut Names, thread: u32) -> ThreadId {
    numbered(&mut names.threads, b"T", thread)
}

fn location(names: &mut Names, line: u32) -> LocationId {
    numbered(&mut names.locations, b"pool.rs:", line)
}

/// The id of the name that consists of `stem` and `number`.
pub(super) fn numbered<I: Id>(table: &mut NameTable<I>, stem: &[u8], number: u32) -> I {
    let digits = Digits::new(number);
    let digits = digits.as_bytes();
    let mut name = [0; 24];
    let length = stem.len() + digits.len();
    name[..stem.len()].copy_from_slice(stem);
    name[stem.len()..length].copy_from_slice(digits);
    let id = table.intern_bytes(&name[..length]);
    id.expect("the name is ASCII")
}

//! Signs that a trace is not that of a program.
//!
//! Happens-before is then still what its table says, but that nothing was found
//! does not mean much. This is what the passes see in passing; `commute trace
//! validate` looks for everything.

use commute_model::{LockId, Names, ObjectId, ThreadId};

/// Something that no program does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllFormed {
    /// The index of the event.
    pub index: u64,
    /// What it does.
    pub what: Impossible,
}

/// What an event of a program never does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Impossible {
    /// It uses a lock as no lock can be used: in words, before the lock's name.
    Lock(&'static str, LockId),
    /// It forks a thread that has run or was forked, and was not joined since.
    ForkOfRunning(ThreadId),
    /// It comes after its thread was joined.
    AfterJoin(ThreadId),
    /// It uses an object that was dropped.
    AfterDrop(ObjectId),
    /// It makes an object that is there already.
    NewAgain(ObjectId),
    /// It ends a block of this thread, which has none open.
    EndOfNothing(ThreadId),
}

impl IllFormed {
    /// What is wrong, to be read after `event 7`.
    pub fn describe(&self, names: &Names) -> String {
        match self.what {
            Impossible::Lock(what, lock) => format!("{what} `{}`", names.locks.name(lock)),
            Impossible::AfterJoin(thread) => {
                format!(
                    "is of thread `{}`, which was joined",
                    names.threads.name(thread)
                )
            }
            Impossible::ForkOfRunning(thread) => {
                let thread = names.threads.name(thread);
                format!("forks thread `{thread}`, which is running already")
            }
            Impossible::AfterDrop(object) => {
                format!(
                    "uses object `{}`, which was dropped",
                    names.objects.name(object)
                )
            }
            Impossible::EndOfNothing(thread) => {
                let thread = names.threads.name(thread);
                format!("ends a block of thread `{thread}`, which has none open")
            }
            Impossible::NewAgain(object) => {
                format!(
                    "makes object `{}`, which is there already",
                    names.objects.name(object)
                )
            }
        }
    }
}

//! What can be run again and again.

use crate::cause::Cause;
use crate::code::{Next, NodeId};
use crate::knowledge::Knowledge;
use crate::words::{ResultId, ThreadId};

/// Why a run cannot be gone on with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// A thread did something else than before, after the same results.
    Different {
        /// The thread.
        thread: ThreadId,
        /// What it did before.
        before: String,
        /// What it did now.
        now: String,
    },
    /// Two threads that may be exchanged did different things, after the same results.
    Unlike {
        /// The threads.
        threads: [ThreadId; 2],
        /// What each did.
        does: [String; 2],
    },
    /// An operation returned something else than its model says.
    Surprise {
        /// The thread.
        thread: ThreadId,
        /// What the model says.
        model: String,
        /// What was returned.
        real: String,
    },
    /// Something differs from another run, and no result decides it.
    Chance(String),
    /// Something that the program should not do in a test.
    Misuse(String),
    /// Something decides what happens that the exploration does not see.
    Unexplored(Cause),
    /// A thread goes on and on, and nothing says that it waits for something.
    Endless(String),
    /// What was taken for known is not so, for this reason; that is remembered, and the
    /// exploration must begin anew.
    Restart(String),
}

/// A concurrent test.
///
/// Threads run one at a time. A thread runs up to its next operation without being
/// told; it does the operation when it is told to, and runs on to the next.
pub trait Program {
    /// Starts it, from the same beginning as always. The first thread is
    /// [`ThreadId::MAIN`].
    fn start(&mut self, known: &mut Knowledge);

    /// What a thread that was started does at `node`, where it is.
    fn next(
        &mut self,
        thread: ThreadId,
        node: NodeId,
        known: &mut Knowledge,
    ) -> Result<Next, Trouble>;

    /// Lets a thread do its operation, which returns `result` according to the model.
    /// If it starts a thread, that one has run up to its first operation afterwards,
    /// too.
    fn step(
        &mut self,
        thread: ThreadId,
        result: ResultId,
        known: &mut Knowledge,
    ) -> Result<(), Trouble>;

    /// No step follows: what is left is thrown away.
    fn stop(&mut self);

    /// What it has asked for in its runs that may differ from one to the next, and that
    /// nobody sees: a clock, random numbers.
    fn causes(&self) -> Vec<String> {
        Vec::new()
    }

    /// From now on what it prints is kept.
    fn keep_output(&mut self) {}

    /// What it has printed since; from now on it is not kept.
    fn output(&mut self) -> String {
        String::new()
    }
}

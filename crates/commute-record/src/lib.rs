//! Events of a running program.
//!
//! Instrumented types call this crate while they hold what makes their operation
//! atomic. Each thread appends its events to a buffer of its own; every object
//! counts its operations, and an event carries the count ([`Tag`]). One thread,
//! the [collector](collector), puts the events of all threads into an order in
//! which every object's operations come in the order in which they happened,
//! and writes them as a binary trace: to a file (`COMMUTE_TRACE`) or to the
//! checker that started the program (`COMMUTE_SOCKET`). Without either nothing is
//! recorded, and an operation costs one load more ([`is_on`]).
//!
//! Memory is bounded: all buffers together take at most
//! [`MOST_BYTES`](chunk::MOST_BYTES). A thread that finds no room waits for the
//! collector; nothing is dropped. What a signal handler does in the middle of the
//! recorder cannot wait: it is [counted](miss), and the trace says so.

#[cfg(not(unix))]
compile_error!("programs record on Unix only: build without `--cfg commute` on this system");

mod report;

mod chunk;
mod collector;
mod encoder;
mod event;
mod late;
mod local;
mod loomed;
mod memory;
mod merge;
mod missed;
mod mode;
mod naming;
mod notice;
mod operations;
mod output;
mod process;
mod raw;
mod registry;
mod tag;
mod taken;
mod thread;
mod translate;
mod value;

pub use chunk::MOST_BYTES;
pub use commute_model::Value;
pub use local::Order;
pub use missed::miss;
pub use mode::is_on;
pub use operations::{access, action, begin, end, lock, notify, wait, wake};
pub use raw::{Raw, Shown};
pub use registry::{Block, Kind, Method};
pub use tag::Tag;
pub use taken::is_recording;
pub use thread::Child;
pub use value::{AsValue, has_picture, register_value, value_of};

/// What can be done to a lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockOp {
    /// Taken for oneself.
    Acquire,
    /// Given back.
    Release,
    /// Taken together with others.
    ReadAcquire,
    /// Given back by one of them.
    ReadRelease,
}

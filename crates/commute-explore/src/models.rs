//! The objects that programs are made of.

mod atomic;
mod barrier;
mod channel;
mod choice;
mod condvar;
mod keyed;
mod lock;
mod mpmc;
mod once;
mod park;
mod rendezvous;
mod selection;
mod semaphore;
mod specified;
mod thread;
mod threads;
mod versioned;

pub use atomic::{Atomic, Pointer};
pub use barrier::Barrier;
pub use channel::Channel;
pub use choice::Choice;
pub use condvar::Condvar;
pub use keyed::{Keyed, Values};
pub use lock::Lock;
pub use mpmc::Mpmc;
pub use once::Once;
pub use park::Park;
pub use rendezvous::Rendezvous;
pub use selection::Selection;
pub use semaphore::Semaphore;
pub use specified::Specified;
pub use thread::Thread;
pub use threads::Threads;
pub use versioned::Versioned;

use commute_model::Value;

/// The parts of a tuple; none of anything else.
pub(crate) fn parts(value: &Value) -> &[Value] {
    match value {
        Value::Tuple(parts) => parts,
        _ => &[],
    }
}

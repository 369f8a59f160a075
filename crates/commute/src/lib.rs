//! What users write against.
//!
//! In a normal build everything here *is* the original: `commute::sync::Mutex` is
//! `std::sync::Mutex`, at no cost. Built with `--cfg commute`, which
//! `cargo commute run`, `record` and `test` set, the same names are types that tell
//! what they do, so that it can be recorded and checked. Whether they do is decided
//! when the program runs, so the same build also just runs.
//!
//! ```
//! use commute::sync::{Arc, Mutex};
//! use commute::thread;
//!
//! let total = Arc::new(Mutex::new(0));
//! commute::name(&total, "total");
//! let other = Arc::clone(&total);
//! let thread = thread::spawn(move || *other.lock().unwrap() += 1);
//! commute::atomic("add", || *total.lock().unwrap() += 2);
//! thread.join().unwrap();
//! assert_eq!(*total.lock().unwrap(), 3);
//! ```
//!
//! Beside [`sync`] and [`thread`], behind features, the types of other crates. Each
//! module says what is recorded as what.
//!
//! | feature | module | types | specification |
//! |---|---|---|---|
//! | `dashmap` | `dashmap` | `DashMap`, `DashSet` | `map`, `hashset` |
//! | `parking_lot` | `parking_lot` | `Mutex`, `FairMutex`, `ReentrantMutex`, `RwLock`, `Condvar`, `Once` | locks |
//! | `crossbeam` | `crossbeam::channel` | `Sender`, `Receiver` | `mpsc` |
//! | | `crossbeam::queue` | `SegQueue`, `ArrayQueue` | `queue`, `bounded_queue` |
//! | | `crossbeam::skiplist` | `SkipMap`, `SkipSet` | `map`, `hashset` |
//! | `scc` | `scc` | `HashMap`, `HashSet` | `map`, `hashset` |
//! | `papaya` | `papaya` | `HashMap`, `HashSet` | `map`, `hashset` |
//! | `arc-swap` | `arc_swap` | `ArcSwap`, `ArcSwapOption`, `ArcSwapWeak` | `atomic` |
//!
//! A feature of an original is a feature here, with the name of the original before it:
//! `dashmap-serde`, `parking_lot-arc_lock`.

mod block;
#[cfg(commute)]
mod explored;
#[cfg(commute)]
mod exploring;
mod identity;
mod model;
mod named;
mod plain;
#[cfg(commute)]
mod this_thread;

#[cfg(feature = "arc-swap")]
pub mod arc_swap;
pub mod compose;
#[cfg(feature = "crossbeam")]
pub mod crossbeam;
#[cfg(feature = "dashmap")]
pub mod dashmap;
pub mod future;
#[doc(hidden)]
pub mod hidden;
pub mod hint;
#[cfg(all(commute, any(feature = "dashmap", feature = "scc")))]
mod keyed;
#[cfg(feature = "papaya")]
pub mod papaya;
#[cfg(feature = "parking_lot")]
pub mod parking_lot;
#[cfg(feature = "scc")]
pub mod scc;
pub mod sync;
pub mod thread;
#[cfg(all(
    commute,
    any(feature = "crossbeam", feature = "papaya", feature = "arc-swap")
))]
mod turns;
mod values;

pub use block::atomic;
pub use commute_macros::{atomic, composed, object, test};
pub use compose::Domain;
pub use identity::Identity;
pub use model::{Called, Model};
pub use named::{Named, name};
#[doc(hidden)]
pub use plain::declare as declare_plain;
#[cfg(not(commute))]
pub use std::thread_local;
pub use values::{AsValue, Value, values};

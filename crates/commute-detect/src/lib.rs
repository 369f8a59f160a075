//! Streaming analyses of traces.
//!
//! A [`Pass`] sees every event once. [`Races`] is the first: it computes
//! happens-before ([`hb`]) and finds commutativity races ([`rd2`]) and data
//! races ([`fasttrack`]).
//!
//! ```
//! use std::sync::Arc;
//! use commute_detect::{Pass, Races};
//! use commute_model::{Event, Names, Op};
//! use commute_spec::Library;
//!
//! let mut names = Names::default();
//! let location = names.locations.intern("main.rs:1");
//! let (t1, t2) = (names.threads.intern("T1"), names.threads.intern("T2"));
//! let x = names.variables.intern("x");
//! let mut races = Races::all(Arc::new(Library::shipped()));
//! for (thread, op) in [(t1, Op::Write(x)), (t2, Op::Read(x))] {
//!     races.step(&Event { thread, location, op }, &names)?;
//! }
//! let mut findings = Vec::new();
//! races.finish(&names, &mut findings);
//! assert_eq!(findings[0].title, "data race on `x`: `w` and `r`");
//! # Ok::<(), commute_detect::EventError>(())
//! ```

mod access;
mod atomicity;
mod columns;
mod edges;
pub mod fasttrack;
mod finding;
mod groups;
pub mod hb;
mod ill_formed;
mod keyed;
mod lock;
pub mod locksets;
mod looks;
#[cfg(test)]
mod memory;
mod messages;
mod missing;
mod objects;
mod order;
mod pass;
mod places;
pub mod prediction;
mod races;
pub mod rd2;
mod scenes;
pub mod settled;
mod slots;
mod snapshots;

pub use access::{Access, Kind};
pub use atomicity::{Atomicity, Method, Report, Select};
pub use columns::lay_out;
pub use edges::{Edge, EdgeKind, Edges, EventClocks, MOST_THREADS_OF_EVENT_CLOCKS};
pub use groups::RaceTotal;
pub use ill_formed::{IllFormed, Impossible};
pub use objects::{Object, Objects};
pub use order::{InferInitial, InitialStates};
pub use pass::{EventError, Pass};
pub use prediction::{Legal, Options, Predicted, PredictedKind, Prediction, Reason};
pub use races::{PairSeen, Races};
pub use scenes::Scenes;

//! The analyses that prediction is compared with, as the thesis on
//! commutativity-aware runtime verification has them (chapters 2 and 3).
//!
//! Each orders the events of a trace by a partial order of its own and reports
//! the pairs in conflict that its order leaves open. None of them claims that a
//! reported pair can happen: [`edc`] and [`wdc`] report pairs that no run has,
//! and all of them miss some. Where they do is in their tests. To all of them
//! `free` is of a variable, never of a lock or a condition variable.
//!
//! ```
//! use std::sync::Arc;
//! use commute_detect::prediction::references::{Pair, Reference, pairs};
//! use commute_model::{Event, Names, Op};
//! use commute_spec::Library;
//!
//! let mut names = Names::default();
//! let location = names.locations.intern("main.rs:1");
//! let m = names.locks.intern("m");
//! let x = names.variables.intern("x");
//! let mut events = Vec::new();
//! for (thread, used) in [("T1", Op::Write(x)), ("T2", Op::Free(x))] {
//!     let thread = names.threads.intern(thread);
//!     for op in [Op::Acquire(m), used, Op::Release(m)] {
//!         events.push(Event { thread, location, op });
//!     }
//! }
//! let library = Arc::new(Library::shipped());
//! let found = pairs(Reference::Edc, &events, &names, &library)?;
//! assert_eq!(found, [Pair { earlier: 2, later: 5, racy: false }]);
//! assert_eq!(pairs(Reference::HappensBefore, &events, &names, &library)?, []);
//! # Ok::<(), commute_detect::EventError>(())
//! ```

mod accesses;
mod analysis;
pub mod ccs;
pub mod edc;
mod findings;
pub mod happens_before;
mod lock_clocks;
mod places;
mod threads;
pub mod wdc;

use std::sync::Arc;

use commute_model::{Event, Names, ThreadId};
use commute_spec::Library;

use crate::pass::EventError;

pub use analysis::Analysis;
pub use ccs::Bounds;
pub use findings::ReferencePass;

/// Which analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reference {
    /// Pairs that [happens-before](happens_before) does not order.
    HappensBefore,
    /// [Weak doesn't-commute](wdc): Algorithm 1.
    Wdc,
    /// [Extended doesn't-commute](edc): Algorithm 2, corrected.
    Edc,
    /// The same with [bounded tracking of critical sections](ccs): Algorithm 3.
    Ccs(Bounds),
}

impl Reference {
    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Reference::HappensBefore => "HB",
            Reference::Wdc => "WDC",
            Reference::Edc => "EDC",
            Reference::Ccs(_) => "EDC with bounded tracking",
        }
    }
}

/// When the clock of a thread advances.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Ticks {
    /// When it publishes something, as the algorithms print it.
    #[default]
    PerRelease,
    /// At every event, as the figures of the thesis print it. The order is the
    /// same.
    PerEvent,
}

/// Two events in conflict that an analysis does not order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pair {
    /// The index of the one that came first, counted from 1.
    pub earlier: u64,
    /// The index of the other.
    pub later: u64,
    /// Whether no lock keeps the two apart. If one does, what was found is that
    /// the two critical sections could come in the other order.
    pub racy: bool,
}

/// A pair that is decided when the critical section ends: `time@thread` in the
/// thesis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The index of the event that came first.
    pub earlier: u64,
    /// Its thread.
    pub thread: ThreadId,
    /// The time of its thread.
    pub time: u32,
    /// The index of the other event.
    pub later: u64,
}

/// The pairs that an analysis finds in a whole trace, in the order found.
///
/// # Errors
/// If an event cannot be understood.
pub fn pairs(
    reference: Reference,
    events: &[Event],
    names: &Names,
    library: &Arc<Library>,
) -> Result<Vec<Pair>, EventError> {
    let mut analysis = Analysis::new(reference, library.clone());
    for (offset, event) in events.iter().enumerate() {
        let step = analysis.step(event, names);
        step.map_err(|error| EventError { offset, ..error })?;
    }
    Ok(analysis.finish())
}

//! The words every part of Commute shares.
//!
//! A trace is a sequence of [`Event`]s; an event is what one thread did: an
//! access to a variable, a lock operation, an [`Action`] on a library object.
//! Names of threads, locks, variables and so on are small integers; the
//! [`Names`] that come with the trace turn them back into text. An analysis
//! reads events and hands [`Finding`]s to a [`Sink`].
//!
//! This crate holds data and nothing that decides anything.
//!
//! ```
//! use commute_model::{Event, Names, Op};
//!
//! let mut names = Names::default();
//! let thread = names.threads.intern("T1");
//! let lock = names.locks.intern("m");
//! let location = names.locations.intern("main.rs:7");
//! let event = Event { thread, location, op: Op::Acquire(lock) };
//! assert_eq!(event.display(&names).to_string(), "T1|acq(m)|main.rs:7");
//! ```

mod action;
mod diagnostic;
mod event;
mod finding;
mod id;
mod names;
mod scene;
mod sink;
mod text;
mod value;

pub use action::{Action, SharedAction};
pub use diagnostic::{Diagnostic, Label, Position, Severity, Span};
pub use event::{DisplayEvent, Event, Op};
pub use finding::{Certainty, Code, EventRef, Finding, Level, Note, Witness, WitnessKind};
pub use id::{
    BlockId, CondvarId, Id, LocationId, LockId, MethodId, ObjectId, ThreadId, TypeId, VariableId,
};
pub use names::{Name, NameTable, Names, NewNames, Sent};
pub use scene::{Arrow, Extent, ExtentKind, Moment, Scene};
pub use sink::Sink;
pub use text::Text;
pub use value::{Value, parse_location};

//! Whether methods that use other objects are atomic.
//!
//! A method that looks at a map and then changes it is not one operation, however
//! thread-safe the map is. [`check`] runs a method alone while an adversary does, between
//! its steps, what other threads may do, in all combinations up to a number of them. The
//! method is atomic if whatever was returned, by the method and by the others, and
//! whatever can be seen afterwards, is as if the method had been run at one moment.
//!
//! ```
//! use commute::compose::{self, Environment};
//! use commute::sync::Mutex;
//! use std::collections::HashMap;
//!
//! #[derive(Default)]
//! struct Sessions(Mutex<HashMap<u32, u32>>);
//!
//! impl Sessions {
//!     fn get_or_open(&self, user: u32) -> u32 {
//!         *self.0.lock().unwrap().entry(user).or_insert(7)
//!     }
//!     fn close(&self, user: u32) -> bool {
//!         self.0.lock().unwrap().remove(&user).is_some()
//!     }
//! }
//!
//! compose::check(Sessions::default)
//!     .method(|sessions, user: u32| sessions.get_or_open(user))
//!     .peer("close", |sessions, user: u32| sessions.close(user))
//!     .environment(Environment::client())
//!     .steps(2)
//!     .assert_atomic();
//! ```
//!
//! Under `cargo commute test` every history is tried. In a normal build the method runs
//! once, alone.

#[cfg(commute)]
mod arena;
#[cfg(commute)]
mod attack;
mod check;
mod checked;
#[cfg(commute)]
mod class;
mod collection;
#[cfg(commute)]
pub(crate) mod contents;
#[cfg(commute)]
pub(crate) mod digest;
pub(crate) mod domain;
#[cfg(commute)]
pub(crate) mod done;
mod effect;
mod environment;
#[cfg(commute)]
mod finds;
mod fresh;
mod futures;
#[cfg(commute)]
mod kind;
#[cfg(commute)]
mod made;
mod named;
#[cfg(commute)]
pub(crate) mod offered;
#[cfg(commute)]
mod open;
#[cfg(commute)]
pub(crate) mod others;
#[cfg(commute)]
pub(crate) mod oversight;
#[cfg(commute)]
pub(crate) mod results;
#[cfg(commute)]
mod story;
mod table;
#[cfg(all(commute, feature = "crossbeam"))]
mod unbounded;

pub use check::{Check, check};
pub use checked::{Checked, Outcome};
pub use collection::{Collection, Operation};
pub use commute_macros::Domain;
pub use domain::Domain;
pub use effect::takes_effect;
pub use environment::Environment;
#[cfg(all(commute, any(feature = "dashmap", feature = "scc")))]
pub(crate) use made::debugged;

pub use fresh::{Fresh, fresh, same};

#[cfg(commute)]
pub use commute_compose::linearize;

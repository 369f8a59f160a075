//! The maps and sets of the crate `crossbeam-skiplist`, observable.
//!
//! In a normal build this is `crossbeam_skiplist` itself. Under `--cfg commute`
//! operations on a `SkipMap` are actions of the specification `map`, on a `SkipSet` of
//! `hashset`. There are no locks under which they could be recorded, so while they
//! are, operations on one object come one after the other. **That hides one thing**:
//! in the original an `insert` that overwrites makes the key absent for a moment, so a
//! `get` of a key that is never removed may find nothing
//! ([issue 1023](https://github.com/crossbeam-rs/crossbeam/issues/1023)); here it is
//! atomic.
//!
//! | operation | recorded as |
//! |---|---|
//! | `insert(k, v)` | `insert(k, v)/previous` |
//! | `compare_insert` | the same, or `get(k)/v` if the condition does not hold |
//! | `get_or_insert`, `get_or_insert_with` | `or_insert(k, v)/(v, inserted)`, or `get(k)/v` |
//! | `get`, `lower_bound`, `upper_bound`, `front`, `back`, `next`, `prev`, iteration | `get(k)/v` for what is found. Of what is not found only `get` (`get(k)/nil`), `front` and `back` (`is_empty()/true`) tell: the specification knows no order of keys |
//! | `contains_key` | `contains_key(k)/bool` |
//! | `remove`, `pop_front`, `pop_back`, `Entry::remove` | `remove(k)/v`, `remove(k)/nil` |
//! | `len`, `is_empty` | `len()/n`, `is_empty()/bool` |
//! | `clear` | the removal of each entry: it is not atomic |
//! | `Debug`, `into_iter` by value | nothing |
//!
//! `SkipList` and `base` are the original's.

#[cfg(not(commute))]
pub use ::crossbeam_skiplist::*;

#[cfg(commute)]
pub mod map;
#[cfg(commute)]
mod map_changes;
#[cfg(commute)]
mod map_entry;
#[cfg(commute)]
pub mod set;
#[cfg(commute)]
mod set_entry;
#[cfg(commute)]
mod set_iter;

#[cfg(commute)]
pub use self::{map::SkipMap, set::SkipSet};
#[cfg(commute)]
pub use ::crossbeam_skiplist::{SkipList, base};

#[cfg(commute)]
use commute_record::Method;

#[cfg(commute)]
static GET: Method = Method::new("get");
#[cfg(commute)]
static INSERT: Method = Method::new("insert");
#[cfg(commute)]
static REMOVE: Method = Method::new("remove");
#[cfg(commute)]
static LEN: Method = Method::new("len");
#[cfg(commute)]
static IS_EMPTY: Method = Method::new("is_empty");

//! The maps and sets of the crate `papaya`, observable.
//!
//! In a normal build this is `papaya` itself. Under `--cfg commute` operations on a
//! `HashMap` are actions of the specification `map`, on a `HashSet` of `hashset`.
//! `papaya` has no locks under which they could be recorded, so while they are,
//! operations on one map come one after the other. Closures are called in between:
//! what they saw must still be there when their result is applied, else they are
//! called again, as the original does. Only the last call is recorded.
//!
//! | operation | recorded as |
//! |---|---|
//! | `insert(k, v)` | `insert(k, v)/previous` |
//! | `get`, `get_key_value` | `get(k)/v`, `get(k)/nil` |
//! | `contains_key` | `contains_key(k)/bool` |
//! | `try_insert`, `try_insert_with` | `try_insert(k, v)/bool`; `get(k)/v` if there is no need for a value |
//! | `get_or_insert`, `get_or_insert_with` | `or_insert(k, v)/(v, inserted)`, or `get(k)/v` |
//! | `update`, `update_or_insert`, `compute` | `insert(k, new)/old`, `remove(k)/old`, or `get(k)/v` if nothing is changed |
//! | `remove`, `remove_entry`, `remove_if` | `remove(k)/v`, `remove(k)/nil`; `get(k)/v` if the condition does not hold |
//! | `iter`, `keys`, `values` | `get(k)/v` for each entry, when the iteration begins |
//! | `retain`, `clear` | for each entry what happened to it: they are not atomic |
//! | `len`, `is_empty` | `len()`, `is_empty()` without a known result, for the same reason |
//! | `clone` | of the new map, `insert(k, v)/nil` for each entry |
//! | `Debug`, `==`, `reserve` | nothing |
//!
//! With the feature `serde` of the original only the original can be serialised.

#[cfg(not(commute))]
pub use ::papaya::*;

#[cfg(commute)]
mod builder;
#[cfg(commute)]
mod closures;
#[cfg(commute)]
mod iter;
#[cfg(commute)]
mod map;
#[cfg(commute)]
mod pinned;
#[cfg(commute)]
mod removal;
#[cfg(commute)]
mod set;
#[cfg(commute)]
mod set_from;

#[cfg(commute)]
pub use self::{
    builder::{HashMapBuilder, HashSetBuilder},
    iter::{Iter, Keys, Values},
    map::HashMap,
    pinned::HashMapRef,
    set::{HashSet, HashSetRef},
};
#[cfg(commute)]
pub use ::papaya::{
    Compute, Equivalent, Guard, LocalGuard, OccupiedError, Operation, OwnedGuard, ResizeMode,
};

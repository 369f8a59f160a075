//! The maps and sets of the crate `scc`, observable.
//!
//! In a normal build this is `scc` itself. Under `--cfg commute` every operation on a
//! `HashMap` is an action of the specification `map`, on a `HashSet` of `hashset`,
//! recorded while the bucket of its key is locked. The methods that end in
//! `_async` are recorded as those that end in `_sync`.
//!
//! | operation | recorded as |
//! |---|---|
//! | `insert_sync(k, v)` | `try_insert(k, v)/bool`: it does not overwrite |
//! | `upsert_sync(k, v)` | `insert(k, v)/previous` |
//! | `read_sync`, `get_sync` of what is absent | `get(k)/v`, `get(k)/nil` |
//! | `contains_sync` | `contains_key(k)/bool` |
//! | `remove_sync`, `remove_if_sync` | `remove(k)/v`, `remove(k)/nil`; `get(k)/v` if the condition does not hold |
//! | `update_sync`, `entry_sync`, `get_sync` and their guards | one action when the guard goes: `insert(k, new)/old` if the value changed, else `get(k)/v`. Nobody else gets at the key in between |
//! | `iter_sync`, `iter_mut_sync`, `any_sync`, `retain_sync`, `clear_sync` | for each entry what happened to it: they go from bucket to bucket and are no snapshots |
//! | `len`, `is_empty` | `len()`, `is_empty()` without a known result, for the same reason |
//! | `clone` | of the new map, `insert(k, v)/nil` for each entry |
//! | `Debug`, `==`, `reserve` | nothing |
//!
//! In a test that is explored every operation is a step, and each key is for itself.
//! `capacity`, `bucket_index` and `reserve` make such a test inconclusive.
//!
//! `HashIndex`, `HashCache`, `TreeIndex` and the rest are the original's and record
//! nothing: their readers have no lock under which it could be done, and a cache forgets
//! entries by itself. `Reserve` is the original's, and its `as_ref` gives the map inside.

#[cfg(not(commute))]
pub use ::scc::*;

#[cfg(commute)]
pub use ::scc::{
    AtomicShared, Bag, Comparable, Equivalent, Guard, HashCache, HashIndex, LinkedEntry,
    LinkedList, Queue, Shared, Stack, Tag, TreeIndex, bag, hash_cache, hash_index, queue, stack,
    tree_index,
};

#[cfg(commute)]
mod entry;
#[cfg(commute)]
mod explored;
#[cfg(commute)]
mod find;
#[cfg(commute)]
mod map;
#[cfg(commute)]
mod map_async;
#[cfg(commute)]
mod places;
#[cfg(commute)]
mod real;
#[cfg(commute)]
mod seen;
#[cfg(commute)]
mod set;
#[cfg(commute)]
mod set_async;
#[cfg(commute)]
mod set_entry;
#[cfg(commute)]
mod set_from;
#[cfg(commute)]
mod whole;

#[cfg(commute)]
pub use self::{map::HashMap, set::HashSet};

/// The map and its entries.
#[cfg(commute)]
pub mod hash_map {
    pub use super::entry::{ConsumableEntry, Entry, OccupiedEntry, ReplaceResult, VacantEntry};
    pub use super::map::HashMap;
    pub use ::scc::hash_map::Reserve;
}

/// The set.
#[cfg(commute)]
pub mod hash_set {
    pub use super::set::HashSet;
    pub use super::set_entry::{ConsumableEntry, OccupiedEntry};
    pub use ::scc::hash_set::Reserve;
}

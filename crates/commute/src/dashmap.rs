//! The maps and sets of the crate `dashmap`, observable.
//!
//! In a normal build this is `dashmap` itself. Under `--cfg commute` every operation
//! on a map is an action of the specification `map`, on a set of `hashset`,
//! recorded while the lock of its shard is held:
//!
//! | operation | recorded as |
//! |---|---|
//! | `insert(k, v)` | `insert(k, v)/previous` |
//! | `get`, `view`, `try_get` | `get(k)/v`, `get(k)/nil` |
//! | `contains_key` | `contains_key(k)/bool` |
//! | `remove`, `remove_if` | `remove(k)/v`; `get(k)/v` if the condition does not hold |
//! | `get_mut`, `entry`, `alter` and their guards | one action when the guard goes: `insert(k, new)/old` if the value changed, else `get(k)/v`. Nobody else gets at the key in between |
//! | `iter`, `iter_mut` | `get(k)/v` for each entry (or as above if it was changed): an iteration goes from shard to shard and is no snapshot |
//! | `retain`, `clear`, `alter_all` | for each entry what happened to it, for the same reason |
//! | `len`, `is_empty` | `len()`, `is_empty()` without a known result, for the same reason |
//! | `clone` | of the new map, `insert(k, v)/nil` for each entry |
//! | `Debug`, `into_iter` by value, `into_read_only` | nothing |
//!
//! What the original has with its features `serde` and `rayon` is here with
//! `dashmap-serde` and `dashmap-rayon`, and recorded as iterations and insertions. What
//! it has with `raw-api` is always here, and what is done to a shard is not recorded.

#[cfg(not(commute))]
pub use ::dashmap::*;

#[cfg(commute)]
mod entry;
#[cfg(commute)]
mod explored;
#[cfg(commute)]
pub mod iter;
#[cfg(commute)]
mod looking;
#[cfg(commute)]
mod map;
#[cfg(commute)]
mod map_traits;
#[cfg(commute)]
mod multiple;
#[cfg(commute)]
mod one;
#[cfg(commute)]
mod operators;
#[cfg(commute)]
mod raw_api;
#[cfg(all(commute, feature = "dashmap-rayon"))]
pub mod rayon;
#[cfg(commute)]
mod recording;
#[cfg(all(commute, feature = "dashmap-serde"))]
mod serialised;
#[cfg(commute)]
mod set;
#[cfg(commute)]
mod spread;

#[cfg(commute)]
pub use ::dashmap::{
    RawRwLock, ReadOnlyView, RwLock, RwLockReadGuard, RwLockWriteGuard, SharedValue,
    TryReserveError, try_result,
};
#[cfg(commute)]
pub use map::DashMap;
#[cfg(commute)]
pub use mapref::entry::{Entry, OccupiedEntry, VacantEntry};
#[cfg(commute)]
pub use set::DashSet;

/// Guards of maps.
#[cfg(commute)]
pub mod mapref {
    /// Entries of a map.
    pub mod entry {
        pub use crate::dashmap::entry::{Entry, OccupiedEntry, VacantEntry};
    }
    /// Guards of one entry.
    pub mod one {
        pub use crate::dashmap::looking::{MappedRef, Ref};
        pub use crate::dashmap::one::{MappedRefMut, RefMut};
    }
    /// Guards that iterations give out.
    pub mod multiple {
        pub use crate::dashmap::multiple::{RefMulti, RefMutMulti};
    }
}

/// Guards of sets.
#[cfg(commute)]
pub mod setref {
    /// Guards of one element.
    pub mod one {
        pub use crate::dashmap::set::Ref;
    }
    /// Guards that iterations give out.
    pub mod multiple {
        pub use crate::dashmap::set::RefMulti;
    }
}

/// Iterations over sets.
#[cfg(commute)]
pub mod iter_set {
    pub use crate::dashmap::set::{Iter, OwningIter};
}

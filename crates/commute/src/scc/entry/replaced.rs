//! What became of a key that was to replace one that is equal to it.

use std::hash::{BuildHasher, Hash, RandomState};

use ::scc::hash_map as original;

use super::{OccupiedEntry, VacantEntry};
use crate::keyed::At;
use crate::scc::explored::{Alone, Explored};
use crate::scc::seen::Seen;

/// As [`scc::hash_map::ReplaceResult`](original::ReplaceResult).
pub enum ReplaceResult<'h, K: Eq + Hash, V, H: BuildHasher = RandomState> {
    /// There was a key, which is this one, and now is the new one.
    Replaced(OccupiedEntry<'h, K, V, H>, K),
    /// There was none.
    NotReplaced(VacantEntry<'h, K, V, H>),
}

impl<'h, K: Eq + Hash, V, H: BuildHasher> ReplaceResult<'h, K, V, H> {
    pub(in crate::scc) fn new(
        inner: original::ReplaceResult<'h, K, V, H>,
        seen: &'h Seen,
        at: At,
    ) -> Self {
        match inner {
            original::ReplaceResult::Replaced(entry, key) => {
                ReplaceResult::Replaced(OccupiedEntry::new(entry, seen, at), key)
            }
            original::ReplaceResult::NotReplaced(entry) => {
                ReplaceResult::NotReplaced(VacantEntry::new(entry, seen, at))
            }
        }
    }

    /// In a test that is explored.
    pub(in crate::scc) fn explored(
        map: Explored<'h, K, V>,
        mut alone: Alone<'h, K, V>,
        key: K,
        seen: &'h Seen,
        at: At,
    ) -> Self {
        match alone.0.entry.as_mut() {
            Some(entry) => {
                let key = std::mem::replace(&mut entry.0, key);
                let entry = OccupiedEntry::explored(map, alone, seen, at);
                ReplaceResult::Replaced(entry, key)
            }
            None => ReplaceResult::NotReplaced(VacantEntry::explored(map, alone, key, seen, at)),
        }
    }
}

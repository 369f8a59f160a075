//! Removals that a closure decides on.

use std::hash::{BuildHasher, Hash};
use std::panic::Location;

use ::papaya::{Equivalent, Guard};
use commute_record::value_of;

use super::HashMap;
use super::closures::same;
use super::map::{REMOVE, saw};

impl<K: Hash + Eq, V, S: BuildHasher> HashMap<K, V, S> {
    /// As the original's.
    #[track_caller]
    pub fn remove_if<'g, Q, F>(
        &self,
        key: &Q,
        mut should_remove: F,
        guard: &'g impl Guard,
    ) -> Result<Option<(&'g K, &'g V)>, (&'g K, &'g V)>
    where
        Q: Equivalent<K> + Hash + ?Sized,
        F: FnMut(&K, &V) -> bool,
    {
        if !self.turns.is_watched() {
            return self.inner.remove_if(key, should_remove, guard);
        }
        let at = Location::caller();
        loop {
            let turn = self.turns().turn_of::<K, Q>(key);
            let Some(found) = self.inner.get_key_value(key, guard) else {
                saw::<Q, V>(&turn, at, key, None);
                return Ok(None);
            };
            drop(turn);
            let goes = should_remove(found.0, found.1);
            let turn = self.turns().turn();
            if !same(Some(found), self.inner.get_key_value(key, guard)) {
                continue;
            }
            if !goes {
                saw(&turn, at, key, Some(found.1));
                return Err(found);
            }
            if let Some(turn) = &turn {
                turn.say(&REMOVE, at, &[value_of(key)], &[value_of(found.1)]);
            }
            return Ok(self.inner.remove_entry(key, guard));
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn retain<F>(&self, mut f: F, guard: &impl Guard)
    where
        F: FnMut(&K, &V) -> bool,
    {
        if !self.turns.is_watched() {
            return self.inner.retain(f, guard);
        }
        let keys: Vec<_> = {
            let _turn = self.turns().turn();
            self.inner.keys(guard).collect()
        };
        for key in keys {
            let _ = self.remove_if(key, |key, value| !f(key, value), guard);
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn clear(&self, guard: &impl Guard) {
        match self.turns.is_watched() {
            true => self.retain(|_, _| false, guard),
            false => self.inner.clear(guard),
        }
    }
}

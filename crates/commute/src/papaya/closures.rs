//! Operations that call code of the program, which may wait for other threads that
//! use the same map: so it is called between turns. What it saw is compared by its
//! address, which nobody else can have while the guard lives.

use std::hash::{BuildHasher, Hash};
use std::panic::Location;

use ::papaya as original;
use commute_record::{Raw, value_of};
use original::{Compute, Guard, Operation};

use super::HashMap;
use super::map::{GET, INSERT, OR_INSERT, REMOVE, TRY_INSERT, saw};
use crate::turns::{At, Turn};

pub(super) fn same<K, V>(one: Option<(&K, &V)>, other: Option<(&K, &V)>) -> bool {
    one.map(|(_, v)| std::ptr::from_ref(v)) == other.map(|(_, v)| std::ptr::from_ref(v))
}

impl<K: Hash + Eq, V, S: BuildHasher> HashMap<K, V, S> {
    /// The value that is there, or else the one that `f` makes, unless somebody was
    /// faster; whether it was inserted. Nothing if nothing is recorded, and `f` back.
    fn or_insert_at<'g, F: FnOnce() -> V>(
        &self,
        key: K,
        f: F,
        guard: &'g impl Guard,
        say: impl FnOnce(&Turn<'_>, [Raw<'_>; 2], &V, bool),
    ) -> Result<(&'g V, bool), (K, F)>
    where
        K: 'g,
    {
        if !self.turns.is_watched() {
            return Err((key, f));
        }
        let turn = self.turns().turn_of::<K, K>(&key);
        if let Some((_, value)) = self.inner.get_key_value(&key, guard) {
            if let Some(turn) = turn {
                say(&turn, [value_of(&key), Raw::Nil], value, false);
            }
            return Ok((value, false));
        }
        drop(turn);
        let value = f();
        let turn = self.turns().turn();
        let pictures = [value_of(&key), value_of(&value)].map(|raw| raw.to_value());
        let args = pictures.each_ref().map(Raw::Value);
        let (value, inserted) = match self.inner.try_insert(key, value, guard) {
            Ok(value) => (value, true),
            Err(occupied) => (occupied.current, false),
        };
        if let Some(turn) = turn {
            say(&turn, args, value, inserted);
        }
        Ok((value, inserted))
    }

    /// As the original's.
    #[track_caller]
    pub fn try_insert_with<'g, F>(
        &self,
        key: K,
        f: F,
        guard: &'g impl Guard,
    ) -> Result<&'g V, &'g V>
    where
        F: FnOnce() -> V,
        K: 'g,
    {
        let at = Location::caller();
        let done = self.or_insert_at(key, f, guard, |turn, args, value, inserted| match args {
            [key, Raw::Nil] => turn.say(&GET, at, &[key], &[value_of(value)]),
            args => turn.say(&TRY_INSERT, at, &args, &[Raw::Bool(inserted)]),
        });
        match done {
            Ok((value, true)) => Ok(value),
            Ok((value, false)) => Err(value),
            Err((key, f)) => self.inner.try_insert_with(key, f, guard),
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn get_or_insert_with<'g, F>(&self, key: K, f: F, guard: &'g impl Guard) -> &'g V
    where
        F: FnOnce() -> V,
        K: 'g,
    {
        let at = Location::caller();
        let done = self.or_insert_at(key, f, guard, |turn, args, value, inserted| match args {
            [key, Raw::Nil] => turn.say(&GET, at, &[key], &[value_of(value)]),
            args => {
                let results = [value_of(value), Raw::Bool(inserted)];
                turn.say(&OR_INSERT, at, &args, &results);
            }
        });
        match done {
            Ok((value, _)) => value,
            Err((key, f)) => self.inner.get_or_insert_with(key, f, guard),
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn update<'g, F>(&self, key: K, update: F, guard: &'g impl Guard) -> Option<&'g V>
    where
        F: Fn(&V) -> V,
        K: 'g,
    {
        let compute = |entry: Option<(&K, &V)>| match entry {
            Some((_, value)) => Operation::Insert(update(value)),
            None => Operation::Abort(()),
        };
        match self.compute(key, compute, guard) {
            Compute::Updated { new: (_, new), .. } => Some(new),
            _ => None,
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn update_or_insert<'g, F>(
        &self,
        key: K,
        update: F,
        value: V,
        guard: &'g impl Guard,
    ) -> &'g V
    where
        F: Fn(&V) -> V,
        K: 'g,
    {
        self.update_or_insert_with(key, update, || value, guard)
    }

    /// As the original's, but that a value that `f` made and somebody was faster to
    /// insert is offered again if that one is removed.
    #[track_caller]
    pub fn update_or_insert_with<'g, U, F>(
        &self,
        key: K,
        update: U,
        f: F,
        guard: &'g impl Guard,
    ) -> &'g V
    where
        F: FnOnce() -> V,
        U: Fn(&V) -> V,
        K: 'g,
    {
        if !self.turns.is_watched() {
            return self.inner.update_or_insert_with(key, update, f, guard);
        }
        let at = Location::caller();
        let (mut f, mut made) = (Some(f), None);
        let result = self.compute_at(key, guard, at, |entry, back| match entry {
            Some((_, value)) => {
                made = made.take().or(back);
                Operation::Insert::<V, ()>(update(value))
            }
            None => {
                let made = back.or(made.take());
                let value = made.or_else(|| f.take().map(|f| f()));
                value.map_or(Operation::Abort(()), Operation::Insert)
            }
        });
        match result {
            Compute::Updated {
                new: (_, value), ..
            }
            | Compute::Inserted(_, value) => value,
            _ => unreachable!("there is always a value to insert"),
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn compute<'g, F, T>(
        &self,
        key: K,
        mut compute: F,
        guard: &'g impl Guard,
    ) -> Compute<'g, K, V, T>
    where
        F: FnMut(Option<(&'g K, &'g V)>) -> Operation<V, T>,
    {
        if !self.turns.is_watched() {
            return self.inner.compute(key, compute, guard);
        }
        let at = Location::caller();
        self.compute_at(key, guard, at, |entry, _| compute(entry))
    }

    /// Calls `compute` until what it saw is still there. It gets a value back that it
    /// made for an absent key if the key no longer is.
    fn compute_at<'g, T>(
        &self,
        key: K,
        guard: &'g impl Guard,
        at: At,
        mut compute: impl FnMut(Option<(&'g K, &'g V)>, Option<V>) -> Operation<V, T>,
    ) -> Compute<'g, K, V, T> {
        let mut back = None;
        loop {
            let found = {
                let _turn = self.turns().turn_of::<K, K>(&key);
                self.inner.get_key_value(&key, guard)
            };
            let operation = compute(found, back.take());
            let turn = self.turns().turn();
            if !same(found, self.inner.get_key_value(&key, guard)) {
                if let (None, Operation::Insert(value)) = (found, operation) {
                    back = Some(value);
                }
                continue;
            }
            let value = match operation {
                Operation::Abort(result) => {
                    saw(&turn, at, &key, found.map(|(_, value)| value));
                    return Compute::Aborted(result);
                }
                Operation::Remove => None,
                Operation::Insert(value) => Some(value),
            };
            return self.apply(key, found, value, guard, turn, at);
        }
    }

    /// In a turn: makes `value`, or nothing, of what was found.
    fn apply<'g, T>(
        &self,
        key: K,
        found: Option<(&'g K, &'g V)>,
        value: Option<V>,
        guard: &'g impl Guard,
        turn: Option<Turn<'_>>,
        at: At,
    ) -> Compute<'g, K, V, T> {
        let key_picture = value_of(&key).to_value();
        let picture = value.as_ref().map(|value| value_of(value).to_value());
        let mut once = Some(match value {
            Some(value) => Operation::Insert(value),
            None => Operation::Remove,
        });
        // Nobody is faster, so this is called once.
        let done = self.inner.compute(
            key,
            |_| match once.take() {
                Some(operation) => operation,
                None => Operation::Abort(()),
            },
            guard,
        );
        if let Some(turn) = turn {
            let before = [super::map::picture(found.map(|(_, value)| value))];
            let key = Raw::Value(&key_picture);
            match picture {
                Some(value) => turn.say(&INSERT, at, &[key, Raw::Value(&value)], &before),
                None => turn.say(&REMOVE, at, &[key], &before),
            }
        }
        match done {
            Compute::Inserted(key, value) => Compute::Inserted(key, value),
            Compute::Updated { old, new } => Compute::Updated { old, new },
            Compute::Removed(key, value) => Compute::Removed(key, value),
            Compute::Aborted(()) => unreachable!("what was seen is still there"),
        }
    }
}

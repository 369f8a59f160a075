//! What is remembered of the access points of one object.
//!
//! Points of different keys never conflict, and neither do points with and
//! without a key: so what is remembered is kept by key, and by class for the
//! points that have none.

use std::hash::{Hash, Hasher};

use commute_model::Value;
use rustc_hash::FxHasher;

use crate::places::Places;

/// A `T` for every key and for every class of points without a key.
#[derive(Clone, Debug)]
pub(crate) struct Keyed<T> {
    classes: Vec<T>,
    keys: Vec<(Value, T)>,
    /// Where in `keys` a value is. Small, so that it stays in the cache.
    places: Places,
    /// From this number of keys on it is worth looking which are still needed.
    most: usize,
}

/// So many keys are kept without asking whether they are needed. Tests ask often.
const LEAST: usize = if cfg!(test) { 32 } else { 1024 };

/// Where the `T` of a key is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place(u32);

/// A key that has no `T` yet, by its hash.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Missing(u64);

impl<T> Default for Keyed<T> {
    fn default() -> Keyed<T> {
        Keyed {
            classes: Vec::new(),
            keys: Vec::new(),
            places: Places::default(),
            most: LEAST,
        }
    }
}

impl<T: Default> Keyed<T> {
    /// Where the `T` of `key` is.
    #[inline(always)]
    pub(crate) fn find(&self, key: &Value) -> Result<Place, Missing> {
        let hash = hash(key);
        let same = |place: u32| self.keys[place as usize].0 == *key;
        let found = self.places.find(hash, same);
        found.map(Place).ok_or(Missing(hash))
    }

    /// Makes place for `key`, which was not found.
    #[cold]
    pub(crate) fn insert(&mut self, key: &Value, Missing(missing): Missing) -> Place {
        let place = u32::try_from(self.keys.len()).expect("fewer than 2³² keys");
        self.keys.push((key.clone(), T::default()));
        self.places.insert(missing, place);
        Place(place)
    }

    /// Whether there are twice as many keys as [`retain`](Self::retain) left the last
    /// time.
    #[inline]
    pub(crate) fn is_due(&self) -> bool {
        self.keys.len() >= self.most
    }

    /// Keeps the keys whose `T` is needed. Places that were found before mean nothing
    /// any more.
    #[cold]
    pub(crate) fn retain(&mut self, is_needed: impl Fn(&T) -> bool) {
        self.keys.retain(|(_, t)| is_needed(t));
        self.most = LEAST.max(2 * self.keys.len());
        self.keys.shrink_to(self.most);
        self.places = Places::default();
        for (place, (key, _)) in self.keys.iter().enumerate() {
            self.places.insert(hash(key), place as u32);
        }
    }

    /// All keys are needed.
    #[cfg(test)]
    pub(crate) fn keep_all(&mut self) {
        self.most = usize::MAX;
    }

    /// How many keys are kept.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// What there is of `key`.
    #[inline(always)]
    pub(crate) fn get(&self, key: &Value) -> Option<&T> {
        let Place(place) = self.find(key).ok()?;
        Some(&self.keys[place as usize].1)
    }

    /// What is at a place.
    #[inline(always)]
    pub(crate) fn at(&mut self, Place(place): Place) -> &mut T {
        &mut self.keys[place as usize].1
    }

    /// What belongs to a class of points without key.
    #[inline]
    pub(crate) fn class(&mut self, class: u16) -> &mut T {
        let place = usize::from(class);
        if place >= self.classes.len() {
            self.classes.resize_with(place + 1, T::default);
        }
        &mut self.classes[place]
    }

    /// The same, if anything was remembered of it.
    #[inline]
    pub(crate) fn known_class(&self, class: u16) -> Option<&T> {
        self.classes.get(usize::from(class))
    }

    /// What belongs to points with a key, in no particular order.
    pub(crate) fn keyed(&self) -> impl Iterator<Item = &T> {
        self.keys.iter().map(|(_, t)| t)
    }

    /// Everything, in no particular order.
    pub(crate) fn all(&mut self) -> impl Iterator<Item = &mut T> {
        let keyed = self.keys.iter_mut().map(|(_, t)| t);
        self.classes.iter_mut().chain(keyed)
    }
}

#[inline(always)]
fn hash(value: &Value) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_retained_is_found() {
        let mut keyed: Keyed<u32> = Keyed::default();
        for number in 0..3000_u32 {
            let key = Value::from(number);
            let missing = keyed.find(&key).expect_err("a new key");
            let place = keyed.insert(&key, missing);
            *keyed.at(place) = number;
        }
        assert!(keyed.is_due());
        keyed.retain(|number| number % 3 == 0);
        assert!(!keyed.is_due() && keyed.len() == 1000);
        for number in 0..3000_u32 {
            let found = keyed.find(&Value::from(number)).ok();
            let found = found.map(|place| *keyed.at(place));
            assert_eq!(found, (number % 3 == 0).then_some(number));
        }
    }
}

//! What is remembered of the access points of one object.
//!
//! Points of different keys never conflict, and neither do points with and
//! without a key: so what is remembered is kept by key, and by class for the
//! points that have none.

use std::hash::{Hash, Hasher};

use commute_model::Value;
use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// A `T` for every key and for every class of points without a key.
#[derive(Clone, Debug)]
pub(crate) struct Keyed<T> {
    classes: Vec<T>,
    keys: Vec<(Value, T)>,
    /// Where in `keys` a value is. Small, so that it stays in the cache.
    places: HashTable<u32>,
}

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
            places: HashTable::new(),
        }
    }
}

impl<T: Default> Keyed<T> {
    /// Where the `T` of `key` is.
    #[inline(always)]
    pub(crate) fn find(&self, key: &Value) -> Result<Place, Missing> {
        let hash = hash(key);
        let same = |place: &u32| self.keys[*place as usize].0 == *key;
        let found = self.places.find(hash, same);
        found.map(|place| Place(*place)).ok_or(Missing(hash))
    }

    /// Makes place for `key`, which was not found.
    #[cold]
    pub(crate) fn insert(&mut self, key: &Value, Missing(missing): Missing) -> Place {
        let place = u32::try_from(self.keys.len()).expect("fewer than 2³² keys");
        self.keys.push((key.clone(), T::default()));
        let keys = &self.keys;
        let rehash = |place: &u32| hash(&keys[*place as usize].0);
        self.places.insert_unique(missing, place, rehash);
        Place(place)
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

#[inline]
fn hash(value: &Value) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

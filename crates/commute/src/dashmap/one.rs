//! Guards of one entry that may change it.

use std::fmt;
use std::hash::Hash;
use std::ops::{Deref, DerefMut};

use ::dashmap::mapref::one as original;

use super::looking::Ref;
use super::recording::{Guard, Held};

/// See [`dashmap::mapref::one::RefMut`](original::RefMut).
pub struct RefMut<'a, K, V>(Guard<'a, original::RefMut<'a, K, V>>);

impl<'a, K: Eq + Hash, V> RefMut<'a, K, V> {
    pub(super) fn new(inner: original::RefMut<'a, K, V>, held: Option<Held<'a>>) -> Self {
        let leave = |held: Held<'a>, inner: &original::RefMut<'a, K, V>| {
            held.leave(inner.key(), inner.value());
        };
        RefMut(Guard::new(inner, held, leave))
    }

    /// The key.
    pub fn key(&self) -> &K {
        self.0.get().key()
    }

    /// The value.
    pub fn value(&self) -> &V {
        self.0.get().value()
    }

    /// The value.
    pub fn value_mut(&mut self) -> &mut V {
        self.0.get_mut().value_mut()
    }

    /// Both.
    pub fn pair(&self) -> (&K, &V) {
        self.0.get().pair()
    }

    /// Both.
    pub fn pair_mut(&mut self) -> (&K, &mut V) {
        self.0.get_mut().pair_mut()
    }

    /// Goes on without changing anything.
    pub fn downgrade(self) -> Ref<'a, K, V> {
        let (inner, held) = self.0.into_parts();
        let hold = held.and_then(|held| held.downgrade(inner.key(), inner.value()));
        Ref::shared(inner.downgrade(), hold)
    }

    /// In a test that is explored: the entry is going to be removed, with no step in
    /// between.
    pub(super) fn give_up(self) {
        let (inner, held) = self.0.into_parts();
        if let Some(held) = held {
            held.remove(inner.key());
        }
    }

    /// A guard of a part of the value.
    pub fn map<F, T>(mut self, f: F) -> MappedRefMut<'a, K, V, T>
    where
        F: FnOnce(&mut V) -> &mut T,
    {
        let part = std::ptr::from_mut(f(self.value_mut()));
        MappedRefMut { part, whole: self }
    }

    /// A guard of a part of the value, if it has it.
    ///
    /// # Errors
    /// The guard, if it has not.
    pub fn try_map<F, T>(mut self, f: F) -> Result<MappedRefMut<'a, K, V, T>, Self>
    where
        F: FnOnce(&mut V) -> Option<&mut T>,
    {
        match f(self.value_mut()).map(std::ptr::from_mut) {
            Some(part) => Ok(MappedRefMut { part, whole: self }),
            None => Err(self),
        }
    }
}

impl<K: Eq + Hash + fmt::Debug, V: fmt::Debug> fmt::Debug for RefMut<'_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.get().fmt(f)
    }
}

impl<K: Eq + Hash, V> Deref for RefMut<'_, K, V> {
    type Target = V;

    fn deref(&self) -> &V {
        self.value()
    }
}

impl<K: Eq + Hash, V> DerefMut for RefMut<'_, K, V> {
    fn deref_mut(&mut self) -> &mut V {
        self.value_mut()
    }
}

/// See [`dashmap::mapref::one::MappedRefMut`](original::MappedRefMut).
pub struct MappedRefMut<'a, K, V, T> {
    /// Into the value that `whole` guards.
    part: *mut T,
    whole: RefMut<'a, K, V>,
}

#[expect(unsafe_code, reason = "a part of a value that a guard keeps in place")]
mod parts {
    use super::*;

    // SAFETY: `part` is a part of the value of `whole`, which it has for itself:
    // sending or sharing it is sending or sharing that value, as the original does.
    unsafe impl<K: Eq + Hash + Sync, V: Sync, T> Send for MappedRefMut<'_, K, V, T> {}
    // SAFETY: as above.
    unsafe impl<K: Eq + Hash + Sync, V: Sync, T> Sync for MappedRefMut<'_, K, V, T> {}

    impl<'a, K: Eq + Hash, V, T> MappedRefMut<'a, K, V, T> {
        /// The value.
        pub fn value(&self) -> &T {
            // SAFETY: the value stays in place as long as `whole` holds the lock of
            // its shard, and nobody touches it but through `part`: `whole` is asked
            // for its key only, until it is dropped, and then `part` is not used.
            unsafe { &*self.part }
        }

        /// The value.
        pub fn value_mut(&mut self) -> &mut T {
            // SAFETY: as above, and `self` is borrowed mutably.
            unsafe { &mut *self.part }
        }
    }
}

impl<'a, K: Eq + Hash, V, T> MappedRefMut<'a, K, V, T> {
    /// The key.
    pub fn key(&self) -> &K {
        self.whole.key()
    }

    /// Both.
    pub fn pair(&self) -> (&K, &T) {
        (self.key(), self.value())
    }

    /// Both.
    pub fn pair_mut(&mut self) -> (&K, &mut T) {
        // SAFETY: as for `value_mut`; the key is no part of the value.
        #[expect(unsafe_code, reason = "a part of a value that a guard keeps in place")]
        let part = unsafe { &mut *self.part };
        (self.whole.key(), part)
    }

    /// A guard of a part of the part.
    pub fn map<F, U>(mut self, f: F) -> MappedRefMut<'a, K, V, U>
    where
        F: FnOnce(&mut T) -> &mut U,
    {
        let part = std::ptr::from_mut(f(self.value_mut()));
        let whole = self.whole;
        MappedRefMut { part, whole }
    }

    /// A guard of a part of the part, if there is one.
    ///
    /// # Errors
    /// The guard, if there is none.
    pub fn try_map<F, U>(mut self, f: F) -> Result<MappedRefMut<'a, K, V, U>, Self>
    where
        F: FnOnce(&mut T) -> Option<&mut U>,
    {
        match f(self.value_mut()).map(std::ptr::from_mut) {
            Some(part) => {
                let whole = self.whole;
                Ok(MappedRefMut { part, whole })
            }
            None => Err(self),
        }
    }
}

impl<K: Eq + Hash + fmt::Debug, V, T: fmt::Debug> fmt::Debug for MappedRefMut<'_, K, V, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MappedRefMut")
            .field("k", self.key())
            .field("v", self.value())
            .finish()
    }
}

impl<K: Eq + Hash, V, T> Deref for MappedRefMut<'_, K, V, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value()
    }
}

impl<K: Eq + Hash, V, T> DerefMut for MappedRefMut<'_, K, V, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.value_mut()
    }
}

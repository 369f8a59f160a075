//! Guards of one entry that only look at it.

use std::fmt;
use std::hash::Hash;
use std::ops::Deref;
use std::sync::Arc;

use ::dashmap::mapref::one as original;

use crate::explored::keyed::Hold;

/// See [`dashmap::mapref::one::Ref`](original::Ref).
pub struct Ref<'a, K, V> {
    /// Goes before the lock does.
    hold: Option<Arc<Hold<'a>>>,
    inner: original::Ref<'a, K, V>,
}

impl<'a, K: Eq + Hash, V> Ref<'a, K, V> {
    pub(super) fn new(inner: original::Ref<'a, K, V>) -> Self {
        Ref { hold: None, inner }
    }

    /// In a test that is explored.
    pub(super) fn explored(inner: original::Ref<'a, K, V>, hold: Option<Hold<'a>>) -> Self {
        let hold = hold.map(Arc::new);
        Ref { hold, inner }
    }

    /// The same, if somebody else may have the guard, too.
    pub(super) fn shared(inner: original::Ref<'a, K, V>, hold: Option<Arc<Hold<'a>>>) -> Self {
        Ref { hold, inner }
    }

    /// The key.
    pub fn key(&self) -> &K {
        self.inner.key()
    }

    /// The value.
    pub fn value(&self) -> &V {
        self.inner.value()
    }

    /// Both.
    pub fn pair(&self) -> (&K, &V) {
        self.inner.pair()
    }

    /// A guard of a part of the value.
    pub fn map<F, T>(self, f: F) -> MappedRef<'a, K, V, T>
    where
        F: FnOnce(&V) -> &T,
    {
        MappedRef {
            hold: self.hold,
            inner: self.inner.map(f),
        }
    }

    /// A guard of a part of the value, if it has it.
    ///
    /// # Errors
    /// The guard, if it has not.
    pub fn try_map<F, T>(self, f: F) -> Result<MappedRef<'a, K, V, T>, Self>
    where
        F: FnOnce(&V) -> Option<&T>,
    {
        let hold = self.hold;
        match self.inner.try_map(f) {
            Ok(inner) => Ok(MappedRef { hold, inner }),
            Err(inner) => Err(Ref { hold, inner }),
        }
    }
}

impl<K: Eq + Hash + fmt::Debug, V: fmt::Debug> fmt::Debug for Ref<'_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl<K: Eq + Hash, V> Deref for Ref<'_, K, V> {
    type Target = V;

    fn deref(&self) -> &V {
        self.value()
    }
}

/// See [`dashmap::mapref::one::MappedRef`](original::MappedRef).
pub struct MappedRef<'a, K, V, T> {
    /// Goes before the lock does.
    hold: Option<Arc<Hold<'a>>>,
    inner: original::MappedRef<'a, K, V, T>,
}

impl<'a, K: Eq + Hash, V, T> MappedRef<'a, K, V, T> {
    /// The key.
    pub fn key(&self) -> &K {
        self.inner.key()
    }

    /// The value.
    pub fn value(&self) -> &T {
        self.inner.value()
    }

    /// Both.
    pub fn pair(&self) -> (&K, &T) {
        self.inner.pair()
    }

    /// A guard of a part of the part.
    pub fn map<F, U>(self, f: F) -> MappedRef<'a, K, V, U>
    where
        F: FnOnce(&T) -> &U,
    {
        MappedRef {
            hold: self.hold,
            inner: self.inner.map(f),
        }
    }

    /// A guard of a part of the part, if there is one.
    ///
    /// # Errors
    /// The guard, if there is none.
    pub fn try_map<F, U>(self, f: F) -> Result<MappedRef<'a, K, V, U>, Self>
    where
        F: FnOnce(&T) -> Option<&U>,
    {
        let hold = self.hold;
        match self.inner.try_map(f) {
            Ok(inner) => Ok(MappedRef { hold, inner }),
            Err(inner) => Err(MappedRef { hold, inner }),
        }
    }
}

impl<K: Eq + Hash + fmt::Debug, V, T: fmt::Debug> fmt::Debug for MappedRef<'_, K, V, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl<K: Eq + Hash, V, T> Deref for MappedRef<'_, K, V, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value()
    }
}

impl<K: Eq + Hash, V, T: fmt::Display> fmt::Display for MappedRef<'_, K, V, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value().fmt(f)
    }
}

impl<K: Eq + Hash, V, T: AsRef<U>, U: ?Sized> AsRef<U> for MappedRef<'_, K, V, T> {
    fn as_ref(&self) -> &U {
        self.value().as_ref()
    }
}

//! What a map holds in a test that is explored: a place for every key.
//!
//! A guard of the original has the lock of a bucket, and with it other keys than its own.
//! All threads of a test run on one thread of the system, so none may ever wait for such a
//! lock. The model says who has which key; so the entries are here, where nobody is in
//! the way of another key, and the original stays empty.

use std::mem::replace;
use std::sync::{OnceLock, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};

use commute_explore::runtime::stuck;
use commute_record::Value;

/// The places of a map. There are more and more of them, and none moves.
pub(crate) struct Places<K, V> {
    first: Next<K, V>,
}

type Next<K, V> = OnceLock<Box<Place<K, V>>>;

/// The place of a key.
pub(super) struct Place<K, V> {
    /// What the model calls the key.
    pub(super) name: Value,
    content: RwLock<Content<K, V>>,
    next: Next<K, V>,
}

enum Content<K, V> {
    Nothing,
    Entry(Box<(K, V)>),
    /// Somebody has it alone.
    Taken,
}

/// Where operations are no steps, whoever would have to wait does so for ever.
fn wait() -> ! {
    stuck("an entry of a map is waited for")
}

impl<K, V> Places<K, V> {
    pub(super) const fn new() -> Places<K, V> {
        let first = OnceLock::new();
        Places { first }
    }

    /// Whether there is one.
    pub(super) fn is_used(&self) -> bool {
        self.first.get().is_some()
    }

    /// All of them, in no particular order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Place<K, V>> {
        std::iter::successors(self.first.get(), |place| place.next.get()).map(|place| &**place)
    }

    /// The place of a key, which is made if there is none.
    pub(super) fn of(&self, name: &Value) -> &Place<K, V> {
        let mut next = &self.first;
        loop {
            let place = next.get_or_init(|| {
                Box::new(Place {
                    name: name.clone(),
                    content: RwLock::new(Content::Nothing),
                    next: OnceLock::new(),
                })
            });
            if place.name == *name {
                return place;
            }
            next = &place.next;
        }
    }
}

/// One after the other: there may be too many to do it by recursion.
impl<K, V> Drop for Places<K, V> {
    fn drop(&mut self) {
        let mut next = self.first.take();
        while let Some(mut place) = next {
            next = place.next.take();
        }
    }
}

impl<K, V> Place<K, V> {
    fn read(&self) -> Option<RwLockReadGuard<'_, Content<K, V>>> {
        match self.content.try_read() {
            Ok(content) => Some(content),
            Err(TryLockError::Poisoned(content)) => Some(content.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    fn write(&self) -> Option<RwLockWriteGuard<'_, Content<K, V>>> {
        match self.content.try_write() {
            Ok(content) => Some(content),
            Err(TryLockError::Poisoned(content)) => Some(content.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// Looks at what is there; nobody changes it meanwhile. The first is none if somebody
    /// has it alone.
    pub(super) fn try_look<R>(&self, f: impl FnOnce(&K, &V) -> R) -> Option<Option<R>> {
        let content = self.read()?;
        match &*content {
            Content::Nothing => Some(None),
            Content::Entry(entry) => Some(Some(f(&entry.0, &entry.1))),
            Content::Taken => None,
        }
    }

    /// The same, of one who was told that it can be looked at.
    pub(super) fn look<R>(&self, f: impl FnOnce(&K, &V) -> R) -> Option<R> {
        self.try_look(f).unwrap_or_else(|| wait())
    }

    /// Takes what is there, to have it alone.
    pub(super) fn take(&self) -> Taken<'_, K, V> {
        let taken = { self.write() }.map(|mut content| replace(&mut *content, Content::Taken));
        let entry = match taken {
            Some(Content::Nothing) => None,
            Some(Content::Entry(entry)) => Some(entry),
            Some(Content::Taken) | None => wait(),
        };
        Taken { place: self, entry }
    }
}

/// What somebody has alone. It is put back when this goes.
pub(super) struct Taken<'a, K, V> {
    pub(super) place: &'a Place<K, V>,
    /// None if there is nothing.
    pub(super) entry: Option<Box<(K, V)>>,
}

const THERE: &str = "an entry that was found";

impl<K, V> Taken<'_, K, V> {
    /// The entry, of one who has found it.
    pub(super) fn found(&self) -> &(K, V) {
        self.entry.as_deref().expect(THERE)
    }

    /// The same.
    pub(super) fn found_mut(&mut self) -> &mut (K, V) {
        self.entry.as_deref_mut().expect(THERE)
    }

    /// The entry goes.
    pub(super) fn remove(&mut self) -> (K, V) {
        *self.entry.take().expect(THERE)
    }

    /// Gives it back. What the model calls its key.
    pub(super) fn give_back(self) -> Value {
        self.place.name.clone()
    }
}

impl<K, V> Drop for Taken<'_, K, V> {
    fn drop(&mut self) {
        if let Some(mut content) = self.place.write() {
            let entry = self.entry.take();
            *content = entry.map_or(Content::Nothing, Content::Entry);
        }
    }
}

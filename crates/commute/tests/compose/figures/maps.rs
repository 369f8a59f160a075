//! Maps of several libraries, as the map that Java has.

use std::collections::HashMap;

use commute::compose::Collection;
use commute::dashmap::DashMap;
use commute::parking_lot::RwLock as ParkedLock;
use commute::sync::{PoisonError, RwLock};

/// What a concurrent map of Java has.
pub(super) trait Map: Default + 'static {
    type Collection: Collection;
    /// Whether nothing is known of it but that somebody has used it, so that more runs are
    /// needed.
    const IS_SLOW: bool = false;
    fn collection(&self) -> &Self::Collection;
    fn get(&self, key: u8) -> Option<u8>;
    fn contains_key(&self, key: u8) -> bool;
    fn put(&self, key: u8, value: u8) -> Option<u8>;
    fn put_if_absent(&self, key: u8, value: u8) -> Option<u8>;
    fn remove(&self, key: u8) -> Option<u8>;
    fn replace(&self, key: u8, old: u8, new: u8) -> bool;
}

#[derive(Default)]
pub(super) struct Dash(DashMap<u8, u8>);

impl Map for Dash {
    type Collection = DashMap<u8, u8>;
    fn collection(&self) -> &DashMap<u8, u8> {
        &self.0
    }
    fn get(&self, key: u8) -> Option<u8> {
        self.0.get(&key).map(|value| *value)
    }
    fn contains_key(&self, key: u8) -> bool {
        self.0.contains_key(&key)
    }
    fn put(&self, key: u8, value: u8) -> Option<u8> {
        self.0.insert(key, value)
    }
    fn put_if_absent(&self, key: u8, value: u8) -> Option<u8> {
        use commute::dashmap::Entry;
        match self.0.entry(key) {
            Entry::Occupied(entry) => Some(*entry.get()),
            Entry::Vacant(entry) => {
                entry.insert(value);
                None
            }
        }
    }
    fn remove(&self, key: u8) -> Option<u8> {
        self.0.remove(&key).map(|(_, value)| value)
    }
    fn replace(&self, key: u8, old: u8, new: u8) -> bool {
        match self.0.get_mut(&key) {
            Some(mut value) if *value == old => {
                *value = new;
                true
            }
            _ => false,
        }
    }
}

macro_rules! locked {
    ($Name:ident, $Lock:ident, |$lock:ident| $read:expr, $write:expr) => {
        #[derive(Default)]
        pub(super) struct $Name($Lock<HashMap<u8, u8>>);

        impl $Name {
            fn read<R>(&self, f: impl FnOnce(&HashMap<u8, u8>) -> R) -> R {
                let $lock = &self.0;
                f(&$read)
            }
            fn write<R>(&self, f: impl FnOnce(&mut HashMap<u8, u8>) -> R) -> R {
                let $lock = &self.0;
                f(&mut $write)
            }
        }

        impl Map for $Name {
            type Collection = $Lock<HashMap<u8, u8>>;
            fn collection(&self) -> &Self::Collection {
                &self.0
            }
            fn get(&self, key: u8) -> Option<u8> {
                self.read(|map| map.get(&key).copied())
            }
            fn contains_key(&self, key: u8) -> bool {
                self.read(|map| map.contains_key(&key))
            }
            fn put(&self, key: u8, value: u8) -> Option<u8> {
                self.write(|map| map.insert(key, value))
            }
            fn put_if_absent(&self, key: u8, value: u8) -> Option<u8> {
                self.write(|map| match map.get(&key) {
                    Some(there) => Some(*there),
                    None => map.insert(key, value),
                })
            }
            fn remove(&self, key: u8) -> Option<u8> {
                self.write(|map| map.remove(&key))
            }
            fn replace(&self, key: u8, old: u8, new: u8) -> bool {
                self.write(|map| {
                    let found = map.get(&key) == Some(&old);
                    if found {
                        map.insert(key, new);
                    }
                    found
                })
            }
        }
    };
}

locked!(
    Locked,
    RwLock,
    |lock| lock.read().unwrap_or_else(PoisonError::into_inner),
    lock.write().unwrap_or_else(PoisonError::into_inner)
);
locked!(Parked, ParkedLock, |lock| lock.read(), lock.write());

#[cfg(feature = "scc")]
#[derive(Default)]
pub(super) struct Scc(commute::scc::HashMap<u8, u8>);

#[cfg(feature = "scc")]
impl Map for Scc {
    type Collection = commute::scc::HashMap<u8, u8>;
    fn collection(&self) -> &Self::Collection {
        &self.0
    }
    fn get(&self, key: u8) -> Option<u8> {
        self.0.read_sync(&key, |_, value| *value)
    }
    fn contains_key(&self, key: u8) -> bool {
        self.0.contains_sync(&key)
    }
    fn put(&self, key: u8, value: u8) -> Option<u8> {
        self.0.upsert_sync(key, value)
    }
    fn put_if_absent(&self, key: u8, value: u8) -> Option<u8> {
        use commute::scc::hash_map::Entry;
        match self.0.entry_sync(key) {
            Entry::Occupied(entry) => Some(*entry.get()),
            Entry::Vacant(entry) => {
                entry.insert_entry(value);
                None
            }
        }
    }
    fn remove(&self, key: u8) -> Option<u8> {
        self.0.remove_sync(&key).map(|(_, value)| value)
    }
    fn replace(&self, key: u8, old: u8, new: u8) -> bool {
        let replace = |value: &mut u8| {
            let found = *value == old;
            if found {
                *value = new;
            }
            found
        };
        let replaced = self.0.update_sync(&key, |_, value| replace(value));
        replaced.unwrap_or(false)
    }
}

#[cfg(feature = "papaya")]
#[derive(Default)]
pub(super) struct Papaya(commute::papaya::HashMap<u8, u8>);

#[cfg(feature = "papaya")]
impl Map for Papaya {
    type Collection = commute::papaya::HashMap<u8, u8>;
    const IS_SLOW: bool = true;
    fn collection(&self) -> &Self::Collection {
        &self.0
    }
    fn get(&self, key: u8) -> Option<u8> {
        self.0.pin().get(&key).copied()
    }
    fn contains_key(&self, key: u8) -> bool {
        self.0.pin().contains_key(&key)
    }
    fn put(&self, key: u8, value: u8) -> Option<u8> {
        self.0.pin().insert(key, value).copied()
    }
    fn put_if_absent(&self, key: u8, value: u8) -> Option<u8> {
        let map = self.0.pin();
        { map.try_insert(key, value).err() }.map(|there| *there.current)
    }
    fn remove(&self, key: u8) -> Option<u8> {
        self.0.pin().remove(&key).copied()
    }
    fn replace(&self, key: u8, old: u8, new: u8) -> bool {
        use commute::papaya::{Compute, Operation};
        let map = self.0.pin();
        let replaced = map.compute(key, |entry| match entry {
            Some((_, value)) if *value == old => Operation::Insert(new),
            _ => Operation::Abort(()),
        });
        matches!(replaced, Compute::Updated { .. })
    }
}

//! What maps and sets have in common, whatever is around them.

mod content;
#[cfg(feature = "dashmap")]
mod dashmap;
#[cfg(feature = "papaya")]
mod papaya;
#[cfg(feature = "parking_lot")]
mod parking_lot;
#[cfg(feature = "scc")]
mod scc;
#[cfg(feature = "crossbeam")]
mod skiplist;
mod std_locks;

#[cfg(commute)]
pub(crate) use content::Content;

/// A map that is shared; a set is a map to nothing. Values are shown where they are, since
/// some maps do not give them away.
pub trait Table<K, V> {
    /// What a key has, as it is shown.
    fn look(&self, key: &K, show: Show<'_, V>) -> Option<String>;
    /// Gives a key something else; what it had.
    fn put(&self, key: K, value: V, show: Show<'_, V>) -> Option<String>;
    /// Gives it something unless it has it; what it has then.
    fn put_if_absent(&self, key: K, value: V, show: Show<'_, V>) -> String;
    /// Takes away what a key has.
    fn take(&self, key: &K, show: Show<'_, V>) -> Option<String>;
    fn count(&self) -> usize;
    fn take_all(&self);
}

pub(crate) type Show<'a, V> = &'a dyn Fn(&V) -> String;

/// Something that is done to a table.
#[derive(Clone, Debug)]
pub(crate) enum Deed<K, V> {
    Look(K),
    Put(K, V),
    PutIfAbsent(K, V),
    Take(K),
    Count,
    TakeAll,
}

impl<K, V> Deed<K, V> {
    /// Whether it changes nothing.
    pub(crate) fn looks(&self) -> bool {
        matches!(self, Deed::Look(_) | Deed::Count)
    }

    /// What takes something away is called `remove`, what may replace something `insert`,
    /// and what does not, `or_insert`.
    pub(crate) fn name(&self, is_set: bool) -> &'static str {
        match self {
            Deed::Look(_) if is_set => "contains",
            Deed::Look(_) => "get",
            Deed::Put(..) => "insert",
            Deed::PutIfAbsent(..) => "or_insert",
            Deed::Take(_) | Deed::TakeAll => "remove",
            Deed::Count => "len",
        }
    }

    /// With its arguments.
    pub(crate) fn shown(
        &self,
        is_set: bool,
        key: impl Fn(&K) -> String,
        value: impl Fn(&V) -> String,
    ) -> String {
        let name = self.name(is_set);
        match self {
            Deed::PutIfAbsent(k, _) if is_set => format!("insert({})", key(k)),
            Deed::Look(k) | Deed::Take(k) => format!("{name}({})", key(k)),
            Deed::Put(k, v) | Deed::PutIfAbsent(k, v) => {
                format!("{name}({}, {})", key(k), value(v))
            }
            Deed::Count => "len()".to_owned(),
            Deed::TakeAll => "clear()".to_owned(),
        }
    }

    /// The same with other keys and values; nothing if these cannot be made.
    #[cfg(commute)]
    pub(crate) fn try_map<L, W>(
        &self,
        key: impl Fn(&K) -> Option<L>,
        value: impl Fn(&V) -> Option<W>,
    ) -> Option<Deed<L, W>> {
        Some(match self {
            Deed::Look(k) => Deed::Look(key(k)?),
            Deed::Put(k, v) => Deed::Put(key(k)?, value(v)?),
            Deed::PutIfAbsent(k, v) => Deed::PutIfAbsent(key(k)?, value(v)?),
            Deed::Take(k) => Deed::Take(key(k)?),
            Deed::Count => Deed::Count,
            Deed::TakeAll => Deed::TakeAll,
        })
    }

    /// The same with other keys and values.
    pub(crate) fn map<L, W>(&self, key: impl Fn(&K) -> L, value: impl Fn(&V) -> W) -> Deed<L, W> {
        match self {
            Deed::Look(k) => Deed::Look(key(k)),
            Deed::Put(k, v) => Deed::Put(key(k), value(v)),
            Deed::PutIfAbsent(k, v) => Deed::PutIfAbsent(key(k), value(v)),
            Deed::Take(k) => Deed::Take(key(k)),
            Deed::Count => Deed::Count,
            Deed::TakeAll => Deed::TakeAll,
        }
    }

    /// Does it; what came of it.
    pub(crate) fn act<C: Table<K, V> + ?Sized>(
        self,
        table: &C,
        is_set: bool,
        show: Show<'_, V>,
    ) -> String {
        let found = |found: Option<String>| match (is_set, found) {
            (true, found) => found.is_some().to_string(),
            (false, Some(value)) => format!("Some({value})"),
            (false, None) => "None".to_owned(),
        };
        match self {
            Deed::Look(key) => found(table.look(&key, show)),
            Deed::Put(key, value) => found(table.put(key, value, show)),
            Deed::PutIfAbsent(key, value) if is_set => {
                table.put(key, value, show).is_none().to_string()
            }
            Deed::PutIfAbsent(key, value) => table.put_if_absent(key, value, show),
            Deed::Take(key) => found(table.take(&key, show)),
            Deed::Count => count(table).to_string(),
            Deed::TakeAll => {
                table.take_all();
                "()".to_owned()
            }
        }
    }
}

/// How many there are. That maps with shards do not count at once matters only to a method
/// that counts.
fn count<K, V, C: Table<K, V> + ?Sized>(table: &C) -> usize {
    #[cfg(commute)]
    let _others = super::others::others();
    table.count()
}

/// Everything that can be done with these keys and values.
pub(crate) fn deeds<K: Clone, V: Clone>(keys: &[K], values: &[V], is_set: bool) -> Vec<Deed<K, V>> {
    let mut deeds = Vec::new();
    for key in keys {
        deeds.push(Deed::Look(key.clone()));
        deeds.push(Deed::Take(key.clone()));
        for value in values {
            if !is_set {
                deeds.push(Deed::Put(key.clone(), value.clone()));
            }
            deeds.push(Deed::PutIfAbsent(key.clone(), value.clone()));
        }
    }
    deeds.extend([Deed::Count, Deed::TakeAll]);
    deeds
}

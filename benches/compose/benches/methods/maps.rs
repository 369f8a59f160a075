// What a concurrent map of Java has, on a map of dashmap and on one in a lock, for whoever
// has `DashMap`, `Entry` and `RwLock` in scope.

/// A concurrent map.
pub(crate) trait Map: Default + Send + Sync + 'static {
    fn get(&self, key: u32) -> Option<u32>;
    fn contains_key(&self, key: u32) -> bool;
    fn put(&self, key: u32, value: u32) -> Option<u32>;
    fn put_if_absent(&self, key: u32, value: u32) -> Option<u32>;
    fn remove(&self, key: u32) -> Option<u32>;
    fn replace(&self, key: u32, old: u32, new: u32) -> bool;
    fn len(&self) -> usize;
    fn clear(&self);
}

#[derive(Default)]
pub(crate) struct Dash(pub(crate) DashMap<u32, u32>);

impl Map for Dash {
    fn get(&self, key: u32) -> Option<u32> {
        self.0.get(&key).map(|value| *value)
    }
    fn contains_key(&self, key: u32) -> bool {
        self.0.contains_key(&key)
    }
    fn put(&self, key: u32, value: u32) -> Option<u32> {
        self.0.insert(key, value)
    }
    fn put_if_absent(&self, key: u32, value: u32) -> Option<u32> {
        match self.0.entry(key) {
            Entry::Occupied(entry) => Some(*entry.get()),
            Entry::Vacant(entry) => {
                entry.insert(value);
                None
            }
        }
    }
    fn remove(&self, key: u32) -> Option<u32> {
        self.0.remove(&key).map(|(_, value)| value)
    }
    fn replace(&self, key: u32, old: u32, new: u32) -> bool {
        match self.0.get_mut(&key) {
            Some(mut value) if *value == old => {
                *value = new;
                true
            }
            _ => false,
        }
    }
    fn len(&self) -> usize {
        self.0.len()
    }
    fn clear(&self) {
        self.0.clear();
    }
}

#[derive(Default)]
pub(crate) struct Locked(pub(crate) RwLock<HashMap<u32, u32>>);

impl Map for Locked {
    fn get(&self, key: u32) -> Option<u32> {
        self.0.read().unwrap().get(&key).copied()
    }
    fn contains_key(&self, key: u32) -> bool {
        self.0.read().unwrap().contains_key(&key)
    }
    fn put(&self, key: u32, value: u32) -> Option<u32> {
        self.0.write().unwrap().insert(key, value)
    }
    fn put_if_absent(&self, key: u32, value: u32) -> Option<u32> {
        let mut map = self.0.write().unwrap();
        match map.get(&key) {
            Some(there) => Some(*there),
            None => map.insert(key, value),
        }
    }
    fn remove(&self, key: u32) -> Option<u32> {
        self.0.write().unwrap().remove(&key)
    }
    fn replace(&self, key: u32, old: u32, new: u32) -> bool {
        let mut map = self.0.write().unwrap();
        let found = map.get(&key) == Some(&old);
        if found {
            map.insert(key, new);
        }
        found
    }
    fn len(&self) -> usize {
        self.0.read().unwrap().len()
    }
    fn clear(&self) {
        self.0.write().unwrap().clear();
    }
}

/// The states that a map is checked from.
pub(crate) fn with_a_value<M: Map, S: Script<M>>(script: S) -> S {
    script.also_from(|map: &M, key: u32| {
        map.put(key, 1);
    })
}

/// All that the adversary does to a collection in an open environment, for those who do not
/// know collections.
#[allow(dead_code, reason = "the adversary knows collections")]
pub(crate) fn others_use_the_map<M: Map, S: Script<M>>(script: S) -> S {
    script
        .observe("get", |map: &M, key: u32| map.get(key))
        .observe("len", |map: &M, ()| map.len())
        .peer("remove", |map: &M, key: u32| map.remove(key))
        .peer("insert", |map: &M, (key, value): (u32, u32)| {
            map.put(key, value)
        })
        .peer("or_insert", |map: &M, (key, value): (u32, u32)| {
            map.put_if_absent(key, value).unwrap_or(value)
        })
        .peer("clear", |map: &M, ()| map.clear())
}

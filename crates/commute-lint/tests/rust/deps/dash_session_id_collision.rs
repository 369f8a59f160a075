//! A store of sessions makes a new identifier until one is free, and inserts
//! the record then. Two visitors that get the same one share a session.
//@ finding: MemoryStore::create
use dashmap::DashMap;
use dashmap::mapref::entry::Entry;

#[derive(Clone, Default)]
pub struct Record {
    pub id: u64,
    pub user: Option<String>,
}

pub struct MemoryStore {
    sessions: DashMap<u64, Record>,
    seed: std::hash::RandomState,
}

impl MemoryStore {
    fn random_id(&self, salt: u64) -> u64 {
        use std::hash::BuildHasher;
        self.seed.hash_one(salt)
    }

    #[cfg(not(fixed))]
    pub fn create(&self, record: &mut Record) {
        while self.sessions.contains_key(&record.id) {
            record.id = self.random_id(record.id);
        }
        self.sessions.insert(record.id, record.clone());
    }

    #[cfg(fixed)]
    pub fn create(&self, record: &mut Record) {
        loop {
            match self.sessions.entry(record.id) {
                Entry::Vacant(place) => {
                    place.insert(record.clone());
                    return;
                }
                Entry::Occupied(_) => record.id = self.random_id(record.id),
            }
        }
    }

    pub fn delete(&self, id: u64) {
        self.sessions.remove(&id);
    }
}

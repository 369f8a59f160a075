//! The database of a blockchain has headers by number. To find one by hash, the
//! number is looked up first; a reorganization in between puts another header
//! there. Keys were changed to consist of number and hash.
//@ finding: Database::header
use std::collections::HashMap;
use std::sync::RwLock;

#[derive(Clone)]
pub struct Header {
    pub hash: u64,
    pub parent: u64,
}

#[cfg(not(fixed))]
type Key = u64;
#[cfg(fixed)]
type Key = (u64, u64);

#[cfg(not(fixed))]
fn key(number: u64, _hash: u64) -> Key {
    number
}
#[cfg(fixed)]
fn key(number: u64, hash: u64) -> Key {
    (number, hash)
}

#[derive(Default)]
pub struct Database {
    numbers: RwLock<HashMap<u64, u64>>,
    headers: RwLock<HashMap<Key, Header>>,
}

impl Database {
    fn number(&self, hash: u64) -> Option<u64> {
        self.numbers.read().unwrap().get(&hash).copied()
    }

    pub fn header(&self, hash: u64) -> Option<Header> {
        let number = self.number(hash)?;
        self.headers
            .read()
            .unwrap()
            .get(&key(number, hash))
            .cloned()
    }

    pub fn import(&self, number: u64, header: Header) {
        let mut numbers = self.numbers.write().unwrap();
        let mut headers = self.headers.write().unwrap();
        numbers.insert(header.hash, number);
        headers.insert(key(number, header.hash), header);
    }
}

//! The next sequence number goes through `map_or_else` and a tuple.
//@ finding: Streams::append
use std::collections::BTreeMap;
use std::sync::RwLock;

#[derive(Default)]
pub struct Streams {
    events: RwLock<BTreeMap<(String, u64), Vec<u8>>>,
}

impl Streams {
    fn last(&self, stream: &str) -> Option<u64> {
        let events = self.events.read().unwrap();
        events.keys().filter(|(name, _)| name == stream).map(|(_, at)| *at).max()
    }
    #[cfg(not(fixed))]
    pub fn append(&self, stream: &str, data: &[u8]) -> u64 {
        let next = self.last(stream).map_or_else(|| 0, |last| last + 1);
        let key = (stream.to_owned(), next);
        self.events.write().unwrap().insert(key, data.to_vec());
        next
    }
    #[cfg(fixed)]
    pub fn append(&self, stream: &str, data: &[u8]) -> u64 {
        let mut events = self.events.write().unwrap();
        let last = events.keys().filter(|(name, _)| name == stream).map(|(_, at)| *at).max();
        let next = last.map_or_else(|| 0, |last| last + 1);
        events.insert((stream.to_owned(), next), data.to_vec());
        next
    }
}

//! Only the owner grows the table, by `&mut self`; others read.
use std::sync::{Arc, Mutex, RwLock};

pub struct Table {
    shards: Vec<Mutex<Vec<u64>>>,
    names: RwLock<Vec<String>>,
}

impl Table {
    pub fn new() -> Table {
        Table {
            shards: Vec::new(),
            names: RwLock::new(Vec::new()),
        }
    }
    pub fn grow(&mut self, name: &str) -> usize {
        let index = self.names.read().unwrap().len();
        self.shards.push(Mutex::new(Vec::new()));
        self.names.write().unwrap().push(name.to_owned());
        let shard = self.shards[index].get_mut().unwrap();
        shard.push(index as u64);
        index
    }
    pub fn name(&self, index: usize) -> Option<String> {
        self.names.read().unwrap().get(index).cloned()
    }
    pub fn freeze(self) -> Arc<Table> {
        Arc::new(self)
    }
    pub fn append(&self, index: usize, value: u64) -> usize {
        let mut shard = self.shards[index].lock().unwrap();
        shard.push(value);
        shard.len()
    }
}

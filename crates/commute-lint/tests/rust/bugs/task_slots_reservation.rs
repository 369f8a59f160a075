//! The scheduler of a distributed query engine keeps the free slots of its
//! executors in a store with get and put. Two schedulers read the same number
//! and both give the slots away. They take a lock around it now.
//@ finding: ExecutorManager::reserve_slots
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

pub trait StateBackend: Send + Sync {
    fn get(&self, key: &str) -> Option<u32>;
    fn put(&self, key: &str, value: u32);
}

#[derive(Default)]
pub struct Memory {
    values: Mutex<HashMap<String, u32>>,
}

impl StateBackend for Memory {
    fn get(&self, key: &str) -> Option<u32> {
        self.values.lock().unwrap().get(key).copied()
    }

    fn put(&self, key: &str, value: u32) {
        self.values.lock().unwrap().insert(key.to_owned(), value);
    }
}

pub struct ExecutorManager {
    backend: Arc<dyn StateBackend>,
    lock: Mutex<()>,
}

impl ExecutorManager {
    pub fn new() -> ExecutorManager {
        ExecutorManager {
            backend: Arc::new(Memory::default()),
            lock: Mutex::new(()),
        }
    }

    pub fn reserve_slots(&self, executors: &[String], mut wanted: u32) -> Vec<(String, u32)> {
        let mut reserved = Vec::new();
        #[cfg(fixed)]
        let _lock = self.lock.lock().unwrap();
        for executor in executors {
            let available = self.backend.get(executor).unwrap_or(0);
            let taken = available.min(wanted);
            if taken > 0 {
                self.backend.put(executor, available - taken);
                reserved.push((executor.clone(), taken));
                wanted -= taken;
            }
        }
        reserved
    }

    pub fn return_slots(&self, executor: &str, slots: u32) {
        #[cfg(fixed)]
        let _lock = self.lock.lock().unwrap();
        let available = self.backend.get(executor).unwrap_or(0);
        self.backend.put(executor, available + slots);
    }
}

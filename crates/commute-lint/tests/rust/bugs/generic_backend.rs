//! The counter is behind a generic parameter with a long name.
//@ finding: Limiter::check
use std::collections::HashMap;
use std::sync::Mutex;
pub trait Backend {
    fn load(&self, key: u64) -> u32;
    fn save(&self, key: u64, count: u32);
    fn add(&self, key: u64, max: u32) -> bool;
}
#[derive(Default)]
pub struct Memory {
    map: Mutex<HashMap<u64, u32>>,
}
impl Backend for Memory {
    fn load(&self, key: u64) -> u32 {
        *self.map.lock().unwrap().get(&key).unwrap_or(&0)
    }
    fn save(&self, key: u64, count: u32) {
        self.map.lock().unwrap().insert(key, count);
    }
    fn add(&self, key: u64, max: u32) -> bool {
        let mut map = self.map.lock().unwrap();
        let count = map.entry(key).or_insert(0);
        if *count >= max {
            false
        } else {
            *count += 1;
            true
        }
    }
}
pub struct Limiter<Storage> {
    backend: Storage,
    max: u32,
}
impl<Storage: Backend> Limiter<Storage> {
    #[cfg(not(fixed))]
    pub fn check(&self, key: u64) -> bool {
        let count = self.backend.load(key);
        if count >= self.max {
            return false;
        }
        self.backend.save(key, count + 1);
        true
    }
    #[cfg(fixed)]
    pub fn check(&self, key: u64) -> bool {
        self.backend.add(key, self.max)
    }
}

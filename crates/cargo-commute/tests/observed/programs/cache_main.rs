//! Four threads on the cache.
use std::collections::HashMap;
use commute::sync::{Arc, Mutex};
use commute::thread;
use svc2::{Backend, Cache};

struct Db(Mutex<HashMap<String, String>>);
impl Backend for Db {
    fn load(&self, key: &str) -> Option<String> {
        self.0.lock().unwrap().get(key).cloned()
    }
    fn store(&self, key: &str, value: &str) {
        self.0.lock().unwrap().insert(key.into(), value.into());
    }
}

fn main() {
    let db = Db(Mutex::new((0..20).map(|i| (format!("user:{i}"), format!("v{i}"))).collect()));
    let cache = Arc::new(Cache::new(db, 8));
    let handles: Vec<_> = (0..4)
        .map(|t| {
            let cache = Arc::clone(&cache);
            thread::spawn(move || {
                for i in 0..50u32 {
                    let key = format!("user:{}", (i * 7 + t) % 20);
                    if i % 10 == 0 {
                        cache.put(&key, "new");
                    } else {
                        cache.get(&key);
                    }
                }
            })
        })
        .collect();
    for h in handles {
        h.join().unwrap();
    }
    println!("{:?}, {} entries (capacity 8)", cache.stats(), cache.len());
}

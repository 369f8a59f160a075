//! `jigsaw` repaired: `load_resource_store` holds the lock while it looks for both.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::thread;

#[derive(Clone, Copy)]
struct Entry {
    store: u32,
}

impl Entry {
    fn get_store(self) -> u32 {
        self.store
    }
}

struct Stores {
    closed: bool,
    entries: HashMap<u32, Entry>,
}

impl Stores {
    fn check_closed(&self) -> bool {
        self.closed
    }

    fn lookup_entry(&mut self, key: u32) -> Entry {
        if let Some(entry) = self.entries.get(&key) {
            return *entry;
        }
        let entry = Entry { store: key };
        self.entries.insert(key, entry);
        entry
    }

    fn shutdown(&mut self) {
        self.entries.clear();
        self.closed = true;
    }
}

struct Manager {
    stores: Mutex<Stores>,
}

impl Manager {
    fn load_resource_store(&self, key: u32) -> Option<u32> {
        let mut stores = self.stores.lock().unwrap();
        let entry = stores.lookup_entry(key);
        if stores.check_closed() {
            None
        } else {
            Some(entry.get_store())
        }
    }

    fn run(&self, key: u32) {
        let store = self.load_resource_store(key);
        println!("{store:?}");
        self.stores.lock().unwrap().shutdown();
    }
}

fn main() {
    let stores = Mutex::new(Stores {
        closed: false,
        entries: HashMap::new(),
    });
    let manager = Arc::new(Manager { stores });
    let mut threads = Vec::new();
    for key in 0..3 {
        let manager = Arc::clone(&manager);
        threads.push(thread::spawn(move || manager.run(key)));
    }
    for thread in threads {
        thread.join().unwrap();
    }
}

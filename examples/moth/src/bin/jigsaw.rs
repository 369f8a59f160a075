//! The resource stores of a web server. `load_resource_store` looks for an entry and
//! then whether all is closed, in two steps, although `shutdown` clears and closes
//! in one: it may return a store that is not managed any more.

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

struct Manager {
    stores: Mutex<Stores>,
}

impl Manager {
    fn check_closed(&self) -> bool {
        self.stores.lock().unwrap().closed
    }

    fn lookup_entry(&self, key: u32) -> Entry {
        let mut stores = self.stores.lock().unwrap();
        if let Some(entry) = stores.entries.get(&key) {
            return *entry;
        }
        let entry = Entry { store: key };
        stores.entries.insert(key, entry);
        entry
    }

    fn shutdown(&self) {
        let mut stores = self.stores.lock().unwrap();
        stores.entries.clear();
        stores.closed = true;
    }

    fn load_resource_store(&self, key: u32) -> Option<u32> {
        let entry = self.lookup_entry(key);
        // Here another may shut down.
        if self.check_closed() {
            None
        } else {
            Some(entry.get_store())
        }
    }

    fn run(&self, key: u32) {
        let store = self.load_resource_store(key);
        println!("{store:?}");
        self.shutdown();
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

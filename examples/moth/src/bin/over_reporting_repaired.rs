//! `over_reporting` with the lock held while the map is filled and asked.

use std::sync::{Arc, Mutex};
use std::thread;

const SIZE: usize = 4;

struct Arrays {
    init_done: bool,
    keys: [i32; SIZE],
    values: [i32; SIZE],
}

impl Arrays {
    fn init(&mut self) {
        if !self.init_done {
            self.sets();
        }
    }

    fn sets(&mut self) {
        self.init_done = true;
        self.keys = [1, 2, 3, 4];
        self.values = [1, 4, 9, 16];
    }

    fn get(&self, key: i32) -> Option<i32> {
        for i in 0..SIZE {
            if self.keys[i] == key {
                return Some(self.values[i]);
            }
        }
        None
    }
}

struct Map {
    arrays: Mutex<Arrays>,
}

impl Map {
    fn run(&self, key: i32) {
        let mut arrays = self.arrays.lock().unwrap();
        arrays.init();
        let value = arrays.get(key);
        println!("{value:?}");
    }
}

fn main() {
    let map = Arc::new(Map {
        arrays: Mutex::new(Arrays {
            init_done: false,
            keys: [0; SIZE],
            values: [0; SIZE],
        }),
    });
    let mut threads = Vec::new();
    for key in 1..3 {
        let map = Arc::clone(&map);
        threads.push(thread::spawn(move || map.run(key)));
    }
    for thread in threads {
        thread.join().unwrap();
    }
}

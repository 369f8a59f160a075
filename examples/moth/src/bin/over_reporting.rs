//! A map that is filled once. Whether it is filled is read without the lock; to
//! fill it twice does no harm. Correct, and nothing is to be reported.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

const SIZE: usize = 4;

struct Arrays {
    keys: [i32; SIZE],
    values: [i32; SIZE],
}

struct Map {
    init_done: AtomicBool,
    arrays: Mutex<Arrays>,
}

impl Map {
    fn init(&self) {
        if !self.init_done.load(Ordering::Acquire) {
            self.sets();
        }
    }

    fn sets(&self) {
        let mut arrays = self.arrays.lock().unwrap();
        self.init_done.store(true, Ordering::Release);
        arrays.keys = [1, 2, 3, 4];
        arrays.values = [1, 4, 9, 16];
    }

    fn get(&self, key: i32) -> Option<i32> {
        let arrays = self.arrays.lock().unwrap();
        for i in 0..SIZE {
            if arrays.keys[i] == key {
                return Some(arrays.values[i]);
            }
        }
        None
    }

    fn run(&self, key: i32) {
        self.init();
        let value = self.get(key);
        println!("{value:?}");
    }
}

fn main() {
    let map = Arc::new(Map {
        init_done: AtomicBool::new(false),
        arrays: Mutex::new(Arrays {
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

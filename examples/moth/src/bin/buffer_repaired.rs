//! `buffer` with the lock held from `next` to `add`.

use std::sync::{Arc, Mutex};
use std::thread;

struct Slots {
    cell: i32,
    head: u32,
    tail: u32,
}

impl Slots {
    fn next(&mut self) -> i32 {
        self.head += 1;
        self.cell
    }

    fn add(&mut self, value: i32) {
        self.tail += 1;
        self.cell = value;
    }
}

struct Buffer {
    slots: Mutex<Slots>,
}

impl Buffer {
    fn run(&self) {
        let mut slots = self.slots.lock().unwrap();
        for _ in 0..3 {
            let value = slots.next();
            let square = value.wrapping_mul(value);
            slots.add(square);
        }
    }
}

fn main() {
    let slots = Mutex::new(Slots {
        cell: 3,
        head: 0,
        tail: 1,
    });
    let buffer = Arc::new(Buffer { slots });
    let mut threads = Vec::new();
    for _ in 0..3 {
        let buffer = Arc::clone(&buffer);
        threads.push(thread::spawn(move || buffer.run()));
    }
    for thread in threads {
        thread.join().unwrap();
    }
}

//! A buffer whose elements belong to the thread that took them: correct, but the
//! protocol is not in the code. To an analysis the value of `next` is old when it
//! comes to `add`.

use std::sync::{Arc, Mutex};
use std::thread;

struct Slots {
    cell: i32,
    head: u32,
    tail: u32,
}

struct Buffer {
    slots: Mutex<Slots>,
}

impl Buffer {
    fn next(&self) -> i32 {
        let mut slots = self.slots.lock().unwrap();
        slots.head += 1;
        slots.cell
    }

    fn add(&self, value: i32) {
        let mut slots = self.slots.lock().unwrap();
        slots.tail += 1;
        slots.cell = value;
    }

    fn run(&self) {
        for _ in 0..3 {
            let value = self.next();
            let square = value.wrapping_mul(value);
            self.add(square);
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

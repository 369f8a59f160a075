//! `vector_fail` repaired: `run` holds the lock while it reads both.

use std::sync::{Arc, Mutex};
use std::thread;

struct Elements {
    first: i32,
    second: i32,
    first_is_greater: bool,
}

impl Elements {
    fn get_max(&self) -> i32 {
        if self.first_is_greater {
            self.first
        } else {
            self.second
        }
    }

    fn get_min(&self) -> i32 {
        if self.first_is_greater {
            self.second
        } else {
            self.first
        }
    }

    fn set_elements(&mut self, first: i32, second: i32) {
        self.first = first;
        self.second = second;
        self.first_is_greater = first > second;
    }
}

struct Vector {
    elements: Mutex<Elements>,
}

impl Vector {
    fn run(&self, value: i32) {
        let mut elements = self.elements.lock().unwrap();
        elements.set_elements(value, 2 * value);
        let max = elements.get_max();
        let min = elements.get_min();
        let torn = max != 2 * min;
        println!("torn: {torn}");
    }
}

fn main() {
    let elements = Mutex::new(Elements {
        first: 0,
        second: 0,
        first_is_greater: false,
    });
    let vector = Arc::new(Vector { elements });
    let mut threads = Vec::new();
    for value in 1..4 {
        let vector = Arc::clone(&vector);
        threads.push(thread::spawn(move || vector.run(value)));
    }
    for thread in threads {
        thread.join().unwrap();
    }
}

//! Two elements, and which is the greater. A thread reads the greater and the smaller
//! in two steps, and another may set both in between. Each step reads the flag and
//! one element: what it reads depends on the path it takes.

use std::sync::{Arc, Mutex};
use std::thread;

struct Elements {
    first: i32,
    second: i32,
    first_is_greater: bool,
}

struct Vector {
    elements: Mutex<Elements>,
}

impl Vector {
    fn get_max(&self) -> i32 {
        let elements = self.elements.lock().unwrap();
        if elements.first_is_greater {
            elements.first
        } else {
            elements.second
        }
    }

    fn get_min(&self) -> i32 {
        let elements = self.elements.lock().unwrap();
        if elements.first_is_greater {
            elements.second
        } else {
            elements.first
        }
    }

    fn set_elements(&self, first: i32, second: i32) {
        let mut elements = self.elements.lock().unwrap();
        elements.first = first;
        elements.second = second;
        elements.first_is_greater = first > second;
    }

    fn run(&self, value: i32) {
        self.set_elements(value, 2 * value);
        let max = self.get_max();
        // Here another thread may set both.
        let min = self.get_min();
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

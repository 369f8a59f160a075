//! A number that two threads increment. Between `get_value` and `set_value` the
//! other may do the same: one increment is lost.

use std::sync::{Arc, Mutex};
use std::thread;

struct Content {
    n: i32,
}

struct Cell {
    content: Mutex<Content>,
}

impl Cell {
    fn get_value(&self) -> i32 {
        self.content.lock().unwrap().n
    }

    fn set_value(&self, n: i32) {
        self.content.lock().unwrap().n = n;
    }

    fn run(&self) {
        let mut tmp = self.get_value();
        tmp += 1;
        // Here `tmp` may be old.
        self.set_value(tmp);
    }
}

fn main() {
    let content = Mutex::new(Content { n: 0 });
    let cell = Arc::new(Cell { content });
    let mut threads = Vec::new();
    for _ in 0..2 {
        let cell = Arc::clone(&cell);
        threads.push(thread::spawn(move || cell.run()));
    }
    for thread in threads {
        thread.join().unwrap();
    }
    println!("{}", cell.get_value());
}

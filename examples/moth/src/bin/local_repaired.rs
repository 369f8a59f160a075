//! `local` repaired: `run` holds the lock from the read to the write.

use std::sync::{Arc, Mutex};
use std::thread;

struct Content {
    n: i32,
}

impl Content {
    fn get_value(&self) -> i32 {
        self.n
    }

    fn set_value(&mut self, n: i32) {
        self.n = n;
    }
}

struct Cell {
    content: Mutex<Content>,
}

impl Cell {
    fn run(&self) {
        let mut content = self.content.lock().unwrap();
        let mut tmp = content.get_value();
        tmp += 1;
        content.set_value(tmp);
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
    println!("{}", cell.content.lock().unwrap().get_value());
}

//! `coord04` repaired: `reset` holds the lock while it clears both.

use std::sync::{Arc, Mutex};
use std::thread;

struct Pair {
    x: i32,
    y: i32,
}

impl Pair {
    fn swap(&mut self) {
        (self.x, self.y) = (self.y, self.x);
    }

    fn reset_x(&mut self) {
        self.x = 0;
    }

    fn reset_y(&mut self) {
        self.y = 0;
    }
}

struct Coord {
    pair: Mutex<Pair>,
}

impl Coord {
    fn reset(&self) {
        let mut pair = self.pair.lock().unwrap();
        pair.reset_x();
        pair.reset_y();
    }

    fn run(&self) {
        self.pair.lock().unwrap().swap();
        self.reset();
    }
}

fn main() {
    let pair = Mutex::new(Pair { x: 1, y: 2 });
    let coord = Arc::new(Coord { pair });
    let mut threads = Vec::new();
    for _ in 0..2 {
        let coord = Arc::clone(&coord);
        threads.push(thread::spawn(move || coord.run()));
    }
    for thread in threads {
        thread.join().unwrap();
    }
}

//! A pair of coordinates. `reset` clears them in two steps, so that `swap`, which
//! uses both in one, may see a pair that is half cleared.

use std::sync::{Arc, Mutex};
use std::thread;

struct Pair {
    x: i32,
    y: i32,
}

struct Coord {
    pair: Mutex<Pair>,
}

impl Coord {
    fn swap(&self) {
        let mut pair = self.pair.lock().unwrap();
        let x = pair.x;
        pair.x = pair.y;
        pair.y = x;
    }

    fn reset_x(&self) {
        self.pair.lock().unwrap().x = 0;
    }

    fn reset_y(&self) {
        self.pair.lock().unwrap().y = 0;
    }

    fn reset(&self) {
        self.reset_x();
        // Here the pair is (0, y).
        self.reset_y();
    }

    fn run(&self) {
        self.swap();
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

//! `coord03` repaired: `run3` holds the lock while it reads both coordinates.

use std::sync::{Arc, Mutex};
use std::thread;

const THREADS: usize = 10;

struct Coordinates {
    x: i32,
    y: i32,
}

impl Coordinates {
    fn get_x(&self) -> i32 {
        self.x
    }

    fn get_y(&self) -> i32 {
        self.y
    }

    fn get_xy(&self) -> Pair {
        Pair {
            x: self.x,
            y: self.y,
        }
    }

    fn set_xy(&mut self, x: i32, y: i32) {
        self.x = x;
        self.y = y;
    }
}

struct Pair {
    x: i32,
    y: i32,
}

struct Vars {
    coordinates: Mutex<Coordinates>,
}

impl Vars {
    fn run1(&self) {
        self.coordinates.lock().unwrap().set_xy(1, 2);
    }

    fn run2(&self) {
        let z = self.coordinates.lock().unwrap().get_x();
        use_one(z);
    }

    fn run3(&self) {
        let coordinates = self.coordinates.lock().unwrap();
        let x = coordinates.get_x();
        let y = coordinates.get_y();
        use_pair(x, y);
    }

    fn run4(&self) {
        let coordinates = self.coordinates.lock().unwrap();
        let x = coordinates.get_x();
        use_one(x);
        let pair = coordinates.get_xy();
        use_pair(pair.x, pair.y);
    }
}

fn use_one(x: i32) {
    println!("{x}");
}

fn use_pair(x: i32, y: i32) {
    let sum = x + y;
    println!("{sum}");
}

fn main() {
    let coordinates = Mutex::new(Coordinates { x: 0, y: 0 });
    let vars = Arc::new(Vars { coordinates });
    let mut threads = Vec::new();
    for _ in 0..THREADS {
        let shared = Arc::clone(&vars);
        threads.push(thread::spawn(move || shared.run1()));
        let shared = Arc::clone(&vars);
        threads.push(thread::spawn(move || shared.run2()));
        let shared = Arc::clone(&vars);
        threads.push(thread::spawn(move || shared.run3()));
        let shared = Arc::clone(&vars);
        threads.push(thread::spawn(move || shared.run4()));
    }
    for thread in threads {
        thread.join().unwrap();
    }
}

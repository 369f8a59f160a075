//! A pair of coordinates. `run3` reads `x` and `y` in two steps although `run1`
//! writes them in one: it may see a pair that never was. `run4` is correct.

use std::sync::{Arc, Mutex};
use std::thread;

const THREADS: usize = 10;

struct Coordinates {
    x: i32,
    y: i32,
}

struct Pair {
    x: i32,
    y: i32,
}

struct Vars {
    coordinates: Mutex<Coordinates>,
}

impl Vars {
    fn get_x(&self) -> i32 {
        self.coordinates.lock().unwrap().x
    }

    #[expect(dead_code, reason = "the program has it, but no thread calls it")]
    fn set_x(&self, x: i32) {
        self.coordinates.lock().unwrap().x = x;
    }

    fn get_y(&self) -> i32 {
        self.coordinates.lock().unwrap().y
    }

    #[expect(dead_code, reason = "the program has it, but no thread calls it")]
    fn set_y(&self, y: i32) {
        self.coordinates.lock().unwrap().y = y;
    }

    fn get_xy(&self) -> Pair {
        let coordinates = self.coordinates.lock().unwrap();
        Pair {
            x: coordinates.x,
            y: coordinates.y,
        }
    }

    fn set_xy(&self, x: i32, y: i32) {
        let mut coordinates = self.coordinates.lock().unwrap();
        coordinates.x = x;
        coordinates.y = y;
    }

    fn run1(&self) {
        self.set_xy(1, 2);
    }

    fn run2(&self) {
        let z = self.get_x();
        use_one(z);
    }

    fn run3(&self) {
        let x = self.get_x();
        // Here `run1` may write both.
        let y = self.get_y();
        use_pair(x, y);
    }

    fn run4(&self) {
        let x = self.get_x();
        use_one(x);
        let pair = self.get_xy();
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

//! `under_reporting` repaired: `run` holds the lock while it doubles.

use std::sync::{Arc, Mutex};
use std::thread;

struct Count {
    i: i32,
}

impl Count {
    fn inc(&mut self, a: i32) -> i32 {
        self.i += a;
        self.i
    }
}

struct Counter {
    count: Mutex<Count>,
}

impl Counter {
    fn run(&self) {
        let mut count = self.count.lock().unwrap();
        let t = count.inc(0);
        let doubled = count.inc(t);
        println!("{doubled}");
    }
}

fn main() {
    let count = Mutex::new(Count { i: 1 });
    let counter = Arc::new(Counter { count });
    let mut threads = Vec::new();
    for _ in 0..2 {
        let counter = Arc::clone(&counter);
        threads.push(thread::spawn(move || counter.run()));
    }
    for thread in threads {
        thread.join().unwrap();
    }
}

//! A counter that two threads want to double. What `inc` returned goes into `inc`
//! again, and may be old by then.

use std::sync::{Arc, Mutex};
use std::thread;

struct Count {
    i: i32,
}

struct Counter {
    count: Mutex<Count>,
}

impl Counter {
    fn inc(&self, a: i32) -> i32 {
        let mut count = self.count.lock().unwrap();
        count.i += a;
        count.i
    }

    fn run(&self) {
        let t = self.inc(0);
        // Here `t` may be old.
        let doubled = self.inc(t);
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

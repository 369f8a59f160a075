//! The bounds of a range are moved together, under one lock. They are read one after the
//! other, each under the lock, and what moves them may come in between.

use commute::sync::{Arc, Mutex};
use commute::thread;

struct Range {
    bounds: Mutex<(i32, i32)>,
}

impl Range {
    fn shift(&self, by: i32) {
        let mut bounds = self.bounds.lock().expect("no thread panics");
        bounds.0 += by;
        bounds.1 += by;
    }

    fn low(&self) -> i32 {
        self.bounds.lock().expect("no thread panics").0
    }

    fn high(&self) -> i32 {
        self.bounds.lock().expect("no thread panics").1
    }

    fn width(&self) -> i32 {
        let low = self.low();
        let high = self.high();
        high - low
    }
}

fn main() {
    let range = Arc::new(Range {
        bounds: Mutex::new((0, 10)),
    });
    let shifted = Arc::clone(&range);
    let thread = thread::spawn(move || shifted.shift(100));
    println!("{} wide", range.width());
    thread.join().expect("no thread panics");
}

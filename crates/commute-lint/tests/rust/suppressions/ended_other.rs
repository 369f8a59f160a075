//! One thread was waited for, the other not.
//@ suppression: Ended
//@ finding: main

use std::sync::{Arc, Mutex};
use std::thread;

fn main() {
    let level = Arc::new(Mutex::new(10u32));
    let first = Arc::clone(&level);
    let first = thread::spawn(move || *first.lock().unwrap() += 1);
    let second = Arc::clone(&level);
    let second = thread::spawn(move || *second.lock().unwrap() -= 1);
    first.join().unwrap();
    #[cfg(fixed)]
    second.join().unwrap();
    let now = *level.lock().unwrap();
    *level.lock().unwrap() = now * 2;
    #[cfg(not(fixed))]
    second.join().unwrap();
}

//! A thread starts after the value was read, and ends before it is written
//! back.
//@ suppression: Ended
//@ finding: main

use std::sync::{Arc, Mutex};
use std::thread;

fn main() {
    let level = Arc::new(Mutex::new(10u32));
    #[cfg(not(fixed))]
    let now = *level.lock().unwrap();
    let other = Arc::clone(&level);
    let other = thread::spawn(move || *other.lock().unwrap() += 1);
    other.join().unwrap();
    #[cfg(fixed)]
    let now = *level.lock().unwrap();
    *level.lock().unwrap() = now * 2;
}

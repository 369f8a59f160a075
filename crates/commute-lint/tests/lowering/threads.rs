//! Closures: in threads, and called by who is given them.

use std::sync::{Arc, Mutex};
use std::thread;

pub fn started(count: Arc<Mutex<u32>>) {
    let thread = thread::spawn(move || *count.lock().unwrap() += 1);
    thread.join().unwrap();
}

fn twice(f: impl Fn(u32) -> u32) -> u32 {
    f(1) + f(2)
}

pub fn called(more: u32) -> Option<u32> {
    let sum = twice(|n| n + more);
    Some(sum).map(|n| n + more)
}

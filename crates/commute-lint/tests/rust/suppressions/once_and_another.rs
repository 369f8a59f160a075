//! One thread that counts by itself has nobody to fear, if there is not another
//! that writes in the same way.
//@ suppression: Once
//@ finding: count

use std::sync::Mutex;
use std::thread;

static LEVEL: Mutex<u64> = Mutex::new(0);

fn count() {
    let level = *LEVEL.lock().unwrap();
    *LEVEL.lock().unwrap() = level + 1;
}

#[cfg(not(fixed))]
fn set(to: u64) {
    *LEVEL.lock().unwrap() = to + 1;
}

fn main() {
    let first = thread::spawn(|| count());
    #[cfg(not(fixed))]
    let second = thread::spawn(|| set(6));
    first.join().unwrap();
    #[cfg(not(fixed))]
    second.join().unwrap();
}

//! The sums are compared when all threads have ended. (The bug: before they
//! were waited for.)
//@ suppression: Ended
//@ finding: main

use std::sync::{Arc, Mutex};
use std::thread;

#[derive(Default)]
struct Totals {
    sent: u64,
    received: u64,
}

fn main() {
    let totals = Arc::new(Mutex::new(Totals::default()));
    let mut threads = Vec::new();
    for _ in 0..4 {
        let totals = Arc::clone(&totals);
        threads.push(thread::spawn(move || {
            let mut totals = totals.lock().unwrap();
            totals.sent += 1;
            totals.received += 1;
        }));
    }
    #[cfg(fixed)]
    for thread in threads.drain(..) {
        thread.join().unwrap();
    }
    let sent = totals.lock().unwrap().sent;
    let received = totals.lock().unwrap().received;
    assert_eq!(sent, received);
    for thread in threads {
        thread.join().unwrap();
    }
}

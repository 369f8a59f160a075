//! Threads of one closure read and write a counter in two steps.
//@ finding: run
use std::sync::{Arc, Mutex};
use std::thread;
#[cfg(not(fixed))]
pub fn run(threads: usize) -> u64 {
    let total = Arc::new(Mutex::new(0u64));
    let mut handles = Vec::new();
    for _ in 0..threads {
        let total = Arc::clone(&total);
        handles.push(thread::spawn(move || {
            let current = *total.lock().unwrap();
            let next = current + 1;
            *total.lock().unwrap() = next;
        }));
    }
    for handle in handles {
        handle.join().unwrap();
    }
    let result = *total.lock().unwrap();
    result
}
#[cfg(fixed)]
pub fn run(threads: usize) -> u64 {
    let total = Arc::new(Mutex::new(0u64));
    let mut handles = Vec::new();
    for _ in 0..threads {
        let total = Arc::clone(&total);
        handles.push(thread::spawn(move || {
            let mut total = total.lock().unwrap();
            *total += 1;
        }));
    }
    for handle in handles {
        handle.join().unwrap();
    }
    let result = *total.lock().unwrap();
    result
}

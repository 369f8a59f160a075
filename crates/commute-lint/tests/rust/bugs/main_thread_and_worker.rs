//! A worker checks the queue's length, then takes by index.
//@ finding: spawn_workers
use std::sync::{Arc, Mutex};
#[cfg(not(fixed))]
pub fn spawn_workers(queue: Arc<Mutex<Vec<u32>>>, count: usize) {
    for _ in 0..count {
        let queue = queue.clone();
        std::thread::spawn(move || {
            loop {
                let length = queue.lock().unwrap().len();
                if length == 0 {
                    break;
                }
                let job = queue.lock().unwrap().swap_remove(length - 1);
                std::hint::black_box(job);
            }
        });
    }
}
#[cfg(fixed)]
pub fn spawn_workers(queue: Arc<Mutex<Vec<u32>>>, count: usize) {
    for _ in 0..count {
        let queue = queue.clone();
        std::thread::spawn(move || {
            loop {
                let Some(job) = queue.lock().unwrap().pop() else {
                    break;
                };
                std::hint::black_box(job);
            }
        });
    }
}

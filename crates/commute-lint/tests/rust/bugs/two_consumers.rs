//! Two take jobs from a queue: between the look of one and its take the other
//! may have taken the last.
//@ finding: main::{closure

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::thread;

#[derive(Default)]
struct Queue {
    jobs: Mutex<VecDeque<u64>>,
}

impl Queue {
    fn is_idle(&self) -> bool {
        self.jobs.lock().unwrap().is_empty()
    }
}

pub fn main() {
    let queue = Arc::new(Queue::default());
    let mut producers = Vec::new();
    for number in 0..4 {
        let queue = Arc::clone(&queue);
        producers.push(thread::spawn(move || {
            queue.jobs.lock().unwrap().push_back(number);
        }));
    }
    let mut consumers = Vec::new();
    for _ in 0..2 {
        let queue = Arc::clone(&queue);
        consumers.push(thread::spawn(move || {
            for _ in 0..100 {
                if queue.is_idle() {
                    thread::yield_now();
                    continue;
                }
                #[cfg(not(fixed))]
                let job = queue.jobs.lock().unwrap().pop_front().unwrap();
                #[cfg(fixed)]
                let Some(job) = queue.jobs.lock().unwrap().pop_front() else {
                    continue;
                };
                println!("{job}");
            }
        }));
    }
    for thread in producers.into_iter().chain(consumers) {
        thread.join().unwrap();
    }
}

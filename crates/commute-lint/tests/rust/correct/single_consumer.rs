//! Many put jobs into a queue, one takes them: between its look and its take
//! others may only add.

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
    let consumer = thread::spawn(move || {
        for _ in 0..100 {
            if queue.is_idle() {
                thread::yield_now();
                continue;
            }
            let job = queue.jobs.lock().unwrap().pop_front().unwrap();
            println!("{job}");
        }
    });
    for producer in producers {
        producer.join().unwrap();
    }
    consumer.join().unwrap();
}

//! Worker queue condvar, as far as the cases use it.
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
struct Shared {
    queue: Mutex<Queue>,
    ready: Condvar,
}
struct Queue {
    jobs: VecDeque<Box<dyn FnOnce() + Send>>,
    closed: bool,
    running: usize,
}
pub struct Pool {
    shared: Arc<Shared>,
    workers: Vec<std::thread::JoinHandle<()>>,
}
impl Pool {
    pub fn new(count: usize) -> Pool {
        let shared = Arc::new(Shared {
            queue: Mutex::new(Queue {
                jobs: VecDeque::new(),
                closed: false,
                running: 0,
            }),
            ready: Condvar::new(),
        });
        let workers = (0..count)
            .map(|_| {
                let shared = shared.clone();
                std::thread::spawn(move || work(&shared))
            })
            .collect();
        Pool { shared, workers }
    }
    pub fn submit(&self, job: Box<dyn FnOnce() + Send>) {
        self.shared.queue.lock().unwrap().jobs.push_back(job);
        self.shared.ready.notify_one();
    }
}
fn work(shared: &Shared) {
    let mut queue = shared.queue.lock().unwrap();
    loop {
        if let Some(job) = queue.jobs.pop_front() {
            queue.running += 1;
            drop(queue);
            job();
            queue = shared.queue.lock().unwrap();
            queue.running -= 1;
        } else if queue.closed {
            return;
        } else {
            queue = shared.ready.wait(queue).unwrap();
        }
    }
}
impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.queue.lock().unwrap().closed = true;
        self.shared.ready.notify_all();
        for worker in self.workers.drain(..) {
            let _ = worker.join();
        }
    }
}

// The program behind `lost_wakeup.std`, in outline.

#[derive(Default)]
struct Queue {
    jobs: Mutex<Vec<Job>>,
    added: Condvar,
}

fn work(queue: &Queue) {
    let jobs = queue.jobs.lock().unwrap();
    // Nobody looks whether there is a job already.
    let mut jobs = queue.added.wait(jobs).unwrap();
    jobs.pop().unwrap().run();
}

fn add(queue: &Queue, job: Job) {
    let mut jobs = queue.jobs.lock().unwrap();
    jobs.push(job);
    queue.added.notify_one();
}

fn main() {
    let queue = Arc::new(Queue::default());
    let other = queue.clone();

    let worker = thread::spawn(move || work(&other));
    add(&queue, Job::new());
    worker.join().unwrap();
}

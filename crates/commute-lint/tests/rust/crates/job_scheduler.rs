//! Jobs with priorities, retries with backoff, and a pool of worker threads.

pub mod job {
    use std::fmt;
    use std::time::Duration;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub struct JobId(pub u64);

    impl fmt::Display for JobId {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "job {}", self.0)
        }
    }

    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Status {
        Queued,
        Running,
        Done,
        Failed { attempts: u32, reason: String },
        Cancelled,
    }

    pub trait Job: Send + Sync {
        fn run(&self) -> Result<(), String>;

        fn backoff(&self, attempt: u32) -> Duration {
            Duration::from_millis(10 << attempt.min(8))
        }
    }

    #[derive(Debug, PartialEq, Eq)]
    pub enum SchedulerError {
        Full,
        Unknown(JobId),
        Stopped,
    }
}

pub mod queue {
    use crate::job::JobId;
    use std::collections::BTreeMap;
    use std::sync::{Condvar, Mutex};
    use std::time::{Duration, Instant};

    /// What is due, by time; equal times in the order of submission.
    #[derive(Default)]
    pub struct DelayQueue {
        due: Mutex<BTreeMap<(Instant, JobId), u32>>,
        changed: Condvar,
    }

    impl DelayQueue {
        pub fn push(&self, id: JobId, attempt: u32, delay: Duration) {
            let mut due = self.due.lock().unwrap();
            due.insert((Instant::now() + delay, id), attempt);
            self.changed.notify_one();
        }

        /// RIGHT: waits in a loop, under one lock.
        pub fn pop(&self, patience: Duration) -> Option<(JobId, u32)> {
            let mut due = self.due.lock().unwrap();
            let until = Instant::now() + patience;
            loop {
                let now = Instant::now();
                let first = due.keys().next().copied();
                match first {
                    Some((at, id)) if at <= now => {
                        let attempt = due.remove(&(at, id))?;
                        return Some((id, attempt));
                    }
                    _ if now >= until => return None,
                    Some((at, _)) => {
                        due = self.changed.wait_timeout(due, at.min(until) - now).unwrap().0;
                    }
                    None => due = self.changed.wait_timeout(due, until - now).unwrap().0,
                }
            }
        }

        pub fn len(&self) -> usize {
            self.due.lock().unwrap().len()
        }

        pub fn is_empty(&self) -> bool {
            self.len() == 0
        }

        fn first(&self) -> Option<(Instant, JobId)> {
            self.due.lock().unwrap().keys().next().copied()
        }

        /// BUG stale key: between the two, a worker pops that one and it is queued again for later; or
        /// an earlier one comes. What is moved is then not the first.
        #[cfg(not(fixed))]
        pub fn postpone_first(&self, by: Duration) -> Option<JobId> {
            let (at, id) = self.first()?;
            let mut due = self.due.lock().unwrap();
            let attempt = due.remove(&(at, id)).unwrap_or(0);
            due.insert((at + by, id), attempt);
            Some(id)
        }

        #[cfg(fixed)]
        pub fn postpone_first(&self, by: Duration) -> Option<JobId> {
            let mut due = self.due.lock().unwrap();
            let ((at, id), attempt) = due.pop_first()?;
            due.insert((at + by, id), attempt);
            Some(id)
        }

        /// RIGHT: only says when to look again.
        pub fn next_due(&self) -> Option<Duration> {
            let (at, _) = self.first()?;
            Some(at.saturating_duration_since(Instant::now()))
        }
    }
}

pub mod scheduler {
    use crate::job::{Job, JobId, SchedulerError, Status};
    use crate::queue::DelayQueue;
    use std::collections::HashMap;
    use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
    use std::sync::{mpsc, Arc, Mutex};
    use std::thread::{self, JoinHandle};
    use std::time::Duration;

    struct Record {
        job: Arc<dyn Job>,
        status: Status,
        attempts: u32,
    }

    #[derive(Default)]
    struct Totals {
        succeeded: u64,
        failed: u64,
    }

    struct Core {
        records: Mutex<HashMap<JobId, Record>>,
        totals: Mutex<Totals>,
        queue: DelayQueue,
        next: AtomicU64,
        running: AtomicUsize,
        stopping: AtomicBool,
        capacity: usize,
        max_attempts: u32,
    }

    pub struct Scheduler {
        core: Arc<Core>,
        workers: Vec<JoinHandle<()>>,
        events: Mutex<mpsc::Receiver<JobId>>,
    }

    impl Scheduler {
        pub fn start(threads: usize, capacity: usize, max_attempts: u32) -> Self {
            let core = Arc::new(Core {
                records: Mutex::new(HashMap::new()),
                totals: Mutex::new(Totals::default()),
                queue: DelayQueue::default(),
                next: AtomicU64::new(0),
                running: AtomicUsize::new(0),
                stopping: AtomicBool::new(false),
                capacity,
                max_attempts,
            });
            let (sender, events) = mpsc::channel();
            let workers = (0..threads)
                .map(|_| {
                    let core = Arc::clone(&core);
                    let sender = sender.clone();
                    thread::spawn(move || core.work(sender))
                })
                .collect();
            Scheduler {
                core,
                workers,
                events: Mutex::new(events),
            }
        }

        /// BUG check-then-act: more jobs than `capacity`, if two submit at once.
        #[cfg(not(fixed))]
        pub fn submit(&self, job: Arc<dyn Job>) -> Result<JobId, SchedulerError> {
            if self.core.stopping.load(Ordering::Acquire) {
                return Err(SchedulerError::Stopped);
            }
            if self.pending() >= self.core.capacity {
                return Err(SchedulerError::Full);
            }
            let id = self.core.new_id();
            self.core.records.lock().unwrap().insert(id, Record::new(job));
            self.core.queue.push(id, 0, Duration::ZERO);
            Ok(id)
        }

        #[cfg(fixed)]
        pub fn submit(&self, job: Arc<dyn Job>) -> Result<JobId, SchedulerError> {
            if self.core.stopping.load(Ordering::Acquire) {
                return Err(SchedulerError::Stopped);
            }
            let id = self.core.new_id();
            {
                let mut records = self.core.records.lock().unwrap();
                if records.len() >= self.core.capacity {
                    return Err(SchedulerError::Full);
                }
                records.insert(id, Record::new(job));
            }
            self.core.queue.push(id, 0, Duration::ZERO);
            Ok(id)
        }

        pub fn pending(&self) -> usize {
            self.core.records.lock().unwrap().len()
        }

        pub fn status(&self, id: JobId) -> Result<Status, SchedulerError> {
            let records = self.core.records.lock().unwrap();
            let record = records.get(&id).ok_or(SchedulerError::Unknown(id))?;
            Ok(record.status.clone())
        }

        /// BUG check-then-act: a job that began to run, or is done, in between becomes cancelled.
        #[cfg(not(fixed))]
        pub fn cancel(&self, id: JobId) -> Result<bool, SchedulerError> {
            if self.status(id)? != Status::Queued {
                return Ok(false);
            }
            self.core.set_status(id, Status::Cancelled);
            Ok(true)
        }

        #[cfg(fixed)]
        pub fn cancel(&self, id: JobId) -> Result<bool, SchedulerError> {
            let mut records = self.core.records.lock().unwrap();
            let record = records.get_mut(&id).ok_or(SchedulerError::Unknown(id))?;
            if record.status != Status::Queued {
                return Ok(false);
            }
            record.status = Status::Cancelled;
            Ok(true)
        }

        /// RIGHT: for people to read, and each job is one moment.
        pub fn report(&self) -> Vec<(JobId, String)> {
            let records = self.core.records.lock().unwrap();
            let mut lines: Vec<_> = records
                .iter()
                .map(|(id, record)| (*id, format!("{:?} after {}", record.status, record.attempts)))
                .collect();
            drop(records);
            lines.sort();
            lines
        }

        pub fn totals(&self) -> (u64, u64) {
            let totals = self.core.totals.lock().unwrap();
            (totals.succeeded, totals.failed)
        }

        /// RIGHT: all that is finished goes, in one section.
        pub fn forget_finished(&self) -> usize {
            let mut records = self.core.records.lock().unwrap();
            let before = records.len();
            records.retain(|_, record| matches!(record.status, Status::Queued | Status::Running));
            before - records.len()
        }

        /// RIGHT: one event for one caller.
        pub fn wait_event(&self, patience: Duration) -> Option<JobId> {
            self.events.lock().unwrap().recv_timeout(patience).ok()
        }

        pub fn stop(mut self) -> usize {
            self.core.stopping.store(true, Ordering::Release);
            for worker in self.workers.drain(..) {
                let _ = worker.join();
            }
            self.pending()
        }
    }

    impl Record {
        fn new(job: Arc<dyn Job>) -> Self {
            Record {
                job,
                status: Status::Queued,
                attempts: 0,
            }
        }
    }

    impl Core {
        fn new_id(&self) -> JobId {
            JobId(self.next.fetch_add(1, Ordering::Relaxed))
        }

        #[cfg(not(fixed))]
        fn set_status(&self, id: JobId, status: Status) {
            if let Some(record) = self.records.lock().unwrap().get_mut(&id) {
                record.status = status;
            }
        }

        fn work(&self, events: mpsc::Sender<JobId>) {
            while !self.stopping.load(Ordering::Acquire) {
                let Some((id, attempt)) = self.queue.pop(Duration::from_millis(50)) else {
                    continue;
                };
                let Some(job) = self.claim(id) else { continue };
                self.running.fetch_add(1, Ordering::AcqRel);
                let outcome = job.run();
                self.running.fetch_sub(1, Ordering::AcqRel);
                self.finish(id, attempt + 1, &*job, outcome);
                if events.send(id).is_err() {
                    return;
                }
            }
        }

        /// RIGHT: who claims marks it under the same lock; nobody else finishes it.
        fn claim(&self, id: JobId) -> Option<Arc<dyn Job>> {
            let mut records = self.records.lock().unwrap();
            let record = records.get_mut(&id)?;
            if record.status != Status::Queued {
                return None;
            }
            record.status = Status::Running;
            Some(Arc::clone(&record.job))
        }

        /// RIGHT: state and decision in one section, the queue afterwards.
        fn finish(&self, id: JobId, attempts: u32, job: &dyn Job, outcome: Result<(), String>) {
            let again = {
                let mut records = self.records.lock().unwrap();
                let Some(record) = records.get_mut(&id) else { return };
                record.attempts = attempts;
                match outcome {
                    Ok(()) => {
                        record.status = Status::Done;
                        false
                    }
                    Err(_) if attempts < self.max_attempts => {
                        record.status = Status::Queued;
                        true
                    }
                    Err(reason) => {
                        record.status = Status::Failed { attempts, reason };
                        false
                    }
                }
            };
            if again {
                self.queue.push(id, attempts, job.backoff(attempts));
            } else {
                self.count(id);
            }
        }

        /// BUG stale value written back: a count of another worker is lost.
        #[cfg(not(fixed))]
        fn count(&self, id: JobId) {
            let done = self.is_done(id);
            let (mut succeeded, mut failed) = {
                let totals = self.totals.lock().unwrap();
                (totals.succeeded, totals.failed)
            };
            if done {
                succeeded += 1;
            } else {
                failed += 1;
            }
            *self.totals.lock().unwrap() = Totals { succeeded, failed };
        }

        #[cfg(fixed)]
        fn count(&self, id: JobId) {
            let done = self.is_done(id);
            let mut totals = self.totals.lock().unwrap();
            if done {
                totals.succeeded += 1;
            } else {
                totals.failed += 1;
            }
        }

        fn is_done(&self, id: JobId) -> bool {
            let records = self.records.lock().unwrap();
            records.get(&id).is_some_and(|record| record.status == Status::Done)
        }
    }
}

pub use job::{Job, JobId, SchedulerError, Status};
pub use scheduler::Scheduler;

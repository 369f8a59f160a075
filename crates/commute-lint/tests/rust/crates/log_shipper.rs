//! Lines are buffered, batched and shipped by threads; sinks are trait objects, state is used through closures.

pub mod sink {
    use std::io;

    pub trait Sink: Send + Sync {
        fn name(&self) -> &str;
        fn ship(&self, batch: &[String]) -> io::Result<()>;
    }

    /// Only counts, for dry runs.
    #[derive(Default)]
    pub struct Null;

    impl Sink for Null {
        fn name(&self) -> &str {
            "null"
        }

        fn ship(&self, _batch: &[String]) -> io::Result<()> {
            Ok(())
        }
    }
}

pub mod shared {
    use std::sync::{Condvar, Mutex, PoisonError};

    /// A value behind a lock that is only used through closures.
    #[derive(Default)]
    pub struct Shared<T> {
        value: Mutex<T>,
        changed: Condvar,
    }

    impl<T> Shared<T> {
        pub fn new(value: T) -> Self {
            Shared {
                value: Mutex::new(value),
                changed: Condvar::new(),
            }
        }

        pub fn with<R>(&self, act: impl FnOnce(&mut T) -> R) -> R {
            let mut value = self.value.lock().unwrap_or_else(PoisonError::into_inner);
            act(&mut value)
        }

        pub fn update<R>(&self, act: impl FnOnce(&mut T) -> R) -> R {
            let result = self.with(act);
            self.changed.notify_all();
            result
        }

        pub fn wait_until<R>(&self, mut ready: impl FnMut(&mut T) -> Option<R>) -> R {
            let mut value = self.value.lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                if let Some(result) = ready(&mut value) {
                    return result;
                }
                value = self.changed.wait(value).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

pub mod buffer {
    use crate::shared::Shared;
    use std::collections::VecDeque;

    #[derive(Default)]
    struct Lines {
        queue: VecDeque<String>,
        bytes: usize,
        dropped: u64,
        closed: bool,
    }

    pub struct Buffer {
        lines: Shared<Lines>,
        max_bytes: usize,
    }

    impl Buffer {
        pub fn new(max_bytes: usize) -> Self {
            Buffer {
                lines: Shared::new(Lines::default()),
                max_bytes,
            }
        }

        pub fn bytes(&self) -> usize {
            self.lines.with(|lines| lines.bytes)
        }

        /// BUG check-then-act: more bytes than are allowed, if two push at once.
        #[cfg(not(fixed))]
        pub fn push(&self, line: String) -> bool {
            if self.bytes() + line.len() > self.max_bytes {
                self.lines.with(|lines| lines.dropped += 1);
                return false;
            }
            self.lines.update(|lines| {
                lines.bytes += line.len();
                lines.queue.push_back(line);
            });
            true
        }

        #[cfg(fixed)]
        pub fn push(&self, line: String) -> bool {
            self.lines.update(|lines| {
                if lines.bytes + line.len() > self.max_bytes {
                    lines.dropped += 1;
                    return false;
                }
                lines.bytes += line.len();
                lines.queue.push_back(line);
                true
            })
        }

        /// RIGHT: waits and drains in one section; nothing comes after the end.
        pub fn next_batch(&self, most: usize) -> Option<Vec<String>> {
            self.lines.wait_until(|lines| {
                if lines.queue.is_empty() {
                    return lines.closed.then_some(None);
                }
                let count = most.min(lines.queue.len());
                let batch: Vec<String> = lines.queue.drain(..count).collect();
                lines.bytes -= batch.iter().map(String::len).sum::<usize>();
                Some(Some(batch))
            })
        }

        /// RIGHT: what could not be shipped goes back to the front, as new lines would.
        pub fn give_back(&self, batch: Vec<String>) {
            self.lines.update(|lines| {
                for line in batch.into_iter().rev() {
                    lines.bytes += line.len();
                    lines.queue.push_front(line);
                }
            });
        }

        /// BUG pair: lines and bytes of two moments.
        #[cfg(not(fixed))]
        pub fn mean_length(&self) -> usize {
            let count = self.lines.with(|lines| lines.queue.len());
            let bytes = self.lines.with(|lines| lines.bytes);
            bytes / count.max(1)
        }

        #[cfg(fixed)]
        pub fn mean_length(&self) -> usize {
            self.lines.with(|lines| lines.bytes / lines.queue.len().max(1))
        }

        pub fn close(&self) {
            self.lines.update(|lines| lines.closed = true);
        }

        /// RIGHT: reads and resets at once.
        pub fn take_dropped(&self) -> u64 {
            self.lines.with(|lines| std::mem::take(&mut lines.dropped))
        }
    }
}

pub mod shipper {
    use crate::buffer::Buffer;
    use crate::sink::Sink;
    use std::collections::HashMap;
    use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
    use std::sync::{Arc, RwLock};
    use std::thread::{self, JoinHandle};
    use std::time::Duration;

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Health {
        pub failures: u32,
        pub backoff_ms: u64,
    }

    pub struct Shipper {
        buffer: Arc<Buffer>,
        sinks: RwLock<Vec<Arc<dyn Sink>>>,
        health: RwLock<HashMap<String, Health>>,
        shipped: AtomicU64,
        generation: AtomicU32,
    }

    impl Shipper {
        pub fn start(buffer: Arc<Buffer>, threads: usize) -> (Arc<Self>, Vec<JoinHandle<()>>) {
            let shipper = Arc::new(Shipper {
                buffer,
                sinks: RwLock::default(),
                health: RwLock::default(),
                shipped: AtomicU64::new(0),
                generation: AtomicU32::new(0),
            });
            let handles = (0..threads)
                .map(|_| {
                    let shipper = Arc::clone(&shipper);
                    thread::spawn(move || shipper.run())
                })
                .collect();
            (shipper, handles)
        }

        fn run(&self) {
            while let Some(batch) = self.buffer.next_batch(100) {
                let sinks = self.sinks.read().unwrap().clone();
                let mut reached = false;
                for sink in &sinks {
                    match sink.ship(&batch) {
                        Ok(()) => {
                            reached = true;
                            self.succeeded(sink.name());
                        }
                        Err(_) => self.failed(sink.name()),
                    }
                }
                if reached {
                    self.shipped.fetch_add(batch.len() as u64, Ordering::Relaxed);
                } else {
                    self.buffer.give_back(batch);
                    thread::sleep(Duration::from_millis(self.longest_backoff()));
                }
            }
        }

        pub fn health(&self, name: &str) -> Health {
            self.health.read().unwrap().get(name).copied().unwrap_or_default()
        }

        /// BUG stale value written back: a failure of another thread is not counted.
        #[cfg(not(fixed))]
        fn failed(&self, name: &str) {
            let Health { failures, backoff_ms } = self.health(name);
            let next = Health {
                failures: failures + 1,
                backoff_ms: (backoff_ms * 2).clamp(10, 10_000),
            };
            self.health.write().unwrap().insert(name.to_owned(), next);
        }

        #[cfg(fixed)]
        fn failed(&self, name: &str) {
            let mut health = self.health.write().unwrap();
            let entry = health.entry(name.to_owned()).or_default();
            entry.failures += 1;
            entry.backoff_ms = (entry.backoff_ms * 2).clamp(10, 10_000);
        }

        /// RIGHT: resets, whatever it was.
        fn succeeded(&self, name: &str) {
            if let Some(health) = self.health.write().unwrap().get_mut(name) {
                *health = Health::default();
            }
        }

        fn longest_backoff(&self) -> u64 {
            let health = self.health.read().unwrap();
            health.values().map(|health| health.backoff_ms).max().unwrap_or(0)
        }

        /// RIGHT: looks and adds in one section; the number only tells caches to look again.
        pub fn add_sink(&self, sink: Arc<dyn Sink>) -> bool {
            let mut sinks = self.sinks.write().unwrap();
            if sinks.iter().any(|other| other.name() == sink.name()) {
                return false;
            }
            sinks.push(sink);
            self.generation.fetch_add(1, Ordering::Release);
            true
        }

        /// BUG stale index: another may have removed one before it.
        #[cfg(not(fixed))]
        pub fn remove_sink(&self, name: &str) -> Option<Arc<dyn Sink>> {
            let at = {
                let sinks = self.sinks.read().unwrap();
                sinks.iter().position(|sink| sink.name() == name)?
            };
            let sink = self.sinks.write().unwrap().remove(at);
            self.generation.fetch_add(1, Ordering::Release);
            Some(sink)
        }

        #[cfg(fixed)]
        pub fn remove_sink(&self, name: &str) -> Option<Arc<dyn Sink>> {
            let mut sinks = self.sinks.write().unwrap();
            let at = sinks.iter().position(|sink| sink.name() == name)?;
            let sink = sinks.remove(at);
            self.generation.fetch_add(1, Ordering::Release);
            Some(sink)
        }

        pub fn shipped(&self) -> u64 {
            self.shipped.load(Ordering::Relaxed)
        }
    }
}

pub use buffer::Buffer;
pub use shipper::Shipper;
pub use sink::Sink;

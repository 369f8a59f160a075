//! Statistics are a small structure that is copied out, changed, and stored.
//@ finding: Proxy::served
use std::sync::Mutex;

#[derive(Clone, Copy, Default, Debug)]
pub struct Statistics {
    pub hits: u64,
    pub misses: u64,
    pub bytes: u64,
}

#[derive(Default)]
pub struct Shared {
    statistics: Mutex<Statistics>,
}

#[derive(Default)]
pub struct Proxy {
    shared: Shared,
}

impl Shared {
    fn snapshot(&self) -> Statistics {
        *self.statistics.lock().unwrap()
    }
    fn replace(&self, statistics: Statistics) {
        *self.statistics.lock().unwrap() = statistics;
    }
}

impl Proxy {
    #[cfg(not(fixed))]
    pub fn served(&self, from_cache: bool, bytes: u64) {
        let old = self.shared.snapshot();
        let new = if from_cache {
            Statistics { hits: old.hits + 1, ..old }
        } else {
            Statistics {
                misses: old.misses + 1,
                bytes: old.bytes + bytes,
                ..old
            }
        };
        self.shared.replace(new);
    }
    #[cfg(fixed)]
    pub fn served(&self, from_cache: bool, bytes: u64) {
        let mut statistics = self.shared.statistics.lock().unwrap();
        if from_cache {
            statistics.hits += 1;
        } else {
            statistics.misses += 1;
            statistics.bytes += bytes;
        }
    }
    pub fn reset(&self) {
        self.shared.replace(Statistics::default());
    }
    pub fn statistics(&self) -> Statistics {
        self.shared.snapshot()
    }
}

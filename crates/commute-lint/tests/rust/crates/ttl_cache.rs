//! A cache with times to live, a bound on what it weighs, and a thread that evicts.

pub mod clock {
    use std::time::{Duration, Instant};

    pub trait Clock: Send + Sync {
        fn now(&self) -> Instant;

        fn after(&self, ttl: Duration) -> Instant {
            self.now() + ttl
        }
    }

    #[derive(Default, Clone, Copy)]
    pub struct SystemClock;

    impl Clock for SystemClock {
        fn now(&self) -> Instant {
            Instant::now()
        }
    }
}

pub mod stats {
    use std::sync::atomic::{AtomicU64, Ordering};

    #[derive(Default)]
    pub struct Stats {
        hits: AtomicU64,
        misses: AtomicU64,
        longest_load: AtomicU64,
    }

    impl Stats {
        pub fn hit(&self) {
            self.hits.fetch_add(1, Ordering::Relaxed);
        }

        pub fn miss(&self) {
            self.misses.fetch_add(1, Ordering::Relaxed);
        }

        /// RIGHT: two counters that nobody changes together.
        pub fn ratio(&self) -> f64 {
            let hits = self.hits.load(Ordering::Relaxed) as f64;
            let misses = self.misses.load(Ordering::Relaxed) as f64;
            if hits + misses == 0.0 { 0.0 } else { hits / (hits + misses) }
        }

        /// RIGHT: a loop with compare_exchange.
        pub fn loaded_in(&self, micros: u64) {
            let mut longest = self.longest_load.load(Ordering::Relaxed);
            while micros > longest {
                match self.longest_load.compare_exchange_weak(
                    longest,
                    micros,
                    Ordering::Relaxed,
                    Ordering::Relaxed,
                ) {
                    Ok(_) => break,
                    Err(actual) => longest = actual,
                }
            }
        }
    }
}

pub mod cache {
    use crate::clock::Clock;
    use crate::stats::Stats;
    use std::collections::HashMap;
    use std::hash::Hash;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, Mutex, RwLock};
    use std::thread::{self, JoinHandle};
    use std::time::{Duration, Instant};

    pub trait Weigh {
        fn weight(&self) -> usize;
    }

    impl Weigh for String {
        fn weight(&self) -> usize {
            self.len()
        }
    }

    struct Entry<V> {
        value: Arc<V>,
        expires: Instant,
        used: u64,
    }

    struct Table<K, V> {
        entries: HashMap<K, Entry<V>>,
        weight: usize,
        tick: u64,
    }

    impl<K: Hash + Eq + Clone, V: Weigh> Table<K, V> {
        fn put(&mut self, key: K, value: Arc<V>, expires: Instant) -> Option<Arc<V>> {
            self.tick += 1;
            self.weight += value.weight();
            let entry = Entry {
                value,
                expires,
                used: self.tick,
            };
            let old = self.entries.insert(key, entry)?;
            self.weight -= old.value.weight();
            Some(old.value)
        }

        fn take(&mut self, key: &K) -> Option<Arc<V>> {
            let entry = self.entries.remove(key)?;
            self.weight -= entry.value.weight();
            Some(entry.value)
        }

        fn oldest(&self) -> Option<K> {
            self.entries
                .iter()
                .min_by_key(|(_, entry)| entry.used)
                .map(|(key, _)| key.clone())
        }
    }

    struct Limits {
        ttl: Duration,
        max_weight: usize,
    }

    struct Inner<K, V, C> {
        table: RwLock<Table<K, V>>,
        limits: RwLock<Limits>,
        stats: Stats,
        clock: C,
        stop: AtomicBool,
    }

    pub struct Cache<K, V, C> {
        inner: Arc<Inner<K, V, C>>,
        evictor: Mutex<Option<JoinHandle<()>>>,
    }

    impl<K, V, C> Cache<K, V, C>
    where
        K: Hash + Eq + Clone + Send + Sync + 'static,
        V: Weigh + Send + Sync + 'static,
        C: Clock + 'static,
    {
        pub fn new(clock: C, ttl: Duration, max_weight: usize) -> Self {
            let inner = Arc::new(Inner {
                table: RwLock::new(Table {
                    entries: HashMap::new(),
                    weight: 0,
                    tick: 0,
                }),
                limits: RwLock::new(Limits { ttl, max_weight }),
                stats: Stats::default(),
                clock,
                stop: AtomicBool::new(false),
            });
            let worker = Arc::clone(&inner);
            let evictor = thread::spawn(move || {
                while !worker.stop.load(Ordering::Relaxed) {
                    worker.evict_expired();
                    worker.shrink();
                    thread::sleep(Duration::from_millis(100));
                }
            });
            Cache {
                inner,
                evictor: Mutex::new(Some(evictor)),
            }
        }

        pub fn get(&self, key: &K) -> Option<Arc<V>> {
            self.inner.get(key)
        }

        pub fn insert(&self, key: K, value: V) -> Option<Arc<V>> {
            let expires = self.inner.expiry();
            let mut table = self.inner.table.write().unwrap();
            table.put(key, Arc::new(value), expires)
        }

        pub fn get_or_load<E>(
            &self,
            key: K,
            load: impl FnOnce(&K) -> Result<V, E>,
        ) -> Result<Arc<V>, E> {
            self.inner.get_or_load(key, load)
        }

        pub fn invalidate(&self, key: &K) -> bool {
            self.inner.table.write().unwrap().take(key).is_some()
        }

        /// BUG stale value written back: what others put in between is lost.
        #[cfg(not(fixed))]
        pub fn update<F>(&self, key: &K, change: F) -> bool
        where
            F: FnOnce(&V) -> V,
        {
            let Some(old) = self.inner.peek(key) else {
                return false;
            };
            let new = Arc::new(change(&old));
            let expires = self.inner.expiry();
            self.inner.table.write().unwrap().put(key.clone(), new, expires);
            true
        }

        #[cfg(fixed)]
        pub fn update<F>(&self, key: &K, change: F) -> bool
        where
            F: FnOnce(&V) -> V,
        {
            let expires = self.inner.expiry();
            let mut table = self.inner.table.write().unwrap();
            let Some(old) = table.entries.get(key).map(|entry| Arc::clone(&entry.value)) else {
                return false;
            };
            table.put(key.clone(), Arc::new(change(&old)), expires);
            true
        }

        pub fn set_limits(&self, ttl: Duration, max_weight: usize) {
            let mut limits = self.inner.limits.write().unwrap();
            limits.ttl = ttl;
            limits.max_weight = max_weight;
        }

        /// BUG pair: `set_limits` writes both at once.
        #[cfg(not(fixed))]
        pub fn limits(&self) -> (Duration, usize) {
            let ttl = self.inner.limits.read().unwrap().ttl;
            let max_weight = self.inner.limits.read().unwrap().max_weight;
            (ttl, max_weight)
        }

        #[cfg(fixed)]
        pub fn limits(&self) -> (Duration, usize) {
            let limits = self.inner.limits.read().unwrap();
            (limits.ttl, limits.max_weight)
        }

        pub fn hit_ratio(&self) -> f64 {
            self.inner.stats.ratio()
        }

        /// RIGHT: the handle is taken out before it is waited for.
        pub fn shutdown(&self) {
            self.inner.stop.store(true, Ordering::Relaxed);
            let handle = self.evictor.lock().unwrap().take();
            if let Some(handle) = handle {
                let _ = handle.join();
            }
        }
    }

    impl<K: Hash + Eq + Clone, V: Weigh, C: Clock> Inner<K, V, C> {
        fn expiry(&self) -> Instant {
            let ttl = self.limits.read().unwrap().ttl;
            self.clock.after(ttl)
        }

        fn get(&self, key: &K) -> Option<Arc<V>> {
            let now = self.clock.now();
            let mut table = self.table.write().unwrap();
            table.tick += 1;
            let tick = table.tick;
            match table.entries.get_mut(key) {
                Some(entry) if entry.expires > now => {
                    entry.used = tick;
                    self.stats.hit();
                    Some(Arc::clone(&entry.value))
                }
                _ => {
                    self.stats.miss();
                    None
                }
            }
        }

        #[cfg(not(fixed))]
        fn peek(&self, key: &K) -> Option<Arc<V>> {
            let table = self.table.read().unwrap();
            table.entries.get(key).map(|entry| Arc::clone(&entry.value))
        }

        /// RIGHT: looks again under the second lock, so that the first who loads wins.
        fn get_or_load<E>(
            &self,
            key: K,
            load: impl FnOnce(&K) -> Result<V, E>,
        ) -> Result<Arc<V>, E> {
            if let Some(found) = self.get(&key) {
                return Ok(found);
            }
            let begin = self.clock.now();
            let value = Arc::new(load(&key)?);
            self.stats.loaded_in(begin.elapsed().as_micros() as u64);
            let expires = self.expiry();
            let mut table = self.table.write().unwrap();
            if let Some(entry) = table.entries.get(&key) {
                if entry.expires > self.clock.now() {
                    return Ok(Arc::clone(&entry.value));
                }
            }
            table.put(key, Arc::clone(&value), expires);
            Ok(value)
        }

        /// BUG check-then-act: an entry that was renewed in between is removed.
        #[cfg(not(fixed))]
        fn evict_expired(&self) {
            let now = self.clock.now();
            let expired: Vec<K> = {
                let table = self.table.read().unwrap();
                table
                    .entries
                    .iter()
                    .filter(|(_, entry)| entry.expires <= now)
                    .map(|(key, _)| key.clone())
                    .collect()
            };
            for key in &expired {
                self.table.write().unwrap().take(key);
            }
        }

        /// RIGHT: each is looked at again before it goes.
        #[cfg(fixed)]
        fn evict_expired(&self) {
            let now = self.clock.now();
            let expired: Vec<K> = {
                let table = self.table.read().unwrap();
                table
                    .entries
                    .iter()
                    .filter(|(_, entry)| entry.expires <= now)
                    .map(|(key, _)| key.clone())
                    .collect()
            };
            for key in &expired {
                let mut table = self.table.write().unwrap();
                if table.entries.get(key).is_some_and(|entry| entry.expires <= now) {
                    table.take(key);
                }
            }
        }

        /// BUG stale key: the oldest may have been used since, and then is not the oldest any more.
        #[cfg(not(fixed))]
        fn shrink(&self) {
            while self.is_too_heavy() {
                let oldest = self.table.read().unwrap().oldest();
                let Some(key) = oldest else { return };
                self.table.write().unwrap().take(&key);
            }
        }

        #[cfg(fixed)]
        fn shrink(&self) {
            let max_weight = self.limits.read().unwrap().max_weight;
            let mut table = self.table.write().unwrap();
            while table.weight > max_weight {
                let Some(key) = table.oldest() else { return };
                table.take(&key);
            }
        }

        #[cfg(not(fixed))]
        fn is_too_heavy(&self) -> bool {
            let max_weight = self.limits.read().unwrap().max_weight;
            self.table.read().unwrap().weight > max_weight
        }
    }
}

pub use cache::{Cache, Weigh};
pub use clock::{Clock, SystemClock};

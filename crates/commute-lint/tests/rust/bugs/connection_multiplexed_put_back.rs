//! A pool of shared connections of an RPC framework (volo #642): the lock is
//! released while a popped connection is tested, then a clone is pushed back.
//! Whoever asks meanwhile sees no connection and opens another one. It is now
//! tested where it lies, under the lock.
//@ finding: Pool::get
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

pub trait Poolable: Clone + Send {
    fn reusable(&self) -> bool;
    fn can_share(&self) -> bool;
}

#[derive(Clone)]
pub struct Transport {
    broken: Arc<AtomicBool>,
    shared: bool,
}

impl Poolable for Transport {
    fn reusable(&self) -> bool {
        !self.broken.load(Ordering::Acquire)
    }
    fn can_share(&self) -> bool {
        self.shared
    }
}

struct Idle<T> {
    inner: T,
    used: u64,
}

struct Inner<K: Hash + Eq, T: Poolable> {
    idle: HashMap<K, Vec<Idle<T>>>,
    max_idle_per_host: usize,
    ticks: u64,
}

impl<K: Hash + Eq, T: Poolable> Inner<K, T> {
    fn pop(&mut self, key: &K) -> Option<Idle<T>> {
        self.idle.get_mut(key).and_then(|list| list.pop())
    }
    fn put(&mut self, key: K, inner: T) {
        self.ticks += 1;
        let used = self.ticks;
        let limit = self.max_idle_per_host;
        let list = self.idle.entry(key).or_default();
        if list.len() < limit {
            list.push(Idle { inner, used });
        }
    }
}

pub struct Pool<K: Hash + Eq, T: Poolable> {
    inner: Arc<Mutex<Inner<K, T>>>,
}

impl<K: Hash + Eq + Clone, T: Poolable> Pool<K, T> {
    #[cfg(not(fixed))]
    pub fn get<E>(&self, key: K, connect: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let popped = self.inner.lock().unwrap().pop(&key);
        if let Some(idle) = popped {
            if idle.inner.reusable() {
                if idle.inner.can_share() {
                    let copy = idle.inner.clone();
                    self.inner.lock().unwrap().put(key, copy);
                }
                return Ok(idle.inner);
            }
        }
        let made = connect()?;
        if made.can_share() {
            self.inner.lock().unwrap().put(key, made.clone());
        }
        Ok(made)
    }

    #[cfg(fixed)]
    pub fn get<E>(&self, key: K, connect: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let mut inner = self.inner.lock().unwrap();
        while let Some(idle) = inner.pop(&key) {
            if idle.inner.reusable() {
                if idle.inner.can_share() {
                    inner.put(key, idle.inner.clone());
                }
                return Ok(idle.inner);
            }
        }
        let made = connect()?;
        if made.can_share() {
            inner.put(key, made.clone());
        }
        Ok(made)
    }

    pub fn prune(&self, before: u64) {
        let mut inner = self.inner.lock().unwrap();
        for list in inner.idle.values_mut() {
            list.retain(|idle| idle.used >= before);
        }
    }
}

pub fn client(max: usize) -> Pool<String, Transport> {
    Pool {
        inner: Arc::new(Mutex::new(Inner {
            idle: HashMap::new(),
            max_idle_per_host: max,
            ticks: 0,
        })),
    }
}

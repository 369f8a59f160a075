//! A library for metrics has a counter for each set of labels. The read lock
//! finds none, and the write lock inserts without looking again: what another
//! thread counted with the one that is replaced is lost.
//@ finding: CounterVec::with_labels
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, RwLock};

#[derive(Clone, Default)]
pub struct Counter {
    value: Arc<AtomicU64>,
}

impl Counter {
    pub fn inc(&self) {
        self.value.fetch_add(1, Ordering::Relaxed);
    }
}

#[derive(Clone, Default)]
pub struct CounterVec {
    children: Arc<RwLock<HashMap<u64, Counter>>>,
}

fn hash_labels(labels: &[&str]) -> u64 {
    let mut hasher = DefaultHasher::new();
    labels.hash(&mut hasher);
    hasher.finish()
}

impl CounterVec {
    pub fn with_labels(&self, labels: &[&str]) -> Counter {
        let hash = hash_labels(labels);
        if let Some(counter) = self.children.read().unwrap().get(&hash).cloned() {
            return counter;
        }
        self.get_or_create(hash)
    }

    #[cfg(not(fixed))]
    fn get_or_create(&self, hash: u64) -> Counter {
        let counter = Counter::default();
        let mut children = self.children.write().unwrap();
        children.insert(hash, counter.clone());
        counter
    }

    #[cfg(fixed)]
    fn get_or_create(&self, hash: u64) -> Counter {
        let mut children = self.children.write().unwrap();
        if let Some(counter) = children.get(&hash).cloned() {
            return counter;
        }
        let counter = Counter::default();
        children.insert(hash, counter.clone());
        counter
    }

    pub fn count(&self, labels: &[&str]) {
        self.with_labels(labels).inc();
    }
}

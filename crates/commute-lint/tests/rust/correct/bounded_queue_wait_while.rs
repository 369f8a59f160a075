//! A bounded queue with `wait_while`, and a timeout that is looked at.
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};
use std::time::Duration;

pub struct Bounded<T> {
    items: Mutex<VecDeque<T>>,
    not_full: Condvar,
    not_empty: Condvar,
    capacity: usize,
}

impl<T> Bounded<T> {
    pub fn new(capacity: usize) -> Bounded<T> {
        Bounded {
            items: Mutex::new(VecDeque::new()),
            not_full: Condvar::new(),
            not_empty: Condvar::new(),
            capacity,
        }
    }
    pub fn push(&self, item: T) {
        let items = self.items.lock().unwrap();
        let mut items = self
            .not_full
            .wait_while(items, |items| items.len() >= self.capacity)
            .unwrap();
        items.push_back(item);
        drop(items);
        self.not_empty.notify_one();
    }
    pub fn pop(&self, patience: Duration) -> Option<T> {
        let items = self.items.lock().unwrap();
        let (mut items, timeout) = self
            .not_empty
            .wait_timeout_while(items, patience, |items| items.is_empty())
            .unwrap();
        if timeout.timed_out() {
            return None;
        }
        let item = items.pop_front();
        drop(items);
        self.not_full.notify_one();
        item
    }
    pub fn len(&self) -> usize {
        self.items.lock().unwrap().len()
    }
}

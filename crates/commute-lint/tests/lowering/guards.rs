//! How long guards live.

use std::sync::{Mutex, RwLock};

pub fn to_the_end(lock: &Mutex<u32>) -> u32 {
    let mut guard = lock.lock().unwrap();
    *guard += 1;
    *guard
}

pub fn of_a_statement(lock: &Mutex<u32>) {
    *lock.lock().unwrap() += 1;
}

pub fn dropped(lock: &Mutex<u32>) -> u32 {
    let guard = lock.lock().unwrap();
    let n = *guard;
    drop(guard);
    n + 1
}

pub fn of_an_if_let(lock: &Mutex<Option<u32>>) {
    if let Some(n) = *lock.lock().unwrap() {
        std::hint::black_box(n);
    } else {
        *lock.lock().unwrap() = Some(1);
    }
}

pub fn reader_and_writer(lock: &RwLock<u32>) {
    let n = *lock.read().unwrap();
    *lock.write().unwrap() = n;
}

pub fn lent(lock: &Mutex<u32>) -> std::sync::MutexGuard<'_, u32> {
    lock.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

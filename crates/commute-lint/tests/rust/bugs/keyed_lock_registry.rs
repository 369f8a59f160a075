//! A helper of test runners keeps one lock for each name. Two threads that ask
//! for a new name both find nothing, and the second replaces the lock that the
//! first already handed out: two sections that should exclude each other run
//! at once.
//@ finding: check_new_key
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, RwLock};

type Locks = Arc<RwLock<HashMap<String, Arc<Mutex<()>>>>>;

static LOCKS: LazyLock<Locks> = LazyLock::new(Locks::default);

#[cfg(not(fixed))]
fn check_new_key(name: &str) {
    let new = {
        let locks = LOCKS.read().unwrap();
        locks.get(name).is_none()
    };
    if new {
        let mut locks = LOCKS.write().unwrap();
        locks.insert(name.to_owned(), Arc::new(Mutex::new(())));
    }
}

#[cfg(fixed)]
fn check_new_key(name: &str) {
    let new = {
        let locks = LOCKS.read().unwrap();
        locks.get(name).is_none()
    };
    if new {
        let mut locks = LOCKS.write().unwrap();
        locks
            .entry(name.to_owned())
            .or_insert_with(|| Arc::new(Mutex::new(())));
    }
}

pub fn serial<R>(name: &str, body: impl FnOnce() -> R) -> R {
    check_new_key(name);
    let lock = LOCKS.read().unwrap().get(name).cloned().unwrap();
    let _held = lock.lock().unwrap();
    body()
}

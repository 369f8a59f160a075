//! Atomics, also in a static.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

pub static COUNT: AtomicUsize = AtomicUsize::new(0);

pub fn load_and_store() {
    let n = COUNT.load(SeqCst);
    COUNT.store(n + 1, SeqCst);
}

pub fn at_once(flag: &AtomicBool) -> bool {
    COUNT.fetch_add(1, SeqCst);
    flag.compare_exchange(false, true, SeqCst, SeqCst).is_ok()
}

//! The programs. What must not order anything is std's own.

use std::sync::Barrier as Unseen;

use commute::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use commute::sync::mpsc::{channel, sync_channel};
use commute::sync::{Arc, Barrier, Condvar, LazyLock, Mutex, Once, OnceLock, RwLock};
use commute::thread;

use crate::probe::Probe;

mod free;
mod ordered;

#[test]
fn gate() {
    let gate = Arc::new(Barrier::new(2));
    commute::name(&gate, "gate");
    let other = Arc::clone(&gate);
    let thread = thread::spawn(move || other.wait().is_leader());
    let is_leader = gate.wait().is_leader();
    assert_ne!(thread.join().unwrap(), is_leader);
}

#[test]
fn blocks() {
    let total = Arc::new(Mutex::new(0));
    commute::name(&total, "total");
    let result = commute::atomic("outer", || {
        *total.lock().unwrap() += 1;
        commute::atomic("inner", || 7)
    });
    assert_eq!(result, 7);
    let count = AtomicU32::new(0);
    commute::name(&count, "count");
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        commute::atomic("inner", || {
            count.fetch_add(1, SeqCst);
            panic!("on purpose");
        })
    }));
    assert!(panicked.is_err());
}

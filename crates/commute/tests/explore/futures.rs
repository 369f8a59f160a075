//! Futures.

use commute::future::{block_on, spawn};
use commute::sync::Arc;
use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};

use crate::seen::{outcomes, seen};

#[test]
fn a_task_is_awaited() {
    let count = outcomes(|| {
        let task = spawn(async { 3 });
        assert_eq!(block_on(async { task.await + 4 }), 7);
    });
    // It is over already, or is waited for.
    assert!(count >= 2, "{count}");
}

#[test]
fn tasks_come_in_every_order() {
    let seen = seen(|| {
        let total = Arc::new(AtomicU32::new(0));
        let task = {
            let total = Arc::clone(&total);
            spawn(async move { total.store(total.load(SeqCst) + 1, SeqCst) })
        };
        total.store(total.load(SeqCst) + 1, SeqCst);
        block_on(task);
        assert_eq!(total.load(SeqCst), 2, "lost");
    });
    assert_eq!(seen.because, None);
    assert_eq!(seen.failures.len(), 1);
}

#[test]
fn a_future_that_nobody_wakes_is_a_deadlock() {
    let seen = seen(|| block_on(std::future::pending()));
    assert_eq!((seen.deadlocks, seen.leaks), (1, 0));
}

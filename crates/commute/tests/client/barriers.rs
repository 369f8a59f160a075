//! Barriers.

use std::fmt::Debug;
use std::panic::{RefUnwindSafe, UnwindSafe};

use super::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use super::sync::{Arc, Barrier, BarrierWaitResult};
use super::thread;

static GLOBAL: Barrier = Barrier::new(1);

#[test]
fn nobody_leaves_before_all_have_arrived() {
    const THREADS: usize = 4;
    const ROUNDS: usize = 50;
    let (barrier, arrived) = (Barrier::new(THREADS), AtomicUsize::new(0));
    let leaders = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                for round in 1..=ROUNDS {
                    arrived.fetch_add(1, SeqCst);
                    if barrier.wait().is_leader() {
                        leaders.fetch_add(1, SeqCst);
                    }
                    assert!(arrived.load(SeqCst) >= round * THREADS);
                }
            });
        }
    });
    assert_eq!(leaders.into_inner(), ROUNDS);
}

/// More threads than the barrier waits for: rounds overlap.
#[test]
fn more_threads_than_it_waits_for() {
    const WAITS: usize = 200;
    let both = Arc::new((Barrier::new(2), AtomicUsize::new(0)));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let both = Arc::clone(&both);
            thread::spawn(move || {
                let (barrier, waits) = &*both;
                let mut leader = 0;
                while waits.fetch_add(1, SeqCst) < WAITS {
                    leader += usize::from(barrier.wait().is_leader());
                }
                leader
            })
        })
        .collect();
    let leaders = threads.into_iter().map(|thread| thread.join().unwrap());
    assert_eq!(leaders.sum::<usize>(), WAITS / 2);
}

#[test]
fn of_one_or_none() {
    assert!(GLOBAL.wait().is_leader());
    assert!(Barrier::new(0).wait().is_leader());
}

#[test]
fn traits() {
    fn has<T: Send + Sync + UnwindSafe + RefUnwindSafe + Debug>() {}
    has::<Barrier>();
    has::<BarrierWaitResult>();
    let barrier = Barrier::new(1);
    assert_eq!(format!("{barrier:?}"), "Barrier { .. }");
    let result = format!("{:?}", barrier.wait());
    assert_eq!(result, "BarrierWaitResult { is_leader: true }");
}

//! Loops that wait, and loops that give up.

use commute::hint;
use commute::sync::Arc;
use commute::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use commute::thread;

use crate::seen::{outcomes, seen};

/// Whoever finds what it would leave there has changed nothing: it waits.
#[test]
fn a_lock_may_be_taken_by_a_swap() {
    let program = |take: fn(&AtomicBool) -> bool| {
        move || {
            let shared = Arc::new((AtomicBool::new(false), AtomicU32::new(0)));
            let other = Arc::clone(&shared);
            let section = move |(lock, count): &(AtomicBool, AtomicU32)| {
                while take(lock) {
                    hint::spin_loop();
                }
                count.store(count.load(SeqCst) + 1, SeqCst);
                lock.store(false, SeqCst);
            };
            let thread = thread::spawn(move || section(&other));
            section(&shared);
            thread.join().unwrap();
            assert_eq!(shared.1.load(SeqCst), 2);
        }
    };
    assert_eq!(outcomes(program(|lock| lock.swap(true, SeqCst))), 2);
    assert_eq!(outcomes(program(|lock| lock.fetch_or(true, SeqCst))), 2);
}

#[test]
fn a_loop_that_gives_up_does_not_wait_for_ever() {
    for rounds in [50, 150, 1_000] {
        let count = outcomes(move || {
            let flag = AtomicBool::new(false);
            let mut count = 0;
            while !flag.load(SeqCst) && count < rounds {
                count += 1;
                hint::spin_loop();
            }
            assert_eq!(count, rounds);
        });
        assert_eq!(count, 1);
    }
}

/// It sees the flag in one of so many looks, or in none.
#[test]
fn a_loop_may_give_up_too_early() {
    let seen = seen(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let other = Arc::clone(&flag);
        let thread = thread::spawn(move || other.store(true, SeqCst));
        let mut is_set = false;
        for _ in 0..102 {
            if flag.load(SeqCst) {
                is_set = true;
                break;
            }
            hint::spin_loop();
        }
        thread.join().unwrap();
        assert!(is_set, "gave up");
    });
    assert_eq!(seen.because, None);
    assert_eq!(seen.outcomes, 103);
    assert_eq!(seen.failures.get("gave up"), Some(&1));
}

//! Atomics.

use commute::sync::Arc;
use commute::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicUsize, Ordering::*};
use commute::thread;

use crate::seen::{outcomes, seen, seen_by_outcomes};

#[test]
fn fetch_add_tells_who_came_first() {
    for (threads, expected) in [(2, 2), (3, 6)] {
        let count = outcomes(move || {
            let total = Arc::new(AtomicU32::new(0));
            let handles: Vec<_> = (0..threads)
                .map(|_| {
                    let total = Arc::clone(&total);
                    thread::spawn(move || total.fetch_add(1, SeqCst))
                })
                .collect();
            for handle in handles {
                handle.join().unwrap();
            }
            assert_eq!(total.load(SeqCst), threads);
        });
        assert_eq!(count, expected);
    }
}

#[test]
fn an_increment_in_two_steps_is_lost() {
    let seen = seen(|| {
        let total = Arc::new(AtomicU32::new(0));
        let other = Arc::clone(&total);
        let thread = thread::spawn(move || other.store(other.load(SeqCst) + 1, SeqCst));
        total.store(total.load(SeqCst) + 1, SeqCst);
        thread.join().unwrap();
        assert_eq!(total.load(SeqCst), 2, "lost");
    });
    assert_eq!(seen.because, None);
    // Who reads first, and who writes last if both read 0.
    assert_eq!(seen.outcomes, 3, "{seen:?}");
    assert_eq!(seen.failures.len(), 1);
}

#[test]
fn weak_orderings_are_noted() {
    let looks = |order| seen(move || assert_eq!(AtomicU32::new(0).load(order), 0));
    assert!(!looks(SeqCst).is_weak);
    assert!(looks(Relaxed).is_weak);
}

#[test]
fn a_loop_that_waits_learns_nothing() {
    let count = outcomes(|| {
        let ready = Arc::new(AtomicBool::new(false));
        let other = Arc::clone(&ready);
        let before = AtomicU32::new(3);
        let thread = thread::spawn(move || other.store(true, SeqCst));
        before.load(SeqCst);
        while !ready.load(SeqCst) {
            commute::hint::spin_loop();
        }
        thread.join().unwrap();
    });
    assert_eq!(count, 1);
}

#[test]
fn a_loop_that_waits_for_ever_is_a_deadlock() {
    let seen = seen(|| {
        let ready = AtomicBool::new(false);
        while !ready.load(SeqCst) {
            thread::yield_now();
        }
    });
    assert_eq!(seen.because, None);
    assert_eq!(seen.deadlocks, 1);
}

#[test]
fn a_loop_that_gives_up_does_not_wait() {
    let seen = seen(|| {
        let ready = Arc::new(AtomicBool::new(false));
        let other = Arc::clone(&ready);
        let thread = thread::spawn(move || other.store(true, SeqCst));
        let mut tries = 0;
        while tries < 3 && !ready.load(SeqCst) {
            tries += 1;
            thread::yield_now();
        }
        thread.join().unwrap();
    });
    assert_eq!(seen.because, None);
    assert_eq!((seen.outcomes, seen.deadlocks), (4, 0));
    assert!(seen.restarts > 0);
}

#[test]
fn a_loop_that_does_not_yield_is_reported() {
    let seen = seen(|| {
        let ready = AtomicBool::new(false);
        while !ready.load(SeqCst) {}
    });
    assert!(seen.because.unwrap().contains("spin_loop"));
}

#[test]
fn integers_wrap_at_their_width() {
    let count = outcomes(|| {
        let small = AtomicU8::new(250);
        assert_eq!(small.fetch_add(10, SeqCst), 250);
        assert_eq!(small.fetch_nand(7, SeqCst), 4);
        assert_eq!(small.fetch_min(9, SeqCst), !4);
        assert_eq!(small.compare_exchange(9, 1, SeqCst, SeqCst), Ok(9));
        assert_eq!(small.compare_exchange(9, 1, SeqCst, SeqCst), Err(1));
        assert_eq!(small.fetch_update(SeqCst, SeqCst, |n| Some(n + 1)), Ok(1));
        assert_eq!(small.into_inner(), 2);
    });
    assert_eq!(count, 1);
}

/// Each thread takes the next number, and uses what has this number.
#[test]
fn what_was_seen_counts_when_names_change() {
    let program = || {
        let next = Arc::new(AtomicUsize::new(0));
        let all: Arc<Vec<AtomicU32>> = Arc::new((0..3).map(|_| AtomicU32::new(0)).collect());
        let threads = [1, 2, 3].map(|mark| {
            let (next, all) = (Arc::clone(&next), Arc::clone(&all));
            thread::spawn(move || all[next.fetch_add(1, SeqCst)].fetch_add(mark, SeqCst))
        });
        for thread in threads {
            thread.join().unwrap();
        }
        let marks: u32 = all.iter().map(|one| one.load(SeqCst)).sum();
        assert_eq!(marks, 6);
    };
    assert_eq!(outcomes(program), 6);
    let seen = seen_by_outcomes(program);
    assert_eq!((seen.executions, seen.restarts), (6, 0));
    // Each of them ends where it uses something by a name that it had from another.
    assert!((1..=6).contains(&seen.learning), "{}", seen.learning);
}

#[test]
fn an_object_first_used_in_two_places_is_one() {
    // `late` is first used by the thread, or in one branch of the first thread.
    let seen = seen(|| {
        let early = Arc::new(AtomicU32::new(0));
        let late = Arc::new(AtomicU32::new(0));
        let (e, l) = (Arc::clone(&early), Arc::clone(&late));
        let thread = thread::spawn(move || {
            e.store(1, SeqCst);
            l.fetch_add(1, SeqCst);
        });
        if early.load(SeqCst) == 1 {
            late.fetch_add(1, SeqCst);
        }
        thread.join().unwrap();
    });
    assert_eq!(seen.because, None);
    assert_eq!(seen.outcomes, 3);
}

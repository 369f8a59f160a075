//! Threads that may be exchanged.

use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};
use commute::sync::{Arc, Mutex, mpsc};
use commute::thread;

use crate::seen::{Seen, outcomes, seen, seen_by_outcomes};

/// How many outcomes there are if so many threads do this, and may be exchanged or not.
fn counts<T: Send + Sync + 'static>(
    threads: usize,
    make: impl Fn() -> T + Copy + 'static,
    body: impl Fn(&T) -> u32 + Copy + Send + Sync + 'static,
) -> (u64, u64) {
    let alike = outcomes(move || {
        let shared = Arc::new(make());
        let threads = thread::interchangeable(threads, move || body(&shared));
        threads.join().unwrap();
    });
    let each = outcomes(move || {
        let shared = Arc::new(make());
        let threads: Vec<_> = (0..threads)
            .map(|_| {
                let shared = Arc::clone(&shared);
                thread::spawn(move || body(&shared))
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
    });
    (alike, each)
}

#[test]
fn outcomes_are_counted_up_to_exchange() {
    // Each has a ticket of its own: all orders are the same one.
    let tickets = counts(3, || AtomicU32::new(0), |n| n.fetch_add(1, SeqCst));
    assert_eq!(tickets, (1, 6));
    // Who comes first does not matter, even if nobody can see who that is.
    let late = counts(
        3,
        || (AtomicU32::new(0), AtomicU32::new(0)),
        |(first, second)| {
            first.load(SeqCst);
            second.fetch_add(1, SeqCst)
        },
    );
    assert_eq!(late, (1, 6));
    // What the three find: 000, 001, 011 or 012; the last store may be of another.
    let lost = counts(
        3,
        || AtomicU32::new(0),
        |n| {
            let found = n.load(SeqCst);
            n.store(found + 1, SeqCst);
            u32::from(found == 0)
        },
    );
    assert_eq!(lost, (5, 16));
}

#[test]
fn who_holds_a_lock_is_one_of_them() {
    let sections = counts(
        3,
        || Mutex::new(0),
        |n| {
            let mut n = n.lock().unwrap();
            *n += 1;
            *n
        },
    );
    assert_eq!(sections, (1, 6));
    let looks_first = counts(
        2,
        || (AtomicU32::new(0), Mutex::new(0)),
        |(look, n)| {
            look.load(SeqCst);
            *n.lock().unwrap() += 1;
            0
        },
    );
    assert_eq!(looks_first, (1, 2));
}

#[test]
fn what_they_return_is_in_an_order_of_its_own() {
    let count = outcomes(|| {
        let next = Arc::new(AtomicU32::new(0));
        let threads = thread::interchangeable(3, move || 7 - next.fetch_add(1, SeqCst));
        assert_eq!(threads.join().unwrap(), [5, 6, 7]);
    });
    assert_eq!(count, 1);
    let none = outcomes(|| {
        let threads = thread::interchangeable(0, || 1);
        assert!(threads.join().unwrap().is_empty());
    });
    assert_eq!(none, 1);
}

#[test]
fn a_mistake_of_any_of_them_is_found() {
    let wrong = |joins: bool| -> Seen {
        seen(move || {
            let next = Arc::new(AtomicU32::new(0));
            let threads = thread::interchangeable(3, move || {
                assert!(next.fetch_add(1, SeqCst) < 2, "too many");
            });
            if joins {
                assert!(threads.join().is_err());
            }
        })
    };
    let found = wrong(false);
    assert_eq!((found.outcomes, found.because), (1, None));
    assert_eq!(found.failures["too many"], 1);
    let joined = wrong(true);
    assert_eq!((joined.outcomes, joined.because), (1, None));
    assert!(joined.failures.is_empty());
}

#[test]
fn what_each_has_for_itself_is_no_contradiction() {
    let seen = seen_by_outcomes(|| {
        let (sender, receiver) = mpsc::channel::<mpsc::Sender<u32>>();
        let threads = thread::interchangeable(2, move || {
            let mine = Mutex::new(0);
            *mine.lock().unwrap() += 1;
            let (reply, answer) = mpsc::channel();
            sender.send(reply).unwrap();
            let child = thread::spawn(move || answer.recv().unwrap());
            *mine.lock().unwrap() += child.join().unwrap();
            mine.into_inner().unwrap()
        });
        for n in 1..3 {
            receiver.recv().unwrap().send(n).unwrap();
        }
        assert_eq!(threads.join().unwrap(), [2, 3]);
    });
    assert_eq!((seen.because, seen.failures.len()), (None, 0));
    // What only one has is not exchanged.
    assert!((1..=4).contains(&seen.outcomes), "{}", seen.outcomes);
}

#[test]
fn threads_that_are_not_the_same_are_noticed() {
    let named = seen(|| {
        drop(thread::interchangeable(2, || thread::current().id()).join());
    });
    assert!(named.because.unwrap().contains("asked who it is"));
    let numbered = seen(|| {
        // Something that is not seen.
        let number = Arc::new(std::sync::atomic::AtomicU32::new(0));
        let shared = Arc::new(AtomicU32::new(0));
        let threads = thread::interchangeable(2, move || {
            if number.fetch_add(1, SeqCst) == 0 {
                shared.load(SeqCst);
            }
            shared.fetch_add(1, SeqCst);
        });
        threads.join().unwrap();
    });
    let because = numbered.because.unwrap();
    assert!(
        because.contains("Unlike") || because.contains("Different"),
        "{because}"
    );
}

#[test]
fn two_groups_are_not_mixed() {
    let count = outcomes(|| {
        let shared = Arc::new(AtomicU32::new(0));
        let other = Arc::clone(&shared);
        let add = thread::interchangeable(2, move || shared.fetch_add(1, SeqCst));
        let double = thread::interchangeable(2, move || other.fetch_add(10, SeqCst));
        add.join().unwrap();
        double.join().unwrap();
    });
    // Where the two of the second group are among four.
    assert_eq!(count, 6);
}

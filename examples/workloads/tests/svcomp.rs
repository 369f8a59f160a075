//! Six programs that verifiers are measured by, written from their descriptions.

use commute::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering::SeqCst};
use commute::sync::{Arc, mpsc};
use commute::thread;
use commute_workloads::{Counter, Deque, Driver};

/// Fails: a thread looks at the index after it was moved on.
#[commute::test(explored_only)]
fn svcomp_sigma() {
    const N: usize = 16;
    let index = Arc::new(AtomicI64::new(-1));
    let array: Arc<Vec<AtomicI64>> = Arc::new((0..N).map(|_| AtomicI64::new(0)).collect());
    let threads: Vec<_> = (0..N)
        .map(|_| {
            index.store(index.load(SeqCst) + 1, SeqCst);
            let (index, array) = (Arc::clone(&index), Arc::clone(&array));
            thread::spawn(move || array[index.load(SeqCst) as usize].store(1, SeqCst))
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    let sum: i64 = array.iter().map(|place| place.load(SeqCst)).sum();
    assert_eq!(sum, N as i64);
}

/// Fails: all 50 may have come before the look.
#[commute::test(explored_only)]
fn svcomp_fkp2013() {
    let counter = Arc::new(Counter::default());
    let looks = Arc::clone(&counter);
    thread::spawn(move || assert!(looks.read() < 50));
    for _ in 0..50 {
        let counter = Arc::clone(&counter);
        thread::spawn(move || counter.inc());
    }
}

/// Holds.
#[commute::test]
fn svcomp_fkp2013_holds() {
    let counter = Arc::new(Counter::default());
    let looks = Arc::clone(&counter);
    thread::spawn(move || assert!(looks.read() <= 50));
    for _ in 0..50 {
        let counter = Arc::clone(&counter);
        thread::spawn(move || counter.inc());
    }
}

/// Holds: what is done under the lock is one step, which commutes with itself.
#[commute::test]
fn svcomp_pthread_demo_datarace() {
    let total = Arc::new(Counter::default());
    let other = Arc::clone(&total);
    let thread = thread::spawn(move || (0..20).for_each(|_| other.inc()));
    (0..20).for_each(|_| total.inc());
    thread.join().unwrap();
    assert_eq!(total.read(), 40);
}

/// What one does that begins something: nothing is stopped before it ends.
fn add(driver: &Driver, stopped: &AtomicBool) {
    if driver.enter() {
        assert!(!stopped.load(SeqCst));
        driver.leave();
    }
}

fn stop(driver: &Driver, stopped: &AtomicBool) {
    driver.stop();
    driver.leave();
    driver.wait();
    stopped.store(true, SeqCst);
}

/// Holds: of ten, so many were in time.
#[commute::test]
fn svcomp_qw2004_variant() {
    let driver = Arc::new((Driver::default(), AtomicBool::new(false)));
    let other = Arc::clone(&driver);
    thread::interchangeable(10, move || add(&other.0, &other.1));
    stop(&driver.0, &driver.1);
}

/// Holds: the same of ten, and it counts who of them was in time.
#[commute::test]
fn svcomp_qw2004_variant_each() {
    let driver = Arc::new((Driver::default(), AtomicBool::new(false)));
    for _ in 0..10 {
        let driver = Arc::clone(&driver);
        thread::spawn(move || add(&driver.0, &driver.1));
    }
    stop(&driver.0, &driver.1);
}

/// Holds: two writers, one reader, and a ring with four places.
#[commute::test]
fn svcomp_ring_2w1r() {
    const N: usize = 8;
    let (ring, reader) = mpsc::sync_channel(4);
    for ring in [ring.clone(), ring] {
        thread::spawn(move || {
            for value in 1..=N {
                ring.send(value).unwrap();
            }
        });
    }
    let mut counts = [0; N];
    for _ in 0..2 * N {
        let value = reader.recv().unwrap();
        assert!((1..=N).contains(&value));
        counts[value - 1] += 1;
        assert!(counts[..value].iter().all(|&n| n == 1 || n == 2));
    }
}

/// Holds: every element is taken once.
#[commute::test]
fn svcomp_workstealqueue_mutex() {
    const ITEMS: usize = 4;
    let queue = Arc::new(Deque::new(2));
    let taken: Arc<Vec<AtomicUsize>> = Arc::new((0..ITEMS).map(|_| AtomicUsize::new(0)).collect());
    let take = |taken: &[AtomicUsize], item: Option<usize>| {
        if let Some(item) = item {
            taken[item].fetch_add(1, SeqCst);
        }
    };
    let thieves: Vec<_> = (0..2)
        .map(|_| {
            let (queue, taken) = (Arc::clone(&queue), Arc::clone(&taken));
            thread::spawn(move || take(&taken, queue.steal()))
        })
        .collect();
    for i in 0..ITEMS / 2 {
        queue.push(2 * i);
        queue.push(2 * i + 1);
        take(&taken, queue.pop());
    }
    for _ in 0..ITEMS / 2 {
        take(&taken, queue.pop());
    }
    for thief in thieves {
        thief.join().unwrap();
    }
    assert!(taken.iter().all(|item| item.load(SeqCst) == 1));
}

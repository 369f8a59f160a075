//! Objects of one's own types.

use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};
use commute::sync::{Arc, Mutex};
use commute::thread;

use crate::seen::{outcomes, seen};

#[derive(Default)]
struct Counter {
    value: Mutex<i64>,
    identity: commute::Identity,
}

#[commute::object(spec = "counter", identity = identity)]
impl Counter {
    pub fn inc(&self) {
        *self.value.lock().unwrap() += 1;
    }

    pub fn read(&self) -> i64 {
        *self.value.lock().unwrap()
    }
}

#[test]
fn calls_that_commute_have_one_outcome() {
    let count = outcomes(|| {
        let counter = Arc::new(Counter::default());
        let threads: Vec<_> = (0..3)
            .map(|_| {
                let counter = Arc::clone(&counter);
                thread::spawn(move || counter.inc())
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(counter.read(), 3);
    });
    assert_eq!(count, 1);
}

#[test]
fn a_reader_sees_how_many_came_before() {
    let count = outcomes(|| {
        let counter = Arc::new(Counter::default());
        let threads: Vec<_> = (0..3)
            .map(|_| {
                let counter = Arc::clone(&counter);
                thread::spawn(move || counter.inc())
            })
            .collect();
        counter.read();
        for thread in threads {
            thread.join().unwrap();
        }
    });
    assert_eq!(count, 4);
}

struct Ledger {
    total: AtomicU32,
}

#[commute::object(spec = "nothing_known")]
impl Ledger {
    pub fn add(&self, amount: u32) -> u32 {
        // Two steps, if it were not one.
        let total = self.total.load(SeqCst);
        self.total.store(total + amount, SeqCst);
        total
    }
}

#[test]
fn an_object_without_a_model_is_called_in_some_order() {
    let count = outcomes(|| {
        let ledger = Arc::new(Ledger {
            total: AtomicU32::new(0),
        });
        let other = Arc::clone(&ledger);
        let thread = thread::spawn(move || other.add(1));
        let found = ledger.add(2);
        assert_eq!(
            thread.join().unwrap() + found,
            if found == 0 { 2 } else { 1 }
        );
    });
    assert_eq!(count, 2);
}

#[test]
fn what_is_inside_has_no_steps_outside() {
    let seen = seen(|| {
        let counter = Counter::default();
        counter.inc();
        *counter.value.lock().unwrap() += 1;
    });
    assert!(seen.because.unwrap().contains("also used from outside"));
}

struct Liar;

#[commute::object(spec = "counter")]
impl Liar {
    pub fn read(&self) -> i64 {
        7
    }

    pub fn forget(&self) {}
}

#[test]
fn an_object_that_does_something_else_than_its_model_is_noticed() {
    let lies = seen(|| assert_eq!(Liar.read(), 7));
    assert!(lies.because.unwrap().contains("read = 7"));
    let unknown = seen(|| Liar.forget());
    assert!(unknown.because.unwrap().contains("no method `forget`"));
}

#[derive(Default)]
struct Table(Mutex<std::collections::BTreeMap<u32, u32>>);

#[commute::object(spec = "dictionary")]
impl Table {
    pub fn put(&self, key: u32, value: u32) -> Option<u32> {
        self.0.lock().unwrap().insert(key, value)
    }
}

#[test]
fn a_specification_says_which_model_it_is_of() {
    for (keys, expected) in [([1, 2], 1), ([1, 1], 2)] {
        let count = outcomes(move || {
            let table = Arc::new(Table::default());
            let other = Arc::clone(&table);
            let thread = thread::spawn(move || other.put(keys[0], 7));
            table.put(keys[1], 8);
            thread.join().unwrap();
        });
        assert_eq!(count, expected);
    }
}

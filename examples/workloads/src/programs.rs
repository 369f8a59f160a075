//! Programs of which it is known how many outcomes they have. `n` is the number of
//! threads.

use commute::sync::{Arc, Mutex};
use commute::thread;

use crate::{Counter, Hashtable, Set, UnionFind};

/// Starts a thread for each number below `n`, and joins them all.
fn each(n: i64, body: impl Fn(i64) + Send + Sync + 'static) {
    let body = Arc::new(body);
    let threads: Vec<_> = (0..n)
        .map(|i| {
            let body = Arc::clone(&body);
            thread::spawn(move || body(i))
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

/// Each increments.
pub fn counter(n: i64) {
    let counter = Arc::new(Counter::default());
    each(n, move |_| counter.inc());
}

/// Each increments what is under a lock, and can tell who came before.
pub fn locked(n: i64) {
    let counter = Arc::new(Mutex::new(0));
    each(n, move |_| *counter.lock().expect("nobody panics") += 1);
}

/// Each adds a number of its own.
pub fn set_add(n: i64) {
    let set = Arc::new(Set::default());
    each(n, move |i| assert!(!set.add(i)));
}

/// The set holds them all; each looks for its own.
pub fn set_seek(n: i64) {
    let set = Arc::new(Set::default());
    for i in 0..n {
        set.add(i);
    }
    each(n, move |i| assert!(set.contains(i)));
}

/// All but one add, and that one asks how many there are.
pub fn set_add_size(n: i64) {
    let set = Arc::new(Set::default());
    each(n, move |i| match i < n - 1 {
        true => assert!(!set.add(i)),
        false => assert!((set.size() as i64) < n),
    });
}

/// All are joined; each asks for its least.
pub fn uf_find(n: i64) {
    let sets = Arc::new(UnionFind::new(n as usize));
    for i in 1..n as usize {
        sets.union(i - 1, i);
    }
    each(n, move |i| assert_eq!(sets.find(i as usize), 0));
}

/// Even ones join their number with the next, odd ones ask for their least.
pub fn uf_mixed(n: i64) {
    let sets = Arc::new(UnionFind::new(n as usize + 1));
    each(n, move |i| {
        let i = i as usize;
        match i % 2 {
            0 => assert!(sets.union(i, i + 1)),
            _ => assert!(sets.find(i) <= i),
        }
    });
}

/// Each puts, under one of three keys.
pub fn ht_put(n: i64) {
    let table = Arc::new(Hashtable::default());
    each(n, move |i| {
        table.put(i % 3, i);
    });
}

/// Each puts under one of two keys, and gets from the other.
pub fn ht_mixed(n: i64) {
    let table = Arc::new(Hashtable::default());
    each(n, move |i| {
        table.put(i % 2, i);
        table.get((i + 1) % 2);
    });
}

/// All but one increment, and that one looks.
pub fn fkp2013(n: i64) {
    let counter = Arc::new(Counter::default());
    each(n, move |i| match i < n - 1 {
        true => counter.inc(),
        false => assert!(counter.read() < n),
    });
}

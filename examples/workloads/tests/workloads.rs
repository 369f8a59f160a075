//! Tests of which it is known how many outcomes they have.

use commute::sync::Arc;
use commute::thread;
use commute_workloads::{Counter, Hashtable, Set, UnionFind};

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

fn counter(n: i64) {
    let counter = Arc::new(Counter::default());
    each(n, move |_| counter.inc());
}

fn set_add(n: i64) {
    let set = Arc::new(Set::default());
    each(n, move |i| assert!(!set.add(i)));
}

fn set_seek(n: i64) {
    let set = Arc::new(Set::default());
    for i in 0..n {
        set.add(i);
    }
    each(n, move |i| assert!(set.contains(i)));
}

fn set_add_size(n: i64) {
    let set = Arc::new(Set::default());
    each(n, move |i| match i < n - 1 {
        true => assert!(!set.add(i)),
        false => assert!((set.size() as i64) < n),
    });
}

fn uf_find(n: i64) {
    let sets = Arc::new(UnionFind::new(n as usize));
    for i in 1..n as usize {
        sets.union(i - 1, i);
    }
    each(n, move |i| assert_eq!(sets.find(i as usize), 0));
}

fn uf_mixed(n: i64) {
    let sets = Arc::new(UnionFind::new(n as usize + 1));
    each(n, move |i| {
        let i = i as usize;
        match i % 2 {
            0 => assert!(sets.union(i, i + 1)),
            _ => assert!(sets.find(i) <= i),
        }
    });
}

fn ht_put(n: i64) {
    let table = Arc::new(Hashtable::default());
    each(n, move |i| {
        table.put(i % 3, i);
    });
}

fn ht_mixed(n: i64) {
    let table = Arc::new(Hashtable::default());
    each(n, move |i| {
        table.put(i % 2, i);
        table.get((i + 1) % 2);
    });
}

fn fkp2013(n: i64) {
    let counter = Arc::new(Counter::default());
    each(n, move |i| match i < n - 1 {
        true => counter.inc(),
        false => assert!(counter.read() < n),
    });
}

macro_rules! tests {
    ($($function:ident: $($name:ident = $n:literal),*;)*) => {
        $($(
            #[commute::test]
            fn $name() {
                $function($n);
            }
        )*)*
    };
}

tests! {
    counter: counter_4 = 4, counter_5 = 5, counter_6 = 6, counter_7 = 7, counter_50 = 50;
    set_add: set_add_4 = 4, set_add_5 = 5, set_add_6 = 6, set_add_7 = 7;
    set_seek: set_seek_4 = 4, set_seek_5 = 5, set_seek_6 = 6, set_seek_7 = 7;
    set_add_size: set_add_size_4 = 4, set_add_size_5 = 5, set_add_size_6 = 6, set_add_size_7 = 7,
        set_add_size_50 = 50;
    uf_find: uf_find_4 = 4, uf_find_5 = 5, uf_find_6 = 6, uf_find_7 = 7;
    uf_mixed: uf_mixed_4 = 4, uf_mixed_5 = 5, uf_mixed_6 = 6, uf_mixed_7 = 7;
    ht_put: ht_put_4 = 4, ht_put_5 = 5, ht_put_6 = 6, ht_put_7 = 7;
    ht_mixed: ht_mixed_2 = 2, ht_mixed_3 = 3, ht_mixed_4 = 4, ht_mixed_5 = 5;
    fkp2013: fkp2013_4 = 4, fkp2013_5 = 5, fkp2013_6 = 6, fkp2013_7 = 7, fkp2013_50 = 50;
}

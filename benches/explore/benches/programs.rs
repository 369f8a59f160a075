// The workloads with plain locks, for whoever has `Arc`, `Mutex` and `thread` in scope.

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

pub fn counter(n: i64) {
    let counter = Arc::new(Mutex::new(0));
    each(n, move |_| *counter.lock().unwrap() += 1);
}

pub fn set_add(n: i64) {
    let set = Arc::new(Mutex::new(BTreeSet::new()));
    each(n, move |i| assert!(set.lock().unwrap().insert(i)));
}

pub fn set_add_size(n: i64) {
    let set = Arc::new(Mutex::new(BTreeSet::new()));
    each(n, move |i| {
        let mut set = set.lock().unwrap();
        match i < n - 1 {
            true => assert!(set.insert(i)),
            false => assert!((set.len() as i64) < n),
        }
    });
}

pub fn ht_put(n: i64) {
    let table = Arc::new(Mutex::new(BTreeMap::new()));
    each(n, move |i| {
        table.lock().unwrap().insert(i % 3, i);
    });
}

pub fn ht_mixed(n: i64) {
    let table = Arc::new(Mutex::new(BTreeMap::new()));
    each(n, move |i| {
        table.lock().unwrap().insert(i % 2, i);
        let _ = table.lock().unwrap().get(&((i + 1) % 2));
    });
}

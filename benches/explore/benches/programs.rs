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

pub fn set_seek(n: i64) {
    let set = Arc::new(Mutex::new((0..n).collect::<BTreeSet<i64>>()));
    each(n, move |i| assert!(set.lock().unwrap().contains(&i)));
}

/// The least of each set is where its chain ends.
fn least(parents: &[usize], mut of: usize) -> usize {
    while parents[of] != of {
        of = parents[of];
    }
    of
}

fn union(parents: &mut [usize], a: usize, b: usize) {
    let (a, b) = (least(parents, a), least(parents, b));
    parents[a.max(b)] = a.min(b);
}

pub fn uf_find(n: i64) {
    let mut parents: Vec<usize> = (0..n as usize).collect();
    for i in 1..n as usize {
        union(&mut parents, i - 1, i);
    }
    let sets = Arc::new(Mutex::new(parents));
    each(n, move |i| {
        assert_eq!(least(&sets.lock().unwrap(), i as usize), 0);
    });
}

pub fn uf_mixed(n: i64) {
    let parents: Vec<usize> = (0..=n as usize).collect();
    let sets = Arc::new(Mutex::new(parents));
    each(n, move |i| {
        let i = i as usize;
        match i % 2 {
            0 => union(&mut sets.lock().unwrap(), i, i + 1),
            _ => assert!(least(&sets.lock().unwrap(), i) <= i),
        }
    });
}

pub fn fkp2013(n: i64) {
    let counter = Arc::new(Mutex::new(0));
    each(n, move |i| match i < n - 1 {
        true => *counter.lock().unwrap() += 1,
        false => assert!(*counter.lock().unwrap() < n),
    });
}

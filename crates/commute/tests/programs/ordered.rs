//! Programs whose accesses are ordered.

use super::*;

#[test]
fn by_a_mutex() {
    let probe = Mutex::new(Probe::new());
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| probe.lock().unwrap().write());
        }
    });
}

#[test]
fn by_a_condvar() {
    let (probe, ready, condvar) = (Probe::new(), Mutex::new(false), Condvar::new());
    thread::scope(|scope| {
        scope.spawn(|| {
            let ready = ready.lock().unwrap();
            drop(condvar.wait_while(ready, |ready| !*ready).unwrap());
            probe.write();
        });
        probe.write();
        *ready.lock().unwrap() = true;
        condvar.notify_one();
    });
}

#[test]
fn by_a_writer() {
    let lock = RwLock::new(Probe::new());
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                lock.write().unwrap().write();
                lock.read().unwrap().read();
                let downgraded = commute::sync::RwLockWriteGuard::downgrade(lock.write().unwrap());
                downgraded.read();
            });
        }
    });
}

#[test]
fn by_spawn_and_join() {
    let probe = Arc::new(Probe::new());
    probe.write();
    let inside = Arc::clone(&probe);
    let thread = thread::spawn(move || inside.write());
    thread.join().unwrap();
    probe.write();
}

#[test]
fn by_the_end_of_a_scope() {
    let probe = Probe::new();
    probe.write();
    thread::scope(|scope| {
        scope.spawn(|| scope.spawn(|| probe.write()));
    });
    thread::scope(|scope| {
        scope.spawn(|| probe.write()).join().unwrap();
        probe.write();
    });
    probe.write();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        thread::scope(|scope| {
            scope.spawn(|| {
                probe.write();
                panic!("on purpose");
            });
        });
    }));
    assert!(panicked.is_err());
    probe.write();
}

#[test]
fn by_an_atomic() {
    let (probe, ready) = (Probe::new(), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            while !ready.load(SeqCst) {
                thread::yield_now();
            }
            probe.write();
        });
        probe.write();
        ready.store(true, SeqCst);
    });
}

#[test]
fn by_a_message() {
    let probe = Probe::new();
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        let probe = &probe;
        scope.spawn(move || {
            receiver.recv().unwrap();
            probe.write();
        });
        probe.write();
        sender.send(1).unwrap();
    });
}

#[test]
fn by_the_last_sender() {
    let probes = [Probe::new(), Probe::new()];
    // Who goes first is not who closes, and both come before the close.
    let (sender, receiver) = channel::<i32>();
    let first = sender.clone();
    let gone = Unseen::new(2);
    thread::scope(|scope| {
        let (probes, gone) = (&probes, &gone);
        scope.spawn(move || {
            first.send(1).unwrap();
            probes[0].write();
            drop(first);
            gone.wait();
        });
        scope.spawn(move || {
            gone.wait();
            probes[1].write();
            drop(sender);
        });
        scope.spawn(move || {
            assert_eq!(receiver.iter().count(), 1);
            probes.iter().for_each(|probe| probe.write());
        });
    });
}

#[test]
fn by_room_in_a_channel() {
    let probe = Probe::new();
    let (sender, receiver) = sync_channel(2);
    thread::scope(|scope| {
        let probe = &probe;
        scope.spawn(move || {
            (0..3).for_each(|i| sender.send(i).unwrap());
            // There was room for the third because the first was received.
            probe.write();
        });
        probe.write();
        (0..3).for_each(|i| assert_eq!(receiver.recv(), Ok(i)));
    });
}

#[test]
fn by_handing_over() {
    let probe = Probe::new();
    let (sender, receiver) = sync_channel(0);
    thread::scope(|scope| {
        let probe = &probe;
        scope.spawn(move || {
            sender.send(1).unwrap();
            probe.write();
        });
        probe.write();
        receiver.recv().unwrap();
    });
}

#[test]
fn by_a_barrier() {
    let (probes, barrier) = ([Probe::new(), Probe::new(), Probe::new()], Barrier::new(3));
    thread::scope(|scope| {
        for i in 0..3 {
            let (probes, barrier) = (&probes, &barrier);
            scope.spawn(move || {
                for round in 0..4 {
                    probes[(i + round) % 3].write();
                    barrier.wait();
                    probes.iter().for_each(|probe| probe.read());
                    barrier.wait();
                }
            });
        }
    });
}

#[test]
fn by_a_once() {
    let (probe, once) = (Probe::new(), Once::new());
    thread::scope(|scope| {
        for i in 0..6 {
            let (probe, once) = (&probe, &once);
            scope.spawn(move || {
                match i {
                    0 => once.wait(),
                    1 => while !once.is_completed() {},
                    2 => once.call_once_force(|_| probe.write()),
                    _ => once.call_once(|| probe.write()),
                }
                probe.read();
            });
        }
    });
}

#[test]
fn by_a_once_lock() {
    let (probe, mut cell) = (Probe::new(), OnceLock::new());
    for _ in 0..2 {
        thread::scope(|scope| {
            for i in 0..6 {
                let (probe, cell) = (&probe, &cell);
                scope.spawn(move || {
                    match i {
                        0 => drop(cell.wait()),
                        1 => while cell.get().is_none() {},
                        2 => drop(cell.set(())),
                        _ => drop(cell.get_or_init(|| probe.write())),
                    }
                    probe.read();
                });
            }
        });
        // A new life, for which the old looks do not count.
        cell.take();
    }
}

#[test]
fn by_a_lazy_lock() {
    let probe = Probe::new();
    let lazy = LazyLock::new(|| {
        probe.write();
        &probe
    });
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..3).for_each(|_| lazy.read()));
        }
    });
    lazy.write();
}

#[test]
fn by_unpark() {
    let probe = Probe::new();
    // Says that there was an unpark, and is not to be seen.
    let unparked = std::sync::atomic::AtomicBool::new(false);
    thread::scope(|scope| {
        let parked = scope.spawn(|| {
            loop {
                thread::park();
                if unparked.load(SeqCst) {
                    break;
                }
            }
            probe.write();
        });
        probe.write();
        unparked.store(true, SeqCst);
        parked.thread().unpark();
    });
    let main = thread::current();
    // The end of a scope is an unpark too, of which std may leave something behind.
    std::thread::park_timeout(std::time::Duration::ZERO);
    thread::scope(|scope| {
        scope.spawn(|| {
            probe.write();
            main.unpark();
        });
        thread::park();
        probe.write();
    });
}

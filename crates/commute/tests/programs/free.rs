//! Programs whose accesses are not ordered, and that we must not order.

use super::*;

#[test]
fn of_everything() {
    let probe = Probe::new();
    thread::scope(|scope| {
        scope.spawn(|| probe.write());
        probe.write();
    });
}

#[test]
fn of_other_readers() {
    let lock = RwLock::new(Probe::new());
    thread::scope(|scope| {
        scope.spawn(|| lock.read().unwrap().write());
        scope.spawn(|| lock.read().unwrap().write());
    });
}

#[test]
fn of_others_who_arrive() {
    let (probe, barrier) = (Probe::new(), Barrier::new(2));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                probe.write();
                barrier.wait();
            });
        }
    });
}

#[test]
fn of_others_who_look() {
    let (probe, once) = (Probe::new(), Once::new());
    once.call_once(|| ());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                probe.write();
                once.call_once(|| ());
                probe.write();
            });
        }
    });
}

#[test]
fn of_others_who_unpark() {
    let probe = Probe::new();
    let main = thread::current();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                probe.write();
                main.unpark();
            });
        }
        thread::park();
    });
}

/// The sender does not wait for the receiver while there is room.
#[test]
fn of_messages_on_their_way() {
    let probe = Probe::new();
    let (sender, receiver) = sync_channel(2);
    let sent = Unseen::new(2);
    thread::scope(|scope| {
        let (probe, sent) = (&probe, &sent);
        scope.spawn(move || {
            sender.send(1).unwrap();
            probe.write();
            sender.send(2).unwrap();
            sent.wait();
        });
        sent.wait();
        receiver.recv().unwrap();
        probe.write();
        receiver.recv().unwrap();
    });
}

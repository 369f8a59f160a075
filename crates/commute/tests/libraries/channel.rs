//! What people do with channels.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

use super::library::channel::{
    Receiver, RecvError, RecvTimeoutError, Select, SendError, SendTimeoutError, Sender,
    TryRecvError, TrySendError, after, at, bounded, never, select, select_biased, tick, unbounded,
};

const SHORT: Duration = Duration::from_millis(2);

pub(crate) fn main() {
    one_thread();
    without_room();
    time();
    ends();
    many_to_many();
    over_and_over();
    selecting();
    selecting_and_taking_later();
    selecting_on_both_sides();
    selecting_in_a_crowd();
}

fn one_thread() {
    let (sender, receiver): (Sender<u32>, Receiver<u32>) = bounded(2);
    assert_eq!((sender.capacity(), receiver.capacity()), (Some(2), Some(2)));
    sender.send(1).unwrap();
    sender.try_send(2).unwrap();
    assert!(sender.is_full() && receiver.len() == 2);
    assert_eq!(sender.try_send(3), Err(TrySendError::Full(3)));
    let late = sender.send_timeout(3, SHORT);
    assert_eq!(late, Err(SendTimeoutError::Timeout(3)));
    assert_eq!(receiver.recv(), Ok(1));
    assert_eq!(receiver.try_recv(), Ok(2));
    assert_eq!(receiver.try_recv(), Err(TryRecvError::Empty));
    let late = receiver.recv_timeout(SHORT);
    assert_eq!(late, Err(RecvTimeoutError::Timeout));
    let late = receiver.recv_deadline(Instant::now());
    assert_eq!(late, Err(RecvTimeoutError::Timeout));
    assert!(receiver.is_empty() && sender.is_empty() && !receiver.is_full());
    assert!(sender.same_channel(&sender.clone()));
    assert!(receiver.same_channel(&receiver.clone()));
    assert_eq!(
        format!("{sender:?} {receiver:?}"),
        "Sender { .. } Receiver { .. }"
    );
}

fn without_room() {
    let (sender, receiver) = bounded(0);
    assert_eq!(sender.try_send(0), Err(TrySendError::Full(0)));
    assert_eq!(receiver.try_recv(), Err(TryRecvError::Empty));
    let late = sender.send_deadline(0, Instant::now() + SHORT);
    assert_eq!(late, Err(SendTimeoutError::Timeout(0)));
    thread::scope(|scope| {
        let others = receiver.clone();
        scope.spawn(move || {
            while others.recv().is_ok() {
                thread::yield_now();
            }
        });
        scope.spawn(move || {
            let until = Instant::now() + Duration::from_millis(20);
            while Instant::now() < until {
                let _ = receiver.try_recv();
                let _ = receiver.recv_timeout(Duration::from_micros(50));
            }
        });
        for n in 1..200 {
            sender.send(n).unwrap();
            let _ = sender.send_timeout(n, Duration::from_micros(20));
        }
        drop(sender);
    });
}

fn time() {
    let start = Instant::now();
    assert!(after(SHORT).recv().unwrap() >= start + SHORT);
    assert!(at(start).recv().is_ok());
    let ticks = tick(SHORT);
    assert!(ticks.recv().unwrap() < ticks.clone().recv().unwrap());
    assert_eq!(never::<u8>().try_recv(), Err(TryRecvError::Empty));
}

fn ends() {
    let (sender, receiver) = unbounded();
    sender.clone().send("a").unwrap();
    drop(sender);
    assert_eq!(receiver.recv(), Ok("a"));
    assert_eq!(receiver.recv(), Err(RecvError));
    assert_eq!(receiver.try_recv(), Err(TryRecvError::Disconnected));
    let over = receiver.recv_timeout(SHORT);
    assert_eq!(over, Err(RecvTimeoutError::Disconnected));
    let (sender, receiver) = unbounded();
    drop((receiver.clone(), receiver));
    assert_eq!(sender.send(1), Err(SendError(1)));
    assert_eq!(sender.try_send(1), Err(TrySendError::Disconnected(1)));
    let (sender, receiver) = bounded(1);
    thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(SHORT);
            drop(receiver);
        });
        sender.send(1).unwrap();
        assert!(sender.send(2).is_err());
    });
}

fn many_to_many() {
    for capacity in [None, Some(3), Some(0)] {
        let (sender, receiver) = capacity.map_or_else(unbounded, bounded);
        let sum: u64 = thread::scope(|scope| {
            for thread in 0..3 {
                let sender = sender.clone();
                scope.spawn(move || {
                    for n in 0..200u64 {
                        sender.send(n * 3 + thread).unwrap();
                    }
                });
            }
            drop(sender);
            let polling = receiver.clone();
            let polling = scope.spawn(move || {
                let mut sum = 0;
                loop {
                    match polling.try_recv() {
                        Ok(n) => sum += n,
                        Err(TryRecvError::Empty) => thread::sleep(Duration::from_micros(100)),
                        Err(TryRecvError::Disconnected) => return sum,
                    }
                }
            });
            let waiting = receiver.clone();
            let waiting = scope.spawn(move || waiting.into_iter().sum::<u64>());
            let mine: u64 = receiver.iter().sum();
            mine + polling.join().unwrap() + waiting.join().unwrap()
        });
        assert_eq!(sum, (0..600).sum::<u64>());
        assert_eq!(receiver.try_iter().count(), 0);
    }
}

fn over_and_over() {
    for _ in 0..50 {
        let (sender, receiver) = unbounded::<u32>();
        thread::scope(|scope| {
            let other = sender.clone();
            scope.spawn(move || {
                let _ = other.send(1);
            });
            scope.spawn(move || {
                let _ = sender.send(2);
            });
            scope.spawn(move || {
                let _ = receiver.recv();
            });
        });
    }
}

fn selecting() {
    let (sender, receiver) = unbounded();
    let (full, other) = bounded(1);
    sender.send(1).unwrap();
    full.send("a").unwrap();
    let got = select! {
        recv(receiver) -> message => message.unwrap(),
        send(full, "b") -> _ => unreachable!(),
        recv(never::<u8>()) -> _ => unreachable!(),
    };
    assert_eq!(got, 1);
    select_biased! {
        recv(receiver) -> _ => panic!("there is none"),
        recv(&other) -> message => { assert_eq!(message, Ok("a")) }
        default => unreachable!(),
    }
    let mut sent = false;
    while !sent {
        select! {
            send(full, "c") -> result => sent = result.is_ok(),
            default(SHORT) => unreachable!(),
        }
    }
    let nothing = select! {
        recv(receiver) -> _ => false,
        default => true
    };
    assert!(nothing);
    let start = Instant::now();
    select! {
        recv(receiver) -> _ => unreachable!(),
        recv(after(SHORT)) -> now => assert!(now.unwrap() >= start),
    }
    drop((sender, other));
    select! {
        recv(receiver) -> message => assert!(message.is_err()),
    }
    select! { send(full, "d") -> result => assert_eq!(result, Err(SendError("d"))) }
    by_hand();
}

fn by_hand() {
    let (sender, receiver) = bounded(1);
    let mut select = Select::new();
    let receives = select.recv(&receiver);
    assert!(select.try_select().is_err() && select.try_ready().is_err());
    assert!(select.select_timeout(SHORT).is_err());
    let sends = select.send(&sender);
    assert_eq!(select.ready(), sends);
    let operation = select.select();
    assert_eq!(operation.index(), sends);
    operation.send(&sender, 5).unwrap();
    let operation = select.select();
    assert_eq!(operation.index(), receives);
    assert_eq!(operation.recv(&receiver), Ok(5));
    select.remove(sends);
    assert!(select.ready_timeout(SHORT).is_err());
}

/// Each thread sends on one channel without room and receives on the other.
/// A selection has what it selected, whatever others do before it takes it.
fn selecting_and_taking_later() {
    let timer = after(Duration::ZERO);
    let other = timer.clone();
    let (mut one, mut two) = (Select::new(), Select::new());
    one.recv(&timer);
    two.recv(&other);
    let selected = one.select();
    assert!(two.try_select().is_err(), "there is one message");
    assert!(selected.recv(&timer).is_ok());

    let (sender, receiver) = bounded(0);
    let is_selected = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            loop {
                match receiver.recv_timeout(Duration::from_millis(100)) {
                    Ok(message) => break assert_eq!(message, 7),
                    // A receiver that was chosen to get a message waits for it; until one
                    // is, its time may run out.
                    Err(_) => assert!(!is_selected.load(SeqCst)),
                }
            }
        });
        let mut select = Select::new();
        select.send(&sender);
        let selected = select.select();
        is_selected.store(true, SeqCst);
        thread::sleep(Duration::from_millis(200));
        assert_eq!(selected.send(&sender, 7), Ok(()));
    });
}

fn selecting_on_both_sides() {
    let ((to, from), (back_to, back_from)) = (bounded(0), bounded(0));
    thread::scope(|scope| {
        for (to, from) in [(to, back_from), (back_to, from)] {
            scope.spawn(move || {
                let (mut sent, mut received) = (0, 0);
                while sent < 50 || received < 50 {
                    let to = if sent < 50 { Some(&to) } else { None };
                    match to {
                        Some(to) => select! {
                            send(to, sent) -> result => { result.unwrap(); sent += 1 }
                            recv(from) -> n => { assert_eq!(n, Ok(received)); received += 1 }
                        },
                        None => {
                            assert_eq!(from.recv(), Ok(received));
                            received += 1
                        }
                    }
                }
            });
        }
    });
}

fn selecting_in_a_crowd() {
    let (numbers, from_numbers) = bounded(2);
    let (more, from_more) = unbounded();
    let (done, is_done) = bounded::<()>(0);
    let sum: u64 = thread::scope(|scope| {
        for _ in 0..2 {
            let (numbers, more) = (numbers.clone(), more.clone());
            scope.spawn(move || {
                for n in 0..300u64 {
                    select! {
                        send(numbers, n) -> result => result.unwrap(),
                        send(more, n) -> result => result.unwrap(),
                    }
                }
            });
        }
        drop((numbers, more));
        let threads: Vec<_> = (0..3)
            .map(|_| {
                let (one, other, is_done) =
                    (from_numbers.clone(), from_more.clone(), is_done.clone());
                scope.spawn(move || {
                    let (mut sum, mut one, mut other, mut left) = (0, one, other, 2);
                    while left > 0 {
                        select! {
                            recv(one) -> n => match n {
                                Ok(n) => sum += n,
                                Err(_) => (one, left) = (never(), left - 1),
                            },
                            recv(other) -> n => match n {
                                Ok(n) => sum += n,
                                Err(_) => (other, left) = (never(), left - 1),
                            },
                            recv(is_done) -> _ => unreachable!(),
                        }
                    }
                    sum
                })
            })
            .collect();
        let sum = threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .sum();
        drop(done);
        sum
    });
    assert_eq!(sum, 2 * (0..300).sum::<u64>());
}

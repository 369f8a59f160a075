//! What people do with channels.

use std::thread;
use std::time::{Duration, Instant};

use super::library::channel::{
    Receiver, RecvError, RecvTimeoutError, SendError, SendTimeoutError, Sender, TryRecvError,
    TrySendError, after, at, bounded, never, tick, unbounded,
};

const SHORT: Duration = Duration::from_millis(2);

pub(crate) fn main() {
    one_thread();
    without_room();
    time();
    ends();
    many_to_many();
    over_and_over();
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
            let mut sum = 0;
            while let Ok(n) = others.recv() {
                sum += n;
                thread::yield_now();
            }
            assert!(sum > 0);
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
                    for n in 0..500u64 {
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
                        Err(TryRecvError::Empty) => thread::yield_now(),
                        Err(TryRecvError::Disconnected) => return sum,
                    }
                }
            });
            let waiting = receiver.clone();
            let waiting = scope.spawn(move || waiting.into_iter().sum::<u64>());
            let mine: u64 = receiver.iter().sum();
            mine + polling.join().unwrap() + waiting.join().unwrap()
        });
        assert_eq!(sum, (0..1500).sum());
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

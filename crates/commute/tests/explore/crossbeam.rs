//! Channels of crossbeam.

mod handed;
mod selected;
mod timed;

use std::time::Duration;

use commute::crossbeam::channel::{
    RecvTimeoutError, SendTimeoutError, TryRecvError, TrySendError, bounded, unbounded,
};
use commute::thread;

use crate::seen::{outcomes, seen};

#[test]
fn messages_of_two_senders_come_in_two_orders() {
    let count = outcomes(|| {
        let (sender, receiver) = unbounded();
        let other = sender.clone();
        let first = thread::spawn(move || sender.send(1).unwrap());
        let second = thread::spawn(move || other.send(2).unwrap());
        let mut all: Vec<i32> = receiver.iter().collect();
        all.sort_unstable();
        assert_eq!(all, [1, 2]);
        first.join().unwrap();
        second.join().unwrap();
    });
    assert_eq!(count, 2);
}

#[test]
fn either_of_two_receivers_gets_the_message() {
    let count = outcomes(|| {
        let (sender, receiver) = unbounded();
        let other = receiver.clone();
        let first = thread::spawn(move || receiver.recv().is_ok());
        let second = thread::spawn(move || other.recv().is_ok());
        sender.send(7).unwrap();
        drop(sender);
        let got = (first.join().unwrap(), second.join().unwrap());
        assert!(got.0 != got.1);
    });
    assert_eq!(count, 2);
}

#[test]
fn two_receivers_that_expect_the_only_message_wait_for_ever() {
    let seen = seen(|| {
        let (sender, receiver) = unbounded();
        let other = receiver.clone();
        let thread = thread::spawn(move || other.recv().unwrap());
        sender.send(7).unwrap();
        receiver.recv().unwrap();
        thread.join().unwrap();
    });
    // Whoever gets it, the other waits for the sender, which is still there.
    assert_eq!((seen.outcomes, seen.deadlocks, seen.leaks), (2, 2, 0));
}

#[test]
fn two_receivers_share_two_messages_in_any_way() {
    let count = outcomes(|| {
        let (sender, receiver) = unbounded();
        let other = receiver.clone();
        let thread = thread::spawn(move || other.iter().sum::<i32>());
        sender.send(1).unwrap();
        sender.send(2).unwrap();
        drop(sender);
        let here: i32 = receiver.iter().sum();
        assert_eq!(here + thread.join().unwrap(), 3);
    });
    // Each message is got here or there.
    assert_eq!(count, 4);
}

#[test]
fn whether_there_is_a_message_depends() {
    let count = outcomes(|| {
        let (sender, receiver) = unbounded();
        let thread = thread::spawn(move || sender.send(1).unwrap());
        match receiver.try_recv() {
            Ok(1) => match receiver.recv_timeout(Duration::from_secs(9)) {
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
                Ok(n) => panic!("{n}"),
            },
            Err(TryRecvError::Empty) => assert_eq!(receiver.recv(), Ok(1)),
            other => panic!("{other:?}"),
        }
        thread.join().unwrap();
    });
    // The message is there, and then the sender is gone or not; or it is not there yet.
    assert_eq!(count, 3);
}

#[test]
fn a_message_that_nobody_receives_is_lost() {
    let seen = seen(|| {
        let (sender, receiver) = unbounded();
        let thread = thread::spawn(move || sender.send(1).is_ok());
        let got = receiver.try_recv().is_ok();
        drop(receiver);
        let sent = thread.join().unwrap();
        assert!(got || !sent, "it was lost");
    });
    // Sent before it is looked for; sent in between, and lost; never sent.
    assert_eq!(seen.outcomes, 3);
    assert_eq!(seen.failures.values().sum::<u64>(), 1);
    assert!(
        seen.failures
            .keys()
            .all(|text| text.contains("it was lost"))
    );
}

#[test]
fn messages_that_nobody_receives_are_dropped_with_the_last_receiver() {
    let count = outcomes(|| {
        let (requests, server) = unbounded();
        let (answer, answers) = unbounded::<i32>();
        let thread = thread::spawn(move || drop(server));
        // Whether the request comes too late or not, nobody answers it.
        let _ = requests.send(answer);
        assert!(answers.recv().is_err());
        thread.join().unwrap();
    });
    assert_eq!(count, 2);
}

#[test]
fn a_full_channel_is_waited_for_or_not() {
    let count = outcomes(|| {
        let (sender, receiver) = bounded(1);
        sender.send(1).unwrap();
        let thread = thread::spawn(move || {
            let full = sender.is_full();
            let sent = sender.send_timeout(2, Duration::from_secs(9));
            match sent {
                Err(SendTimeoutError::Timeout(2)) => assert!(full),
                sent => sent.unwrap(),
            }
        });
        assert_eq!(receiver.recv(), Ok(1));
        thread.join().unwrap();
        let _ = receiver.recv();
    });
    // It was full and stayed so; it was, and then was not; it was not.
    assert_eq!(count, 3);
}

#[test]
fn a_full_channel_that_nobody_empties_is_a_deadlock() {
    let seen = seen(|| {
        let (sender, receiver) = bounded(1);
        let thread = thread::spawn(move || receiver.recv().map(|_| receiver));
        sender.send(1).unwrap();
        sender.send(2).unwrap();
        sender.send(3).unwrap();
        let _ = thread.join();
    });
    assert_eq!((seen.outcomes, seen.deadlocks), (1, 1));
}

#[test]
fn a_receiver_that_takes_one_message_may_be_gone_before_the_next() {
    let seen = seen(|| {
        let (sender, receiver) = bounded(1);
        let thread = thread::spawn(move || receiver.recv().unwrap());
        sender.send(1).unwrap();
        sender.send(2).unwrap();
        let _ = sender.try_send(3);
        thread.join().unwrap();
    });
    // The second message comes before the receiver is gone, or fails. After it the channel
    // is full, or the receiver is gone.
    assert_eq!(seen.failures.values().sum::<u64>(), 1);
    assert_eq!((seen.outcomes, seen.deadlocks), (3, 0));
}

#[test]
fn how_many_there_are_is_told() {
    let count = outcomes(|| {
        let (sender, receiver) = unbounded();
        let thread = thread::spawn(move || {
            sender.send(1).unwrap();
            sender.send(2).unwrap();
        });
        assert!(receiver.len() <= 2);
        thread.join().unwrap();
        assert!(!receiver.is_empty() && !receiver.is_full());
        assert_eq!(receiver.try_iter().count(), 2);
    });
    assert_eq!(count, 3);
}

#[test]
fn a_loop_that_looks_for_a_message_waits() {
    let count = outcomes(|| {
        let (sender, receiver) = unbounded();
        let thread = thread::spawn(move || sender.send(1).unwrap());
        while receiver.is_empty() {
            thread::yield_now();
        }
        while receiver.try_recv() != Ok(1) {
            thread::yield_now();
        }
        thread.join().unwrap();
    });
    assert_eq!(count, 1);
}

#[test]
fn what_one_thread_does_is_what_the_original_does() {
    let count = outcomes(|| {
        let (sender, receiver) = bounded(1);
        assert_eq!((sender.capacity(), receiver.capacity()), (Some(1), Some(1)));
        assert_eq!(sender.try_send(1), Ok(()));
        assert_eq!(sender.try_send(2), Err(TrySendError::Full(2)));
        assert_eq!((sender.len(), receiver.is_full()), (1, true));
        let (another, other) = (sender.clone(), receiver.clone());
        drop((sender, receiver));
        assert_eq!(other.recv(), Ok(1));
        assert_eq!(other.try_recv(), Err(TryRecvError::Empty));
        drop(another);
        assert_eq!(other.try_recv(), Err(TryRecvError::Disconnected));
        assert!(other.recv().is_err());
        let (sender, receiver) = unbounded();
        drop(receiver);
        assert_eq!(sender.try_send(3), Err(TrySendError::Disconnected(3)));
        assert_eq!(sender.send(4).unwrap_err().0, 4);
    });
    assert_eq!(count, 1);
}

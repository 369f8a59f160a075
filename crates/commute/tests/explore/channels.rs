//! Channels.

use std::time::Duration;

use commute::sync::mpsc::{RecvTimeoutError, TryRecvError, TrySendError, channel, sync_channel};
use commute::thread;

use crate::seen::{outcomes, seen};

#[test]
fn messages_of_two_senders_come_in_two_orders() {
    let count = outcomes(|| {
        let (sender, receiver) = channel();
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
fn what_cannot_be_shown_is_told_apart_by_who_sent_it() {
    let count = outcomes(|| {
        let (sender, receiver) = channel();
        let other = sender.clone();
        let first = thread::spawn(move || sender.send(vec![1]).unwrap());
        let second = thread::spawn(move || other.send(vec![1]).unwrap());
        assert_eq!(receiver.into_iter().count(), 2);
        first.join().unwrap();
        second.join().unwrap();
    });
    assert_eq!(count, 2);
}

#[test]
fn whether_there_is_a_message_depends() {
    let count = outcomes(|| {
        let (sender, receiver) = channel();
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
fn a_full_channel_is_waited_for() {
    let count = outcomes(|| {
        let (sender, receiver) = sync_channel(1);
        let thread = thread::spawn(move || {
            sender.send(1).unwrap();
            sender.send(2).unwrap();
        });
        assert_eq!(receiver.recv(), Ok(1));
        assert_eq!(receiver.recv(), Ok(2));
        assert!(receiver.recv().is_err());
        thread.join().unwrap();
    });
    assert_eq!(count, 1);
}

#[test]
fn a_send_to_nobody_fails() {
    let count = outcomes(|| {
        let (sender, receiver) = sync_channel(1);
        assert_eq!(sender.try_send(1), Ok(()));
        assert_eq!(sender.try_send(2), Err(TrySendError::Full(2)));
        drop(receiver);
        assert_eq!(sender.try_send(3), Err(TrySendError::Disconnected(3)));
        assert_eq!(sender.send(4).unwrap_err().0, 4);
    });
    assert_eq!(count, 1);
}

#[test]
fn without_room_a_sender_waits_until_its_message_is_taken() {
    let count = outcomes(|| {
        let (sender, receiver) = sync_channel(0);
        let thread = thread::spawn(move || sender.send(7));
        assert_eq!(receiver.recv(), Ok(7));
        assert_eq!(thread.join().unwrap(), Ok(()));
    });
    assert_eq!(count, 1);
}

#[test]
fn without_room_a_message_that_nobody_takes_comes_back() {
    let count = outcomes(|| {
        let (sender, receiver) = sync_channel(0);
        let thread = thread::spawn(move || sender.send("x".to_owned()).unwrap_err().0);
        drop(receiver);
        assert_eq!(thread.join().unwrap(), "x");
    });
    assert_eq!(count, 2);
}

#[test]
fn a_receive_that_nobody_answers_is_a_deadlock() {
    let seen = seen(|| {
        let (sender, receiver) = channel::<i32>();
        let _ = receiver.recv();
        drop(sender);
    });
    assert_eq!((seen.deadlocks, seen.leaks), (1, 0));
}

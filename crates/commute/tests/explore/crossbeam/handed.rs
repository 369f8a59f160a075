//! Channels without room.

use std::time::Duration;

use commute::crossbeam::channel::{RecvTimeoutError, TryRecvError, bounded};
use commute::thread;

use crate::seen::{outcomes, seen, seen_by_outcomes};

#[test]
fn a_sender_waits_until_its_message_is_taken() {
    let count = outcomes(|| {
        let (sender, receiver) = bounded(0);
        assert!(sender.is_empty() && sender.is_full());
        let thread = thread::spawn(move || sender.send(7));
        assert_eq!(receiver.recv(), Ok(7));
        assert_eq!(thread.join().unwrap(), Ok(()));
    });
    assert_eq!(count, 1);
}

#[test]
fn a_message_to_nobody_is_waited_for_for_ever() {
    let seen = seen(|| {
        let (sender, receiver) = bounded(0);
        sender.send(1).unwrap();
        receiver.recv().unwrap();
    });
    assert_eq!((seen.outcomes, seen.deadlocks), (1, 1));
}

#[test]
fn two_that_both_send_first_wait_for_ever() {
    let seen = seen(|| {
        let (there, other_end) = bounded(0);
        let (back, here) = bounded(0);
        let thread = thread::spawn(move || {
            back.send(1).unwrap();
            other_end.recv().unwrap();
        });
        there.send(2).unwrap();
        here.recv().unwrap();
        thread.join().unwrap();
    });
    assert_eq!((seen.outcomes, seen.deadlocks), (1, 1));
}

#[test]
fn a_message_that_nobody_takes_comes_back() {
    let count = outcomes(|| {
        let (sender, receiver) = bounded(0);
        let thread = thread::spawn(move || sender.send("x".to_owned()).unwrap_err().0);
        drop(receiver);
        assert_eq!(thread.join().unwrap(), "x");
    });
    // The receiver is gone before it is offered, or later.
    assert_eq!(count, 2);
}

#[test]
fn who_does_not_wait_meets_only_who_waits() {
    let count = outcomes(|| {
        let (sender, receiver) = bounded(0);
        let thread = thread::spawn(move || match sender.try_send(1) {
            Ok(()) => {}
            Err(error) => sender.send(error.into_inner() + 1).unwrap(),
        });
        assert!(matches!(receiver.recv(), Ok(1 | 2)));
        thread.join().unwrap();
    });
    assert_eq!(count, 2);
}

#[test]
fn who_waits_a_while_may_be_met() {
    let count = outcomes(|| {
        let (sender, receiver) = bounded(0);
        let thread = thread::spawn(move || sender.try_send(1).is_ok());
        let got = receiver.recv_timeout(Duration::from_secs(1));
        assert_eq!(thread.join().unwrap(), got.is_ok());
        assert!(matches!(
            got,
            Ok(1) | Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected)
        ));
    });
    // It is met; or not, and then the sender is still there when the time is over, or not.
    assert_eq!(count, 3);
}

#[test]
fn two_that_do_not_wait_never_meet() {
    let count = outcomes(|| {
        let (sender, receiver) = bounded(0);
        let thread = thread::spawn(move || sender.try_send(1).unwrap_err());
        let error = receiver.try_recv().unwrap_err();
        assert!(matches!(
            error,
            TryRecvError::Empty | TryRecvError::Disconnected
        ));
        thread.join().unwrap();
    });
    assert_eq!(count, 2);
}

#[test]
fn a_message_goes_to_who_was_waiting_for_it() {
    let count = outcomes(|| {
        let (sender, receiver) = bounded(0);
        let other = receiver.clone();
        let thread = thread::spawn(move || other.recv());
        // If it is sent, somebody waited, and nobody else gets it.
        if sender.try_send(1).is_ok() {
            assert_eq!(receiver.try_recv(), Err(TryRecvError::Empty));
            assert_eq!(thread.join().unwrap(), Ok(1));
        } else {
            drop(sender);
            assert!(thread.join().unwrap().is_err());
        }
    });
    assert_eq!(count, 2);
}

#[test]
fn two_receivers_and_two_senders_meet_in_any_way() {
    let seen = seen_by_outcomes(|| {
        let (sender, receiver) = bounded(0);
        let (sender2, receiver2) = (sender.clone(), receiver.clone());
        let threads = [
            thread::spawn(move || sender.send(1).map(|()| 0).unwrap()),
            thread::spawn(move || sender2.send(2).map(|()| 0).unwrap()),
            thread::spawn(move || receiver.recv().unwrap()),
        ];
        let here = receiver2.recv().unwrap();
        let there: i32 = threads.map(|thread| thread.join().unwrap()).iter().sum();
        assert_eq!(here + there, 3);
    });
    assert_eq!((seen.because, seen.failures.len()), (None, 0));
    assert_eq!((seen.outcomes, seen.deadlocks), (2, 0));
}

#[test]
fn one_of_two_receivers_is_met() {
    let count = outcomes(|| {
        let (sender, receiver) = bounded(0);
        let other = receiver.clone();
        let thread = thread::spawn(move || other.recv().is_ok());
        let sends = thread::spawn(move || sender.send(1).unwrap());
        assert_ne!(receiver.recv().is_ok(), thread.join().unwrap());
        sends.join().unwrap();
    });
    assert_eq!(count, 2);
}

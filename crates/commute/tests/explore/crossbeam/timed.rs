//! Channels of time, and of nothing.

use std::time::{Duration, Instant};

use commute::crossbeam::channel::{TryRecvError, after, at, never, select, tick};
use commute::thread;

use crate::seen::{outcomes, seen};

const A_WHILE: Duration = Duration::from_secs(60);

#[test]
fn a_timer_has_come_or_not() {
    let count = outcomes(|| {
        let timer = after(A_WHILE);
        if timer.try_recv() == Err(TryRecvError::Empty) {
            timer.recv().unwrap();
        }
        assert_eq!(timer.try_recv(), Err(TryRecvError::Empty));
    });
    assert_eq!(count, 2);
}

#[test]
fn a_timer_that_comes_at_once_has_come() {
    let count = outcomes(|| {
        assert!(after(Duration::ZERO).try_recv().is_ok());
        assert!(at(Instant::now()).try_recv().is_ok());
    });
    assert_eq!(count, 1);
}

#[test]
fn a_timer_comes_once() {
    let seen = seen(|| {
        let timer = after(A_WHILE);
        timer.recv().unwrap();
        let _ = timer.recv();
    });
    assert_eq!((seen.outcomes, seen.deadlocks), (1, 1));
}

#[test]
fn nothing_never_comes() {
    let seen = seen(|| {
        let nothing = never::<u8>();
        assert_eq!(nothing.try_recv(), Err(TryRecvError::Empty));
        let _ = nothing.recv();
    });
    assert_eq!((seen.outcomes, seen.deadlocks), (1, 1));
}

#[test]
fn time_may_be_over_before_there_is_a_message() {
    let count = outcomes(|| {
        let (sender, receiver) = commute::crossbeam::channel::unbounded();
        let thread = thread::spawn(move || sender.send(1).is_ok());
        let got = select! {
            recv(receiver) -> message => message.unwrap(),
            recv(after(A_WHILE)) -> _ => 0,
        };
        drop(receiver);
        assert!(thread.join().unwrap() || got == 0);
    });
    // The message is first; or the time, and then it is sent to nobody or not.
    assert_eq!(count, 3);
}

#[test]
fn what_never_ends_is_not_explored() {
    let because = seen(|| {
        let ticks = tick(A_WHILE);
        let _ = ticks.try_recv();
    })
    .because;
    assert!(because.unwrap().contains("`crossbeam::channel::tick`"));
    let because = seen(|| {
        let ticks = tick(A_WHILE);
        let nothing = never::<u8>();
        select! {
            recv(ticks) -> _ => {},
            recv(nothing) -> _ => {},
        }
    })
    .because;
    assert!(because.unwrap().contains("`crossbeam::channel::tick`"));
}

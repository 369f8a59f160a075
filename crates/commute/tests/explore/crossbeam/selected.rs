//! Selections.

use std::time::Duration;

use commute::crossbeam::channel::{
    Receiver, Select, Sender, bounded, never, select, select_biased, unbounded,
};
use commute::thread;

use crate::seen::{outcomes, seen, seen_by_outcomes};

/// The number of outcomes of a program that has too many interleavings for other engines.
#[track_caller]
fn outcomes_of_many(body: impl Fn() + 'static) -> u64 {
    let seen = seen_by_outcomes(body);
    assert_eq!((seen.because, seen.deadlocks, seen.leaks), (None, 0, 0));
    assert!(seen.failures.is_empty(), "{:?}", seen.failures);
    seen.outcomes
}

/// Two channels, and a message in each.
fn both_ready() -> [(Sender<i32>, Receiver<i32>); 2] {
    let channels = [unbounded(), unbounded()];
    for (number, (sender, _)) in channels.iter().enumerate() {
        sender.send(number as i32).unwrap();
    }
    channels
}

#[test]
fn either_of_two_that_are_ready_is_chosen() {
    let count = outcomes(|| {
        let [(_one, ones), (_two, twos)] = both_ready();
        let got = select! {
            recv(ones) -> got => got.unwrap(),
            recv(twos) -> got => got.unwrap(),
        };
        let left = [ones.len(), twos.len()];
        assert_eq!(left, if got == 0 { [0, 1] } else { [1, 0] });
    });
    assert_eq!(count, 2);
}

#[test]
fn any_of_three_is_chosen_and_then_any_of_two() {
    let count = outcomes_of_many(|| {
        let [(_one, ones), (_two, twos)] = both_ready();
        let (three, threes) = unbounded();
        three.send(2).unwrap();
        let mut all = vec![ones, twos, threes];
        while all.len() > 1 {
            let mut select = Select::new();
            for receiver in &all {
                select.recv(receiver);
            }
            let chosen = select.select();
            let index = chosen.index();
            chosen.recv(&all[index]).unwrap();
            all.remove(index);
        }
    });
    assert_eq!(count, 6);
}

#[test]
fn what_comes_first_is_preferred_if_that_is_asked_for() {
    let count = outcomes(|| {
        let [(_one, ones), (_two, twos)] = both_ready();
        for expected in [0, 1] {
            let got = select_biased! {
                recv(ones) -> got => got.unwrap(),
                recv(twos) -> got => got.unwrap(),
            };
            assert_eq!(got, expected);
        }
    });
    assert_eq!(count, 1);
}

#[test]
fn what_is_not_ready_is_waited_for() {
    let count = outcomes(|| {
        let (sender, receiver) = unbounded();
        let nothing = never::<i32>();
        let thread = thread::spawn(move || sender.send(1).unwrap());
        select! {
            recv(nothing) -> _ => panic!("it never comes"),
            recv(receiver) -> got => assert_eq!(got, Ok(1)),
        }
        select_biased! {
            recv(nothing) -> _ => panic!("it never comes"),
            recv(receiver) -> got => assert!(got.is_err()),
        }
        thread.join().unwrap();
    });
    // The second selection looks first, and the sender is gone then or not.
    assert_eq!(count, 2);
}

#[test]
fn a_selection_of_which_nothing_comes_is_a_deadlock() {
    let seen = seen(|| {
        let (_sender, receiver) = unbounded::<i32>();
        let (full, _receiver) = bounded(1);
        full.send(1).unwrap();
        select! {
            recv(receiver) -> _ => {},
            send(full, 2) -> _ => {},
        }
    });
    assert_eq!((seen.outcomes, seen.deadlocks, seen.leaks), (1, 1, 0));
}

#[test]
fn a_message_is_sent_where_there_is_room_first() {
    let count = outcomes(|| {
        let (one, ones) = bounded(1);
        let (two, twos) = bounded(1);
        let thread = thread::spawn(move || {
            let mut got = Vec::new();
            for _ in 0..2 {
                select! {
                    send(one, 1) -> sent => sent.unwrap(),
                    send(two, 2) -> sent => sent.unwrap(),
                }
            }
            drop((one, two));
            got.extend(ones.iter().chain(twos.iter()));
            got
        });
        assert_eq!(thread.join().unwrap(), [1, 2]);
    });
    assert_eq!(count, 2);
}

#[test]
fn what_was_promised_a_place_comes_before_what_comes_later() {
    let count = outcomes(|| {
        let (sender, receiver) = bounded(2);
        let other = sender.clone();
        let thread = thread::spawn(move || other.send(2).unwrap());
        let nothing = never::<i32>();
        select! {
            send(sender, 1) -> sent => sent.unwrap(),
            recv(nothing) -> _ => {},
        }
        drop(sender);
        assert_eq!(receiver.iter().sum::<i32>(), 3);
        thread.join().unwrap();
    });
    assert_eq!(count, 2);
}

#[test]
fn without_waiting_nothing_may_be_ready() {
    let count = outcomes(|| {
        let (sender, receiver) = unbounded();
        let nothing = never::<i32>();
        let thread = thread::spawn(move || sender.send(1).is_ok());
        let got = select! {
            recv(receiver) -> got => got.is_ok(),
            recv(nothing) -> _ => panic!("it never comes"),
            default => false,
        };
        assert_eq!(thread.join().unwrap() && got, got);
    });
    assert_eq!(count, 2);
}

/// Of two channels one is always ready, but not when somebody looks.
#[test]
fn what_is_ready_is_not_looked_for_all_at_once() {
    let count = outcomes(|| {
        let ((one, ones), (two, twos)) = (unbounded(), unbounded());
        one.send(1).unwrap();
        let first = ones.clone();
        let thread = thread::spawn(move || {
            two.send(2).unwrap();
            let _ = first.try_recv();
            two
        });
        select! {
            recv(ones) -> _ => {},
            recv(twos) -> _ => {},
            default => {},
        }
        drop(thread.join().unwrap());
    });
    // The first, and the other thread gets none; the second, and it does; neither.
    assert_eq!(count, 3);
}

#[test]
fn a_time_may_be_over() {
    let count = outcomes(|| {
        let (sender, receiver) = unbounded();
        let (other, others) = unbounded();
        let thread = thread::spawn(move || {
            sender.send(1).unwrap();
            (sender, other.send(2).unwrap(), other)
        });
        let mut select = Select::new();
        select.recv(&receiver);
        select.recv(&others);
        match select.select_timeout(Duration::from_secs(9)) {
            Ok(chosen) if chosen.index() == 0 => drop(chosen.recv(&receiver).unwrap()),
            Ok(chosen) => drop(chosen.recv(&others).unwrap()),
            Err(_) => {}
        }
        drop(thread.join());
    });
    assert_eq!(count, 3);
}

#[test]
fn whether_something_is_ready_is_told() {
    let count = outcomes(|| {
        let (sender, receiver) = unbounded();
        let nothing = never::<i32>();
        let thread = thread::spawn(move || sender.send(1).map(|()| sender).unwrap());
        let mut select = Select::new();
        select.recv(&nothing);
        select.recv(&receiver);
        let now = select.try_ready();
        assert!(now.is_err() || now == Ok(1));
        assert_eq!(select.ready(), 1);
        assert_eq!(receiver.try_recv(), Ok(1));
        drop(thread.join().unwrap());
    });
    assert_eq!(count, 2);
}

#[test]
fn a_loop_that_looks_at_one_channel_waits() {
    let count = outcomes(|| {
        let (sender, receiver) = unbounded();
        let thread = thread::spawn(move || sender.send(1).unwrap());
        loop {
            select! {
                recv(receiver) -> got => break assert_eq!(got, Ok(1)),
                default => thread::yield_now(),
            }
        }
        thread.join().unwrap();
    });
    assert_eq!(count, 1);
}

#[test]
fn a_loop_that_looks_at_several_is_not_explored() {
    let because = seen(|| {
        let [one, two] = [never::<u8>(), never::<u8>()];
        loop {
            select! {
                recv(one) -> _ => break,
                recv(two) -> _ => break,
                default => thread::yield_now(),
            }
        }
    })
    .because;
    let because = because.unwrap();
    assert!(because.contains("found nothing ready"), "{because}");
}

#[test]
fn a_worker_that_is_told_to_stop_may_leave_something_undone() {
    let work = |drains: bool| {
        move || {
            let ((job, jobs), (stop, stops)) = (unbounded(), unbounded::<()>());
            let worker = thread::spawn(move || {
                let mut done = 0;
                loop {
                    select! {
                        recv(jobs) -> got => match got {
                            Ok(()) => done += 1,
                            Err(_) => break,
                        },
                        recv(stops) -> _ => break,
                    }
                }
                if drains {
                    done += jobs.try_iter().count();
                }
                done
            });
            job.send(()).unwrap();
            drop(stop);
            assert_eq!(worker.join().unwrap(), 1);
            drop(job);
        }
    };
    let seen = seen(work(false));
    assert_eq!((seen.because.as_deref(), seen.deadlocks), (None, 0));
    // It does the work, or sees that it is to stop before that.
    assert_eq!((seen.outcomes, seen.failures.values().sum::<u64>()), (2, 1));
    assert_eq!(outcomes(work(true)), 2);
}

mod without_room {
    use super::*;

    #[test]
    fn a_selection_meets_those_who_wait() {
        let count = outcomes_of_many(|| {
            let ((one, ones), (two, twos)) = (bounded(0), bounded(0));
            let thread = thread::spawn(move || {
                one.send(1).unwrap();
                twos.recv().unwrap()
            });
            select! {
                recv(ones) -> got => assert_eq!(got, Ok(1)),
                send(two, 2) -> _ => panic!("nobody waits for it yet"),
            }
            select! {
                recv(ones) -> got => assert!(got.is_err()),
                send(two, 2) -> sent => sent.unwrap(),
            }
            drop(two);
            assert!(matches!(thread.join(), Ok(2)));
        });
        assert_eq!(count, 1);
    }

    #[test]
    fn a_selection_sends_to_one_of_those_who_wait() {
        let count = outcomes(|| {
            let (sender, receiver) = bounded(0);
            let other = receiver.clone();
            let first = thread::spawn(move || receiver.recv().is_ok());
            let second = thread::spawn(move || other.recv().is_ok());
            select! {
                send(sender, 1) -> sent => sent.unwrap(),
            }
            drop(sender);
            assert_ne!(first.join().unwrap(), second.join().unwrap());
        });
        assert_eq!(count, 2);
    }

    #[test]
    fn a_sender_that_is_not_chosen_waits_on() {
        let count = outcomes_of_many(|| {
            let ((one, ones), (two, twos)) = (bounded(0), bounded(0));
            let first = thread::spawn(move || one.send(1).is_ok());
            let second = thread::spawn(move || two.send(2).is_ok());
            select! {
                recv(ones) -> _ => {},
                recv(twos) -> _ => {},
            }
            drop((ones, twos));
            assert_ne!(first.join().unwrap(), second.join().unwrap());
        });
        // Who is not chosen has offered its message before the receiver is gone, or not.
        assert_eq!(count, 4);
    }

    #[test]
    fn that_two_selections_meet_is_not_explored() {
        let because = seen(|| {
            let (sender, receiver) = bounded(0);
            let thread = thread::spawn(move || {
                let nothing = never::<i32>();
                select! {
                    send(sender, 1) -> sent => sent.is_ok(),
                    recv(nothing) -> _ => false,
                }
            });
            let nothing = never::<i32>();
            select! {
                recv(receiver) -> _ => {},
                recv(nothing) -> _ => {},
            }
            thread.join().unwrap();
        })
        .because;
        assert!(because.unwrap().contains("a channel without room"));
    }
}

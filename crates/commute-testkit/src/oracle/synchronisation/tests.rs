//! Small traces whose order is known.

use commute_spec::parse;

use super::*;
use crate::oracle::races;
use crate::traces::Trace;

/// An object of this type that T0 makes, then these events, one a word: `T1.acquire()`.
/// Positions count from 1, for the `new` is at 0.
fn trace(kind: &str, events: &str) -> Trace {
    let first = format!("T0|new(o:{kind})");
    let action = |word: &str| word.replacen('.', "|o.", 1);
    let lines = std::iter::once(first).chain(events.split_whitespace().map(action));
    let lines: Vec<String> = { lines.enumerate() }
        .map(|(n, line)| format!("{line}|t.rs:{n}"))
        .collect();
    Trace::parse(&lines.join("\n"))
}

fn pairs(edges: &[BTreeSet<usize>]) -> Vec<(usize, usize)> {
    let edges = edges.iter().enumerate();
    edges
        .flat_map(|(b, before)| before.iter().map(move |a| (*a, b)))
        .collect()
}

#[track_caller]
fn check(kind: &str, events: &str, expected: &[(usize, usize)]) {
    let trace = trace(kind, events);
    let found = comes_after(&trace.events, &trace.names, &Library::shipped());
    assert_eq!(pairs(&found), expected, "{kind}: {events}");
}

#[track_caller]
fn check_required(kind: &str, events: &str, expected: &[(usize, usize)]) {
    let trace = trace(kind, events);
    let found = requires(&trace.events, &trace.names, &Library::shipped());
    assert_eq!(pairs(&found), expected, "{kind}: {events}");
}

/// Checks the edges of a type that is declared here.
#[track_caller]
fn check_own(declared: &str, events: &str, expected: &[(usize, usize)]) {
    let trace = trace("own", events);
    let parsed = parse(declared);
    let mut library = Library::empty();
    for specification in parsed.specifications {
        library.insert(specification);
    }
    let found = comes_after(&trace.events, &trace.names, &library);
    assert_eq!(pairs(&found), expected, "{events}");
}

#[track_caller]
fn check_races(kind: &str, events: &str, expected: &[(u64, u64)]) {
    // Every thread is forked after the object was made.
    let threads = [1, 2, 3].map(|t| format!("T0|fork(T{t})|f.rs:{t}\n"));
    let text = trace(kind, events).text();
    let (first, rest) = text.split_once('\n').expect("a line");
    let trace = Trace::parse(&format!("{first}\n{}{rest}", threads.concat()));
    let found = races(&trace.events, &trace.names, &Library::shipped());
    let found: Vec<_> = found.iter().map(|(_, a, b)| (a - 4, b - 4)).collect();
    assert_eq!(found, expected, "{kind}: {events}");
}

#[test]
fn atomic_actions_come_after_all_earlier_ones() {
    let events = "T1.store(1) T2.load()/1 T1.load()/1";
    check("atomic", events, &[(1, 2), (1, 3), (2, 3)]);
    check_required("atomic", events, &[]);
}

#[test]
fn without_variables_all_earlier_ones_count() {
    let events = "T1.done() T3.wait() T2.done() T3.wait()";
    check("wait_group", events, &[(1, 2), (1, 4), (3, 4)]);
    let events = "T1.count_down() T2.try_wait()/false T2.try_wait()/true";
    check("latch", events, &[(1, 3)]);
}

#[test]
fn an_element_is_pending_until_it_is_taken() {
    let events = "T1.push(1) T2.push(2) T3.pop()/1 T1.push(1) T3.peek()/1 T3.pop()/1 T3.pop()/1";
    check("stack", events, &[(1, 3), (4, 5), (4, 6)]);
    // Either of two equal elements may have been taken.
    let events = "T1.push(1) T2.push(1) T3.pop()/1 T3.pop()/1 T3.peek()/1";
    check("stack", events, &[(1, 3), (2, 3), (1, 4), (2, 4)]);
    // A value that is set once is pending for ever.
    let events = "T1.complete(1)/true T2.get()/1 T3.poll()/1 T3.poll()/nil";
    check("future", events, &[(1, 2), (1, 3)]);
}

#[test]
fn an_opaque_element_may_be_any_if_none_looks_the_same() {
    let events = "T1.push(1) T2.push(?) T3.peek()/? T3.peek()/1 T3.peek()/2";
    check("stack", events, &[(2, 3), (1, 4), (2, 5)]);
    let events = "T1.complete(1)/true T2.get()/?";
    check("future", events, &[(1, 2)]);
    let events = "T1.complete(?)/true T2.get()/? T2.get()/1";
    check("future", events, &[(1, 2), (1, 3)]);
    let events = "T1.complete((1,?))/true T2.get()/(2,1) T2.get()/(1,1)";
    check("future", events, &[(1, 3)]);
}

#[test]
fn messages_are_claimed_one_by_one() {
    let events = "T1.send(1)/true T2.send(1)/true T1.send(2)/true T3.recv()/1 T3.try_recv()/1 \
                  T3.recv()/1 T3.recv()/2";
    // Three were received, so one was there before the trace: the first.
    check("channel", events, &[(1, 5), (2, 6), (3, 7)]);
    let events = "T1.close()/true T1.close()/false T2.try_recv()/'empty' T2.try_recv()/'closed'";
    check("channel", events, &[(1, 4)]);
    // To peek claims nothing.
    let events = "T1.push(1) T1.push(1) T2.peek()/1 T2.pop()/1 T2.peek()/1";
    check("queue", events, &[(1, 3), (1, 4), (2, 5)]);
    // `force_push` gives and takes; it does not take what it gives.
    let events = "T1.force_push(1)/1 T1.force_push(2)/1 T2.pop()/2";
    check("bounded_queue", events, &[(1, 2), (2, 3)]);
}

#[test]
fn an_opaque_message_is_claimed_only_by_one_that_looks_the_same() {
    let opaque = "
        type own {
          orders put(v) -> take()/v | look()/v  counting
          put(v)  mutates true
          take() -> v  mutates true
          look() -> v
        }";
    let events = "T1.put(?) T2.put(1) T3.take()/2 T3.take()/? T3.take()/?";
    check_own(opaque, events, &[(1, 3), (1, 4), (2, 5)]);
}

#[test]
fn permits_are_counted() {
    let events = "T1.release() T2.acquire() T2.acquire() T1.release() T2.try_acquire()/true \
                  T2.try_acquire()/false";
    // The third acquisition comes after the third release less the permits at first. With
    // less than one the trace is impossible.
    check("semaphore(0)", events, &[(1, 3), (4, 5)]);
    check("semaphore(1)", events, &[(1, 3), (4, 5)]);
    check("semaphore(2)", events, &[(1, 5)]);
    check("semaphore", events, &[(1, 3), (4, 5)]);
    // The trace shows that there was a permit only when it is needed.
    let events = "T2.acquire() T1.release() T2.acquire()";
    check("semaphore", events, &[(2, 3)]);
}

#[test]
fn a_look_at_a_count_counts_as_the_next_that_takes() {
    let counted = "
        type own {
          orders put() -> take() | look()  counting
          put()  mutates true
          take()  mutates true
          look()
        }";
    let events = "T3.look() T1.put() T1.put() T3.look() T2.take() T3.look() T2.take() T3.look()";
    let expected = [(2, 6), (2, 7), (3, 8)];
    check_own(counted, events, &expected);
}

#[test]
fn messages_of_one_sender_stay_in_order() {
    let events = "T1.send(1)/true T1.send(2)/true T3.recv()/1 T3.recv()/2";
    check("mpsc", events, &[(1, 3), (2, 4)]);
    check_required("mpsc", events, &[(1, 3), (2, 4), (3, 4)]);
    // 2 is the second message of T1: its first one was received before.
    let events = "T1.send(1)/true T2.send(1)/true T1.send(2)/true T3.recv()/1 T3.recv()/2 \
                  T3.recv()/1";
    check("mpsc", events, &[(1, 4), (2, 4), (3, 5), (2, 6)]);
    check_required(
        "mpsc",
        events,
        &[(1, 4), (2, 4), (3, 5), (4, 5), (2, 6), (4, 6)],
    );
}

#[test]
fn a_sender_of_one_message_only_leaves_the_receives_in_any_order() {
    let events = "T1.send(1)/true T2.send(2)/true T3.recv()/1 T3.recv()/2";
    check_required("mpsc", events, &[(1, 3), (2, 4)]);
}

#[test]
fn an_impossible_receive_comes_after_nothing() {
    let events = "T1.send(1)/true T1.send(2)/true T3.recv()/2 T3.recv()/1";
    check("mpsc", events, &[(1, 4)]);
    // Either of the two has no message.
    check("mpsc", &format!("{events} T3.recv()/1"), &[(1, 4), (1, 5)]);
    let events = "T1.send(1)/false T3.recv()/1";
    check("mpsc", events, &[]);
}

#[test]
fn an_opaque_message_is_received_as_any() {
    let events = "T1.send(?)/true T2.send(2)/true T3.recv()/1 T3.recv()/2";
    check("mpsc", events, &[(1, 3), (2, 4)]);
    let events = "T1.send(?)/true T2.send(2)/true T3.recv()/2 T3.recv()/2";
    check("mpsc", events, &[(2, 3), (1, 4)]);
}

#[test]
fn ambiguity() {
    let is_unambiguous = |events: &str| {
        let trace = trace("mpsc", events);
        is_unambiguous(&trace.events, &trace.names, &Library::shipped())
    };
    assert!(is_unambiguous(
        "T1.send(1)/true T2.send(2)/true T3.recv()/2"
    ));
    assert!(is_unambiguous(
        "T1.send(1)/true T3.recv()/1 T2.send(1)/true T3.recv()/1"
    ));
    assert!(!is_unambiguous(
        "T1.send(1)/true T2.send(1)/true T3.recv()/1"
    ));
    assert!(!is_unambiguous("T3.recv()/1"));
}

#[test]
fn the_ends_come_last() {
    let events = "T1.send(1)/true T3.try_recv()/'empty' T2.disconnect() T3.recv()/1 T3.recv()/nil \
                  T3.close()/true";
    let expected = [(1, 3), (1, 4), (3, 5), (2, 6), (4, 6), (5, 6)];
    check("mpsc", events, &expected);
}

#[test]
fn a_round_is_complete_when_all_have_arrived() {
    let events = "T1.arrive() T2.arrive() T1.leave() T1.arrive() T2.leave() T2.arrive() T1.leave()";
    let expected = [(1, 3), (2, 3), (1, 5), (2, 5), (4, 7), (6, 7)];
    check("barrier(2)", events, &expected);
    let required = [
        &[(1, 3), (2, 3), (1, 4), (2, 4), (1, 5), (2, 5)][..],
        &[(1, 6), (2, 6), (4, 7), (6, 7)],
    ];
    check_required("barrier(2)", events, &required.concat());
    // Of one party or two: then the round of the first arrival may be over.
    let expected = [(1, 3), (2, 3), (1, 5), (2, 5), (4, 7), (6, 7)];
    check("barrier", events, &expected);
    // An arrival of an unknown round comes after all earlier ones.
    let events = "T1.arrive() T2.arrive() T1.leave()";
    check_required("barrier", events, &[(1, 2), (1, 3), (2, 3)]);
    check_required("barrier(2)", events, &[(1, 3), (2, 3)]);
}

#[test]
fn a_leave_excludes_numbers_of_parties() {
    // One party: the first round had ended before the second arrival.
    let events = "T1.arrive() T1.leave() T2.arrive() T2.leave()";
    check("barrier", events, &[(1, 2), (3, 4)]);
    // Not two, for the round of the first is not complete.
    check("barrier(2)", events, &[(1, 2), (1, 4), (3, 4)]);
    // There is no arrival that it could leave.
    let events = "T1.arrive() T2.arrive() T3.leave()";
    check("barrier(1)", events, &[(1, 3), (2, 3)]);
}

#[test]
fn lives_are_apart() {
    let trace = Trace::parse(
        "T0|new(o:latch)|1\nT1|o.count_down()|2\nT0|drop(o)|3\nT0|new(o:latch)|4\nT2|o.wait()|5",
    );
    let found = comes_after(&trace.events, &trace.names, &Library::shipped());
    assert_eq!(pairs(&found), []);
}

#[test]
fn actions_that_the_type_orders_are_no_race() {
    check_races("atomic", "T1.store(1) T2.store(2)", &[]);
    check_races("barrier(2)", "T1.arrive() T2.arrive() T1.leave()", &[]);
    check_races("semaphore(2)", "T1.acquire() T2.release()", &[]);
    check_races("semaphore(2)", "T1.release() T2.acquire()", &[]);
    check_races("wait_group", "T1.wait() T2.done()", &[(1, 2)]);
    check_races("wait_group", "T1.done() T2.wait()", &[]);
    check_races("wait_group", "T1.wait() T2.add(1)", &[(1, 2)]);
    check_races("stack", "T1.push(1) T2.push(2)", &[(1, 2)]);
}

#[test]
fn the_last_look_is_a_race() {
    let look = "T1.release() T2.try_acquire()/false";
    check_races("semaphore(0)", look, &[(1, 2)]);
    check_races(
        "semaphore(0)",
        &format!("{look} T2.try_acquire()/true"),
        &[],
    );
    // Another thread looks, too: then neither look says that there is nothing.
    let both = format!("{look} T3.try_acquire()/false");
    check_races("semaphore(0)", &both, &[(1, 3)]);
    let own = format!("{look} T2.try_acquire()/false");
    check_races("semaphore(0)", &own, &[(1, 2), (1, 3)]);
    let early = "T2.try_acquire()/false T1.release()";
    check_races("semaphore(0)", early, &[(1, 2)]);
    check_races(
        "semaphore(0)",
        &format!("{early} T2.try_acquire()/true"),
        &[],
    );
}

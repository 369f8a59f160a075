//! Channels used as channels: what is no race, what is one, and what can be predicted.

use std::sync::Arc;

use commute_detect::{Options, Pass, Prediction, Races};
use commute_spec::Library;
use commute_testkit::oracle;
use commute_testkit::traces::Trace;

/// A channel of this type that T0 makes before it forks T1, T2 and T3, then this: one
/// event a word.
fn trace(kind: &str, events: &str) -> Trace {
    let start = format!("T0|new(c:{kind}) T0|fork(T1) T0|fork(T2) T0|fork(T3)");
    let events = start.split_whitespace().chain(events.split_whitespace());
    let lines = events.enumerate();
    let lines: Vec<String> = lines
        .map(|(i, event)| format!("{event}|t.rs:{}", i + 1))
        .collect();
    Trace::parse(&lines.join("\n"))
}

/// The pairs that race, numbered from the first event that was given.
fn races(kind: &str, events: &str) -> Vec<(u64, u64)> {
    let trace = trace(kind, events);
    let mut races = Races::all(Arc::new(Library::shipped())).keep_pairs();
    let taken = races.steps(&trace.events, &trace.names);
    taken.expect("well-formed");
    races.finish(&trace.names, &mut Vec::new());
    let pairs = races.pairs().iter();
    pairs.map(|&(_, a, b)| (a - 4, b - 4)).collect()
}

/// The pairs that were predicted with certainty, numbered in the same way.
fn predicted(kind: &str, events: &str) -> Vec<(u64, u64)> {
    let trace = trace(kind, events);
    let mut pass = Prediction::new(Arc::new(Library::shipped()), Options::default());
    let taken = pass.steps(&trace.events, &trace.names);
    taken.expect("well-formed");
    pass.finish(&trace.names, &mut Vec::new());
    let found = pass.predicted().iter();
    let found = found.filter(|found| found.unconfirmed.is_none());
    found.map(|p| (p.earlier - 4, p.later - 4)).collect()
}

#[test]
fn equal_messages_of_several_senders() {
    let events = "T1|c.send(1)/true T2|c.send(1)/true T3|c.recv()/1 T3|c.recv()/1";
    for kind in ["mpsc", "channel"] {
        let sends = races(kind, events);
        let expected: &[_] = if kind == "mpsc" { &[] } else { &[(1, 2)] };
        assert_eq!(sends, expected, "{kind}: those who rely on the order");
    }
    assert_eq!(predicted("mpsc", events), []);
    // The receiver may be faster than one of them.
    let events = "T1|c.send(1)/true T3|c.recv()/1 T2|c.send(1)/true T3|c.try_recv()/1";
    assert_eq!(races("mpsc", events), []);
    assert_eq!(predicted("mpsc", events), []);
}

/// Points of messages are not remembered, but those of words that say that there is no
/// message are: the definition decides.
#[test]
fn a_message_that_reads_like_none() {
    let library = Library::shipped();
    let mut found = 0;
    for kind in ["mpsc", "channel"] {
        for word in ["'closed'", "'empty'", "nil", "7"] {
            for method in ["try_recv", "recv"] {
                let events = format!("T1|c.send({word})/true T3|c.{method}()/{word}");
                let trace = trace(kind, &events);
                let truth = oracle::races(&trace.events, &trace.names, &library);
                let truth: Vec<_> = truth.iter().map(|&(_, a, b)| (a - 4, b - 4)).collect();
                assert_eq!(races(kind, &events), truth, "{kind}: {events}");
                found += truth.len();
            }
        }
    }
    assert!(found > 3, "{found}");
}

/// Whoever looks, and goes on because there is nothing, may have come too early.
#[test]
fn a_look_that_finds_nothing_races_with_a_send() {
    let looks = "T3|c.try_recv()/'empty' T3|c.try_recv()/'empty'";
    let too_late = format!("{looks} T1|c.send(1)/true");
    let again = format!("{too_late} T3|c.try_recv()/1");
    let other = format!("{looks} T2|c.try_recv()/'empty' T1|c.send(1)/true");
    for kind in ["mpsc", "channel"] {
        let found = races(kind, &too_late);
        assert!(!found.is_empty(), "{kind}");
        assert!({ found.iter() }.all(|(look, send)| *look < 3 && *send == 3));
        assert_eq!(races(kind, &again), [], "{kind}: it looked again");
        assert_eq!(races(kind, &other), [(3, 4)], "{kind}: the last one counts");
        let dropped = format!("{too_late} T0|drop(c) T0|new(c:{kind}) T3|c.try_recv()/'empty'");
        assert_eq!(
            races(kind, &dropped),
            found,
            "{kind}: this is another channel"
        );
        assert_eq!(predicted(kind, &again), [], "{kind}");
    }
    let closed = "T3|c.try_recv()/'empty' T1|c.disconnect()";
    assert_eq!(races("mpsc", closed), [(1, 2)]);
    let closed = format!("{closed} T3|c.try_recv()/'closed'");
    assert_eq!(races("mpsc", &closed), []);
}

#[test]
fn a_send_races_with_the_end_of_the_receiver() {
    let events = "T1|c.send(1)/true T3|c.close()/true";
    assert_eq!(races("mpsc", events), [(1, 2)]);
    let under_lock = "T1|acq(m) T1|c.send(1)/true T1|rel(m) T3|acq(m) T3|c.close()/true T3|rel(m)";
    assert_eq!(races("mpsc", under_lock), []);
    assert_eq!(predicted("mpsc", under_lock), [(2, 5)]);
}

/// What of one sender was received follows from what of the others can have been.
#[test]
fn equal_messages_that_were_all_received_are_not_received_again() {
    let events = "T1|c.send('a')/true T2|w(x) T2|c.send('a')/true T3|c.recv()/'a' \
                  T3|c.recv()/'a' T1|c.send('a')/true T4|c.recv()/'a' T4|w(x)";
    assert_eq!(races("mpsc", events), [(2, 8)]);
}

/// Who drops the receiver, or the last sender, is the last who had it.
#[test]
fn an_end_comes_after_all_that_was_done_with_it() {
    let receiver = "T1|c.send(1)/true T2|w(x) T2|c.recv()/1 T2|c.try_recv()/'empty' \
                    T3|c.close()/true T3|w(x)";
    let sender = "T1|w(x) T1|c.send(1)/true T2|c.disconnect() T2|w(x) T3|c.recv()/1";
    for events in [receiver, sender] {
        let found = races("mpsc", events);
        assert_eq!(found, [], "{events}");
    }
    assert_eq!(predicted("mpsc", sender), []);
    // Anybody may close a channel whose ends nobody owns.
    let anybody = "T1|c.send(1)/true T2|c.try_recv()/1 T2|c.try_recv()/'empty' T3|c.close()/true";
    assert!(races("channel", anybody).contains(&(3, 4)));
}

#[test]
fn what_is_received_was_sent_also_if_nobody_knows_what_it_is() {
    for message in ["7", "?", "(1,?)"] {
        for kind in ["mpsc", "channel"] {
            let events = format!("T1|w(x) T1|c.send({message})/true T2|c.recv()/{message} T2|w(x)");
            assert_eq!(predicted(kind, &events), [], "{kind}, {message}");
            let events = events.replace("recv", "try_recv");
            assert_eq!(predicted(kind, &events), [], "{kind}, {message}");
        }
    }
    // Messages of two senders come in any order, so the receive may need either.
    let events = "T1|c.send(?)/true T2|w(x) T2|c.send(?)/true T3|c.recv()/? T3|w(x)";
    assert_eq!(predicted("mpsc", events), []);
    // Those of one sender come in order.
    let events = "T1|c.send(?)/true T1|w(x) T1|c.send(?)/true T3|c.recv()/? T3|w(x)";
    assert_eq!(predicted("mpsc", events), [(2, 5)]);
    // Who was not sent anything received nothing.
    let events = "T1|w(x) T1|c.close()/true T1|c.send(?)/false T2|w(x)";
    assert_eq!(predicted("mpsc", events), [(1, 4)]);
}

/// A long row of messages: what is far back is still known, and what is not kept any
/// more is no obstacle.
#[test]
fn long_channels() {
    for message in ["7", "?"] {
        let sends = format!("T1|c.send({message})/true ").repeat(30_000);
        let receives = format!("T2|c.recv()/{message} ").repeat(30_000);
        let events = format!("{sends} {receives} T1|w(x) T2|w(x)");
        assert_eq!(predicted("mpsc", &events), [(60_001, 60_002)]);
        let events = format!("T1|w(x) {sends} {receives} T2|w(x)");
        assert_eq!(predicted("mpsc", &events), []);
    }
    // What comes too late is seen, however much is on its way.
    let sends = |n: u32| -> String { (0..n).map(|i| format!("T1|c.send({i})/true ")).collect() };
    let events = format!("{} T3|c.close()/true T1|c.send(1)/true", sends(30_000));
    let late = trace("channel", &events);
    let mut pass = Prediction::new(Arc::new(Library::shipped()), Options::default());
    let taken = pass.steps(&late.events, &late.names);
    taken.expect("well-formed");
    let mut findings = Vec::new();
    pass.finish(&late.names, &mut findings);
    let observed = findings.iter().any(|finding| {
        let places = finding.events.iter().map(|event| event.index);
        places.collect::<Vec<_>>() == [30_005, 30_006]
    });
    assert!(observed, "{findings:?}");
}

//! Traces that were judged wrongly once, each with what was wrong.

use std::sync::Arc;

use commute_detect::{Atomicity, Method, Pass, Races};
use commute_spec::Library;
use commute_testkit::traces::Trace;
use commute_trace::{Options, TraceReader};

fn read(text: &str) -> (Vec<(u64, u64)>, Option<u64>) {
    let text = std::io::Cursor::new(text.to_owned().into_bytes());
    let mut reader = TraceReader::from_reader(text, Options::default()).expect("readable");
    let mut races = Races::all(Arc::new(Library::shipped())).keep_pairs();
    let mut events = Vec::new();
    while reader.read_batch(&mut events).expect("well-formed") > 0 {
        races.steps(&events, reader.names()).expect("understood");
    }
    let pairs = races.pairs().iter();
    let pairs = pairs.map(|&(_, earlier, later)| (earlier, later)).collect();
    (
        pairs,
        races.ill_formed(reader.names()).map(|(index, _)| index),
    )
}

fn races(text: &str) -> Vec<(u64, u64)> {
    read(text).0
}

#[test]
fn a_thread_forked_again_does_not_share_the_slot_that_another_took_over() {
    let mut text = String::new();
    for i in 1..=63 {
        text += &format!("m|fork(w{i})|1\n");
    }
    for i in 1..=63 {
        text += &format!("w{i}|r(y)|2\n");
    }
    text += "m|join(w1)|3\nm|fork(u)|4\nu|r(z)|5\nm|fork(w1)|6\nu|w(x)|7\nw1|w(x)|8\n";
    assert_eq!(races(&text), [(131, 132)]);
}

#[test]
fn a_close_that_closed_nothing_orders_nothing() {
    let text = "T0|new(c:channel)|1\nT0|fork(T1)|2\nT0|fork(T2)|3\nT1|c.close()/true|4\n\
                T2|w(x)|5\nT2|c.close()/false|6\nT0|c.recv()/nil|7\nT0|r(x)|8\n";
    assert!(races(text).contains(&(5, 8)));
}

#[test]
fn a_receive_whose_send_was_not_recorded_still_counts() {
    let text = "T0|new(c:channel)|1\nT0|fork(T1)|2\nT0|c.recv()/5|3\nT1|w(x)|4\n\
                T1|c.send(6)/true|5\nT0|c.recv()/7|6\nT0|r(x)|7\n";
    assert!(races(text).contains(&(4, 7)));
}

#[test]
fn a_wait_releases_a_lock_however_often_it_is_held() {
    let text = "m|acq(l)|1\nm|acq(l)|2\nm|wait(c,l)|3\nn|acq(l)|4\nn|w(x)|5\nn|rel(l)|6\n\
                m|wake(c,l)|7\nm|w(x)|8\nm|rel(l)|9\nm|rel(l)|10\n";
    assert_eq!(read(text), (vec![], None));
}

#[test]
fn what_no_program_does_is_noticed() {
    let ill_formed = |text: &str| read(text).1;
    assert_eq!(
        ill_formed("m|fork(u)|1\nm|join(u)|2\nu|w(y)|3\nm|w(y)|4\n"),
        Some(3)
    );
    assert_eq!(ill_formed("m|acq(l)|1\nn|acq(l)|2\n"), Some(2));
    assert_eq!(
        ill_formed("m|racq(l)|1\nn|racq(l)|2\nm|rrel(l)|3\nn|rel(l)|4\n"),
        Some(4)
    );
    let dropped = "m|new(o:set)|1\nm|drop(o)|2\nm|o.size()/0|3\n";
    assert_eq!(ill_formed(dropped), Some(3));
    assert_eq!(ill_formed("m|new(o:set)|1\nm|new(o:set)|2\n"), Some(2));
    let fine = "m|new(o:set)|1\nm|drop(o)|2\nm|new(o:set)|3\nm|fork(u)|4\nu|acq(l)|5\nu|rel(l)|6\n";
    assert_eq!(ill_formed(fine), None);
}

#[test]
fn an_event_before_the_fork_of_its_thread_is_noticed() {
    let both = |text: &str| {
        let trace = Trace::parse(text);
        let library = Arc::new(Library::shipped());
        let mut atomicity = Atomicity::new(library.clone(), Method::AeroDrome, None);
        // Also where plain accesses are of no interest.
        let mut races = Races::new(library, true, false);
        let passes: [&mut dyn Pass; 2] = [&mut races, &mut atomicity];
        for pass in passes {
            { pass.steps(&trace.events, &trace.names) }.expect("understood");
        }
        let found = races.ill_formed(&trace.names);
        assert_eq!(found, atomicity.ill_formed(&trace.names), "{text}");
        assert_eq!(found.as_ref().map(|f| f.0), read(text).1, "{text}");
        found
    };
    let text = Some((2, "forks thread `B`, which is running already".to_owned()));
    assert_eq!(both("B|w(x)|3\nA|fork(B)|1\nA|w(x)|4\n"), text);
    assert_eq!(both("B|begin(b)|3\nA|fork(B)|1\n"), text);
    assert_eq!(both("B|alloc(x)|3\nA|fork(B)|1\n"), text);
    assert_eq!(both("A|fork(B)|1\nA|fork(B)|1\n"), text);
    let index = |text: &str| both(text).map(|found| found.0);
    assert_eq!(index("A|fork(A)|1\n"), Some(1));
    assert_eq!(index("A|fork(B)|1\nB|join(C)|1\nB|fork(C)|1\n"), None);
    // A joined thread may be forked again, and have events since.
    let again = "A|fork(B)|1\nB|w(x)|2\nA|join(B)|3\nA|fork(B)|4\nB|w(x)|5\nA|join(B)|6\n";
    assert_eq!(index(again), None);
    assert_eq!(index(&format!("{again}B|begin(b)|7\n")), Some(7));
}

#[test]
fn of_several_reads_the_last_is_named() {
    assert_eq!(races("A|r(x)|1\nA|r(x)|2\nB|w(x)|3\n"), [(2, 3)]);
}

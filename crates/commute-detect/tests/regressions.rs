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
fn of_several_reads_at_a_site_the_last_is_named() {
    assert_eq!(races("A|r(x)|1\nA|r(x)|1\nB|w(x)|3\n"), [(2, 3)]);
    assert_eq!(races("A|r(x)|\nA|r(x)|\nB|w(x)|\n"), [(2, 3)]);
}

/// What is found of a trace, and how often a race is not listed.
fn listed(text: &str) -> (Vec<(u64, u64)>, u64) {
    let trace = Trace::parse(text);
    let mut races = Races::all(Arc::new(Library::shipped())).keep_pairs();
    { races.steps(&trace.events, &trace.names) }.expect("understood");
    let pairs = races.pairs().iter();
    let pairs = pairs.map(|&(_, earlier, later)| (earlier, later)).collect();
    (pairs, races.unlisted())
}

#[test]
fn every_site_of_a_thread_counts() {
    let second = "A|fork(B)|p.rs:2\nA|w(x)|p.rs:3\nA|w(x)|p.rs:6\nB|w(x)|p.rs:7\n";
    assert_eq!(listed(second), (vec![(2, 4), (3, 4)], 0));
    let in_sections = "A|fork(B)|p.rs:2\nA|w(x)|p.rs:3\nA|acq(l)|p.rs:4\nA|rel(l)|p.rs:5\n\
                       A|w(x)|p.rs:6\nB|w(x)|p.rs:7\n";
    assert_eq!(listed(in_sections), (vec![(2, 6), (5, 6)], 0));
    let object = "A|new(o:map)|p.rs:1\nA|fork(B)|p.rs:2\nA|o.insert(1,1)/nil|p.rs:3\n\
                  A|o.insert(1,2)/1|p.rs:4\nA|o.len()/1|p.rs:5\nA|o.len()/1|p.rs:6\n\
                  B|o.insert(1,3)/2|p.rs:7\nB|o.insert(2,1)/nil|p.rs:8\n";
    let expected = vec![(3, 7), (4, 7), (5, 8), (6, 8)];
    assert_eq!(listed(object), (expected, 0));
    // A later access at the same site stands for an earlier one.
    let same = "A|w(x)|p.rs:3\nA|w(x)|p.rs:6\nA|w(x)|p.rs:3\nB|w(x)|p.rs:7\n";
    assert_eq!(listed(same), (vec![(2, 4), (3, 4)], 0));
    // A thread that knows the last of them need not know the others, and may know them.
    let known = "A|fork(B)|1\nA|w(x)|2\nA|acq(l)|3\nA|w(x)|4\nA|rel(l)|5\nA|w(x)|6\n\
                 B|acq(l)|7\nB|w(x)|8\nB|rel(l)|9\n";
    assert_eq!(listed(known), (vec![(6, 8)], 0));
}

#[test]
fn sites_that_are_not_kept_are_counted_if_they_race() {
    for (new, access) in [("", "w(x)"), ("A|new(o:map)|n.rs:1\n", "o.insert(1,9)/1")] {
        let lines = (0..40).map(|line| format!("A|{access}|a.rs:{line}\n"));
        let lines: String = lines.collect();
        let before = new.lines().count() as u64;
        let (pairs, unlisted) = listed(&format!("{new}{lines}B|{access}|b.rs:1\n"));
        let sites: Vec<u64> = pairs.iter().map(|pair| pair.0 - before).collect();
        assert!(sites.len() >= 16 && sites.ends_with(&[39, 40]), "{sites:?}");
        assert_eq!(
            sites.len() as u64 + sites[0],
            41,
            "the last ones: {sites:?}"
        );
        assert_eq!(unlisted, 1);
        // A thread that knows the dropped ones has nothing to miss.
        let join = format!("{new}A|fork(B)|n.rs:2\n{lines}B|join(A)|n.rs:3\nB|{access}|b.rs:1\n");
        assert_eq!(listed(&join), (vec![], 0));
    }
}

#[test]
fn reads_of_several_sites_are_kept_over_a_write_that_follows() {
    let text = "A|fork(B)|1\nA|fork(C)|2\nA|r(x)|3\nA|r(x)|4\nA|w(x)|5\nA|r(x)|6\nB|w(x)|7\n";
    let expected = vec![(3, 7), (4, 7), (5, 7), (6, 7)];
    assert_eq!(listed(text), (expected, 0));
}

//! The detectors against oracles written from the definitions, on random
//! traces: the same verdict, every reported pair a true one, the later halves
//! exactly, and of the earlier halves one of each thread's last epoch.

use std::collections::BTreeSet;
use std::sync::Arc;

use commute_detect::{Pass, Races};
use commute_model::{Code, Event, Op};
use commute_spec::Library;
use commute_testkit::oracle;
use commute_testkit::traces::{self, Family, Mix, Trace};

type Pairs = BTreeSet<(Code, u64, u64)>;

fn found(trace: &Trace, library: &Arc<Library>, batch: usize, apart: usize) -> Pairs {
    let races = Races::all(library.clone()).keep_pairs();
    let mut races = races.keep_apart(apart);
    for events in trace.events.chunks(batch) {
        races.steps(events, &trace.names).expect("well-formed");
    }
    let mut findings = Vec::new();
    races.finish(&trace.names, &mut findings);
    let pairs = races.pairs().iter().copied().collect();
    // Every event has its own location, so every pair is a finding.
    let reported: Pairs = findings
        .iter()
        .map(|f| (f.code, f.events[0].index, f.events[1].index))
        .collect();
    assert_eq!(reported, pairs);
    for event in findings.iter().flat_map(|finding| &finding.events) {
        let original = &trace.events[event.index as usize - 1];
        let line = format!("{}|{}|{}", event.thread, event.action, event.location);
        assert_eq!(line, original.display(&trace.names).to_string());
    }
    pairs
}

fn later(pairs: &Pairs) -> BTreeSet<(Code, u64)> {
    pairs
        .iter()
        .map(|&(code, _, later)| (code, later))
        .collect()
}

/// The true pairs that are promised: the earlier half is its thread's last
/// action on the object, and the first since its thread last released a lock,
/// so it is the only one of its epoch.
fn promised<'a>(trace: &'a Trace, truth: &'a Pairs) -> impl Iterator<Item = &'a (Code, u64, u64)> {
    truth.iter().filter(|(code, earlier, later)| {
        let (i, j) = (*earlier as usize - 1, *later as usize - 1);
        let events = &trace.events;
        let Op::Action(a) = &events[i].op else {
            return false;
        };
        let again = |event: &Event| match &event.op {
            Op::Action(b) => event.thread == events[i].thread && a.object == b.object,
            _ => false,
        };
        let segment = events[..i].iter().rev().take_while(|event| {
            event.thread != events[i].thread || !matches!(event.op, Op::Release(_))
        });
        let only = !events[i + 1..j].iter().any(again) && !segment.into_iter().any(again);
        *code == Code::CM101 && only
    })
}

fn compare(mix: &Mix, seeds: std::ops::Range<u64>) -> (usize, usize) {
    compare_keeping_apart(64, mix, seeds)
}

fn compare_keeping_apart(apart: usize, mix: &Mix, seeds: std::ops::Range<u64>) -> (usize, usize) {
    let library = Arc::new(Library::shipped());
    let (mut racy, mut clean) = (0, 0);
    for seed in seeds {
        let trace = traces::random(seed, mix, &library);
        let truth = oracle::races(&trace.events, &trace.names, &library);
        let pairs = found(&trace, &library, 1 + (seed % 10) as usize, apart);
        let context = || format!("seed {seed} of {mix:?}\n{}", trace.text());
        if !oracle::synchronisation::is_explained(&trace.events, &trace.names, &library) {
            continue;
        }
        let wrong: Vec<_> = pairs.difference(&truth).collect();
        assert!(wrong.is_empty(), "not a race: {wrong:?}\n{}", context());
        // Where it cannot be told which message was received, more is ordered.
        if !oracle::synchronisation::is_unambiguous(&trace.events, &trace.names, &library) {
            continue;
        }
        assert_eq!(later(&pairs), later(&truth), "later halves\n{}", context());
        // A thread that took over a slot stands for the one before it.
        for pair in promised(&trace, &truth).filter(|_| apart >= mix.threads) {
            assert!(pairs.contains(pair), "missing {pair:?}\n{}", context());
        }
        if truth.is_empty() {
            clean += 1;
        } else {
            racy += 1;
        }
    }
    (racy, clean)
}

fn mix(types: &[&'static str], variables: usize, synchronisation: usize) -> Mix {
    Mix {
        threads: 5,
        events: 40,
        variables,
        locks: 2,
        types: types.to_vec(),
        synchronisation,
        blocks: 0,
    }
}

/// A comparison that sees only racy or only clean traces compares little.
fn assert_both((racy, clean): (usize, usize)) {
    assert!(racy > 50, "only {racy} racy traces");
    assert!(clean > 50, "only {clean} clean traces");
}

#[test]
fn data_races_are_exact() {
    assert_both(compare(&mix(&[], 3, 60), 0..3000));
}

#[test]
fn short_data_races_are_exact() {
    let short = Mix {
        threads: 3,
        events: 12,
        ..mix(&[], 1, 50)
    };
    assert_both(compare(&short, 0..3000));
}

#[test]
fn dictionary_races_are_exact() {
    assert_both(compare(&mix(&["dictionary"], 0, 70), 0..3000));
}

#[test]
fn races_on_many_types_are_exact() {
    let types = ["map", "set", "counter", "queue", "vec", "union_find"];
    assert_both(compare(&mix(&types, 1, 70), 0..2000));
}

#[test]
fn races_outside_ecl_are_exact() {
    assert_both(compare(&mix(&["priority_queue"], 0, 70), 0..1500));
}

#[test]
fn atomics_and_channels_order_threads() {
    assert_both(compare(&mix(&["atomic", "channel"], 2, 30), 0..3000));
}

/// Objects that order threads by a count, by rounds or by values.
#[test]
fn races_with_synchronising_objects_are_exact() {
    for types in [
        &["barrier", "barrier(2)", "barrier(3)"],
        &["queue", "stack", "future"],
        &["bounded_queue", "priority_queue", "mpsc"],
        &["latch", "wait_group", "context"],
    ] {
        assert_both(compare(&mix(types, 2, 20), 0..1500));
    }
}

#[test]
fn channels_with_owned_ends_order_threads() {
    let library = Arc::new(Library::shipped());
    let family = Family {
        events: 40,
        variables: 2,
        locking: 10,
        ..Family::objects(&["mpsc"])
    };
    let (mut racy, mut clean) = (0, 0);
    for seed in 0..2000 {
        let trace = family.trace(seed, &library);
        let truth = oracle::races(&trace.events, &trace.names, &library);
        let pairs = found(&trace, &library, 10, 64);
        let context = || format!("seed {seed}\n{}", trace.text());
        assert!(pairs.is_subset(&truth), "{}", context());
        assert_eq!(later(&pairs), later(&truth), "{}", context());
        racy += usize::from(!truth.is_empty());
        clean += usize::from(truth.is_empty());
    }
    assert_both((racy, clean));
}

#[test]
fn threads_that_take_over_slots_are_not_confused() {
    let many = Mix {
        threads: 9,
        events: 60,
        ..mix(&["dictionary"], 2, 60)
    };
    assert_both(compare_keeping_apart(1, &many, 0..2000));
    let few = Mix {
        threads: 8,
        events: 40,
        ..mix(&[], 1, 70)
    };
    assert_both(compare_keeping_apart(2, &few, 0..2000));
}

//! The reference analyses on random traces: against their definitions, and
//! against each other.

use std::collections::BTreeSet;
use std::sync::Arc;

use commute_detect::prediction::references::{Analysis, Bounds, Pair, Reference, Ticks, pairs};
use commute_model::{Event, Op, ThreadId};
use commute_spec::Library;
use commute_testkit::random::Random;
use commute_testkit::traces::{self, Mix, Trace};

use crate::naive::{By, Naive, Promised};

fn mix(types: &[&'static str], variables: usize, locks: usize) -> Mix {
    Mix {
        threads: 4,
        events: 40,
        variables,
        locks,
        types: types.to_vec(),
        synchronisation: 50,
        blocks: 0,
    }
}

/// The shipped types without what their actions order: the definitions know locks only.
fn library_without_orders() -> Library {
    let mut library = Library::shipped();
    for name in ["context", "priority_queue"] {
        let mut specification = library.specification(name).expect("shipped").clone();
        specification.orders.clear();
        library.insert(specification);
    }
    library
}

const TYPES: &[&str] = &["dictionary", "set", "file", "context", "priority_queue"];

/// Shows `seeds` traces of every mix and of [`sections`].
fn for_each(mixes: &[Mix], seeds: u64, mut look: impl FnMut(&Trace, &Arc<Library>, &str)) {
    let library = Arc::new(library_without_orders());
    for seed in 0..seeds {
        for mix in mixes {
            let trace = traces::random(seed, mix, &library);
            let context = format!("seed {seed} of {mix:?}\n{}", trace.text());
            look(&trace, &library, &context);
        }
        let trace = sections(seed);
        let context = format!("sections, seed {seed}\n{}", trace.text());
        look(&trace, &library, &context);
    }
}

/// A trace that consists of critical sections, one after the other: nearly all
/// pairs have a lock in common, and it is a matter of what flows between them
/// whether they can be swapped.
fn sections(seed: u64) -> Trace {
    let mut random = Random::new(seed);
    let mut lines = vec![
        "T0|new(f:file)".to_owned(),
        "T0|new(d:dictionary)".to_owned(),
    ];
    lines.extend(["T0|fork(T1)", "T0|fork(T2)", "T0|fork(T3)"].map(str::to_owned));
    // The lock that each thread has to get back.
    let mut waits: [Option<&str>; 4] = [None; 4];
    for _ in 0..3 + random.below(6) {
        let t = random.below(4);
        let mut say = |op: String| lines.push(format!("T{t}|{op}"));
        if let Some(lock) = waits[t].take() {
            say(format!("wake(c,{lock})"));
            say(format!("rel({lock})"));
            continue;
        }
        let mut open: Vec<(&str, &str)> = Vec::new();
        for lock in ["a", "b", "k"] {
            if random.chance(if lock == "a" { 80 } else { 20 }) {
                let shared = random.chance(20);
                say(format!("{}({lock})", if shared { "racq" } else { "acq" }));
                open.push((if shared { "rrel" } else { "rel" }, lock));
                if random.chance(10) && !shared {
                    say(format!("acq({lock})"));
                    open.push(("rel", lock));
                }
            }
        }
        while !open.is_empty() || random.chance(30) {
            let x = random.pick(&["x", "y", "z", "u"]);
            let key = random.below(2);
            match random.below(14) {
                0..3 => say(format!("r({x})")),
                3..5 => say(format!("w({x})")),
                5 => say(format!("free({x})")),
                6 => say("notify(c)".into()),
                7 => say("f.read()".into()),
                8 => say("f.close()".into()),
                9 => say(format!("d.get({key})/1")),
                10 => say(format!("d.put({key},2)/{}", 1 + random.below(2))),
                11 if open.len() == 1 && open[0].0 == "rel" => {
                    let (_, lock) = open.remove(0);
                    say(format!("wait(c,{lock})"));
                    waits[t] = Some(lock);
                    break;
                }
                _ if !open.is_empty() => {
                    let (release, lock) = open.remove(random.below(open.len()));
                    say(format!("{release}({lock})"));
                }
                _ => {}
            }
        }
    }
    let numbered = lines.iter().enumerate();
    Trace::parse(
        &numbered
            .map(|(i, line)| format!("{line}|{i}\n"))
            .collect::<String>(),
    )
}

fn found(reference: Reference, trace: &Trace, library: &Arc<Library>) -> Vec<Pair> {
    pairs(reference, &trace.events, &trace.names, library).expect("understood")
}

fn promised(pairs: &[Pair], trace: &Trace) -> BTreeSet<Promised> {
    let thread = |index: u64| trace.events[index as usize - 1].thread;
    let promised = pairs.iter().map(|p| (thread(p.earlier), p.later, p.racy));
    promised.collect()
}

fn set(pairs: Vec<Pair>) -> BTreeSet<Pair> {
    pairs.into_iter().collect()
}

fn mixes() -> Vec<Mix> {
    vec![
        mix(&[], 2, 1),
        mix(&[], 3, 3),
        mix(TYPES, 1, 2),
        mix(&["file", "context"], 0, 1),
    ]
}

#[test]
fn wdc_and_edc_are_their_definitions() {
    let (mut racy, mut swapped) = (0, 0);
    for_each(&mixes(), 500, |trace, library, context| {
        let wdc = promised(&found(Reference::Wdc, trace, library), trace);
        assert_eq!(wdc, Naive::new(trace, library, By::Wdc).wdc(), "{context}");
        let edc = promised(&found(Reference::Edc, trace, library), trace);
        assert_eq!(edc, Naive::new(trace, library, By::Edc).edc(), "{context}");
        racy += edc.iter().filter(|pair| pair.2).count();
        swapped += edc.iter().filter(|pair| !pair.2).count();
    });
    assert!(racy > 1000 && swapped > 300, "{racy} racy, {swapped} not");
}

#[test]
fn happens_before_is_a_part_of_wdc_and_edc() {
    let mut more = 0;
    for_each(&mixes(), 500, |trace, library, context| {
        let hb = found(Reference::HappensBefore, trace, library);
        let edc = set(found(Reference::Edc, trace, library));
        let wdc = found(Reference::Wdc, trace, library);
        let is_variable = |pair: &&Pair| {
            let op = &trace.events[pair.later as usize - 1].op;
            matches!(op, Op::Read(_) | Op::Write(_) | Op::Free(_))
        };
        for pair in &hb {
            assert!(edc.contains(pair), "{pair:?}\n{context}");
        }
        // WDC keeps one write of a thread, free or not, so the pair may be
        // another, of the same thread.
        let on_variables: Vec<Pair> = hb.iter().filter(is_variable).copied().collect();
        let (hb, wdc_promised) = (promised(&on_variables, trace), promised(&wdc, trace));
        assert!(hb.is_subset(&wdc_promised), "{context}");
        // EDC also knows that a wake comes after a notification.
        let wakes = |event: &Event| matches!(event.op, Op::Wake(..));
        let has_wakes = trace.events.iter().any(wakes);
        for pair in wdc.iter().filter(|_| !has_wakes) {
            assert!(edc.contains(pair), "{pair:?}\n{context}");
        }
        more += wdc_promised.difference(&hb).count();
    });
    assert!(more > 200, "only {more}");
}

#[test]
fn shadow_words_without_bounds_are_edc() {
    let mut mixes = mixes();
    mixes.push(mix(&["channel", "atomic", "condvar", "queue"], 2, 2));
    for_each(&mixes, 500, |trace, library, context| {
        let words = found(Reference::Ccs(Bounds::NONE), trace, library);
        let edc = found(Reference::Edc, trace, library);
        assert_eq!(words, edc, "{context}");
    });
}

#[test]
fn bounded_words_report_a_part_and_all_if_nothing_was_forgotten() {
    for (words, releases) in [(4, 8), (1, 1), (0, 4), (4, 0), (2, 3)] {
        let bounds = Bounds { words, releases };
        let (mut equal, mut assumed, mut fewer) = (0, 0, 0);
        for_each(&mixes(), 500, |trace, library, context| {
            let all = found(Reference::Edc, trace, library);
            let mut analysis = Analysis::new(Reference::Ccs(bounds), library.clone());
            for event in &trace.events {
                analysis.step(event, &trace.names).expect("understood");
            }
            let forgot = analysis.assumed() > 0;
            let some = analysis.finish();
            if forgot {
                assumed += 1;
                let (some, all) = (set(some), set(all));
                assert!(some.is_subset(&all), "{bounds:?}\n{context}");
                fewer += usize::from(some != all);
            } else {
                equal += 1;
                assert_eq!(some, all, "{bounds:?}\n{context}");
            }
        });
        assert!(equal > 100, "{bounds:?}: {equal} traces fit");
        let tight = bounds != Bounds::default();
        assert!(!tight || assumed > 100, "{bounds:?}: {assumed} did not");
        assert!(!tight || fewer > 10, "{bounds:?}: {fewer} lost something");
    }
}

#[test]
fn when_clocks_advance_does_not_matter() {
    for_each(&mixes(), 300, |trace, library, context| {
        for reference in [Reference::HappensBefore, Reference::Wdc, Reference::Edc] {
            let mut analysis = Analysis::new(reference, library.clone());
            analysis = analysis.with_ticks(Ticks::PerEvent);
            for event in &trace.events {
                analysis.step(event, &trace.names).expect("understood");
            }
            let per_event = analysis.finish();
            let per_release = found(reference, trace, library);
            assert_eq!(per_event, per_release, "{reference:?}\n{context}");
        }
    });
}

/// Happens-before finds what the detector of data races and the one of
/// commutativity races find.
#[test]
fn happens_before_is_the_detectors() {
    use commute_detect::{Pass, Races};
    for_each(&mixes(), 500, |trace, library, context| {
        let mut races = Races::all(library.clone()).keep_pairs();
        races
            .steps(&trace.events, &trace.names)
            .expect("understood");
        let later: BTreeSet<u64> = races.pairs().iter().map(|pair| pair.2).collect();
        let is_condvar = |pair: &Pair| {
            let op = &trace.events[pair.later as usize - 1].op;
            matches!(op, Op::Wait(..) | Op::Notify(_) | Op::NotifyAll(_))
        };
        let hb = found(Reference::HappensBefore, trace, library);
        let hb: BTreeSet<u64> = hb
            .iter()
            .filter(|p| !is_condvar(p))
            .map(|p| p.later)
            .collect();
        assert_eq!(hb, later, "{context}");
    });
}

/// More threads than clocks keep apart.
#[test]
fn many_threads_take_over_slots() {
    let library = Arc::new(library_without_orders());
    let mut text = String::from("T0|w(x)|1\n");
    for t in 1..=200 {
        text += &format!("T0|fork(T{t})|2\nT{t}|w(x)|3\nT0|join(T{t})|4\n");
    }
    text += "T0|w(x)|5\nlast|w(x)|6\n";
    let trace = Trace::parse(&text);
    for reference in [Reference::HappensBefore, Reference::Wdc, Reference::Edc] {
        let found = found(reference, &trace, &library);
        let earlier: BTreeSet<ThreadId> = promised(&found, &trace).iter().map(|p| p.0).collect();
        assert!(found.iter().all(|pair| pair.later == 603), "{reference:?}");
        assert_eq!(earlier.len(), 201, "{reference:?}");
    }
}

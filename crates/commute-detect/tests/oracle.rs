//! The detectors against oracles written from the definitions, on random
//! traces: the same verdict, every reported pair a true one, the later halves
//! exactly, and every pair of sites that races.

use std::collections::BTreeSet;
use std::sync::Arc;

use commute_detect::{InitialStates, Pass, Races};
use commute_model::{Code, Finding, ThreadId};
use commute_spec::Library;
use commute_testkit::oracle;
use commute_testkit::random::Random;
use commute_testkit::traces::{self, Family, Mix, Trace};

type Pairs = BTreeSet<(Code, u64, u64)>;

/// How a trace is looked at.
#[derive(Clone, Copy, Debug)]
struct Setting {
    batch: usize,
    apart: usize,
    /// After how many events it is asked what all threads know.
    settle: u64,
}

impl Setting {
    fn new(seed: u64, apart: usize) -> Setting {
        Setting {
            batch: 1 + (seed % 10) as usize,
            apart,
            settle: if seed.is_multiple_of(3) { 1 } else { 256 },
        }
    }
}

/// Returns the racing pairs and the number of unlisted races. If an initial state shows
/// too late, the trace is read again.
fn found(trace: &Trace, library: &Arc<Library>, setting: Setting) -> (Pairs, u64) {
    let none = Arc::new(InitialStates::default());
    read(trace, library, setting, &none).unwrap_or_else(|| {
        let states = InitialStates::infer(&trace.events, &trace.names, library.clone());
        let found = read(trace, library, setting, &Arc::new(states));
        found.expect("the initial states of the whole trace are known")
    })
}

/// Returns the racing pairs for these initial states; none if a larger count shows too
/// late.
fn read(
    trace: &Trace,
    library: &Arc<Library>,
    setting: Setting,
    states: &Arc<InitialStates>,
) -> Option<(Pairs, u64)> {
    let races = Races::all(library.clone()).keep_pairs();
    let mut races = races.keep_apart(setting.apart).settle_every(setting.settle);
    races.set_initial_states(states);
    for events in trace.events.chunks(setting.batch) {
        races.steps(events, &trace.names).expect("well-formed");
    }
    let mut findings = Vec::new();
    races.finish(&trace.names, &mut findings);
    let pairs: Pairs = races.pairs().iter().copied().collect();
    if races.is_late() {
        return None;
    }
    check_findings(&findings, &pairs, trace);
    Some((pairs, races.unlisted()))
}

/// Each finding is of one of the pairs, and there is one for each pair of sites: of
/// events without a location, for what they do to what.
fn check_findings(findings: &[Finding], pairs: &Pairs, trace: &Trace) {
    let grouped = |site: oracle::Site| match site {
        oracle::Site::At(location) => (location.0, None),
        oracle::Site::Nowhere(_, subject, operation) => (subject, Some(operation)),
    };
    let group = |pairs: &Pairs| -> Vec<_> {
        let sites = oracle::pairs_of_sites(pairs, &trace.events, &trace.names);
        let sites = sites.into_iter().map(|(code, a, b)| {
            let (a, b) = (grouped(a), grouped(b));
            (code, a.min(b), a.max(b))
        });
        let mut groups: Vec<_> = sites.collect();
        groups.sort_unstable();
        groups
    };
    let mut expected = group(pairs);
    expected.dedup();
    let reported = findings
        .iter()
        .map(|f| (f.code, f.events[0].index, f.events[1].index));
    let mut seen = Vec::new();
    for pair in reported {
        assert!(pairs.contains(&pair), "{pair:?}");
        seen.extend(group(&[pair].into()));
    }
    seen.sort_unstable();
    assert_eq!(seen, expected, "{}", trace.text());
    let count: u64 = findings.iter().map(|finding| finding.count).sum();
    assert_eq!(count, pairs.len() as u64);
    for event in findings.iter().flat_map(|finding| &finding.events) {
        let original = &trace.events[event.index as usize - 1];
        let line = format!("{}|{}|{}", event.thread, event.action, event.location);
        assert_eq!(line, original.display(&trace.names).to_string());
    }
}

/// Gives the events few sites, in some traces; some events have none then.
fn relocate(trace: &mut Trace, seed: u64) {
    let sites = [0, 1, 2, 4, 8][(seed % 5) as usize];
    if sites == 0 {
        return;
    }
    let mut random = Random::new(seed);
    for event in &mut trace.events {
        let site = random.below(sites + usize::from(seed.is_multiple_of(2)));
        let name = if site == sites {
            String::new()
        } else {
            format!("s.rs:{site}")
        };
        event.location = trace.names.locations.intern(&name);
    }
}

fn later(pairs: &Pairs) -> BTreeSet<(Code, u64)> {
    pairs
        .iter()
        .map(|&(code, _, later)| (code, later))
        .collect()
}

fn compare(mix: &Mix, seeds: std::ops::Range<u64>) -> (usize, usize) {
    compare_keeping_apart(64, mix, seeds)
}

fn compare_keeping_apart(apart: usize, mix: &Mix, seeds: std::ops::Range<u64>) -> (usize, usize) {
    let library = Arc::new(Library::shipped());
    let (mut racy, mut clean, mut incomplete) = (0, 0, 0);
    for seed in seeds {
        let mut trace = traces::random(seed, mix, &library);
        relocate(&mut trace, seed);
        // Where it cannot be told which message was received, more is ordered.
        if !oracle::synchronisation::is_unambiguous(&trace.events, &trace.names, &library) {
            continue;
        }
        let setting = Setting::new(seed, apart);
        match compare_one(
            &trace,
            setting,
            &library,
            &format!("seed {seed} of {mix:?}"),
        ) {
            (0, _) => clean += 1,
            (_, 0) => racy += 1,
            _ => incomplete += 1,
        }
    }
    assert!(20 * incomplete < racy, "{incomplete} of {racy}");
    (racy, clean)
}

/// How many races there are, and how many are not listed.
fn compare_one(
    trace: &Trace,
    setting: Setting,
    library: &Arc<Library>,
    name: &str,
) -> (usize, u64) {
    let truth = oracle::races(&trace.events, &trace.names, library);
    let (pairs, unlisted) = found(trace, library, setting);
    let context = || format!("{name} {setting:?}\n{}", trace.text());
    let wrong: Vec<_> = pairs.difference(&truth).collect();
    assert!(wrong.is_empty(), "not a race: {wrong:?}\n{}", context());
    assert_eq!(later(&pairs), later(&truth), "later halves\n{}", context());
    let sites = |pairs: &Pairs| {
        let sites = oracle::pairs_of_sites(pairs, &trace.events, &trace.names);
        let sites = sites.into_iter().map(|(code, a, b)| {
            // A thread that took over a slot stands for the one before it.
            let thread = |site| match site {
                oracle::Site::Nowhere(_, subject, operation) if setting.apart < 64 => {
                    oracle::Site::Nowhere(ThreadId(0), subject, operation)
                }
                site => site,
            };
            let (a, b) = (thread(a), thread(b));
            (code, a.min(b), a.max(b))
        });
        sites.collect::<BTreeSet<_>>()
    };
    if unlisted == 0 {
        assert_eq!(sites(&pairs), sites(&truth), "sites\n{}", context());
    }
    (truth.len(), unlisted)
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
        &["semaphore", "semaphore(2)", "semaphore(1)"],
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
        let mut trace = family.trace(seed, &library);
        relocate(&mut trace, seed);
        let (races, unlisted) = compare_one(
            &trace,
            Setting::new(seed, 64),
            &library,
            &format!("seed {seed}"),
        );
        assert!(unlisted == 0 || seed.is_multiple_of(3));
        racy += usize::from(races > 0);
        clean += usize::from(races == 0);
    }
    assert_both((racy, clean));
}

/// Threads that live for a few events, one after another and a few at a time.
#[test]
fn races_of_short_lives_are_exact() {
    let library = Arc::new(Library::shipped());
    let (mut racy, mut clean) = (0, 0);
    for seed in 0..6000 {
        let types: &[&str] = [&[][..], &["dictionary"], &["atomic"]][(seed % 3) as usize];
        let mut trace = traces::short_lives(seed, types, &library);
        relocate(&mut trace, seed);
        let setting = Setting::new(seed, 1 + (seed % 2) as usize);
        let (races, _) = compare_one(&trace, setting, &library, &format!("seed {seed}"));
        racy += usize::from(races > 0);
        clean += usize::from(races == 0);
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

//! Predictions about hand-made traces, and about random ones against an oracle.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use PredictedKind::{Order, Race};
use commute_detect::{Legal, Options, Pass, Predicted, PredictedKind, Prediction};
use commute_model::{Event, Finding, Op, Severity};
use commute_spec::Library;
use commute_testkit::oracle::prediction;
use commute_testkit::oracle::synchronisation::is_waiting;
use commute_testkit::traces::{Family, Trace, few_short_lives};
use commute_trace::Validator;

/// A trace of events that each have a location of their own.
fn located(text: &str) -> Trace {
    let lines = text.split("; ").enumerate();
    let lines: Vec<String> = lines
        .map(|(i, line)| format!("{line}|t.rs:{}", i + 1))
        .collect();
    Trace::parse(&lines.join("\n"))
}

/// What is certified of a trace.
fn certified(trace: &Trace, options: &Options) -> Vec<Predicted> {
    let mut pass = Prediction::new(Arc::new(Library::shipped()), options.clone());
    pass.steps(&trace.events, &trace.names)
        .expect("well-formed");
    pass.finish(&trace.names, &mut Vec::new());
    let found = pass.predicted().iter();
    { found.filter(|p| p.unconfirmed.is_none()) }
        .cloned()
        .collect()
}

fn predict(text: &str, options: Options) -> Vec<(PredictedKind, u64, u64)> {
    let found = certified(&located(text), &options);
    let found = found.iter();
    let mut found: Vec<_> = found.map(|p| (p.kind, p.earlier, p.later)).collect();
    found.sort();
    found
}

fn default(text: &str) -> Vec<(PredictedKind, u64, u64)> {
    predict(text, Options::default())
}

#[test]
fn a_swap_that_another_lock_forbids() {
    let trace = "T0|acq(A); T0|acq(B); T0|r(y); T0|rel(B); T0|w(X); T0|rel(A); \
                 T1|acq(B); T1|w(y); T1|rel(B); T1|acq(A); T1|free(X); T1|rel(A)";
    assert_eq!(default(trace), []);
}

#[test]
fn a_read_outside_any_lock_forbids_it() {
    let trace = "T1|acq(m); T1|w(x); T1|rel(m); T1|w(y); \
                 T2|acq(m); T2|free(x); T2|r(y); T2|rel(m)";
    assert_eq!(default(trace), [(Race, 4, 7)]);
}

#[test]
fn two_writes_under_a_lock_may_be_swapped() {
    let trace = "T1|acq(m); T1|w(y); T1|w(x); T1|rel(m); \
                 T2|acq(m); T2|w(y); T2|free(x); T2|rel(m)";
    assert_eq!(default(trace), [(Order, 3, 7)]);
}

#[test]
fn a_race_that_needs_no_reordering() {
    assert_eq!(default("T1|w(x); T2|r(x)"), [(Race, 1, 2)]);
}

#[test]
fn an_access_before_the_lock_races() {
    let trace = "T1|w(x); T1|acq(m); T1|w(x); T1|rel(m); T2|acq(m); T2|w(x); T2|rel(m)";
    assert_eq!(default(trace), [(Race, 1, 6)]);
}

/// The wait gives both holds back, or nobody could notify.
#[test]
fn a_wait_gives_back_a_lock_that_is_held_twice() {
    let trace = "T1|acq(m); T1|acq(m); T1|wait(c,m); T2|acq(m); T2|notify(c); T2|rel(m); \
                 T2|w(x); T1|wake(c,m); T1|rel(m); T1|rel(m); T1|w(x)";
    assert_eq!(default(trace), [(Race, 7, 11), (Order, 3, 5)]);
}

/// And the wake gets both: what comes between the two releases is under the lock.
#[test]
fn a_wake_takes_a_lock_as_often_as_it_was_held() {
    let trace = "T1|acq(m); T1|acq(m); T1|wait(c,m); T1|wake(c,m); T1|rel(m); T1|w(x); \
                 T1|rel(m); T2|acq(m); T2|w(x); T2|rel(m)";
    assert_eq!(default(trace), []);
}

/// The lock is used in a section of another one, and freed in a later section.
const FREED_LOCK: [&str; 7] = [
    "T1|acq(n)",
    "T1|acq(k)",
    "T1|rel(k)",
    "T1|rel(n)",
    "T2|acq(n)",
    "T2|free(k)",
    "T2|rel(n)",
];

#[test]
fn a_lock_is_freed_before_it_is_used() {
    assert_eq!(default(&FREED_LOCK.join("; ")), [(Order, 2, 6)]);
}

/// Who sees that it may be freed has waited for those who use it.
#[test]
fn a_lock_is_freed_by_who_saw_that_nobody_needs_it() {
    let trace = "T1|acq(k); T1|w(done); T1|rel(k); T2|acq(k); T2|r(done); T2|rel(k); T2|free(k)";
    assert_eq!(default(trace), []);
    let trace = "T1|acq(k); T1|w(done); T1|rel(k); T1|notify(c); \
                 T2|acq(k); T2|r(done); T2|rel(k); T2|free(k); T2|free(c)";
    assert_eq!(default(trace), [(Order, 4, 9)]);
}

/// There are too many events to search all orders: one of the two must be known to
/// be the reason.
#[test]
fn a_lock_that_was_freed_by_one_or_the_other() {
    let long = ["T4|r(y)"; 40].join("; ");
    let trace = format!(
        "T4|acq(n); {long}; T1|free(k); T2|free(k); T3|acq(k); T3|rel(k); T3|w(x); T4|w(x); T4|rel(n)"
    );
    assert!(default(&trace).contains(&(Race, 46, 47)));
}

#[test]
fn a_lock_that_is_allocated_again_is_another() {
    let trace = "T1|acq(k); T1|rel(k); T1|free(k); T1|alloc(k); T2|acq(k); T2|rel(k); T2|free(k)";
    assert_eq!(default(trace), []);
}

/// The events before are not kept any more, and what they did does not matter.
#[test]
fn a_lock_is_freed_late_in_a_long_trace() {
    let before = [["T3|acq(n)", "T3|acq(k)", "T3|rel(k)", "T3|rel(n)"]; 8_000].concat();
    let trace = [&["T3|fork(T1)", "T3|fork(T2)"], &before[..], &FREED_LOCK].concat();
    let at = 2 + before.len() as u64;
    let found = default(&trace.join("; "));
    assert!(found.contains(&(Order, at + 2, at + 6)), "{found:?}");
    // Those of the other thread, too, as far as they are kept: each is at a site of its own.
    let others = { found.iter() }.filter(|(_, earlier, _)| *earlier <= at);
    let others: Vec<u64> = others.map(|(_, earlier, _)| *earlier).collect();
    let last: Vec<u64> = (0..32).rev().map(|n| at - 2 - 4 * n).collect();
    assert_eq!(others, last);
}

/// Nothing is said of a use that is too far back, nor is it unconfirmed.
#[test]
fn a_lock_was_used_long_before_it_is_freed() {
    let between = ["T3|r(y)"; 15_000];
    let trace = [&FREED_LOCK[..4], &between, &FREED_LOCK[4..]].concat();
    let trace = Trace::parse(&format!("{}|t.rs:1", trace.join("|t.rs:1\n")));
    let mut pass = Prediction::new(Arc::new(Library::shipped()), Options::default());
    pass.steps(&trace.events, &trace.names)
        .expect("well-formed");
    pass.finish(&trace.names, &mut Vec::new());
    assert!(pass.predicted().is_empty(), "{:?}", pass.predicted());
}

/// Names come with the events that use them: a lock may get its own after it was
/// freed.
#[test]
fn it_does_not_matter_when_names_are_known() {
    let library = Arc::new(Library::shipped());
    for (name, family) in Family::all() {
        if !name.starts_with("freed") {
            continue;
        }
        let mut pairs = 0;
        for seed in 0..60 {
            let text = family.trace(seed, &library).text();
            let whole = Trace::parse(&text);
            let mut at_once = Prediction::new(library.clone(), Options::default());
            let mut singly = Prediction::new(library.clone(), Options::default());
            at_once
                .steps(&whole.events, &whole.names)
                .expect("well-formed");
            for (i, event) in whole.events.iter().enumerate() {
                let lines: Vec<&str> = text.lines().take(i + 1).collect();
                let names = Trace::parse(&lines.join("\n")).names;
                singly
                    .steps(std::slice::from_ref(event), &names)
                    .expect("well-formed");
            }
            let (mut all, mut each) = (Vec::new(), Vec::new());
            at_once.finish(&whole.names, &mut all);
            singly.finish(&whole.names, &mut each);
            let titles = |found: &[Finding]| {
                let mut titles: Vec<_> = found.iter().map(|f| f.title.clone()).collect();
                titles.sort();
                titles
            };
            assert_eq!(titles(&all), titles(&each), "{name}, seed {seed}\n{text}");
            pairs += all.len();
        }
        assert!(pairs > 50, "{name}: {pairs}");
    }
}

/// The trace ends where the lock is held by another thread: the acquisition has to wait
/// until that thread has released it.
#[test]
fn a_lock_that_is_freed_is_acquired_by_a_thread_that_can() {
    let trace = "T1|acq(L1); T2|acq(L0); T1|rel(L1); T2|acq(L1); T0|free(L1)";
    for predicted in certified(&located(trace), &Options::default()) {
        let (_, last) = predicted.steps.split_last().expect("the pair");
        let steps = (1..=predicted.prefix).chain(last.iter().copied());
        let steps: Vec<u64> = steps.collect();
        if predicted.earlier == 4 {
            assert_eq!(steps.contains(&1), steps.contains(&3), "{predicted:?}");
        }
    }
    // The section does not end: the other thread does not get the lock any more.
    let found = default("T1|acq(n); T1|fork(T2); T2|acq(k); T1|free(k); T1|rel(n)");
    assert_eq!(found, [(Order, 3, 4)]);
    let found = default("T1|acq(k); T1|fork(T2); T1|free(k); T2|racq(k)");
    assert_eq!(found, []);
}

/// A witness is an execution: its last events can execute, too.
#[test]
fn the_last_events_of_a_witness_execute() {
    let library = Arc::new(Library::shipped());
    let (mut witnesses, mut stuck, mut example) = (0, 0, None);
    for (name, family) in Family::all() {
        for seed in 0..400 {
            let trace = family.trace(seed, &library);
            for predicted in certified(&trace, &Options::default()) {
                witnesses += 1;
                if !ends_well(&trace, &predicted) {
                    stuck += 1;
                    example.get_or_insert((name, seed, trace.text(), predicted));
                }
            }
        }
    }
    assert!(witnesses > 10_000, "only {witnesses} witnesses");
    assert_eq!(stuck, 0, "of {witnesses}: {example:?}");
}

/// Whether the last events of a witness are well-formed after the others, whichever of
/// a race comes last.
fn ends_well(trace: &Trace, predicted: &Predicted) -> bool {
    let own = if predicted.kind == Race { 2 } else { 1 };
    let (before, pair) = { &predicted.steps }.split_at(predicted.steps.len() - own);
    { 1..=own }.all(|first| {
        let mut pair = pair.to_vec();
        pair.rotate_left(first);
        let mut validator = Validator::new();
        let steps = (1..=predicted.prefix).chain(before.iter().chain(&pair).copied());
        { steps }.all(|index| {
            let event = &trace.events[index as usize - 1];
            let mut flaws = validator.step(event, index, index, &trace.names).iter();
            let is_last = pair.contains(&index);
            !is_last || flaws.all(|flaw| flaw.severity != Severity::Error)
        })
    })
}

/// What recall is counted by: the kind, the operations with their object, and
/// the threads.
type Group = (PredictedKind, String, String, u32, u32);

fn group(trace: &Trace, kind: PredictedKind, (a, b): (usize, usize)) -> Group {
    let (a, b) = (&trace.events[a], &trace.events[b]);
    let operation = |event: &Event| match &event.op {
        Op::Action(action) => {
            let (o, m) = (action.object, action.method);
            format!("{o:?}.{}", trace.names.methods.name(m))
        }
        op => op.display(&trace.names).to_string(),
    };
    let operation = |event| {
        let text: String = operation(event);
        // `wait(c,m)`: the mutex does not matter.
        text.split(',').next().unwrap_or_default().to_owned()
    };
    (kind, operation(a), operation(b), a.thread.0, b.thread.0)
}

struct Compared {
    groups: usize,
    missed: Vec<Group>,
}

fn compare(trace: &Trace, library: &Arc<Library>, options: &Options) -> Option<Compared> {
    compare_keeping_apart(64, trace, library, options)
}

fn compare_keeping_apart(
    apart: usize,
    trace: &Trace,
    library: &Arc<Library>,
    options: &Options,
) -> Option<Compared> {
    let legal = match options.legal {
        Legal::Order => prediction::Legal::Order,
        Legal::Observe => prediction::Legal::Observe,
        Legal::Replay => prediction::Legal::Replay,
    };
    let (events, names) = (&trace.events, &trace.names);
    let truth = prediction::predict(events, names, library, legal, 50_000)?;
    let mut pass = Prediction::new(library.clone(), options.clone()).keep_apart(apart);
    pass.steps(events, names).expect("well-formed");
    pass.finish(names, &mut Vec::new());
    let mut found: BTreeSet<Group> = BTreeSet::new();
    for predicted in pass.predicted() {
        if predicted.unconfirmed.is_some() {
            continue;
        }
        let pair = (predicted.earlier as usize - 1, predicted.later as usize - 1);
        let true_ones = match predicted.kind {
            Race => &truth.races,
            Order => &truth.orders,
        };
        assert!(true_ones.contains(&pair), "{predicted:?} is not true");
        let order_only = prediction::is_order_only(events, names, library, pair);
        assert_eq!(predicted.order_only, order_only);
        let prefix = 0..predicted.prefix as usize;
        let own = if predicted.kind == Race { 2 } else { 1 };
        let steps = &predicted.steps[..predicted.steps.len() - own];
        let steps = steps.iter().map(|&index| index as usize - 1);
        let rho: Vec<usize> = prefix.chain(steps).collect();
        let correct = prediction::is_correct_reordering(events, names, library, legal, &rho);
        assert_eq!(correct, Ok(()));
        found.insert(group(trace, predicted.kind, pair));
        if predicted.kind == Order {
            // Says more than that the two race.
            found.insert(group(trace, Race, pair));
        }
    }
    let orders = truth.orders.iter().filter(|pair| {
        options.all_orders || prediction::is_order_only(events, names, library, **pair)
    });
    let orders = orders.map(|pair| group(trace, Order, *pair));
    // By some actions threads wait for each other: that they meet is what they are for.
    let waiting = |pair: &&(usize, usize)| is_waiting(events, names, library, **pair);
    let races = truth.races.iter().filter(|pair| !waiting(pair));
    let races = races.map(|pair| group(trace, Race, *pair));
    let groups: BTreeSet<Group> = orders.chain(races).collect();
    let missed = groups.difference(&found).cloned().collect();
    Some(Compared {
        groups: groups.len(),
        missed,
    })
}

/// Compares a family with the oracle on many traces: everything that is
/// certified is true, and hardly anything is missed.
fn check(name: &str, family: &Family, options: &Options, seeds: Range<u64>) {
    let library = Arc::new(Library::shipped());
    let (mut groups, mut missed) = (0, Vec::new());
    for seed in seeds {
        let trace = family.trace(seed, &library);
        let options = Options {
            all_orders: seed % 4 == 0,
            ..options.clone()
        };
        let compared = std::panic::catch_unwind(|| compare(&trace, &library, &options));
        let Ok(compared) = compared else {
            panic!("{name}, seed {seed}:\n{}", trace.text());
        };
        if let Some(compared) = compared {
            groups += compared.groups;
            let trace = || format!("seed {seed}\n{}", trace.text());
            missed.extend(compared.missed.into_iter().map(|group| (group, trace())));
        }
    }
    assert!(groups > 100, "{name}: only {groups} groups");
    let rate = missed.len() * 1000;
    assert!(
        rate <= groups,
        "{name}: {} of {groups} missed; {:?}",
        missed.len(),
        missed[0]
    );
}

fn check_families(names: &[&str], options: &Options, seeds: Range<u64>) {
    for (name, family) in Family::all() {
        if names.contains(&name) {
            check(name, &family, options, seeds.clone());
        }
    }
}

#[test]
fn reads_writes_and_locks() {
    let names = ["no locks", "few locks", "many locks", "nested locks"];
    check_families(&names, &Options::default(), 0..1500);
}

#[test]
fn one_lock_and_frees() {
    let names = ["one lock", "freed variables", "read locks"];
    check_families(&names, &Options::default(), 0..1500);
}

#[test]
fn waiting_and_mixed() {
    let names = [
        "condition variables",
        "reentrant waits",
        "dropped objects",
        "mixed",
    ];
    check_families(&names, &Options::default(), 0..1500);
}

#[test]
fn freed_locks_and_condition_variables() {
    let names = [
        "freed locks",
        "freed condition variables",
        "contended locks",
        "contended waits",
    ];
    check_families(&names, &Options::default(), 0..1500);
}

#[test]
fn library_objects() {
    let names = ["dictionary", "set", "channel", "mpsc", "context", "file"];
    check_families(&names, &Options::default(), 0..1500);
}

#[test]
fn synchronising_objects() {
    let names = ["permits", "rounds", "waiting", "stack"];
    check_families(&names, &Options::default(), 0..1500);
}

const FILLED: [&str; 3] = ["filled dictionary", "filled queue", "semaphore"];

#[test]
fn library_objects_that_were_filled_before() {
    check_families(&FILLED, &Options::default(), 0..600);
    let options = Options {
        legal: Legal::Replay,
        budget: 20_000,
        ..Options::default()
    };
    check_families(&FILLED, &options, 5000..5300);
}

const OPAQUE: [&str; 9] = [
    "opaque messages",
    "opaque map",
    "opaque dictionary",
    "opaque set",
    "opaque queue",
    "opaque counter",
    "opaque memory",
    "opaque channel",
    "opaque mpsc",
];

#[test]
fn library_objects_with_opaque_values() {
    check_families(&OPAQUE, &Options::default(), 0..1500);
}

#[test]
fn other_readings_of_opaque_values() {
    for legal in [Legal::Order, Legal::Replay] {
        let options = Options {
            legal,
            budget: 20_000,
            ..Options::default()
        };
        check_families(&OPAQUE, &options, 5000..5400);
    }
}

/// The `get` may need the `insert`.
#[test]
fn an_opaque_key_may_be_any() {
    let trace = "T0|new(m:map); T0|fork(T1); T0|fork(T2); T1|w(x); T1|m.insert(?,1)/nil; \
                 T2|m.get(?)/1; T2|w(x)";
    assert_eq!(default(trace), []);
    let known = trace
        .replace("get(?)", "get(7)")
        .replace("insert(?,", "insert(8,");
    assert_eq!(default(&known), [(Race, 4, 7)]);
}

/// A window begins in the middle of sections, waits and lives. What is found there
/// is true as well; what is missed does not matter.
#[test]
fn small_windows() {
    let library = Arc::new(Library::shipped());
    for (name, family) in Family::all() {
        for seed in 0..150 {
            let trace = family.trace(seed, &library);
            let options = Options {
                window: 3 + seed as usize % 6,
                ..Options::default()
            };
            let compared = std::panic::catch_unwind(|| compare(&trace, &library, &options));
            assert!(compared.is_ok(), "{name}, seed {seed}:\n{}", trace.text());
        }
    }
}

#[test]
fn other_readings() {
    let names = ["dictionary", "set", "channel", "mpsc", "context", "mixed"];
    for legal in [Legal::Order, Legal::Replay] {
        let options = Options {
            legal,
            budget: 20_000,
            ..Options::default()
        };
        check_families(&names, &options, 5000..5300);
    }
}

/// Threads that live for a few events, one after another and a few at a time. Those that
/// use one slot are one thread for what is kept of their accesses.
#[test]
fn short_lives() {
    let library = Arc::new(Library::shipped());
    let (mut groups, mut missed) = (0, Vec::new());
    for seed in 0..4000 {
        let types: &[&str] = [&[][..], &["dictionary"], &["channel"]][(seed % 3) as usize];
        let trace = few_short_lives(seed, types, &library);
        let options = Options {
            all_orders: seed % 4 == 0,
            ..Options::default()
        };
        let apart = 1 + (seed % 2) as usize;
        let compared =
            std::panic::catch_unwind(|| compare_keeping_apart(apart, &trace, &library, &options));
        let Ok(compared) = compared else {
            panic!("seed {seed}:\n{}", trace.text());
        };
        if let Some(compared) = compared {
            groups += compared.groups;
            let trace = || format!("seed {seed}\n{}", trace.text());
            missed.extend(
                { compared.missed }
                    .into_iter()
                    .map(|group| (group, trace())),
            );
        }
    }
    assert!(groups > 1000 && missed.is_empty(), "{groups}: {missed:?}");
}

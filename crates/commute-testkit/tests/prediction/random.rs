//! The search against the definition, on random traces.

use commute_model::{Event, Names, Op, Severity};
use commute_spec::Library;
use commute_testkit::oracle::prediction::{
    Legal, Predicted, conflicts, is_correct_reordering, predict, witnesses,
};
use commute_testkit::traces::{Family, Trace};
use commute_trace::Validator;

const MOST: usize = 1_000_000;

/// Every trace of every family for these seeds.
fn each(seeds: std::ops::Range<u64>, mut check: impl FnMut(&str, &Trace, &Library)) {
    let library = Library::shipped();
    for (name, family) in Family::all() {
        for seed in seeds.clone() {
            let trace = family.trace(seed, &library);
            let name = format!("{name}, seed {seed}\n{}", trace.text());
            check(&name, &trace, &library);
        }
    }
}

fn correct(trace: &Trace, library: &Library, legal: Legal, rho: &[usize]) -> Result<(), String> {
    is_correct_reordering(&trace.events, &trace.names, library, legal, rho)
}

fn predicted(trace: &Trace, library: &Library, legal: Legal) -> Predicted {
    predict(&trace.events, &trace.names, library, legal, MOST).expect("a small trace")
}

#[test]
fn the_traces_are_well_formed_and_correct_reorderings_of_themselves() {
    each(0..200, |name, trace, library| {
        let mut validator = Validator::new();
        for (index, event) in trace.events.iter().enumerate() {
            let index = index as u64 + 1;
            let flaws = validator.step(event, index, index, &trace.names);
            let bad = flaws.iter().find(|flaw| flaw.severity == Severity::Error);
            assert_eq!(bad, None, "{name}");
        }
        let sigma: Vec<usize> = (0..trace.events.len()).collect();
        for legal in Legal::ALL {
            assert_eq!(correct(trace, library, legal, &sigma), Ok(()), "{name}");
        }
    });
}

#[test]
fn every_family_has_something_to_predict_and_something_not() {
    let library = Library::shipped();
    for (name, family) in Family::all() {
        let (mut races, mut orders, mut neither) = (0, 0, 0);
        for seed in 0..200 {
            let trace = family.trace(seed, &library);
            let found = predicted(&trace, &library, Legal::Observe);
            races += usize::from(!found.races.is_empty());
            orders += usize::from(!found.orders.is_empty());
            neither += usize::from(found.races.is_empty() && found.orders.is_empty());
        }
        let numbers = format!("{name}: {races} races, {orders} orders, {neither} neither");
        assert!(races > 20 && orders > 20 && neither > 5, "{numbers}");
    }
}

#[test]
fn every_witness_is_one() {
    each(0..60, |name, trace, library| {
        for legal in Legal::ALL {
            let found = witnesses(&trace.events, &trace.names, library, legal, MOST);
            let found = found.expect("a small trace");
            for (pair, rho) in &found.races {
                assert_eq!(correct(trace, library, legal, rho), Ok(()), "{name}");
                assert!(shows(trace, rho, *pair, false), "{name}{pair:?} {rho:?}");
            }
            for (pair, rho) in &found.orders {
                assert_eq!(correct(trace, library, legal, rho), Ok(()), "{name}");
                assert!(shows(trace, rho, *pair, true), "{name}{pair:?} {rho:?}");
            }
        }
    });
}

#[test]
fn each_reading_allows_what_the_one_before_does() {
    each(0..150, |name, trace, library| {
        let [order, observe, replay] = Legal::ALL.map(|legal| predicted(trace, library, legal));
        for (less, more) in [(&order, &observe), (&observe, &replay)] {
            assert!(less.races.is_subset(&more.races), "{name}");
            assert!(less.orders.is_subset(&more.orders), "{name}");
        }
    });
}

/// Whatever was where a trace is opaque: what is correct for the trace is correct for
/// what really happened.
#[test]
fn what_is_correct_for_an_opaque_trace_is_correct_for_the_true_one() {
    let library = Library::shipped();
    for (name, family) in Family::all() {
        if family.opaque == 0 && !family.opaque_messages {
            continue;
        }
        let clear = Family {
            opaque: 0,
            opaque_messages: false,
            ..family.clone()
        };
        let mut compared = 0;
        for seed in 0..300 {
            let (trace, truth) = (family.trace(seed, &library), clear.trace(seed, &library));
            for legal in Legal::ALL {
                let found = witnesses(&trace.events, &trace.names, &library, legal, MOST);
                let found = found.expect("a small trace");
                for rho in found.races.values().chain(found.orders.values()) {
                    let correct = correct(&truth, &library, Legal::Replay, rho);
                    assert_eq!(
                        correct,
                        Ok(()),
                        "{name}, seed {seed}, {legal:?}\n{}",
                        trace.text()
                    );
                    compared += 1;
                }
            }
        }
        assert!(compared > 100, "{name}: only {compared} reorderings");
    }
}

/// All sequences are tried, whether or not their beginnings are correct.
#[test]
fn the_search_finds_exactly_what_the_definition_allows() {
    let library = Library::shipped();
    let mut compared = 0;
    for (name, family) in Family::all() {
        let short = Family {
            events: 7,
            ..family
        };
        for seed in 0..45 {
            let trace = short.trace(seed, &library);
            if trace.events.len() > 8 {
                continue;
            }
            for legal in Legal::ALL {
                let mut truth = Predicted::default();
                let pairs = conflicts(&trace.events, &trace.names, &library);
                for rho in sequences(&trace) {
                    if correct(&trace, &library, legal, &rho).is_ok() {
                        let races = pairs.iter().filter(|p| shows(&trace, &rho, **p, false));
                        truth.races.extend(races);
                        let orders = pairs.iter().filter(|p| shows(&trace, &rho, **p, true));
                        truth.orders.extend(orders);
                    }
                }
                let found = predicted(&trace, &library, legal);
                assert_eq!(
                    found,
                    truth,
                    "{name}, seed {seed}, {legal:?}\n{}",
                    trace.text()
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 1000, "only {compared} comparisons");
}

/// All sequences of events in which every thread does a beginning of what it
/// does in the trace.
fn sequences(trace: &Trace) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    let mut next = 0;
    while next < all.len() {
        let rho: Vec<usize> = all[next].clone();
        let is_next = |&e: &usize| is_next(trace, &rho, e);
        let longer: Vec<_> = (0..trace.events.len())
            .filter(is_next)
            .map(|e| [&rho[..], &[e]].concat())
            .collect();
        all.extend(longer);
        next += 1;
    }
    all
}

fn is_next(trace: &Trace, rho: &[usize], e: usize) -> bool {
    let own = |b: &usize| trace.events[*b].thread == trace.events[e].thread;
    !rho.contains(&e) && (0..e).filter(own).all(|b| rho.contains(&b))
}

/// Whether `e` is next after `rho`, its thread and what it is about are there, and the
/// lock that it acquires is free.
fn can_be_next(trace: &Trace, rho: &[usize], e: usize) -> bool {
    let event = &trace.events[e];
    let begins = |op: &Op, name: &str| match op {
        Op::Alloc(x) => trace.names.variables.name(*x).to_string() == name,
        Op::New(o, _) => format!("object {}", trace.names.objects.name(*o)) == name,
        _ => false,
    };
    let birth = |name: &String| (0..e).rfind(|&b| begins(&trace.events[b].op, name));
    let used = used(event, &trace.names);
    let births = used.iter().filter_map(birth);
    let forks = |op: &Op| *op == Op::Fork(event.thread);
    let forked = (0..e).filter(|&b| forks(&trace.events[b].op));
    is_next(trace, rho, e)
        && births.chain(forked).all(|b| rho.contains(&b))
        && gets_its_lock(trace, rho, e)
}

/// Whether no other thread holds the lock that `e` acquires, if it acquires one.
fn gets_its_lock(trace: &Trace, rho: &[usize], e: usize) -> bool {
    let (lock, exclusive) = match trace.events[e].op {
        Op::Acquire(l) | Op::Wake(_, l) => (l, true),
        Op::ReadAcquire(l) => (l, false),
        _ => return true,
    };
    let own = trace.events[e].thread;
    let threads = { rho.iter() }.map(|&b| trace.events[b].thread);
    let mut others = threads.filter(|t| *t != own);
    others.all(|t| {
        // Holds of the lock, exclusive ones and shared ones, and those given back to wait.
        let (mut holds, mut shared, mut given_back) = (0, 0, 1);
        for event in { rho.iter() }.map(|&b| &trace.events[b]) {
            match event.op {
                _ if event.thread != t => {}
                Op::Acquire(l) if l == lock => holds += 1,
                Op::Release(l) if l == lock => holds -= 1,
                Op::ReadAcquire(l) if l == lock => shared += 1,
                Op::ReadRelease(l) if l == lock => shared -= 1,
                Op::Wait(_, l) if l == lock => given_back = std::mem::take(&mut holds),
                Op::Wake(_, l) if l == lock => holds = given_back,
                _ => {}
            }
        }
        holds == 0 && !(exclusive && shared > 0)
    })
}

/// The names of what an event uses.
fn used(event: &Event, names: &Names) -> Vec<String> {
    match &event.op {
        Op::Read(x) | Op::Write(x) | Op::Free(x) => vec![names.variables.name(*x).to_string()],
        Op::Acquire(l) | Op::Release(l) | Op::ReadAcquire(l) | Op::ReadRelease(l) => {
            vec![names.locks.name(*l).to_string()]
        }
        Op::Wait(c, l) | Op::Wake(c, l) => {
            let (c, l) = (names.condvars.name(*c), names.locks.name(*l));
            vec![c.to_string(), l.to_string()]
        }
        Op::Notify(c) | Op::NotifyAll(c) => vec![names.condvars.name(*c).to_string()],
        Op::Action(action) => vec![format!("object {}", names.objects.name(action.object))],
        _ => Vec::new(),
    }
}

fn shows(trace: &Trace, rho: &[usize], (e1, e2): (usize, usize), order: bool) -> bool {
    let second = match order {
        true => rho.contains(&e2),
        false => can_be_next(trace, rho, e2),
    };
    e1 < e2 && second && can_be_next(trace, rho, e1)
}

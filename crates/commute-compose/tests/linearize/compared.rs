//! The search against the definition, on thousands of small histories.

use commute_compose::linearize::{Answer, Call, History, Limits, Unexplained, check, check_order};
use commute_spec::models;

use crate::model;
use crate::oracle::{is_legal, is_linearizable, keeps_time, longest};
use crate::random::{Random, Shape, history};

/// Models and what of them is called.
const OBJECTS: &[(&str, &[&str])] = &[
    ("register", &["read", "write"]),
    ("counter", &["inc", "add", "read"]),
    ("hashset", &["insert", "remove", "contains"]),
    ("hashset", &["insert", "remove", "contains", "len"]),
    ("map", &["put", "get", "cas", "remove", "try_insert"]),
    ("map", &["insert", "get", "remove", "len", "snapshot"]),
    ("queue", &["push", "pop", "peek"]),
    ("stack", &["push", "pop"]),
    ("memory", &["alloc", "read", "write", "free"]),
    ("mpsc", &["send", "recv", "try_recv"]),
    ("bounded_queue", &["push", "pop", "force_push"]),
    ("condvar", &["wait_begin", "wake", "notify_one"]),
];

fn shapes(seed: u64) -> Shape {
    Shape {
        processes: 2 + (seed % 3) as usize,
        calls: 2 + (seed / 3 % 5) as usize,
        wrong: [0, 2, 4][(seed / 2 % 3) as usize],
        pending: seed % 4 < 2,
    }
}

/// How often each verdict came, and how many orders had a pending call.
#[derive(Default, Debug)]
struct Tally {
    yes: usize,
    no: usize,
    with_pending: usize,
}

fn compare(name: &str, methods: &[&str], seed: u64, tally: &mut Tally) {
    let real = models::named(name).unwrap();
    let history = history(real, methods, &shapes(seed), &mut Random::new(seed));
    let expected = is_linearizable(real, &history);
    let context = || format!("{name}, seed {seed}\n{history}");
    for by_part in [true, false] {
        let limits = Limits::default().by_part(by_part);
        match check(&model(name), &history, &limits) {
            Answer::Linearizable(order) => {
                assert!(expected, "{}", context());
                assert_is_order(name, &history, &order, &context);
                tally.yes += 1;
                let calls = history.calls();
                tally.with_pending += usize::from(order.iter().any(|&i| calls[i].is_pending()));
            }
            Answer::NotLinearizable(unexplained) => {
                assert!(!expected, "{}", context());
                assert_is_longest(name, &history, &unexplained, &context);
                tally.no += 1;
            }
            Answer::Unknown(unknown) => panic!("{unknown}: {}", context()),
        }
    }
}

fn assert_is_order(name: &str, history: &History, order: &[usize], context: &dyn Fn() -> String) {
    let calls = history.calls();
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), order.len(), "{}", context());
    let complete = (0..calls.len()).all(|i| calls[i].is_pending() || order.contains(&i));
    assert!(complete, "{}", context());
    assert!(keeps_time(calls, order), "{}", context());
    let real = models::named(name).unwrap();
    assert!(is_legal(real, calls, order), "{}", context());
    assert_eq!(check_order(&model(name), history, order), Ok(()));
}

/// What was explained is an order of some calls, and there is no longer one.
fn assert_is_longest(
    name: &str,
    history: &History,
    unexplained: &Unexplained,
    context: &dyn Fn() -> String,
) {
    let calls = history.calls();
    let real = models::named(name).unwrap();
    let order = &unexplained.explained;
    assert!(keeps_time(calls, order), "{}", context());
    assert!(is_legal(real, calls, order), "{}", context());
    let of_part = |call: &&Call| match &unexplained.key {
        None => true,
        key => call.args.first() == key.as_ref(),
    };
    let part: Vec<Call> = calls.iter().filter(of_part).cloned().collect();
    let returned = order.iter().filter(|&&i| !calls[i].is_pending()).count();
    assert_eq!(returned, longest(real, &part), "{}", context());
    // The next ones are all that nobody precedes.
    let left = |call: &usize| !order.contains(call) && of_part(&&calls[*call]);
    let left: Vec<usize> = (0..calls.len()).filter(left).collect();
    let is_next = |call: &usize| left.iter().all(|&o| !calls[o].precedes(&calls[*call]));
    let next: Vec<usize> = { left.iter().copied() }
        .filter(|call| !calls[*call].is_pending() && is_next(call))
        .collect();
    let mut refused: Vec<usize> = unexplained.refused.iter().map(|r| r.call).collect();
    refused.sort_unstable();
    assert_eq!(refused, next, "{}", context());
    assert!(!next.is_empty(), "{}", context());
}

#[test]
fn the_search_agrees_with_the_definition() {
    for (number, (name, methods)) in OBJECTS.iter().enumerate() {
        let mut tally = Tally::default();
        for seed in 0..1500 {
            compare(name, methods, seed * 31 + number as u64, &mut tally);
        }
        assert!(tally.yes > 100 && tally.no > 100, "{name}: {tally:?}");
        assert!(tally.with_pending > 10, "{name}: {tally:?}");
    }
}

#[test]
fn little_memory_changes_no_answer() {
    for (name, methods) in OBJECTS {
        for seed in 0..200 {
            let real = models::named(name).unwrap();
            let history = history(real, methods, &shapes(seed), &mut Random::new(seed));
            let verdict = |limits: &Limits| check(&model(name), &history, limits).is_linearizable();
            let limits = Limits::default();
            let expected = verdict(&limits);
            assert_eq!(verdict(&limits.memory(0)), expected, "{name}, seed {seed}");
        }
    }
}

/// Histories that are too long for the definition: a real object never is at fault, and
/// parts make no difference.
#[test]
fn long_histories_are_the_same_in_parts_and_whole() {
    let mut tally = Tally::default();
    for (name, methods) in [
        ("hashset", &["insert", "remove", "contains"][..]),
        ("map", &["put", "get", "cas", "remove"]),
        ("memory", &["alloc", "read", "write", "free"]),
    ] {
        for seed in 0..300 {
            let shape = Shape {
                processes: 4,
                calls: 40,
                wrong: [0, 20][(seed % 2) as usize],
                pending: false,
            };
            let real = models::named(name).unwrap();
            let history = history(real, methods, &shape, &mut Random::new(seed));
            let verdict =
                |by_part: bool| check(&model(name), &history, &Limits::default().by_part(by_part));
            let (in_parts, whole) = (verdict(true), verdict(false));
            assert_eq!(
                in_parts.is_linearizable(),
                whole.is_linearizable(),
                "{name}, seed {seed}"
            );
            assert_eq!(in_parts.is_not_linearizable(), whole.is_not_linearizable());
            assert!(shape.wrong > 0 || in_parts.is_linearizable());
            match in_parts.is_linearizable() {
                true => tally.yes += 1,
                false => tally.no += 1,
            }
        }
    }
    assert!(tally.yes > 100 && tally.no > 100, "{tally:?}");
}

/// Orders that somebody claims, right and wrong ones.
#[test]
fn claimed_orders_are_judged_by_the_definition() {
    let mut tally = Tally::default();
    for (name, methods) in OBJECTS {
        let real = models::named(name).unwrap();
        for seed in 0..500 {
            let mut random = Random::new(seed);
            let history = history(real, methods, &shapes(seed), &mut random);
            let calls = history.calls();
            // Calls are in the order of their invocations: often a good one.
            let mut order: Vec<usize> = (0..calls.len()).collect();
            order.retain(|&i| !calls[i].is_pending() || random.one_in(2));
            for _ in 0..random.below(4) {
                let (a, b) = (random.below(calls.len()), random.below(calls.len()));
                if a.max(b) < order.len() {
                    order.swap(a, b);
                }
            }
            if random.one_in(10) {
                order.pop();
            }
            let complete = (0..calls.len()).all(|i| calls[i].is_pending() || order.contains(&i));
            let expected = complete && keeps_time(calls, &order) && is_legal(real, calls, &order);
            let claim = check_order(&model(name), &history, &order);
            assert_eq!(
                claim.is_ok(),
                expected,
                "{name} {order:?}: {claim:?}\n{history}"
            );
            match expected {
                true => tally.yes += 1,
                false => tally.no += 1,
            }
        }
    }
    assert!(tally.yes > 500 && tally.no > 500, "{tally:?}");
}

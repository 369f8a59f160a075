//! Steps that share against the model, which copies.

use super::*;
use crate::models;

struct Random(u64);

impl Random {
    fn below(&mut self, below: usize) -> usize {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// What [`States::after`] is, by the definition.
fn defined(
    model: &dyn Model,
    states: &[Value],
    (method, args): (&str, &[Value]),
    recorded: Recorded<'_>,
) -> Vec<Value> {
    let mut after = Vec::new();
    for state in states {
        for outcome in model.step(state, method, args) {
            if recorded.fits(&outcome.results) && !after.contains(&outcome.state) {
                after.push(outcome.state);
            }
        }
    }
    after
}

/// Which models have a second form: one that is missing would be checked against
/// itself.
#[test]
fn what_holds_elements_is_shared() {
    let shared = models::all().iter().filter(|model| {
        let states = States::initial(**model);
        matches!(states.now, Now::One(_))
    });
    let names: Vec<&str> = shared.map(|model| model.name()).collect();
    let expected = [
        "channel",
        "hashset",
        "map",
        "memory",
        "mpsc",
        "priority_queue",
        "queue",
        "set",
        "stack",
        "vec",
    ];
    assert_eq!(names, expected);
}

#[test]
fn every_small_state_is_the_same_in_both_forms() {
    for model in models::all() {
        for state in model.states() {
            let states = States::of(*model, vec![state.clone()]);
            assert_eq!(states.values(), [state], "{}", model.name());
        }
    }
}

/// Every call in every small state, with every result that any state gives.
#[test]
fn every_step_is_that_of_the_model() {
    let mut compared = 0;
    for model in models::all() {
        for state in model.states() {
            for method in model.methods() {
                let mut calls = model.arguments(method.name);
                calls.push(vec![Value::Nil; method.args]);
                calls.push(vec![Value::Int(0); method.args + 1]);
                for args in calls {
                    compared += compare_results(*model, &state, method.name, &args);
                }
            }
        }
    }
    assert!(compared > 10_000, "{compared}");
}

fn compare_results(model: &'static dyn Model, state: &Value, method: &str, args: &[Value]) -> u32 {
    let states = [state.clone()];
    let mut results: Vec<Vec<Value>> = { model.states().into_iter() }
        .flat_map(|state| model.step(&state, method, args))
        .map(|outcome| outcome.results)
        .collect();
    let opaque: Vec<_> = { results.iter() }
        .map(|results| vec![Value::Opaque; results.len()])
        .collect();
    results.extend(opaque);
    results.sort();
    results.dedup();
    let exact = results.iter().map(|results| Recorded::Exactly(results));
    let visible = results.iter().map(|results| Recorded::Visibly(results));
    let mut compared = 0;
    for recorded in exact.chain(visible).chain([Recorded::Nothing]) {
        let truth = defined(model, &states, (method, args), recorded);
        let found = States::of(model, states.to_vec()).after(method, args, recorded);
        let name = model.name();
        assert_eq!(
            found.values(),
            truth,
            "{name}: {state}.{method}{args:?}, {recorded:?}"
        );
        assert_eq!(found.is_empty(), truth.is_empty());
        compared += 1;
    }
    compared
}

/// Long walks: results as they are, wrong, unknown, opaque; copies stay what they were.
#[test]
fn long_walks_are_those_of_the_model() {
    for (i, model) in models::all().iter().enumerate() {
        for seed in 0..20 {
            walk(*model, &mut Random(seed * 100 + i as u64));
        }
    }
}

fn walk(model: &'static dyn Model, random: &mut Random) {
    let mut states = States::initial(model);
    let mut truth = states.values();
    let mut copies = Vec::new();
    for _ in 0..150 {
        let method = random.one(model.methods()).name;
        let args = random.one(&model.arguments(method)).clone();
        let possible = model.step(random.one(&truth), method, &args);
        let results = match possible.is_empty() {
            true => vec![Value::Int(5)],
            false => random.one(&possible).results.clone(),
        };
        let recorded = match random.below(12) {
            0 => Recorded::Nothing,
            1..4 => Recorded::Visibly(&results),
            _ => Recorded::Exactly(&results),
        };
        let after = states.after(method, &args, recorded);
        let expected = defined(model, &truth, (method, &args), recorded);
        assert_eq!(after.values(), expected, "{}.{method}", model.name());
        let same = States::of(model, expected.clone());
        assert!(same == after);
        assert_eq!(after == states, expected == truth);
        // A walk ends nowhere else, and does not spread out.
        if expected.is_empty() || expected.len() > 20 {
            continue;
        }
        copies.push((states, truth));
        (states, truth) = (after, expected);
    }
    for (states, truth) in copies {
        assert_eq!(states.values(), truth);
    }
}

/// Two calls that can be swapped end in one state, and with one number.
#[test]
fn the_same_calls_in_another_order_give_the_same_number() {
    let mut compared = 0;
    for (i, model) in models::all().iter().enumerate() {
        let random = &mut Random(i as u64);
        let mut states = States::initial(*model);
        for _ in 0..2_000 {
            let mut calls = Vec::new();
            let mut now = states.clone();
            for _ in 0..2 {
                let method = random.one(model.methods()).name;
                let args = random.one(&model.arguments(method)).clone();
                let possible = model.step(&now.values()[0], method, &args);
                if possible.is_empty() {
                    continue;
                }
                let results = random.one(&possible).results.clone();
                now = now.after(method, &args, Recorded::Exactly(&results));
                calls.push((method, args, results));
            }
            let [first, second] = &calls[..] else {
                continue;
            };
            let after = |states: &States, call: &(&str, Vec<Value>, Vec<Value>)| {
                states.after(call.0, &call.1, Recorded::Exactly(&call.2))
            };
            let other = after(&after(&states, second), first);
            if other == now {
                assert_eq!(other.fingerprint(), now.fingerprint(), "{calls:?}");
                compared += 1;
            }
            if now.values()[0] != model.initial() || random.below(4) == 0 {
                states = now;
            }
        }
    }
    assert!(compared > 2_000, "{compared}");
}

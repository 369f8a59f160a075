//! Generated traces are what they claim to be, judged by simple oracles.
#![allow(missing_docs)]

use std::collections::BTreeMap;

use commute_model::{Event, Id, Names, Op, Severity, ThreadId, Value};
use commute_trace::{Generator, Recipe, Shape, Validator};

fn generate(recipe: &Recipe) -> (Vec<Event>, Names) {
    let mut generator = Generator::new(recipe).unwrap();
    let (mut events, mut batch) = (Vec::new(), Vec::new());
    while generator.read_batch(&mut batch) > 0 {
        events.append(&mut batch);
    }
    (events, generator.names().clone())
}

fn lines(recipe: &Recipe) -> Vec<String> {
    let (events, names) = generate(recipe);
    events
        .iter()
        .map(|e| e.display(&names).to_string())
        .collect()
}

#[test]
fn traces_are_as_long_as_asked_and_have_no_flaw() {
    for shape in Shape::ALL {
        for events in (1..250).chain([1000, 4095, 4096, 4097, 10_007, 50_000]) {
            let (trace, names) = generate(&Recipe {
                seed: events,
                ..Recipe::new(shape, events)
            });
            assert_eq!(trace.len() as u64, events, "{shape}");
            let mut validator = Validator::new();
            for (i, event) in trace.iter().enumerate() {
                let index = i as u64 + 1;
                let flaws = validator.step(event, index, index, &names);
                assert_eq!(flaws, [], "{shape} of {events}");
            }
            assert_eq!(validator.finish(&names), [], "{shape} of {events}");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_trace_and_another_one_another() {
    for shape in Shape::ALL {
        let recipe = Recipe::new(shape, 2000);
        assert_eq!(lines(&recipe), lines(&recipe));
        assert_ne!(lines(&recipe), lines(&Recipe { seed: 2, ..recipe }));
    }
}

#[test]
fn shapes_are_those_described() {
    let count = |lines: &[String], part: &str| lines.iter().filter(|l| l.contains(part)).count();
    for (shape, threads, locks, variables) in [
        (Shape::Locked, 8, 64, 20_000),
        (Shape::Local, 4, 0, 1_000_000),
        (Shape::SharedRead, 16, 0, 2_000),
        (Shape::OneLock, 4, 1, 5_000),
    ] {
        let (events, names) = generate(&Recipe::new(shape, 200_000));
        let lines: Vec<String> = events
            .iter()
            .map(|e| e.display(&names).to_string())
            .collect();
        assert_eq!(names.threads.len(), threads, "{shape}");
        assert_eq!(names.locks.len(), locks, "{shape}");
        assert!(names.variables.len() <= variables, "{shape}");
        assert!(
            names.variables.len() >= variables.min(100_000) * 9 / 10,
            "{shape}"
        );
        assert_eq!(count(&lines, "|fork("), threads - 1);
        assert_eq!(count(&lines, "|join("), threads - 1);
        let (reads, writes) = (count(&lines, "|r("), count(&lines, "|w("));
        match shape {
            Shape::SharedRead => assert_eq!(writes, variables),
            _ => assert!((writes as f64 / (reads + writes) as f64 - 0.3).abs() < 0.01),
        }
        // Accesses of each block.
        let mut open = vec![None; threads];
        for event in &events {
            let open = &mut open[event.thread.index()];
            match event.op {
                Op::Begin(_) => *open = Some(0),
                Op::Read(_) | Op::Write(_) => *open = open.map(|n| n + 1),
                Op::End(_) => match shape {
                    Shape::Locked | Shape::OneLock => assert!((2..=11).contains(&open.unwrap())),
                    _ => assert_eq!(*open, Some(8)),
                },
                _ => {}
            }
        }
    }
}

#[test]
fn a_web_server_has_a_pool_of_threads_that_wait_for_connections() {
    let lines = lines(&Recipe::new(Shape::Jigsaw, 97_000));
    let count = |part: &str| lines.iter().filter(|l| l.contains(part)).count();
    assert_eq!(count("|fork("), 153);
    assert_eq!(count("|join("), 153);
    assert_eq!(count("|acq("), count("|rel("));
    assert_eq!(count("|wait("), count("|wake("));
    assert_eq!(count("|notify("), count("|wake("));
    assert!(count("|notify(") > 500);
    // The lock of the cache is acquired inside the section of a resource.
    let inside = lines
        .iter()
        .any(|line| line.contains("|acq(M2)|cache.rs:11"));
    assert!(inside);
    // Threads are replaced by others: not all are forked at the beginning.
    let last = lines.iter().rposition(|line| line.contains("|fork("));
    assert!(last > Some(48_000), "{last:?}");
}

/// For each event the vector time of its thread after it, by the rules for
/// forks, joins and exclusive locks.
fn happens_before(events: &[Event], threads: usize) -> Vec<Vec<u32>> {
    let mut clocks: Vec<Vec<u32>> = (0..threads)
        .map(|t| (0..threads).map(|u| u32::from(t == u)).collect())
        .collect();
    let mut locks: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let join = |into: &mut Vec<u32>, from: &[u32]| {
        into.iter_mut()
            .zip(from)
            .for_each(|(a, b)| *a = (*a).max(*b));
    };
    let mut times = Vec::new();
    for event in events {
        let t = event.thread.index();
        // Every event ticks: the relation is the same, and simpler to ask for.
        clocks[t][t] += 1;
        match event.op {
            Op::Fork(u) => {
                let clock = clocks[t].clone();
                join(&mut clocks[u.index()], &clock);
            }
            Op::Join(u) => {
                let clock = clocks[u.index()].clone();
                join(&mut clocks[t], &clock);
            }
            Op::Acquire(l) => {
                if let Some(clock) = locks.get(&l.0) {
                    join(&mut clocks[t], clock);
                }
            }
            Op::Release(l) => {
                locks.insert(l.0, clocks[t].clone());
            }
            _ => {}
        }
        times.push(clocks[t].clone());
    }
    times
}

fn ordered(times: &[Vec<u32>], events: &[Event], first: usize, second: usize) -> bool {
    let t = events[first].thread.index();
    times[first][t] <= times[second][t]
}

fn conflict(a: &Op, b: &Op) -> bool {
    match (a, b) {
        (Op::Write(x), Op::Write(y) | Op::Read(y)) | (Op::Read(x), Op::Write(y)) => x == y,
        // Critical sections of one lock, and what forks and joins order.
        (Op::Release(l), Op::Acquire(m)) => l == m,
        _ => false,
    }
}

#[test]
fn the_first_four_shapes_are_race_free_and_serializable() {
    for shape in [
        Shape::Locked,
        Shape::Local,
        Shape::SharedRead,
        Shape::OneLock,
    ] {
        for seed in 0..3 {
            // Few names, so that threads meet.
            let recipe = Recipe {
                seed,
                variables: Some(40),
                threads: Some(4),
                locks: matches!(shape, Shape::Locked).then_some(5),
                ..Recipe::new(shape, 700)
            };
            let (events, names) = generate(&recipe);
            let times = happens_before(&events, names.threads.len());
            let mut transactions = transactions_of(&events);
            for j in 0..events.len() {
                for i in 0..j {
                    let access = matches!(events[j].op, Op::Read(_) | Op::Write(_));
                    let other = events[i].thread != events[j].thread;
                    if other && conflict(&events[i].op, &events[j].op) {
                        assert!(
                            !access || ordered(&times, &events, i, j),
                            "{shape}: {i} and {j} race"
                        );
                        transactions.edge(i, j);
                    }
                    if !other || matches!(events[i].op, Op::Fork(u) if u == events[j].thread) {
                        transactions.edge(i, j);
                    }
                    if matches!(events[j].op, Op::Join(u) if u == events[i].thread) {
                        transactions.edge(i, j);
                    }
                }
            }
            assert!(transactions.is_acyclic(), "{shape}, seed {seed}");
        }
    }
}

/// The graph of blocks; an event outside any is one of its own.
struct Transactions {
    of: Vec<usize>,
    edges: Vec<Vec<usize>>,
}

fn transactions_of(events: &[Event]) -> Transactions {
    let mut open: BTreeMap<ThreadId, usize> = BTreeMap::new();
    let mut of = Vec::new();
    let mut count = 0;
    for event in events {
        if matches!(event.op, Op::Begin(_)) {
            open.insert(event.thread, count);
            count += 1;
        }
        match open.get(&event.thread) {
            Some(&transaction) => of.push(transaction),
            None => {
                of.push(count);
                count += 1;
            }
        }
        if matches!(event.op, Op::End(_)) {
            open.remove(&event.thread);
        }
    }
    let edges = vec![Vec::new(); count];
    Transactions { of, edges }
}

impl Transactions {
    fn edge(&mut self, first: usize, second: usize) {
        let (first, second) = (self.of[first], self.of[second]);
        if first != second && self.edges[first].last() != Some(&second) {
            self.edges[first].push(second);
        }
    }

    fn is_acyclic(&self) -> bool {
        let mut incoming = vec![0; self.edges.len()];
        self.edges
            .iter()
            .flatten()
            .for_each(|&to| incoming[to] += 1);
        let mut ready: Vec<usize> = (0..incoming.len()).filter(|&n| incoming[n] == 0).collect();
        let mut done = 0;
        while let Some(node) = ready.pop() {
            done += 1;
            for &to in &self.edges[node] {
                incoming[to] -= 1;
                if incoming[to] == 0 {
                    ready.push(to);
                }
            }
        }
        done == self.edges.len()
    }
}

/// Whether two actions on a dictionary do not commute, by the specification.
fn dictionary_conflict(names: &Names, a: &Op, b: &Op) -> bool {
    let (Op::Action(a), Op::Action(b)) = (a, b) else {
        return false;
    };
    let method = |action: &commute_model::Action| names.methods.name(action.method).to_string();
    let commute = match (&method(a)[..], &method(b)[..]) {
        ("put", "put") => {
            let unchanged = |x: &commute_model::Action| Some(&x.args[1]) == x.result.as_ref();
            a.args[0] != b.args[0] || (unchanged(a) && unchanged(b))
        }
        ("put", "get") => a.args[0] != b.args[0] || Some(&a.args[1]) == a.result.as_ref(),
        ("put", "size") => (a.args[1] == Value::Nil) == (a.result == Some(Value::Nil)),
        ("get", "put") | ("size", "put") => {
            return dictionary_conflict(names, &Op::Action(b.clone()), &Op::Action(a.clone()));
        }
        _ => true,
    };
    !commute
}

/// How many actions of the workers are the later half of a race, of how many.
fn racing_actions(conflicts: f64, seed: u64) -> (usize, usize) {
    let recipe = Recipe {
        conflicts,
        seed,
        keys: Some(200),
        ..Recipe::new(Shape::Dictionary, 1000)
    };
    let (events, names) = generate(&recipe);
    let times = happens_before(&events, names.threads.len());
    let races = (0..events.len()).filter(|&j| {
        (0..j).any(|i| {
            dictionary_conflict(&names, &events[i].op, &events[j].op)
                && !ordered(&times, &events, i, j)
        })
    });
    let actions = events
        .iter()
        .filter(|e| matches!(e.op, Op::Action(_)))
        .count();
    (races.count(), actions - 201)
}

#[test]
fn dictionaries_race_as_often_as_asked() {
    for seed in 0..3 {
        assert_eq!(racing_actions(0.0, seed).0, 0);
        let (some, actions) = racing_actions(0.02, seed);
        assert!(some > 0 && some < actions / 4, "{some} of {actions}");
        let (all, actions) = racing_actions(1.0, seed);
        assert!(all > actions * 8 / 10, "{all} of {actions}");
    }
    // The share is that of actions on shared keys.
    let recipe = Recipe {
        conflicts: 0.1,
        ..Recipe::new(Shape::Dictionary, 100_000)
    };
    let shared = lines(&recipe)
        .iter()
        .filter(|line| line.contains("'shared"))
        .count();
    assert!(
        (8_000..10_000).contains(&shared),
        "{shared} of about 90,000"
    );
}

#[test]
fn results_of_dictionaries_are_true() {
    for conflicts in [0.0, 0.3] {
        let recipe = Recipe {
            conflicts,
            keys: Some(50),
            ..Recipe::new(Shape::Dictionary, 20_000)
        };
        let (events, names) = generate(&recipe);
        let mut entries: BTreeMap<Value, Value> = BTreeMap::new();
        let mut kinds = BTreeMap::new();
        for event in &events {
            let Op::Action(action) = &event.op else {
                continue;
            };
            let method = names.methods.name(action.method).to_string();
            let result = match &method[..] {
                "put" => {
                    let (key, value) = (action.args[0].clone(), action.args[1].clone());
                    match value {
                        Value::Nil => entries.remove(&key),
                        value => entries.insert(key, value),
                    }
                    .unwrap_or(Value::Nil)
                }
                "get" => entries.get(&action.args[0]).cloned().unwrap_or(Value::Nil),
                _ => Value::from(entries.len()),
            };
            assert_eq!(action.result, Some(result));
            *kinds.entry(method).or_insert(0) += 1;
        }
        assert!(
            kinds["put"] > 5000 && kinds["get"] > 5000 && kinds["size"] > 500,
            "{kinds:?}"
        );
    }
}

#[test]
fn recipes_that_make_no_sense_are_refused() {
    let recipe = Recipe::new(Shape::Locked, 10);
    let keys = Some(3);
    for (bad, message) in [
        (
            Recipe {
                events: 0,
                ..recipe.clone()
            },
            "at least one event",
        ),
        (
            Recipe {
                threads: Some(0),
                ..recipe.clone()
            },
            "threads is from 1",
        ),
        (
            Recipe {
                keys,
                ..recipe.clone()
            },
            "shape locked has no keys",
        ),
        (
            Recipe {
                conflicts: 0.5,
                ..recipe.clone()
            },
            "shape locked has no conflicts",
        ),
        (
            Recipe {
                conflicts: f64::NAN,
                shape: Shape::Dictionary,
                ..recipe.clone()
            },
            "share from 0 to 1",
        ),
        (
            Recipe {
                locks: Some(2),
                shape: Shape::Local,
                ..recipe.clone()
            },
            "shape local has no locks",
        ),
    ] {
        let error = Generator::new(&bad).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
    assert_eq!("one-lock".parse(), Ok(Shape::OneLock));
    assert!("two-locks".parse::<Shape>().is_err());
}

#[test]
fn odd_numbers_of_things_are_fine() {
    for shape in Shape::ALL {
        for threads in [1, 2, 3, 50] {
            for few in [1, 2, 7] {
                let has_locks = matches!(shape, Shape::Locked | Shape::OneLock | Shape::Jigsaw);
                let locks = has_locks.then_some(few);
                let variables = (shape != Shape::Dictionary).then_some(few);
                let keys = (shape == Shape::Dictionary).then_some(few);
                let threads = Some(threads);
                let recipe = Recipe {
                    threads,
                    locks,
                    variables,
                    keys,
                    ..Recipe::new(shape, 500)
                };
                let (events, names) = generate(&recipe);
                assert_eq!(events.len(), 500);
                let mut validator = Validator::new();
                for (i, event) in events.iter().enumerate() {
                    let flaws = validator.step(event, i as u64 + 1, 1, &names);
                    assert!(flaws.iter().all(|flaw| flaw.severity != Severity::Error));
                }
            }
        }
    }
}

//! Programs of which it is known how many outcomes they have.

use std::rc::Rc;
use std::sync::Arc;

use commute_explore::{Extent, Model, Outcomes, Stepped, models};
use commute_model::Value;
use commute_spec::models::UnionFind;

use crate::interpreted::{Source, Stmt};
use crate::outcomes_of::{explored, with_nodes};

type Object = (Arc<dyn Model>, Value);

fn specified(name: &str) -> Object {
    let model = models::Specified::named(name).expect("a built-in model");
    let initial = model.initial();
    (Arc::new(model), initial)
}

fn union_find(size: u32) -> Object {
    let model = models::Specified::new(Box::leak(Box::new(UnionFind::new(size))));
    let initial = model.initial();
    (Arc::new(model), initial)
}

fn call(method: &'static str, args: impl IntoIterator<Item = usize>) -> Stmt {
    let args = args.into_iter().map(|n| Value::Int(n as i128));
    Stmt::Call(0, method, args.collect())
}

/// The first thread only starts the others.
fn source(object: Object, threads: impl IntoIterator<Item = Vec<Stmt>>) -> Source {
    of_objects(vec![object], vec![], threads)
}

fn of_objects(
    objects: Vec<Object>,
    main: Vec<Stmt>,
    threads: impl IntoIterator<Item = Vec<Stmt>>,
) -> Source {
    let bodies = threads.into_iter().map(Rc::from);
    Source {
        objects,
        threads: std::iter::once(Rc::from(main)).chain(bodies).collect(),
    }
}

fn counter(n: usize) -> Source {
    source(specified("counter"), (0..n).map(|_| vec![call("inc", [])]))
}

fn set_add(n: usize) -> Source {
    source(specified("set"), (0..n).map(|i| vec![call("add", [i])]))
}

fn set_seek(n: usize) -> Source {
    let (model, _) = specified("set");
    let all = Value::tuple((0..n).map(|i| Value::Int(i as i128)));
    let threads = (0..n).map(|i| vec![call("contains", [i])]);
    source((model, all), threads)
}

fn uf_find(n: usize) -> Source {
    let (model, _) = union_find(n as u32);
    let chain = Value::tuple([Value::tuple((0..n).map(|i| Value::Int(i as i128)))]);
    source((model, chain), (0..n).map(|i| vec![call("find", [i])]))
}

fn set_add_size(n: usize) -> Source {
    let adds = (0..n - 1).map(|i| vec![call("add", [i])]);
    source(specified("set"), adds.chain([vec![call("size", [])]]))
}

fn ht_put(n: usize) -> Source {
    let threads = (0..n).map(|i| vec![call("put", [i % 3, i])]);
    source(specified("map"), threads)
}

fn uf_mixed(n: usize) -> Source {
    let threads = (0..n).map(|i| match i % 2 {
        0 => vec![call("union", [i, i + 1])],
        _ => vec![call("find", [i])],
    });
    source(union_find(n as u32 + 1), threads)
}

fn ht_mixed(n: usize) -> Source {
    let threads = (0..n).map(|i| vec![call("put", [i % 2, i]), call("get", [(i + 1) % 2])]);
    source(specified("map"), threads)
}

fn fkp2013(n: usize) -> Source {
    let incs = (0..n - 1).map(|_| vec![call("inc", [])]);
    source(specified("counter"), incs.chain([vec![call("read", [])]]))
}

fn fkp2013_not_atomic(n: usize) -> Source {
    let incs = (0..n - 1).map(|_| vec![call("read", []), Stmt::CallNext(0, "write")]);
    let (model, _) = specified("register");
    let zero = (model, Value::Int(0));
    source(zero, incs.chain([vec![call("read", [])]]))
}

/// The first thread waits for all and reads.
fn incs_and_reader(n: usize) -> Source {
    let incs = (0..n).map(|_| vec![call("inc", [])]);
    let joins = (1..=n + 1).map(Stmt::Join);
    of_objects(
        vec![specified("counter")],
        joins.chain([call("read", [])]).collect(),
        incs.chain([vec![call("read", [])]]),
    )
}

fn mutex() -> Object {
    (Arc::new(models::Lock), models::Lock::initial())
}

fn philosophers(n: usize) -> Source {
    let dine = |i: usize| {
        let (left, right) = (i, (i + 1) % n);
        vec![
            Stmt::Lock(left),
            Stmt::Lock(right),
            Stmt::Unlock(right, false),
            Stmt::Unlock(left, false),
        ]
    };
    of_objects((0..n).map(|_| mutex()).collect(), vec![], (0..n).map(dine))
}

/// All want both of two, and take one after the other; the first thread waits for all.
fn both_of_two(n: usize) -> Source {
    let semaphore: Object = (Arc::new(models::Semaphore), Value::Int(2));
    let methods = ["acquire", "acquire", "release", "release"];
    let takes = |_| methods.map(|method| call(method, [])).to_vec();
    let joins = (1..=n).map(Stmt::Join).collect();
    of_objects(vec![semaphore], joins, (0..n).map(takes))
}

/// Lock, read, write, unlock.
fn sections(n: usize) -> Source {
    let section = |_| {
        vec![
            Stmt::Lock(1),
            call("read", []),
            Stmt::CallNext(0, "write"),
            Stmt::Unlock(1, false),
        ]
    };
    let (register, _) = specified("register");
    let objects = vec![(register, Value::Int(0)), mutex()];
    of_objects(objects, vec![], (0..n).map(section))
}

fn fetch_and_add(n: usize) -> Source {
    let atomic = commute_spec::models::Atomic::new(0, 1 << 32);
    let model = models::Specified::new(Box::leak(Box::new(atomic)));
    let initial = model.initial();
    let adds = (0..n).map(|_| vec![call("fetch_add", [1])]);
    source((Arc::new(model), initial), adds)
}

/// The state afterwards, and the result.
type Step = fn(&Value, &str, &[Value]) -> Option<(Value, Value)>;

/// An object that is written for one test.
#[derive(Debug)]
struct Custom {
    step: Step,
    returns: &'static [&'static str],
    waits: &'static [&'static str],
}

impl Model for Custom {
    fn name(&self) -> &str {
        "custom"
    }

    fn step(&self, states: &[&Value], method: &str, args: &[Value]) -> Option<Stepped> {
        let (state, result) = (self.step)(states[0], method, args)?;
        Some(Stepped::to(state, result))
    }

    fn returns(&self, method: &str) -> bool {
        self.returns.contains(&method)
    }

    fn waits(&self, method: &str) -> bool {
        self.waits.contains(&method)
    }
}

fn parts(value: &Value) -> &[Value] {
    match value {
        Value::Tuple(parts) => parts,
        _ => &[],
    }
}

/// A driver that is stopped while others use it: `(stopping, pending, event)`.
fn driver(state: &Value, method: &str, _: &[Value]) -> Option<(Value, Value)> {
    let [
        Value::Bool(stopping),
        Value::Int(pending),
        Value::Bool(event),
    ] = *parts(state)
    else {
        return None;
    };
    let to = |stopping: bool, pending: i128, event: bool| {
        Value::tuple([stopping.into(), Value::Int(pending), event.into()])
    };
    let nothing = Value::unit();
    Some(match method {
        "stop" => (to(true, pending, event), nothing),
        "enter" if stopping => (state.clone(), false.into()),
        "enter" => (to(false, pending + 1, event), true.into()),
        "leave" => (to(stopping, pending - 1, event || pending == 1), nothing),
        "wait" if event => (state.clone(), nothing),
        _ => return None,
    })
}

pub(crate) fn qw2004(adders: usize) -> Source {
    let custom = Custom {
        step: driver,
        returns: &["enter"],
        waits: &["wait"],
    };
    let initial = Value::tuple([false.into(), Value::Int(1), false.into()]);
    let (register, _) = specified("register");
    let stop = vec![
        call("stop", []),
        call("leave", []),
        call("wait", []),
        Stmt::Call(1, "write", vec![true.into()]),
    ];
    let inside = [
        Stmt::Call(1, "read", vec![]),
        Stmt::FailIf(true.into()),
        call("leave", []),
    ];
    let inside = Stmt::If(true.into(), Rc::from(inside), Rc::from([]));
    let add = |_| vec![call("enter", []), inside.clone()];
    let threads = std::iter::once(stop).chain((0..adders).map(add));
    let objects = vec![
        (Arc::new(custom) as Arc<dyn Model>, initial),
        (register, Value::Bool(false)),
    ];
    of_objects(objects, vec![], threads)
}

/// Four places; whoever finds none, or nothing, waits.
fn ring(state: &Value, method: &str, args: &[Value]) -> Option<(Value, Value)> {
    match (method, parts(state)) {
        ("enqueue", items) if items.len() < 4 => {
            let items = items.iter().chain(args).cloned();
            Some((Value::tuple(items), Value::unit()))
        }
        ("dequeue", [first, rest @ ..]) => {
            Some((Value::tuple(rest.iter().cloned()), first.clone()))
        }
        _ => None,
    }
}

fn ring_2w1r(values: usize) -> Source {
    let custom = Custom {
        step: ring,
        returns: &["dequeue"],
        waits: &["enqueue", "dequeue"],
    };
    let write = || (1..=values).map(|v| call("enqueue", [v])).collect();
    let read = (0..2 * values).map(|_| call("dequeue", [])).collect();
    source((Arc::new(custom), Value::unit()), [write(), write(), read])
}

/// That an engine sees so many outcomes, and runs each once.
fn check(engine: &Outcomes, name: &str, source: &Source, outcomes: u64) {
    let started = std::time::Instant::now();
    let mut engine = engine.clone();
    let seen = explored(&mut engine, source, usize::MAX).expect("no end to it");
    let seconds = started.elapsed().as_secs_f64();
    println!("{name}: {outcomes} outcomes in {seconds:.3} s, {engine:?}");
    assert_eq!(seen.extent, Extent::Everything, "{name}");
    assert_eq!(seen.counts.outcomes, outcomes, "{name}");
    assert_eq!(seen.outcomes.len() as u64, outcomes, "{name}");
    assert_eq!(seen.counts.executions, outcomes, "{name}");
    assert_eq!(seen.counts.redundant, 0, "{name}");
}

/// With the graph, and without.
fn both(name: &str, program: fn(usize) -> Source, counts: &[(usize, u64)]) {
    for (n, outcomes) in counts {
        for engine in [Outcomes::default(), with_nodes(0)] {
            check(&engine, &format!("{name}_{n}"), &program(*n), *outcomes);
        }
    }
}

#[test]
fn as_many_as_are_known() {
    let ones = [(4, 1), (5, 1), (6, 1), (7, 1)];
    both("counter", counter, &ones);
    both("set_add", set_add, &ones);
    both("set_seek", set_seek, &ones);
    both("uf_find", uf_find, &ones);
    let sizes = [(4, 4), (5, 5), (6, 6), (7, 7)];
    both("set_add_size", set_add_size, &sizes);
    both("fkp2013", fkp2013, &sizes);
    both("ht_put", ht_put, &[(4, 2), (5, 4), (6, 8), (7, 24)]);
    both("uf_mixed", uf_mixed, &[(4, 4), (5, 4), (6, 8), (7, 8)]);
    both("ht_mixed", ht_mixed, &[(2, 3), (3, 14), (4, 120)]);
}

#[test]
fn more_of_which_it_is_known() {
    let counts = [(3, 8), (4, 53), (5, 434)];
    both("fkp2013_not_atomic", fkp2013_not_atomic, &counts);
    both(
        "incs_and_reader",
        incs_and_reader,
        &[(3, 4), (5, 6), (7, 8)],
    );
    both("philosophers", philosophers, &[(3, 2), (4, 2), (5, 2)]);
    // Two have one each, and each of the others is done or has none.
    both(
        "both_of_two",
        both_of_two,
        &[(2, 2), (3, 7), (4, 25), (5, 81)],
    );
    both("sections", sections, &[(4, 24)]);
    both("fetch_and_add", fetch_and_add, &[(4, 24), (5, 120)]);
    both(
        "qw2004",
        qw2004,
        &[(1, 2), (2, 4), (3, 8), (4, 16), (5, 32)],
    );
    both("ring_2w1r", ring_2w1r, &[(2, 2), (3, 5), (4, 14), (5, 42)]);
}

#[test]
fn many_outcomes() {
    let graph = Outcomes::default();
    check(&graph, "ht_mixed_5", &ht_mixed(5), 1296);
    check(&graph, "fetch_and_add_6", &fetch_and_add(6), 720);
    check(&graph, "sections_5", &sections(5), 120);
    check(&graph, "fkp2013_not_atomic_6", &fkp2013_not_atomic(6), 4227);
    check(&graph, "philosophers_7", &philosophers(7), 2);
    check(&graph, "ring_2w1r_8", &ring_2w1r(8), 1430);
}

#[test]
fn fifty_threads() {
    let engine = Outcomes::default();
    check(&engine, "counter_50", &counter(50), 1);
    check(&engine, "fkp2013_50", &fkp2013(50), 50);
    check(&engine, "set_add_size_50", &set_add_size(50), 50);
    check(&engine, "incs_and_reader_50", &incs_and_reader(50), 51);
}

/// Those who do the same can be exchanged in every search that this takes.
#[cfg(not(debug_assertions))]
#[test]
fn ten_who_do_the_same() {
    check(&Outcomes::default(), "qw2004_10", &qw2004(10), 1_024);
}

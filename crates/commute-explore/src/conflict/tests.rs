//! Which pairs are chosen, and that what a rule says is so.

use std::sync::Arc;

use commute_model::Value;

use super::rule::{Ruled, rule};
use super::*;
use crate::act::Act;
use crate::model::{Called, Model};
use crate::models::{Atomic, Channel, Keyed, Lock, Once, Semaphore, Values};
use crate::words::Operation;

const METHOD: u32 = 1;

/// What somebody does: the thread, the object, and a call.
type Does = (u32, usize, &'static str, Vec<Value>);

/// The conflicts of steps that are made one after the other by the method, which is thread
/// 1, and others.
fn found(objects: Vec<(Arc<dyn Model>, Value)>, does: Vec<Does>) -> Vec<Conflict> {
    let mut known = Knowledge::default();
    let root = known.root(ThreadId::MAIN, None);
    let objects: Vec<_> = { objects.iter().enumerate() }
        .map(|(n, (model, initial))| known.object(root, n as u32, model, initial.clone()))
        .collect();
    let mut world = World::default();
    let mut steps = Vec::new();
    for (thread, object, method, args) in does {
        let op = known.op(Operation::new(objects[object], method, args));
        let result = known.step(&mut world, op).expect("nobody has to wait");
        steps.push(Step {
            thread: ThreadId(thread),
            node: root,
            op,
            result,
        });
    }
    let is_method = |thread: ThreadId| thread.0 == METHOD;
    conflicts(&steps, &mut known, is_method, |thread| !is_method(thread))
}

fn map() -> (Arc<dyn Model>, Value) {
    let values = Values::Known;
    (Arc::new(Keyed { values }), Keyed::initial([]))
}

fn number() -> (Arc<dyn Model>, Value) {
    let model = Atomic {
        bits: 32,
        signed: false,
    };
    (Arc::new(model), Value::Int(0))
}

fn ints<const N: usize>(numbers: [i32; N]) -> Vec<Value> {
    numbers.map(Value::from).to_vec()
}

/// The places of the pairs.
fn places(found: &[Conflict]) -> Vec<[usize; 4]> {
    let part = |part: &Part| [part.from, part.to];
    let places = found.iter().map(|conflict| {
        let ([a, b], [c, d]) = (part(&conflict.first), part(&conflict.second));
        [a, b, c, d]
    });
    places.collect()
}

fn rules(found: &[Conflict]) -> Vec<&str> {
    { found.iter() }
        .map(|conflict| conflict.rule.as_deref().unwrap_or_default())
        .collect()
}

#[test]
fn an_operation_of_others_is_kept_between_two_of_the_method() {
    let found = found(
        vec![map()],
        vec![
            (1, 0, "get", ints([1, 5])),
            (2, 0, "insert", ints([6, 1])),
            (2, 0, "insert", ints([5, 1])),
            (1, 0, "insert", ints([5, 7])),
        ],
    );
    assert_eq!(places(&found), [[0, 0, 2, 2], [2, 2, 3, 3]]);
    assert_eq!(
        rules(&found),
        [
            "`get(k1)/v1 ~ insert(k2, v2)/p2 : k1 != k2 || v2 == p2` does not hold with k1 = 5, \
             k2 = 5, v2 = 1, p2 = nil",
            "`insert(k1, v1)/p1 ~ insert(k2, v2)/p2 : k1 != k2 || (v1 == p1 && v2 == p2)` does \
             not hold with k1 = 5, k2 = 5, v1 = 1, p1 = nil, v2 = 7, p2 = 1",
        ]
    );
}

#[test]
fn all_that_is_done_under_a_guard_is_one_call() {
    let found = found(
        vec![map()],
        vec![
            (1, 0, "look", ints([5])),
            (2, 0, "entry", ints([2, 5])),
            (2, 0, "set", ints([2, 5, 8])),
            (2, 0, "release", ints([2, 5, 9])),
            (1, 0, "remove", ints([5])),
        ],
    );
    assert_eq!(places(&found), [[0, 0, 1, 3], [1, 3, 4, 4]]);
    assert_eq!(found[0].second.call.as_deref(), Some("insert(5, 9)/nil"));
}

#[test]
fn what_is_given_back_as_it_was_is_a_look() {
    let found = found(
        vec![map()],
        vec![
            (1, 0, "insert", ints([5, 1])),
            (2, 0, "get_mut", ints([2, 5])),
            (2, 0, "release", ints([2, 5])),
            (1, 0, "remove", ints([5])),
        ],
    );
    assert_eq!(places(&found), [[0, 0, 1, 1], [1, 1, 3, 3]]);
    assert_eq!(found[0].second.call.as_deref(), Some("get(5)/1"));
}

/// The second store changes nothing, so it is what was read before that matters.
#[test]
fn two_stores_of_one_value_are_not_blamed() {
    let found = found(
        vec![number()],
        vec![
            (1, 0, "load", vec![]),
            (2, 0, "load", vec![]),
            (2, 0, "store", ints([1])),
            (1, 0, "store", ints([1])),
        ],
    );
    assert_eq!(places(&found), [[0, 0, 2, 2], [1, 1, 3, 3]]);
    assert_eq!(rules(&found), ["`load ~ store : false` does not hold"; 2]);
}

/// Between two operations of others there is a place for the method, but not inside one.
#[test]
fn what_others_do_is_looked_at_in_order() {
    let does = |reader: u32| {
        vec![
            (1, 0, "store", ints([1])),
            (2, 1, "load", vec![]),
            (reader, 0, "load", vec![]),
            (1, 1, "store", ints([1])),
        ]
    };
    let objects = || vec![number(), number()];
    assert_eq!(found(objects(), does(3)), []);
    assert_eq!(
        places(&found(objects(), does(2))),
        [[0, 0, 2, 2], [1, 1, 3, 3]]
    );
}

#[test]
fn sections_of_a_lock_are_compared_as_a_whole() {
    let sections = |changes: bool| {
        let left = match changes {
            true => ints([2, 99]),
            false => ints([2]),
        };
        let lock: (Arc<dyn Model>, Value) = (Arc::new(Lock), Lock::initial());
        found(
            vec![lock],
            vec![
                (1, 0, "read", ints([1])),
                (1, 0, "unread", ints([1])),
                (2, 0, "lock", ints([2])),
                (2, 0, "unlock", left),
                (1, 0, "read", ints([1])),
                (1, 0, "unread", ints([1])),
            ],
        )
    };
    let found = sections(true);
    assert_eq!(places(&found), [[0, 1, 2, 3], [2, 3, 4, 5]]);
    assert!(rules(&found)[0].contains("sections of one lock"));
    assert_eq!(sections(false), []);
}

/// Who begins has not set it yet.
#[test]
fn what_is_set_once_is_set_in_the_end() {
    let once: (Arc<dyn Model>, Value) = (Arc::new(Once), Once::initial());
    let found = found(
        vec![number(), once],
        vec![
            (1, 0, "store", ints([1])),
            (2, 0, "load", vec![]),
            (2, 1, "get", vec![]),
            (1, 1, "begin", ints([1])),
            (1, 1, "finish", ints([1, 5])),
        ],
    );
    assert_eq!(places(&found), [[0, 0, 1, 1], [2, 2, 3, 4]]);
    assert!(rules(&found)[1].contains("set once"));
}

/// An iteration sees its keys, and that there are no others.
#[test]
fn an_iteration_is_no_call_of_a_specification() {
    let found = found(
        vec![map()],
        vec![
            (1, 0, "insert", ints([5, 1])),
            (2, 0, "next", vec![2.into(), Value::unit()]),
            (2, 0, "release", ints([2, 5])),
            (1, 0, "insert", ints([4, 1])),
        ],
    );
    assert_eq!(places(&found), [[0, 0, 1, 1], [1, 1, 3, 3]]);
    assert_eq!(rules(&found), ["", ""]);
}

/// Whatever is not known differs from nothing, and maybe from what else is not known.
#[test]
fn what_is_not_known_is_something() {
    let call = |values: [Value; 3]| {
        let values = values.each_ref();
        let [k, v, p] = values.map(Value::clone);
        Act::Call(crate::act::Invoked::new("map", "insert", [k, v], [p]))
    };
    let key = || Value::Int(1);
    let new = call([key(), Value::Opaque, Value::Nil]);
    let again = call([key(), Value::Opaque, Value::Opaque]);
    let holds = |a: &Act, b: &Act| match rule(a, b) {
        Ruled::Conflict(text) => text,
        other => panic!("{other:?}"),
    };
    assert!(holds(&new, &again).contains(" does not hold with "));
    assert!(holds(&again, &again).contains(" is not known to hold with "));
}

/// By definition: two calls of which a rule says that they commute come to the same in
/// either order. So the words of the specifications are the right ones.
#[test]
fn calls_that_commute_by_a_rule_do() {
    let atomic = Atomic {
        bits: 8,
        signed: true,
    };
    let keyed = |values| Keyed { values };
    let entries = |keys: &[i32]| {
        let keys = keys.iter();
        Keyed::initial(keys.map(|k| (Value::Int((*k).into()), Value::Int(1))))
    };
    let tables = || vec![entries(&[]), entries(&[1]), entries(&[1, 2])];
    let of_tables = vec![
        ("insert", ints([1, 1])),
        ("insert", ints([1, 2])),
        ("insert", ints([2, 1])),
        ("try_insert", ints([1, 2])),
        ("remove", ints([1])),
        ("look", ints([1])),
        ("look", ints([2])),
        ("get", ints([9, 3])),
        ("contains_key", ints([1])),
        ("len", vec![]),
        ("is_empty_at_once", vec![]),
    ];
    let of_sets = { of_tables.iter() }
        .filter(|(_, args)| args != &ints([1, 2]))
        .cloned()
        .collect();
    let of_atomics = vec![
        ("load", vec![]),
        ("store", ints([1])),
        ("swap", ints([1])),
        ("fetch_add", ints([0])),
        ("fetch_add", ints([1])),
        ("fetch_sub", ints([1])),
        ("fetch_max", ints([1])),
        ("fetch_or", ints([1])),
        ("compare_exchange", ints([0, 1])),
        ("compare_exchange", ints([1, 1])),
    ];
    let of_channels = vec![
        ("send", ints([1])),
        ("try_send", ints([2])),
        ("recv", vec![]),
        ("try_recv", vec![]),
        ("drop_sender", vec![]),
    ];
    let channels = || {
        let empty = Channel::initial();
        let sends = |state: &Value| {
            let sent = Channel { bound: None }.step(&[state], "send", &ints([1]));
            sent.expect("there is room").states[0].clone()
        };
        let one = sends(&empty);
        vec![sends(&one), one, empty]
    };
    let of_semaphores = ["acquire", "try_acquire", "release"].map(|method| (method, vec![]));
    let numbers = || vec![Value::Int(0), Value::Int(1), Value::Int(2)];
    let mut commuting = 0;
    let mut check = |model: &dyn Model, states: Vec<Value>, calls: Vec<(&str, Vec<Value>)>| {
        for state in &states {
            for (a, x) in &calls {
                for (b, y) in &calls {
                    commuting += usize::from(is_true(model, state, (a, x), (b, y)));
                }
            }
        }
    };
    check(&keyed(Values::Known), tables(), of_tables);
    check(&keyed(Values::None), tables(), of_sets);
    check(&atomic, numbers(), of_atomics);
    check(&Channel { bound: None }, channels(), of_channels);
    check(&Semaphore, numbers(), of_semaphores.to_vec());
    assert!(commuting > 100, "{commuting}");
}

/// Whether two calls commute by a rule; if so, they do.
fn is_true(model: &dyn Model, state: &Value, a: (&str, &[Value]), b: (&str, &[Value])) -> bool {
    let step = |state: &Value, (method, args): (&str, &[Value])| {
        let stepped = model.step(&[state], method, args)?;
        let call = Called {
            method,
            args,
            result: &stepped.result,
        };
        let act = model.act(state, call);
        Some((stepped.states[0].clone(), stepped.result, act))
    };
    let in_order = |first, second| {
        let (between, one, act) = step(state, first)?;
        let (after, other, act_after) = step(&between, second)?;
        Some((after, one, other, act, act_after))
    };
    let Some((after, one, other, act, act_after)) = in_order(a, b) else {
        return false;
    };
    if rule(&act, &act_after) != Ruled::Commute {
        return false;
    }
    let swapped = in_order(b, a).map(|(after, other, one, ..)| (after, one, other));
    assert_eq!(swapped, Some((after, one, other)), "{a:?} {b:?} in {state}");
    true
}

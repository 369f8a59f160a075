//! Models with small states and calls.

mod channels;

use std::sync::Arc;

use commute_explore::{Model, models};
use commute_model::Value;
use commute_spec::models as sequential;

/// A call, and whose it is, if it says so.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Call {
    pub(crate) method: &'static str,
    pub(crate) args: Vec<Value>,
    pub(crate) thread: Option<i128>,
}

/// A model that is looked at.
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    pub(crate) model: Arc<dyn Model>,
    pub(crate) states: Vec<Value>,
    pub(crate) calls: Vec<Call>,
}

impl Subject {
    /// The state afterwards and the result. What makes no sense is not possible.
    pub(crate) fn step(&self, state: &Value, call: &Call) -> Option<(Value, Value)> {
        if !self.makes_sense(state, call) {
            return None;
        }
        if channels::NAMES.contains(&self.name) {
            return channels::step(&*self.model, state, call);
        }
        let stepped = self.model.step(&[state], call.method, &call.args)?;
        let mut states = stepped.states;
        Some((states.remove(0), stepped.result))
    }

    /// Whether a program can be there: nobody ends twice.
    pub(crate) fn makes_sense(&self, state: &Value, call: &Call) -> bool {
        match (self.name, call.method) {
            ("thread", "spawn") => *state == Value::Nil,
            ("thread", "exit") => *state == Value::unit(),
            ("threads", "exit") => !parts(state).contains(&call.args[0]),
            ("lock", "unlock") => parts(state).first() == call.args.first(),
            ("lock", "unread") => parts(&parts(state)[1]).contains(&call.args[0]),
            ("lock", "downgrade" | "downgrade_to_upgradable") => {
                parts(state).first() == call.args.first()
            }
            ("lock", "upgrade" | "try_upgrade" | "unupgradable" | "downgrade_upgradable") => {
                let upgradable = Value::tuple([call.args[0].clone()]);
                parts(&parts(state)[1]).contains(&upgradable)
            }
            ("keyed", "set" | "unset" | "release" | "release_removed" | "downgrade") => {
                let [t, k] = [&call.args[0], &call.args[1]];
                let guards = parts(&parts(state)[1]);
                let alone = Value::tuple([k.clone(), Value::tuple([t.clone()])]);
                let looking = Value::tuple([k.clone(), t.clone()]);
                let is_plain = call.method == "release" && call.args.len() == 2;
                guards.contains(&alone) || is_plain && guards.contains(&looking)
            }
            _ => true,
        }
    }
}

fn parts(value: &Value) -> &[Value] {
    match value {
        Value::Tuple(parts) => parts,
        _ => &[],
    }
}

pub(crate) fn subjects() -> impl Iterator<Item = Subject> {
    let specified = sequential::all().iter().map(|model| specified(*model));
    let others = [
        lock(),
        keyed(),
        semaphore(),
        thread(),
        threads(),
        atomic(),
        park(),
        versioned(),
        selection(),
    ];
    specified.chain(others).chain(channels::subjects())
}

fn specified(model: &'static dyn sequential::Model) -> Subject {
    let mut calls = Vec::new();
    for method in model.methods() {
        for args in model.arguments(method.name).into_iter().take(6) {
            calls.push(Call {
                method: method.name,
                args,
                thread: None,
            });
        }
    }
    Subject {
        name: match model.name() {
            "atomic" => "atomic",
            "map" => "map",
            "set" => "set",
            "hashset" => "hashset",
            _ => "specified",
        },
        model: Arc::new(models::Specified::new(model)),
        states: model.states().into_iter().take(40).collect(),
        calls,
    }
}

fn call(method: &'static str, args: impl Into<Vec<Value>>) -> Call {
    Call {
        method,
        args: args.into(),
        thread: None,
    }
}

fn lock() -> Subject {
    let mut states = Vec::new();
    let threads = [Value::Int(1), Value::Int(2), Value::Int(3)];
    let readers = |some: &[usize]| Value::tuple(some.iter().map(|t| threads[*t].clone()));
    for version in [Value::Nil, Value::Int(7), Value::Int(8)] {
        for poisoned in [false, true] {
            let mut add = |writer: Value, readers: Value| {
                let state = [writer, readers, version.clone(), poisoned.into()];
                states.push(Value::tuple(state));
            };
            for writer in &threads {
                add(writer.clone(), Value::unit());
            }
            for some in [&[][..], &[0], &[1], &[2], &[0, 1], &[0, 2], &[1, 2]] {
                add(Value::Nil, readers(some));
                let plain = readers(some);
                let is_other = |t: &&Value| !parts(&plain).contains(t);
                for upgradable in threads.iter().filter(is_other) {
                    let one = Value::tuple([upgradable.clone()]);
                    let all = parts(&plain).iter().cloned().chain([one]);
                    add(Value::Nil, Value::tuple(all));
                }
            }
        }
    }
    let looks = [
        "is_poisoned",
        "clear_poison",
        "is_locked",
        "is_locked_exclusive",
    ];
    let mut calls: Vec<Call> = looks.iter().map(|method| call(method, [])).collect();
    for thread in [1, 2] {
        let me = Value::Int(thread);
        let by = |method, more: &[Value]| Call {
            thread: Some(thread),
            ..call(method, [std::slice::from_ref(&me), more].concat())
        };
        for method in ["lock", "try_lock", "read", "try_read", "unread", "unlock"] {
            calls.push(by(method, &[]));
        }
        for method in ["upgradable", "try_upgradable", "unupgradable", "upgrade"] {
            calls.push(by(method, &[]));
        }
        for method in ["try_upgrade", "downgrade", "downgrade_upgradable"] {
            calls.push(by(method, &[]));
        }
        calls.push(by("unlock", &[Value::Int(6 + thread)]));
        calls.push(by("unlock", &[Value::Int(6 + thread), true.into()]));
    }
    Subject {
        name: "lock",
        model: Arc::new(models::Lock),
        states,
        calls,
    }
}

/// Two keys, two values, three threads. Who looks at a key that is not there does not
/// have a guard of it.
fn keyed() -> Subject {
    let alone = |t: i128| vec![Value::tuple([Value::Int(t)])];
    let looking = |some: &[i128]| -> Vec<Value> { some.iter().map(|t| Value::Int(*t)).collect() };
    let there = [
        vec![],
        looking(&[1]),
        looking(&[2]),
        looking(&[1, 2]),
        alone(1),
        alone(3),
    ];
    let absent = [vec![], alone(1), alone(3)];
    let mut of_key = Vec::new();
    for (value, guards) in [
        (None, &absent[..]),
        (Some(5), &there[..]),
        (Some(6), &there[..2]),
    ] {
        of_key.extend(guards.iter().map(|guards| (value, guards.clone())));
    }
    let mut states = Vec::new();
    for (a, b) in of_key
        .iter()
        .flat_map(|a| of_key.iter().map(move |b| (a, b)))
    {
        let both = [(0, a), (1, b)];
        let entries = both.iter().filter_map(|(k, (value, _))| {
            let value = Value::Int((*value)?);
            Some(Value::tuple([Value::Int(*k), value]))
        });
        let guards = both.iter().flat_map(|(k, (_, guards))| {
            let guard = |by: &Value| Value::tuple([Value::Int(*k), by.clone()]);
            guards.iter().map(guard).collect::<Vec<_>>()
        });
        states.push(Value::tuple([Value::tuple(entries), Value::tuple(guards)]));
    }
    let sizes = ["len", "is_empty", "len_at_once", "is_empty_at_once"];
    let mut calls: Vec<Call> = { sizes.into_iter() }.map(|size| call(size, [])).collect();
    for key in [0, 1].map(Value::Int) {
        calls.push(call("contains_key", [key.clone()]));
        calls.push(call("remove", [key.clone()]));
        calls.push(call("look", [key.clone()]));
        calls.push(call("insert", [key.clone(), Value::Int(5)]));
        calls.push(call("try_insert", [key.clone(), Value::Int(5)]));
        for thread in [1, 2] {
            let by = |method, more: &[Value]| {
                let args = [&[Value::Int(thread), key.clone()], more].concat();
                Call {
                    thread: Some(thread),
                    ..call(method, args)
                }
            };
            for method in ["get", "get_mut", "entry", "release", "release_removed"] {
                calls.push(by(method, &[]));
            }
            for method in ["try_get", "try_get_mut", "try_entry", "downgrade", "unset"] {
                calls.push(by(method, &[]));
            }
            calls.push(by("set", &[Value::Int(6)]));
            calls.push(by("release", &[Value::Int(6)]));
            let after = [Value::Int(thread), Value::tuple([key.clone()])];
            for method in ["next", "next_mut"] {
                calls.push(Call {
                    thread: Some(thread),
                    ..call(method, after.clone())
                });
            }
        }
    }
    for thread in [1, 2] {
        for method in ["next", "next_mut"] {
            let begin = [Value::Int(thread), Value::unit()];
            calls.push(Call {
                thread: Some(thread),
                ..call(method, begin)
            });
        }
    }
    Subject {
        name: "keyed",
        model: Arc::new(models::Keyed {
            values: models::Values::Known,
        }),
        states,
        calls,
    }
}

fn semaphore() -> Subject {
    let methods = ["acquire", "try_acquire", "release"];
    Subject {
        name: "semaphore",
        model: Arc::new(models::Semaphore),
        states: (0..5).map(Value::Int).collect(),
        calls: methods.map(|method| call(method, [])).into(),
    }
}

fn thread() -> Subject {
    let by = |thread, call| Call {
        thread: Some(thread),
        ..call
    };
    let ended = |v: i128| Value::tuple([Value::Int(v)]);
    Subject {
        name: "thread",
        model: Arc::new(models::Thread),
        states: vec![Value::Nil, Value::unit(), ended(1), ended(2)],
        calls: vec![
            by(1, call("spawn", [])),
            by(9, call("exit", [Value::Int(1)])),
            by(9, call("exit", [Value::Int(2)])),
            call("join", [Value::Int(9)]),
            call("is_finished", []),
        ],
    }
}

/// Three threads that may be exchanged, as one object. What each returns says who it is.
fn threads() -> Subject {
    let ended = |values: &[i128]| Value::tuple(values.iter().map(|v| Value::Int(*v)));
    let some: [&[i128]; 8] = [&[], &[1], &[2], &[3], &[1, 2], &[1, 3], &[2, 3], &[1, 2, 3]];
    let exit = |thread| Call {
        thread: Some(thread),
        ..call("exit", [Value::Int(thread)])
    };
    let all = [1, 2, 3].map(Value::Int);
    Subject {
        name: "threads",
        model: Arc::new(models::Threads),
        states: some.iter().map(|values| ended(values)).collect(),
        calls: vec![
            call("spawn", []),
            exit(1),
            exit(2),
            exit(3),
            call("join", all),
        ],
    }
}

fn atomic() -> Subject {
    let methods = ["store", "swap", "fetch_add", "fetch_max", "fetch_and"];
    let numbers = [0, 1, 3].map(Value::Int);
    let with = |method| numbers.clone().map(|n| call(method, [n]));
    let mut calls: Vec<Call> = methods.into_iter().flat_map(with).collect();
    calls.push(call("load", []));
    for current in &numbers {
        calls.push(call("compare_exchange", [current.clone(), Value::Int(2)]));
    }
    Subject {
        name: "real atomic",
        model: Arc::new(models::Atomic {
            bits: 2,
            signed: false,
        }),
        states: (0..4).map(Value::Int).collect(),
        calls,
    }
}

fn park() -> Subject {
    let methods = ["park", "park_or_not", "unpark"];
    Subject {
        name: "park",
        model: Arc::new(models::Park),
        states: vec![false.into(), true.into()],
        calls: methods.map(|method| call(method, [])).into(),
    }
}

fn selection() -> Subject {
    let chosen = |number: i128| Value::tuple([Value::Int(number), Value::Nil]);
    let undecided = (0..3).map(Value::Int);
    Subject {
        name: "selection",
        model: Arc::new(models::Selection),
        states: undecided.chain([chosen(0), chosen(1)]).collect(),
        calls: vec![call("begin", []), call("chosen", [])],
    }
}

fn versioned() -> Subject {
    Subject {
        name: "object",
        model: Arc::new(models::Versioned),
        states: (0..4).map(Value::Int).collect(),
        calls: (0..4).map(|n| call("any", [Value::Int(n)])).collect(),
    }
}

//! Models with small states and calls.

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
        let stepped = self.model.step(&[state], call.method, &call.args)?;
        let mut states = stepped.states;
        Some((states.remove(0), stepped.result))
    }

    /// Whether a program can be there: nobody ends twice.
    pub(crate) fn makes_sense(&self, state: &Value, call: &Call) -> bool {
        match (self.name, call.method) {
            ("thread", "spawn") => *state == Value::Nil,
            ("thread", "exit") => *state == Value::unit(),
            ("lock", "unlock") => parts(state).first() == call.args.first(),
            ("lock", "unread") => parts(&parts(state)[1]).contains(&call.args[0]),
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
    specified.chain([lock(), semaphore(), thread()])
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
            }
        }
    }
    let mut calls = vec![call("is_poisoned", []), call("clear_poison", [])];
    for thread in [1, 2] {
        let me = Value::Int(thread);
        let by = |method, more: &[Value]| Call {
            thread: Some(thread),
            ..call(method, [&[me.clone()], more].concat())
        };
        for method in ["lock", "try_lock", "read", "try_read", "unread", "unlock"] {
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

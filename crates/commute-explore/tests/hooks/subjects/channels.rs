//! Channels with several receivers. What is done for a selection is done to that, too: a
//! state is a pair.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use commute_explore::{Model, models};
use commute_model::Value;

use super::{Call, Subject, call, parts};

pub(super) const NAMES: [&str; 4] = ["mpmc", "mpmc of 1", "mpmc of 2", "rendezvous"];

/// Enough for whatever two senders and two receivers can be in the middle of.
const MOST: usize = 80;

/// The state afterwards and the result.
pub(super) fn step(model: &dyn Model, state: &Value, call: &Call) -> Option<(Value, Value)> {
    let [channel, selection] = parts(state) else {
        panic!("{state} is no pair");
    };
    let is_raced = call.method.contains("select_") || call.method.contains("ready_");
    let states: &[&Value] = match is_raced && call.args[0] != Value::Nil {
        true => &[channel, selection],
        false => &[channel],
    };
    let stepped = model.step(states, call.method, &call.args)?;
    let selection = stepped.states.get(1).unwrap_or(selection).clone();
    let channel = stepped.states[0].clone();
    Some((Value::tuple([channel, selection]), stepped.result))
}

pub(super) fn subjects() -> impl Iterator<Item = Subject> {
    let bounds = [None, Some(1), Some(2)];
    let buffered = NAMES.into_iter().zip(bounds).map(|(name, bound)| {
        let model = Arc::new(models::Mpmc { bound });
        let mut calls = of_both();
        for method in ["send", "try_send", "send_or_not", "ring"] {
            calls.extend([1, 2].map(|v| call(method, [Value::Int(v)])));
        }
        calls.push(call("leave", []));
        for place in [70, 71] {
            calls.push(Call {
                thread: Some(place),
                ..call("put", [place, 1].map(Value::Int))
            });
        }
        let without = [
            "recv",
            "try_recv",
            "recv_or_not",
            "len",
            "is_empty",
            "is_full",
        ];
        calls.extend(without.map(|method| call(method, [])));
        subject(name, model, models::Mpmc::initial(), calls)
    });
    let mut calls = of_both();
    calls.extend([1, 2].map(|v| call("try_send", [Value::Int(v)])));
    calls.push(call("try_recv", []));
    for thread in [1, 2] {
        let me = Value::Int(thread);
        let by = |method, args: &[Value]| Call {
            thread: Some(thread),
            ..call(method, args)
        };
        calls.push(by("offer", &[Value::Int(thread), me.clone()]));
        for method in ["taken", "taken_or_not", "await", "got", "got_or_not"] {
            calls.push(by(method, std::slice::from_ref(&me)));
        }
    }
    let model = Arc::new(models::Rendezvous);
    let handed = subject("rendezvous", model, models::Rendezvous::initial(), calls);
    buffered.chain([handed])
}

/// What there is of all channels.
fn of_both() -> Vec<Call> {
    let ends = [
        "clone_sender",
        "drop_sender",
        "clone_receiver",
        "drop_receiver",
    ];
    let mut calls: Vec<Call> = ends.map(|method| call(method, [])).into();
    for method in [
        "select_recv",
        "try_select_recv",
        "ready_recv",
        "try_ready_recv",
    ] {
        calls.push(call(method, [Value::Int(0)]));
        calls.push(call(method, [Value::Nil]));
    }
    for method in ["ready_send", "try_ready_send"] {
        calls.push(call(method, [Value::Int(1)]));
        calls.push(call(method, [Value::Nil]));
    }
    // Places are names that nothing else has. A place is filled after it was promised.
    for place in [70, 71] {
        let by = |method, args: [i128; 2]| Call {
            thread: Some(place),
            ..call(method, args.map(Value::Int))
        };
        calls.push(by("select_send", [1, place]));
        calls.push(by("try_select_send", [1, place]));
        calls.push(by("fill", [place, place - 69]));
        calls.push(Call {
            thread: Some(place),
            ..call("try_select_send", [Value::Nil, Value::Int(place)])
        });
    }
    calls
}

/// With the states that calls lead to, for selections that begin at any time.
fn subject(name: &'static str, model: Arc<dyn Model>, initial: Value, calls: Vec<Call>) -> Subject {
    let undecided = Value::Int(2);
    let start = Value::tuple([initial, undecided.clone()]);
    let mut seen = BTreeSet::from([start.clone()]);
    let mut open = VecDeque::from([start]);
    while let Some(state) = open.pop_front() {
        for call in &calls {
            let Some((after, _)) = step(&*model, &state, call) else {
                continue;
            };
            let channel = &parts(&after)[0];
            let ends = &parts(channel)[parts(channel).len() - 2..];
            let again = Value::tuple([channel.clone(), undecided.clone()]);
            for after in [after.clone(), again] {
                let few = ends.iter().all(|ends| ends.as_int() <= Some(2));
                if few && seen.len() < MOST && seen.insert(after.clone()) {
                    open.push_back(after);
                }
            }
        }
    }
    Subject {
        name,
        model,
        states: seen.into_iter().collect(),
        calls,
    }
}

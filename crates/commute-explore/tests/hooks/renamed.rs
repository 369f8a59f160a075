//! Threads under other names do the same: a call of a thread that is called something
//! else, in a state in which everybody is, leads where the call led, under those names.

use std::collections::{BTreeSet, VecDeque};

use commute_explore::{Model, models};
use commute_model::Value;

/// Calls of one thread. `version` is something that only this thread would write.
type Calls = fn(me: &Value) -> Vec<(&'static str, Vec<Value>)>;

const NAMES: [[i128; 3]; 6] = [
    [1, 2, 3],
    [1, 3, 2],
    [2, 1, 3],
    [2, 3, 1],
    [3, 1, 2],
    [3, 2, 1],
];

/// Enough for whatever three threads can be in the middle of.
const MOST: usize = 200;

fn with(me: &Value, methods: &[&'static str]) -> Vec<(&'static str, Vec<Value>)> {
    { methods.iter() }
        .map(|method| (*method, vec![me.clone()]))
        .collect()
}

fn of_locks(me: &Value) -> Vec<(&'static str, Vec<Value>)> {
    let mut calls = with(
        me,
        &[
            "lock",
            "try_lock",
            "read",
            "try_read",
            "unread",
            "unlock",
            "upgradable",
            "try_upgradable",
            "unupgradable",
            "upgrade",
            "try_upgrade",
            "downgrade",
            "downgrade_upgradable",
        ],
    );
    let version = Value::Int(7);
    calls.push(("unlock", vec![me.clone(), version.clone()]));
    calls.push(("unlock", vec![me.clone(), version.clone(), true.into()]));
    calls.push(("downgrade_to_upgradable", vec![me.clone(), version]));
    calls.extend([("is_locked", vec![]), ("clear_poison", vec![])]);
    calls
}

fn of_condvars(me: &Value) -> Vec<(&'static str, Vec<Value>)> {
    let mut calls = with(me, &["wait", "wake", "wake_or_not", "lock"]);
    calls.extend([("notify_one", vec![]), ("notify_all_of", vec![])]);
    calls
}

fn of_once(me: &Value) -> Vec<(&'static str, Vec<Value>)> {
    let mut calls = with(me, &["begin", "begin_again", "fail", "give_up"]);
    calls.push(("finish", vec![me.clone(), Value::Int(2)]));
    calls.extend([("get", vec![]), ("wait", vec![])]);
    calls
}

fn of_channels(me: &Value) -> Vec<(&'static str, Vec<Value>)> {
    let mut calls = with(me, &["taken"]);
    calls.push(("offer", vec![Value::Int(2), me.clone()]));
    calls.extend([("recv", vec![]), ("drop_receiver", vec![])]);
    calls
}

fn of_rendezvous(me: &Value) -> Vec<(&'static str, Vec<Value>)> {
    let mut calls = with(me, &["taken", "taken_or_not", "await", "got", "got_or_not"]);
    calls.push(("offer", vec![Value::Int(7), me.clone()]));
    calls.push(("try_send", vec![Value::Int(8)]));
    calls.extend([("try_recv", vec![]), ("drop_receiver", vec![])]);
    calls
}

/// States of all objects, and what is returned.
fn step(
    model: &dyn Model,
    states: &[Value],
    method: &str,
    args: &[Value],
) -> Option<(Vec<Value>, Value)> {
    // The mutex of a condition variable can be taken on its own.
    if method == "lock" && states.len() == 2 {
        let stepped = models::Lock.step(&[&states[1]], method, args)?;
        return Some((
            vec![states[0].clone(), stepped.states[0].clone()],
            stepped.result,
        ));
    }
    let stepped = model.step(&states.iter().collect::<Vec<_>>(), method, args)?;
    let mut after = stepped.states.to_vec();
    after.extend_from_slice(&states[after.len()..]);
    Some((after, stepped.result))
}

fn check(model: &dyn Model, initial: &[Value], calls: Calls) {
    let mut seen: BTreeSet<Vec<Value>> = BTreeSet::from([initial.to_vec()]);
    let mut open = VecDeque::from([initial.to_vec()]);
    let mut compared = 0;
    while let Some(states) = open.pop_front() {
        for thread in 1..=3 {
            let mine = calls(&Value::Int(thread));
            for (number, (method, args)) in mine.iter().enumerate() {
                let stepped = step(model, &states, method, args);
                for names in NAMES {
                    let to = |thread: &Value| match thread.as_int() {
                        Some(n @ 1..=3) => Value::Int(names[n as usize - 1]),
                        _ => panic!("{thread} is no thread"),
                    };
                    let rename = |states: &[Value]| -> Vec<Value> {
                        let first = model.renamed(&states[0], &to);
                        let others = states[1..].iter().map(|s| models::Lock.renamed(s, &to));
                        let all = std::iter::once(first).chain(others);
                        all.map(|state| state.expect("there are threads in it"))
                            .collect()
                    };
                    let (_, args) = &calls(&to(&Value::Int(thread)))[number];
                    let other = step(model, &rename(&states), method, args);
                    let expected =
                        { stepped.as_ref() }.map(|(after, result)| (rename(after), result.clone()));
                    assert_eq!(other, expected, "{method} of {thread} in {states:?}");
                    compared += 1;
                }
                if let Some((after, _)) = stepped
                    && seen.len() < MOST
                    && seen.insert(after.clone())
                {
                    open.push_back(after);
                }
            }
        }
    }
    println!(
        "{}: {compared} steps in {} states",
        model.name(),
        seen.len()
    );
    assert!(seen.len() > 4);
}

#[test]
fn states_are_the_same_under_other_names() {
    check(&models::Lock, &[models::Lock::initial()], of_locks);
    let initial = [models::Condvar::initial(), models::Lock::initial()];
    check(&models::Condvar, &initial, of_condvars);
    check(&models::Once, &[models::Once::initial()], of_once);
    let channel = models::Channel { bound: Some(0) };
    check(&channel, &[models::Channel::initial()], of_channels);
    let initial = [models::Rendezvous::initial()];
    check(&models::Rendezvous, &initial, of_rendezvous);
}

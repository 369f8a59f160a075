//! A condition variable. State: the threads that wait, and the threads that
//! were notified and have not woken yet, both sorted.
//!
//! A wait is two steps: `wait_begin` when the mutex is released, `wake` when
//! it is held again. Spurious wake-ups are not modelled: a thread wakes only
//! if it was notified. Shadow results: `notify_one` gives the thread it chose
//! (any that waits; `nil` if none does), `notify_all` how many waited.

use commute_model::Value;

use super::domain::{elements, integers, only, pair, product, sorted_with, without};
use super::{Model, Outcome, Signature};

/// The model `condvar`.
#[derive(Clone, Copy, Debug)]
pub struct Condvar;

impl Model for Condvar {
    fn name(&self) -> &str {
        "condvar"
    }

    fn methods(&self) -> &[Signature] {
        const METHODS: &[Signature] = &[
            Signature::new("wait_begin", 1, 0),
            Signature::new("wake", 1, 0),
            Signature::new("notify_one", 0, 1).with_shadow(1),
            Signature::new("notify_all", 0, 1).with_shadow(1),
        ];
        METHODS
    }

    fn initial(&self) -> Value {
        Value::tuple([Value::unit(), Value::unit()])
    }

    /// Each of three threads is elsewhere, waits, or was notified.
    fn states(&self) -> Vec<Value> {
        let threads = integers(1..=3);
        let mut places = product(&vec![&integers(0..=2)[..]; threads.len()]);
        let busy = |places: &Vec<Value>| places.iter().filter(|p| **p != Value::Int(0)).count();
        places.sort_by_key(busy);
        let state = |places: Vec<Value>| {
            let at = |place: i128| {
                let there = places.iter().zip(&threads);
                let there = there.filter(|(p, _)| **p == Value::Int(place));
                Value::tuple(there.map(|(_, thread)| thread.clone()))
            };
            Value::tuple([at(1), at(2)])
        };
        places.into_iter().map(state).collect()
    }

    fn arguments(&self, method: &str) -> Vec<Vec<Value>> {
        match method {
            "wait_begin" | "wake" => product(&[&integers(1..=3)]),
            "notify_one" | "notify_all" => product(&[]),
            _ => vec![],
        }
    }

    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        let Some((Some(waiting), Some(woken))) =
            pair(state).map(|(waiting, woken)| (elements(waiting), elements(woken)))
        else {
            return vec![];
        };
        let with = |waiting: Value, woken: Value| Value::tuple([waiting, woken]);
        match (method, args) {
            ("wait_begin", [t]) if !waiting.contains(t) && !woken.contains(t) => only(
                with(sorted_with(waiting, t), Value::tuple(woken.to_vec())),
                [],
            ),
            ("wake", [t]) if woken.contains(t) => {
                only(with(Value::tuple(waiting.to_vec()), without(woken, t)), [])
            }
            ("notify_one", []) if waiting.is_empty() => only(state.clone(), [Value::Nil]),
            ("notify_one", []) => waiting
                .iter()
                .map(|t| {
                    let after = with(without(waiting, t), sorted_with(woken, t));
                    Outcome::new(after, [t.clone()])
                })
                .collect(),
            ("notify_all", []) => {
                let mut all = [waiting, woken].concat();
                all.sort();
                only(
                    with(Value::unit(), Value::tuple(all)),
                    [waiting.len().into()],
                )
            }
            _ => vec![],
        }
    }
}

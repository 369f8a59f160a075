//! Threads that may be exchanged, as others see them: all together. State: what those have
//! returned that have ended, sorted, so that nobody can tell them apart.

use commute_model::Value;

use super::parts;
use crate::model::{Label, Model, Shown, Stepped};

/// The model of threads that may be exchanged.
///
/// `spawn()` starts one; `exit(v)` is the last thing that each does; `join(t…)`, with all
/// of them, waits until all have ended, and returns what they did, sorted.
#[derive(Clone, Copy, Debug)]
pub struct Threads;

impl Threads {
    /// None has ended.
    pub fn initial() -> Value {
        Value::unit()
    }
}

impl Model for Threads {
    fn name(&self) -> &str {
        "threads"
    }

    fn step(&self, states: &[&Value], method: &str, args: &[Value]) -> Option<Stepped> {
        let (state, ended) = (states[0], parts(states[0]));
        let to = |after: Value, result: Value| Some(Stepped::to(after, result));
        match (method, args) {
            ("spawn", []) => to(state.clone(), Value::unit()),
            ("exit", [v]) => {
                let (less, more) = ended.split_at(ended.partition_point(|other| other < v));
                let ended = less.iter().chain([v]).chain(more).cloned();
                to(Value::tuple(ended), Value::unit())
            }
            ("join", all) if ended.len() == all.len() => to(state.clone(), state.clone()),
            _ => None,
        }
    }

    fn only_reads(&self, method: &str, _args: &[Value], _result: &Value) -> bool {
        method != "exit"
    }

    /// All have ended when they are joined.
    fn moves(&self, first: Label<'_>, second: Label<'_>) -> bool {
        (first.method, second.method) != ("exit", "join")
    }

    fn disturbs(&self, _first: Label<'_>, _other: Label<'_>) -> bool {
        false
    }

    fn is_free_unless(&self, method: &str) -> Option<&'static [&'static str]> {
        matches!(method, "spawn" | "exit" | "join").then_some(&[])
    }

    fn returns(&self, method: &str) -> bool {
        method == "join"
    }

    /// Each ends once.
    fn returns_one(&self, _method: &str) -> bool {
        true
    }

    fn waits(&self, method: &str) -> bool {
        method == "join"
    }

    fn hangs(&self, _method: &str) -> bool {
        false
    }

    fn shown(&self, _method: &str, _args: &[Value], _result: &Value) -> Shown {
        Shown::nothing()
    }
}

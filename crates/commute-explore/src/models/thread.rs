//! A thread, as others see it. State: `nil` before it is started, `()` while it runs,
//! `(v,)` when it has ended with `v`.

use commute_model::Value;

use super::parts;
use crate::model::{Label, Model, Shown, Stepped};

/// The model of threads.
///
/// `spawn()`; `exit(v)`, the last thing that a thread does, where `v` is what it returns
/// or a word for what cannot be compared; `join(thread)`, which waits for that and
/// returns `v`; `is_finished()`.
#[derive(Clone, Copy, Debug)]
pub struct Thread;

impl Thread {
    /// A thread that was not started.
    pub fn initial() -> Value {
        Value::Nil
    }
}

impl Model for Thread {
    fn name(&self) -> &str {
        "thread"
    }

    fn step(&self, states: &[&Value], method: &str, args: &[Value]) -> Option<Stepped> {
        let state = states[0];
        let to = |after: Value, result: Value| Some(Stepped::to(after, result));
        match (method, args) {
            ("spawn", []) => to(Value::unit(), Value::unit()),
            ("exit", [v]) => to(Value::tuple([v.clone()]), Value::unit()),
            ("join", [_thread]) => match parts(state) {
                [v] => to(state.clone(), v.clone()),
                _ => None,
            },
            ("is_finished", []) => to(state.clone(), (!parts(state).is_empty()).into()),
            _ => None,
        }
    }

    fn only_reads(&self, method: &str, _args: &[Value], _result: &Value) -> bool {
        matches!(method, "join" | "is_finished")
    }

    /// A thread is started once and ends once.
    fn moves(&self, first: Label<'_>, second: Label<'_>) -> bool {
        let looks = |method: &str| matches!(method, "join" | "is_finished");
        let not_yet = |label: Label<'_>| label.result == Some(&Value::Bool(false));
        match (first.method, second.method) {
            (first, second) if looks(first) && looks(second) => true,
            ("exit", "is_finished") => not_yet(second),
            ("join", "exit") | ("spawn", "join") => true,
            _ => false,
        }
    }

    fn disturbs(&self, first: Label<'_>, other: Label<'_>) -> bool {
        first.method == "exit" && other.method == "is_finished"
    }

    fn is_free_unless(&self, method: &str) -> Option<&'static [&'static str]> {
        match method {
            "spawn" | "join" => Some(&[]),
            "exit" => Some(&["is_finished"]),
            _ => None,
        }
    }

    fn returns(&self, method: &str) -> bool {
        matches!(method, "join" | "is_finished")
    }

    /// A thread ends once.
    fn returns_one(&self, method: &str) -> bool {
        method != "is_finished"
    }

    fn waits(&self, method: &str) -> bool {
        method == "join"
    }

    fn hangs(&self, _method: &str) -> bool {
        false
    }

    fn shown(&self, method: &str, _args: &[Value], result: &Value) -> Shown {
        Shown {
            args: Vec::new(),
            result: (method == "is_finished").then(|| result.to_string()),
        }
    }
}

//! Something that is initialised once. State: `nil` before, `t` while the thread `t` does
//! it, `(version)` afterwards, and `false` if whoever did it panicked.

use commute_model::Value;

use crate::act::Act;
use crate::model::{Called, Model, Shown, Stepped};
use crate::words::ThreadId;

/// The model of `Once`, `OnceLock` and `LazyLock`.
///
/// - `begin(t)` waits while somebody does it, and returns `true` if `t` has to do it,
///   `(version)` if it is done, `false` if it cannot be; `begin_again(t)` also begins
///   after a panic;
/// - `finish(t, version)`; `fail(t)` when it panicked, `give_up(t)` if others may try;
/// - `get()` returns `(version)` or `nil`; `wait()` waits for it, or for a panic.
#[derive(Clone, Copy, Debug)]
pub struct Once;

impl Once {
    /// Not initialised.
    pub fn initial() -> Value {
        Value::Nil
    }

    /// Initialised by nobody who could be asked.
    pub fn done() -> Value {
        Value::tuple([Value::Nil])
    }
}

impl Model for Once {
    fn name(&self) -> &str {
        "once"
    }

    fn step(&self, states: &[&Value], method: &str, args: &[Value]) -> Option<Stepped> {
        let state = states[0];
        let to = |after: Value, result: Value| Some(Stepped::to(after, result));
        let stays = |result: Value| Some(Stepped::to(state.clone(), result));
        match (method, args, state) {
            ("begin" | "begin_again", [t], Value::Nil) => to(t.clone(), true.into()),
            ("begin_again", [t], Value::Bool(false)) => to(t.clone(), true.into()),
            ("begin", [_], Value::Bool(false)) => stays(false.into()),
            ("begin" | "begin_again", [_], Value::Tuple(_)) => stays(state.clone()),
            ("finish", [t, version], _) if t == state => {
                to(Value::tuple([version.clone()]), Value::unit())
            }
            ("fail", [t], _) if t == state => to(false.into(), Value::unit()),
            ("give_up", [t], _) if t == state => to(Value::Nil, Value::unit()),
            ("get", [], Value::Tuple(_)) => stays(state.clone()),
            ("get", [], _) => stays(Value::Nil),
            ("wait" | "wait_on", [], Value::Tuple(_)) => stays(state.clone()),
            ("wait", [], Value::Bool(false)) => stays(false.into()),
            _ => None,
        }
    }

    fn only_reads(&self, method: &str, _args: &[Value], result: &Value) -> bool {
        match method {
            "get" | "wait" | "wait_on" => true,
            "begin" | "begin_again" => *result != Value::Bool(true),
            _ => false,
        }
    }

    fn act(&self, _state: &Value, call: Called<'_>) -> Act {
        let key = Value::unit();
        let leaves = |left: Option<Value>| Act::Leaves {
            key: Value::unit(),
            left,
            goes: true,
        };
        match (call.method, call.args, call.result) {
            ("begin" | "begin_again", _, Value::Bool(true)) => Act::Takes {
                key,
                found: Value::Nil,
                more: false,
            },
            ("finish", [_, version], _) => leaves(Some(Value::tuple([version.clone()]))),
            ("fail", ..) => leaves(Some(Value::Bool(false))),
            ("give_up", ..) => leaves(None),
            _ => Act::Once { sets: false },
        }
    }

    fn held(&self, _key: &Value, found: &Value, left: &Value) -> Act {
        Act::Once {
            sets: found != left,
        }
    }

    fn shown(&self, method: &str, _args: &[Value], result: &Value) -> Shown {
        let result = match (method, result) {
            (_, Value::Bool(false)) => Some("poisoned"),
            ("begin" | "begin_again", Value::Bool(true)) => Some("to be done"),
            ("get", Value::Nil) => Some("not yet"),
            ("begin" | "begin_again" | "get", _) => Some("done"),
            _ => None,
        };
        Shown {
            args: Vec::new(),
            result: result.map(str::to_owned),
        }
    }

    fn renamed(&self, state: &Value, to: &dyn Fn(&Value) -> Value) -> Option<Value> {
        Some(match state {
            Value::Int(_) => to(state),
            other => other.clone(),
        })
    }

    fn owner(&self, state: &Value) -> Option<ThreadId> {
        let number = u32::try_from(state.as_int()?).ok()?;
        Some(ThreadId(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_done_once_and_again_after_a_panic_if_asked() {
        let mut world = Once::initial();
        let mut step = |method: &str, args: &[i128]| {
            let args: Vec<Value> = args.iter().map(|n| Value::Int(*n)).collect();
            let stepped = Once.step(&[&world], method, &args)?;
            if Once.only_reads(method, &args, &stepped.result) {
                assert_eq!(stepped.states[0], world);
            }
            world = stepped.states[0].clone();
            Some(stepped.result)
        };
        let done = || Some(Value::tuple([Value::Int(9)]));
        assert_eq!(step("get", &[]), Some(Value::Nil));
        assert_eq!(step("begin", &[1]), Some(true.into()));
        assert_eq!(step("begin", &[2]), None);
        assert_eq!(step("fail", &[1]), Some(Value::unit()));
        assert_eq!(step("begin", &[2]), Some(false.into()));
        assert_eq!(step("wait", &[]), Some(false.into()));
        assert_eq!(step("wait_on", &[]), None);
        assert_eq!(step("begin_again", &[2]), Some(true.into()));
        assert_eq!(step("give_up", &[2]), Some(Value::unit()));
        assert_eq!(step("begin", &[1]), Some(true.into()));
        assert_eq!(step("finish", &[1, 9]), Some(Value::unit()));
        assert_eq!(step("begin", &[2]), done());
        assert_eq!(step("get", &[]), done());
        assert_eq!(step("wait_on", &[]), done());
    }
}

//! A number of permits. State: how many are left.

use commute_model::Value;

use crate::act::{Act, Invoked};
use crate::model::{Called, Label, Model, Stepped};

/// The model of semaphores: `acquire()` waits, `try_acquire()` returns whether there was
/// one, `release()`.
#[derive(Clone, Copy, Debug)]
pub struct Semaphore;

impl Model for Semaphore {
    fn name(&self) -> &str {
        "semaphore"
    }

    fn step(&self, states: &[&Value], method: &str, args: &[Value]) -> Option<Stepped> {
        let left = states[0].as_int()?;
        let to = |left: i128, result: Value| Some(Stepped::to(Value::Int(left), result));
        match (method, args) {
            ("acquire", []) if left > 0 => to(left - 1, Value::unit()),
            ("try_acquire", []) if left > 0 => to(left - 1, true.into()),
            ("try_acquire", []) => to(left, false.into()),
            ("release", []) => to(left + 1, Value::unit()),
            _ => None,
        }
    }

    fn only_reads(&self, method: &str, _args: &[Value], result: &Value) -> bool {
        method == "try_acquire" && *result == Value::Bool(false)
    }

    /// Permits are all the same: only a permit that comes after all, or one that was
    /// there or not when somebody looked, makes a difference.
    fn moves(&self, first: Label<'_>, second: Label<'_>) -> bool {
        let looks = |label: Label<'_>| label.method == "try_acquire";
        let failed = |label: Label<'_>| label.result == Some(&Value::Bool(false));
        let unknown = |label: Label<'_>| looks(label) && label.result.is_none();
        match (first.method, second.method) {
            _ if unknown(first) || unknown(second) => false,
            ("release", "release") => true,
            ("release", _) => failed(second),
            (_, "release") => !failed(first),
            _ if failed(first) => true,
            _ => !failed(second),
        }
    }

    fn disturbs(&self, first: Label<'_>, other: Label<'_>) -> bool {
        let failed = |label: Label<'_>| label.result == Some(&Value::Bool(false));
        match (first.method, other.method) {
            (_, "release") => false,
            ("release", "try_acquire") => other.result != Some(&Value::Bool(true)),
            ("release", _) => false,
            _ => !failed(first) && !failed(other),
        }
    }

    fn is_free_unless(&self, method: &str) -> Option<&'static [&'static str]> {
        (method == "release").then_some(&["try_acquire"])
    }

    fn act(&self, _state: &Value, call: Called<'_>) -> Act {
        let result = self.returns(call.method).then(|| call.result.clone());
        Act::Call(Invoked::new("semaphore", call.method, [], result))
    }

    fn returns(&self, method: &str) -> bool {
        method == "try_acquire"
    }

    fn waits(&self, method: &str) -> bool {
        method == "acquire"
    }
}

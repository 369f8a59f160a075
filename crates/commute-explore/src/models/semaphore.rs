//! A number of permits. State: how many are left.

use commute_model::Value;

use crate::model::{Model, Stepped};

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
}

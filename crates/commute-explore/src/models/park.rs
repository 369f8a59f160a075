//! Where a thread parks. State: whether somebody has unparked it.

use commute_model::Value;

use crate::model::{Model, Shown, Stepped};

/// The model of `park` and `unpark`: `park()` waits until it is unparked, and takes that
/// back; `park_or_not()` does not wait; `unpark()`.
#[derive(Clone, Copy, Debug)]
pub struct Park;

impl Park {
    /// Nobody has unparked it.
    pub fn initial() -> Value {
        false.into()
    }
}

impl Model for Park {
    fn name(&self) -> &str {
        "park"
    }

    fn step(&self, states: &[&Value], method: &str, args: &[Value]) -> Option<Stepped> {
        let is_unparked = *states[0] == Value::Bool(true);
        let to = |after: bool| Some(Stepped::to(after.into(), Value::unit()));
        match (method, args) {
            ("park", []) if is_unparked => to(false),
            ("park_or_not", []) => to(false),
            ("unpark", []) => to(true),
            _ => None,
        }
    }

    fn returns(&self, _method: &str) -> bool {
        false
    }

    fn waits(&self, method: &str) -> bool {
        method == "park"
    }

    fn shown(&self, _method: &str, _args: &[Value], _result: &Value) -> Shown {
        Shown::nothing()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_unpark_is_as_good_as_two() {
        let step = |state: bool, method: &str| {
            let stepped = Park.step(&[&state.into()], method, &[]);
            stepped.map(|s| s.states[0] == Value::Bool(true))
        };
        assert_eq!(step(false, "park"), None);
        assert_eq!(step(false, "unpark"), Some(true));
        assert_eq!(step(true, "unpark"), Some(true));
        assert_eq!(step(true, "park"), Some(false));
        assert_eq!(step(false, "park_or_not"), Some(false));
        assert_eq!(step(true, "park_or_not"), Some(false));
    }
}

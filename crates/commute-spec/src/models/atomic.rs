//! An atomic integer of some range, which wraps. State: its value.
//!
//! `add` and `max` are `fetch_add` and `fetch_max` with the result dropped;
//! `cas` returns whether it succeeded, `cas_cur` also the value it found.

use commute_model::Value;

use super::domain::{integers, only, product};
use super::{Model, Outcome, Signature};
use crate::evaluate::Interpretation;

/// The model `atomic`.
#[derive(Clone, Copy, Debug)]
pub struct Atomic {
    min: i128,
    max: i128,
}

impl Atomic {
    pub(super) const TWO_BITS: Atomic = Atomic { min: 0, max: 3 };

    /// An integer from `min` to `max`, both included; it starts at 0, or at
    /// the value next to 0. If `max < min` there is only `min`. Integers have at most
    /// 65 bits, so that sums can be represented.
    pub const fn new(min: i128, max: i128) -> Atomic {
        let max = if max < min { min } else { max };
        Atomic { min, max }
    }

    fn bounds(self) -> (i128, i128) {
        (self.min, self.max)
    }

    /// The value that `n` wraps to. `n` is at most the sum of two values.
    fn wrap(self, n: i128) -> Value {
        let (min, max) = self.bounds();
        Value::Int((n - min).rem_euclid(max - min + 1) + min)
    }

    /// The integer, if it is in range.
    fn read(self, value: &Value) -> Option<i128> {
        let (min, max) = self.bounds();
        value.as_int().filter(|n| (min..=max).contains(n))
    }
}

impl Model for Atomic {
    fn name(&self) -> &str {
        "atomic"
    }

    fn methods(&self) -> &[Signature] {
        const METHODS: &[Signature] = &[
            Signature::new("load", 0, 1),
            Signature::new("store", 1, 0),
            Signature::new("swap", 1, 1),
            Signature::new("fetch_add", 1, 1),
            Signature::new("add", 1, 0),
            Signature::new("fetch_sub", 1, 1),
            Signature::new("cas", 2, 1),
            Signature::new("cas_cur", 2, 2),
            Signature::new("fetch_max", 1, 1),
            Signature::new("max", 1, 0),
        ];
        METHODS
    }

    fn initial(&self) -> Value {
        Value::Int(0.clamp(self.min, self.max))
    }

    /// All values of a small range; of a large one 0 and 1 and both ends.
    fn states(&self) -> Vec<Value> {
        let (min, max) = self.bounds();
        if max - min < 8 {
            return integers(min..=max);
        }
        let mut ends = vec![min, min + 1, 0, 1, max - 1, max];
        ends.retain(|n| (min..=max).contains(n));
        ends.sort_unstable();
        ends.dedup();
        ends.into_iter().map(Value::Int).collect()
    }

    fn arguments(&self, method: &str) -> Vec<Vec<Value>> {
        let values = self.states();
        match method {
            "load" => product(&[]),
            "store" | "swap" | "fetch_add" | "add" | "fetch_sub" | "fetch_max" | "max" => {
                product(&[&values])
            }
            "cas" | "cas_cur" => product(&[&values, &values]),
            _ => vec![],
        }
    }

    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        let ints: Option<Vec<i128>> = args.iter().map(|v| self.read(v)).collect();
        let (Some(now), Some(ints)) = (self.read(state), ints) else {
            return vec![];
        };
        let (before, same) = (state.clone(), state.clone());
        match (method, &ints[..]) {
            ("load", []) => only(same, [before]),
            ("store", [v]) => only(Value::Int(*v), []),
            ("swap", [v]) => only(Value::Int(*v), [before]),
            ("fetch_add", [d]) => only(self.wrap(now + d), [before]),
            ("add", [d]) => only(self.wrap(now + d), []),
            ("fetch_sub", [d]) => only(self.wrap(now - d), [before]),
            ("cas", [o, n]) if now == *o => only(Value::Int(*n), [true.into()]),
            ("cas", [_, _]) => only(same, [false.into()]),
            ("cas_cur", [o, n]) if now == *o => only(Value::Int(*n), [true.into(), before]),
            ("cas_cur", [_, _]) => only(same, [false.into(), before]),
            ("fetch_max", [v]) => only(Value::Int(now.max(*v)), [before]),
            ("max", [v]) => only(Value::Int(now.max(*v)), []),
            _ => vec![],
        }
    }

    fn interpretation(&self) -> &dyn Interpretation {
        self
    }
}

impl Interpretation for Atomic {
    fn min(&self) -> Value {
        Value::Int(self.min)
    }

    fn max(&self) -> Value {
        Value::Int(self.max)
    }

    fn app(&self, _: &Value, _: &Value) -> Value {
        Value::Opaque
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_wrap_at_both_ends() {
        let after = |atomic: Atomic, from: i64, method: &str, d: i64| {
            let outcomes = atomic.step(&Value::from(from), method, &[Value::from(d)]);
            assert_eq!(outcomes.len(), 1);
            outcomes[0].state.clone()
        };
        let wide = Atomic::new(i64::MIN.into(), i64::MAX.into());
        assert_eq!(after(wide, i64::MAX, "add", 1), Value::from(i64::MIN));
        assert_eq!(after(wide, i64::MIN, "fetch_sub", 1), Value::from(i64::MAX));
        assert_eq!(after(wide, 40, "fetch_add", 2), Value::Int(42));
        assert_eq!(after(Atomic::new(-2, 1), 1, "add", 1), Value::Int(-2));
        assert!(
            Atomic::TWO_BITS
                .step(&Value::Int(4), "load", &[])
                .is_empty()
        );
    }
}

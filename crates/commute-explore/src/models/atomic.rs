//! An atomic integer, boolean or pointer. State: its value, booleans as 0 and 1.

use commute_model::Value;

use super::parts;
use crate::act::{Act, Invoked};
use crate::model::{Called, Model, Shown, Stepped};

/// The model of atomic pointers, whose values are names of addresses: as [`Atomic`], but
/// that nothing can be calculated with them.
#[derive(Clone, Copy, Debug)]
pub struct Pointer;

impl Model for Pointer {
    fn name(&self) -> &str {
        "pointer"
    }

    fn step(&self, states: &[&Value], method: &str, args: &[Value]) -> Option<Stepped> {
        match method {
            "load" | "store" | "swap" | "compare_exchange" => NAMES.step(states, method, args),
            _ => None,
        }
    }

    fn only_reads(&self, method: &str, args: &[Value], result: &Value) -> bool {
        NAMES.only_reads(method, args, result)
    }

    fn overwrites(&self, method: &str) -> bool {
        NAMES.overwrites(method)
    }

    fn returns(&self, method: &str) -> bool {
        NAMES.returns(method)
    }

    fn waits(&self, method: &str) -> bool {
        NAMES.waits(method)
    }

    fn act(&self, _state: &Value, call: Called<'_>) -> Act {
        let (args, result) = short(call.args, call.result);
        act(Called {
            method: call.method,
            args: &args,
            result: &result,
        })
    }

    fn shown(&self, method: &str, args: &[Value], result: &Value) -> Shown {
        let (args, result) = short(args, result);
        NAMES.shown(method, &args, &result)
    }
}

/// Names in four digits, which is enough to tell them apart.
fn short(args: &[Value], result: &Value) -> (Vec<Value>, Value) {
    let short = |value: &Value| match value {
        Value::Int(0) => Value::symbol("null"),
        Value::Int(name) => {
            let digits = (name ^ (name >> 16) ^ (name >> 40)) & 0xFFFF;
            Value::symbol(&format!("p{digits:04x}"))
        }
        other => other.clone(),
    };
    let result = match parts(result) {
        [] => short(result),
        found => Value::tuple(found.iter().map(short)),
    };
    (args.iter().map(short).collect(), result)
}

/// A call in the words of the specification `atomic`; what it does not have, such as
/// `fetch_or`, is not known.
fn act(call: Called<'_>) -> Act {
    let (method, results) = match (call.method, parts(call.result)) {
        ("load" | "swap" | "fetch_add" | "fetch_sub" | "fetch_max", _) => {
            (call.method, vec![call.result.clone()])
        }
        ("store", _) => ("store", Vec::new()),
        // `cas_cur` also returns what it has found.
        ("compare_exchange", results) => ("cas_cur", results.to_vec()),
        _ => return Act::Unknown,
    };
    let args = call.args.iter().cloned();
    Act::Call(Invoked::new("atomic", method, args, results))
}

/// How names are loaded and stored.
const NAMES: Atomic = Atomic {
    bits: 127,
    signed: true,
};

/// The model of atomics: `load()`, `store(v)`, `swap(v)`, `fetch_add(v)` and the like;
/// `compare_exchange(current, new)` returns whether it was current, and what was found.
/// Sequentially consistent, whatever the ordering.
#[derive(Clone, Copy, Debug)]
pub struct Atomic {
    /// The width of the integer, at which it wraps.
    pub bits: u32,
    /// Whether it can be negative.
    pub signed: bool,
}

impl Atomic {
    /// What is left of a number in so many bits.
    fn wrapped(self, number: i128) -> i128 {
        let unused = 128 - self.bits;
        match self.signed {
            true => number << unused >> unused,
            false => ((number as u128) << unused >> unused) as i128,
        }
    }

    fn changed(self, method: &str, found: i128, by: i128) -> Option<i128> {
        Some(self.wrapped(match method {
            "fetch_add" => found.wrapping_add(by),
            "fetch_sub" => found.wrapping_sub(by),
            "fetch_and" => found & by,
            "fetch_nand" => !(found & by),
            "fetch_or" => found | by,
            "fetch_xor" => found ^ by,
            "fetch_max" => found.max(by),
            "fetch_min" => found.min(by),
            _ => return None,
        }))
    }
}

impl Model for Atomic {
    fn name(&self) -> &str {
        "atomic"
    }

    fn step(&self, states: &[&Value], method: &str, args: &[Value]) -> Option<Stepped> {
        let found = states[0];
        let to = |after: &Value, result: Value| Some(Stepped::to(after.clone(), result));
        match (method, args) {
            ("load", []) => to(found, found.clone()),
            ("store", [new]) => to(new, Value::unit()),
            ("swap", [new]) => to(new, found.clone()),
            ("compare_exchange", [current, new]) => {
                let is_current = found == current;
                let result = Value::tuple([is_current.into(), found.clone()]);
                to(if is_current { new } else { found }, result)
            }
            (_, [by]) => {
                let after = self.changed(method, found.as_int()?, by.as_int()?)?;
                to(&Value::Int(after), found.clone())
            }
            _ => None,
        }
    }

    fn only_reads(&self, method: &str, args: &[Value], result: &Value) -> bool {
        match (method, args) {
            ("load", _) => true,
            ("compare_exchange", _) => parts(result).first() == Some(&Value::Bool(false)),
            ("swap", [new]) => new == result,
            // What is returned is what was found.
            (_, [by]) => match (result.as_int(), by.as_int()) {
                (Some(found), Some(by)) => self.changed(method, found, by) == Some(found),
                _ => false,
            },
            _ => false,
        }
    }

    fn overwrites(&self, method: &str) -> bool {
        method == "store"
    }

    fn returns(&self, method: &str) -> bool {
        method != "store"
    }

    fn waits(&self, _method: &str) -> bool {
        false
    }

    fn act(&self, _state: &Value, call: Called<'_>) -> Act {
        act(call)
    }

    fn shown(&self, _method: &str, args: &[Value], result: &Value) -> Shown {
        let result = match parts(result) {
            [Value::Bool(true), found] => Some(format!("Ok({found})")),
            [Value::Bool(false), found] => Some(format!("Err({found})")),
            [] if *result == Value::unit() => None,
            _ => Some(result.to_string()),
        };
        Shown {
            args: args.iter().map(ToString::to_string).collect(),
            result,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI8, AtomicU8, Ordering::SeqCst};

    use super::*;

    /// Numbers that look random.
    fn numbers(seed: u64) -> impl FnMut() -> u8 {
        let mut state = seed;
        move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 56) as u8
        }
    }

    macro_rules! does_what_std_does {
        ($test:ident, $atomic:ident, $int:ty, $signed:literal) => {
            #[test]
            fn $test() {
                let model = Atomic {
                    bits: 8,
                    signed: $signed,
                };
                let mut next = numbers(7);
                let real = $atomic::new(0);
                let mut state = Value::Int(0);
                for _ in 0..20_000 {
                    // Small numbers are often what was found.
                    let a = (next() % 6) as $int;
                    let b = next() as $int;
                    let int = |n: $int| Value::Int(n.into());
                    let (method, args, result) = match next() % 12 {
                        0 => ("load", vec![], int(real.load(SeqCst))),
                        1 => {
                            real.store(a, SeqCst);
                            ("store", vec![int(a)], Value::unit())
                        }
                        2 => ("swap", vec![int(a)], int(real.swap(a, SeqCst))),
                        3 | 4 => {
                            let done = real.compare_exchange(a, b, SeqCst, SeqCst);
                            let (Ok(found) | Err(found)) = done;
                            let result = Value::tuple([done.is_ok().into(), int(found)]);
                            ("compare_exchange", vec![int(a), int(b)], result)
                        }
                        5 => ("fetch_add", vec![int(b)], int(real.fetch_add(b, SeqCst))),
                        6 => ("fetch_sub", vec![int(b)], int(real.fetch_sub(b, SeqCst))),
                        7 => ("fetch_and", vec![int(b)], int(real.fetch_and(b, SeqCst))),
                        8 => ("fetch_nand", vec![int(b)], int(real.fetch_nand(b, SeqCst))),
                        9 => ("fetch_or", vec![int(b)], int(real.fetch_or(b, SeqCst))),
                        10 => ("fetch_max", vec![int(b)], int(real.fetch_max(b, SeqCst))),
                        _ => ("fetch_min", vec![int(b)], int(real.fetch_min(b, SeqCst))),
                    };
                    let stepped = model.step(&[&state], method, &args).unwrap();
                    assert_eq!(stepped.result, result, "{method}{args:?} in {state}");
                    if model.only_reads(method, &args, &result) {
                        assert_eq!(stepped.states[0], state);
                    }
                    state = stepped.states[0].clone();
                    assert_eq!(state, int(real.load(SeqCst)));
                }
            }
        };
    }

    does_what_std_does!(unsigned, AtomicU8, u8, false);
    does_what_std_does!(signed, AtomicI8, i8, true);
}

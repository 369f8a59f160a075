//! What is one operation in two of the programs.

use commute_model::Value;

use crate::model::{Called, Label, Model, Stepped};
use crate::models::parts;

/// The driver of qw2004_variant: whoever wants to use it enters and leaves, and whoever
/// stops it leaves and waits until all have left. State: whether it is stopping, how many
/// are inside, whether it was empty once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Driver;

impl Driver {
    /// Whoever stops it is inside.
    pub(super) fn initial() -> Value {
        Value::tuple([false.into(), Value::Int(1), false.into()])
    }
}

impl Model for Driver {
    fn name(&self) -> &str {
        "driver"
    }

    fn step(&self, states: &[&Value], method: &str, _: &[Value]) -> Option<Stepped> {
        let [
            Value::Bool(stopping),
            Value::Int(inside),
            Value::Bool(empty),
        ] = *parts(states[0])
        else {
            return None;
        };
        let to = |stopping: bool, inside: i128, empty: bool, result: Value| {
            let state = Value::tuple([stopping.into(), Value::Int(inside), empty.into()]);
            Some(Stepped::to(state, result))
        };
        let nothing = Value::unit();
        match method {
            "stop" => to(true, inside, empty, nothing),
            "enter" if stopping => to(stopping, inside, empty, false.into()),
            "enter" => to(stopping, inside + 1, empty, true.into()),
            "leave" => to(stopping, inside - 1, empty || inside == 1, nothing),
            "wait" if empty => to(stopping, inside, empty, nothing),
            _ => None,
        }
    }

    fn only_reads(&self, method: &str, _: &[Value], result: &Value) -> bool {
        method == "wait" || method == "enter" && *result == Value::Bool(false)
    }

    fn swaps(&self, a: Called<'_>, b: Called<'_>) -> Option<bool> {
        Some(independent(
            (a.method, Some(a.result)),
            (b.method, Some(b.result)),
        ))
    }

    fn is_specified(&self) -> bool {
        true
    }

    fn moves(&self, first: Label<'_>, second: Label<'_>) -> bool {
        independent((first.method, first.result), (second.method, second.result))
    }

    fn returns(&self, method: &str) -> bool {
        method == "enter"
    }

    fn waits(&self, method: &str) -> bool {
        method == "wait"
    }

    fn projects(&self) -> bool {
        true
    }

    /// How many are inside is for `wait`, that it is stopping for `enter`.
    fn project(&self, state: &Value, rest: &[Label<'_>]) -> Option<Value> {
        let [stopping, inside, empty] = parts(state) else {
            return None;
        };
        let calls = |method: &str| rest.iter().any(|label| label.method == method);
        let mut part = Vec::new();
        if calls("enter") {
            part.push(stopping.clone());
        }
        if calls("wait") {
            // Once it was empty, it does not matter how many there are.
            let inside = if *empty == true.into() {
                &Value::Nil
            } else {
                inside
            };
            part.push(inside.clone());
        }
        Some(Value::tuple(part))
    }
}

/// `stop` decides what `enter` returns; to enter and to leave the other way round may make
/// it empty, which is what `wait` waits for.
fn independent(a: (&str, Option<&Value>), b: (&str, Option<&Value>)) -> bool {
    let refused = Value::Bool(false);
    let one_way = |(a, _): (&str, Option<&Value>), (b, result)| match (a, b) {
        ("stop", "enter") | ("leave", "wait") => true,
        ("leave", "enter") => result != Some(&refused),
        _ => false,
    };
    !one_way(a, b) && !one_way(b, a)
}

/// The ring of ring_2w1r: four places; whoever finds none, or nothing, waits. State: what
/// is in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ring;

impl Model for Ring {
    fn name(&self) -> &str {
        "ring"
    }

    fn step(&self, states: &[&Value], method: &str, args: &[Value]) -> Option<Stepped> {
        match (method, parts(states[0])) {
            ("enqueue", items) if items.len() < 4 => {
                let items = items.iter().chain(args).cloned();
                Some(Stepped::to(Value::tuple(items), Value::unit()))
            }
            ("dequeue", [first, rest @ ..]) => {
                let rest = rest.iter().cloned();
                Some(Stepped::to(Value::tuple(rest), first.clone()))
            }
            _ => None,
        }
    }

    fn returns(&self, method: &str) -> bool {
        method == "dequeue"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By definition, over all small states.
    #[test]
    fn what_swaps_does_so_in_every_small_state() {
        let flags = [false, true];
        let states = flags.into_iter().flat_map(|stopping| {
            let inside = (-2..5).flat_map(move |n| flags.map(|empty| (n, empty)));
            inside.map(move |(inside, empty)| {
                Value::tuple([stopping.into(), Value::Int(inside), empty.into()])
            })
        });
        let states: Vec<Value> = states.collect();
        let unit = Value::unit();
        let labels = [
            ("stop", &unit),
            ("enter", &Value::Bool(true)),
            ("enter", &Value::Bool(false)),
            ("leave", &unit),
            ("wait", &unit),
        ];
        let step = |state: &Value, (method, result): (&str, &Value)| {
            let stepped = Driver.step(&[state], method, &[])?;
            (stepped.result == *result).then(|| stepped.states[0].clone())
        };
        let mut swapped = 0;
        for a in labels {
            for b in labels {
                let [x, y] = [a, b].map(|(method, result)| Called {
                    method,
                    args: &[],
                    result,
                });
                let wants = states.iter().all(|state| {
                    let Some(after) = step(state, a) else {
                        return true;
                    };
                    let (before, then) = (step(state, b), step(&after, b));
                    let other = before.as_ref().and_then(|before| step(before, a));
                    before.is_some() == then.is_some() && (before.is_none() || other == then)
                });
                let says = Driver.swaps(x, y) == Some(true);
                assert!(!says || wants, "{a:?} {b:?}");
                swapped += usize::from(says);
                if Driver.only_reads(a.0, &[], a.1) {
                    let stays = |state: &Value| step(state, a).is_none_or(|s| s == *state);
                    assert!(states.iter().all(stays), "{a:?}");
                }
            }
        }
        assert!(swapped > 10, "{swapped}");
    }
}

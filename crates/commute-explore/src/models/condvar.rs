//! A condition variable. State: who waits, and notifications, in the order in which they
//! came; `nil` is a notification.
//!
//! A notification wakes one of those who wait when it comes, and nothing says which. So
//! the state does not say it either: a thread can wake up if there is a notification
//! after it in the line. It takes the first of them, which leaves as much as can be to
//! the others. A notification that would find all who wait chosen already is lost.

use commute_model::Value;

use super::Lock;
use super::parts;
use crate::model::{Model, Shown, Stepped};

/// The model of condition variables.
///
/// - `wait(t)` begins to wait; its second object is the mutex, which is given up:
///   `wait(t, version)` if what is inside was changed;
/// - `wake(t)` waits for a notification; `wake_or_not(t)` does not, and returns whether
///   there was one. To lock the mutex again is a step of its own;
/// - `notify_one()`, `notify_all()`; `notify_one_of()`, `notify_all_of()` return how many
///   that wakes.
#[derive(Clone, Copy, Debug)]
pub struct Condvar;

impl Condvar {
    /// Nobody waits.
    pub fn initial() -> Value {
        Value::unit()
    }
}

/// Where the notification is that wakes whoever is at `place`.
fn notified(line: &[Value], place: usize) -> Option<usize> {
    let after = line[place..].iter().position(|v| *v == Value::Nil)?;
    Some(place + after)
}

fn without(line: &[Value], places: &[usize]) -> Value {
    let kept = line.iter().enumerate().filter(|(i, _)| !places.contains(i));
    let mut kept: Vec<Value> = kept.map(|(_, v)| v.clone()).collect();
    // A notification before which nobody waits wakes nobody.
    let first = kept.iter().position(|v| *v != Value::Nil);
    kept.drain(..first.unwrap_or(kept.len()));
    Value::tuple(kept)
}

impl Model for Condvar {
    fn name(&self) -> &str {
        "condvar"
    }

    fn step(&self, states: &[&Value], method: &str, args: &[Value]) -> Option<Stepped> {
        let line = parts(states[0]);
        let with = |more: &[Value]| Value::tuple(line.iter().chain(more).cloned());
        let to = |after: Value, result: Value| Some(Stepped::to(after, result));
        match (method, args) {
            ("wait", [t, ..]) => {
                let unlocked = Lock.step(&states[1..], "unlock", args)?;
                let mut stepped = Stepped::to(with(std::slice::from_ref(t)), Value::unit());
                stepped.states.extend(unlocked.states);
                Some(stepped)
            }
            ("wake" | "wake_or_not", [t]) => {
                let place = line.iter().position(|v| v == t)?;
                let by = notified(line, place);
                match (by, method) {
                    (Some(by), "wake") => to(without(line, &[place, by]), Value::unit()),
                    (Some(by), _) => to(without(line, &[place, by]), true.into()),
                    (None, "wake") => None,
                    (None, _) => to(without(line, &[place]), false.into()),
                }
            }
            ("notify_one", []) => {
                let notifications = line.iter().filter(|v| **v == Value::Nil).count();
                if line.len() - notifications > notifications {
                    to(with(&[Value::Nil]), Value::unit())
                } else {
                    to(states[0].clone(), Value::unit())
                }
            }
            ("notify_all", []) => {
                let notifications = line.iter().filter(|v| **v == Value::Nil).count();
                let missing = line.len() - 2 * notifications;
                to(with(&vec![Value::Nil; missing]), Value::unit())
            }
            ("notify_one_of" | "notify_all_of", []) => {
                let usual = method.trim_end_matches("_of");
                let mut stepped = self.step(states, usual, args)?;
                let before = line.iter().filter(|v| **v == Value::Nil).count();
                let after = parts(&stepped.states[0]);
                let after = after.iter().filter(|v| **v == Value::Nil).count();
                stepped.result = Value::Int(after as i128 - before as i128);
                Some(stepped)
            }
            _ => None,
        }
    }

    fn returns(&self, method: &str) -> bool {
        method == "wake_or_not"
    }

    /// Whoever waits has the mutex until then.
    fn waits(&self, method: &str) -> bool {
        method == "wake"
    }

    fn renamed(&self, state: &Value, to: &dyn Fn(&Value) -> Value) -> Option<Value> {
        let line = parts(state).iter().map(|place| match place {
            Value::Nil => Value::Nil,
            waits => to(waits),
        });
        Some(Value::tuple(line))
    }

    /// Who it is says nothing to people: the step says it.
    fn shown(&self, _method: &str, _args: &[Value], result: &Value) -> Shown {
        Shown {
            args: Vec::new(),
            result: match result {
                Value::Bool(true) => Some("notified".to_owned()),
                Value::Bool(false) => Some("timed out".to_owned()),
                Value::Int(woken) => Some(woken.to_string()),
                _ => None,
            },
        }
    }
}

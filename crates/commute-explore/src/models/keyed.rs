//! A map whose entries are given out under guards: nobody else gets at a key while
//! somebody changes it. State: `(entries, guards)`. Entries are `(key, value)`, sorted by
//! key; guards are `(key, thread)` of one who looks at it and `(key, (thread,))` of one who
//! has it alone, sorted.
//!
//! Every key is for itself. Real maps have locks for many keys at once, so that whoever
//! has a guard may keep others from keys that it never asked for; which, nobody knows
//! before a program runs.

mod act;
mod kinds;
mod shown;

use std::cmp::Ordering;

use commute_model::Value;

use super::parts;
use crate::act::Act;
use crate::model::{Called, Label, Model, Shown, Stepped};
use crate::words::ThreadId;
use kinds::{class, key_of};

/// The model of maps and sets with guards. What is not there is `nil`.
///
/// - `insert(k, v)`, `remove(k)` return what was there, `try_insert(k, v)` whether nothing
///   was, `look(k)` what is, `contains_key(k)`, `len()` and `is_empty()` what they say: all
///   wait for guards that are in their way;
/// - `len_at_once()` and `is_empty_at_once()` do not wait, and count what there is;
/// - `get(t, k)` returns what is there, under a guard of one who looks; `get_mut(t, k)`
///   the same, alone; `entry(t, k)` the same, even if there is nothing;
/// - `try_get(t, k)`, `try_get_mut(t, k)`, `try_entry(t, k)` do not wait, and may return
///   `locked`;
/// - `next(t, after)` and `next_mut(t, after)` return the next key, `(k, v)`, after `(k,)`
///   or `()`, under a guard; `nil` if there is none;
/// - `set(t, k, v)` and `unset(t, k)`: one who is alone stays so, and others can count what
///   is there;
/// - `release(t, k)` gives a guard back; `release(t, k, v)` one who was alone leaves
///   this; `release_removed(t, k)` nothing;
/// - `downgrade(t, k)`, `downgrade(t, k, v)`: one who was alone goes on looking.
#[derive(Clone, Copy, Debug)]
pub struct Keyed {
    /// What is known of the values.
    pub values: Values,
}

/// What is known of the values of a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// What they are.
    Known,
    /// Their versions, which say nothing to people.
    Versions,
    /// There are none: it is a set.
    None,
}

impl Keyed {
    /// A map with these entries.
    pub fn initial(entries: impl IntoIterator<Item = (Value, Value)>) -> Value {
        let entries = entries.into_iter().map(|(k, v)| Value::tuple([k, v]));
        let mut entries: Vec<Value> = entries.collect();
        entries.sort();
        Value::tuple([Value::tuple(entries), Value::unit()])
    }

    /// What is returned if somebody else has a guard.
    pub fn locked() -> Value {
        Value::symbol("locked")
    }
}

/// A map that is being looked at.
#[derive(Clone, Copy)]
struct State<'a> {
    entries: &'a [Value],
    guards: &'a [Value],
}

fn first(pair: &Value) -> &Value {
    &parts(pair)[0]
}

fn second(pair: &Value) -> &Value {
    &parts(pair)[1]
}

/// Whether a guard is one of somebody who is alone.
fn is_alone(guard: &Value) -> bool {
    !parts(second(guard)).is_empty()
}

/// Whether a call may be told that somebody else has a guard.
fn is_tried(method: &str) -> bool {
    matches!(method, "try_get" | "try_get_mut" | "try_entry")
}

fn looking(t: &Value, k: &Value) -> Value {
    Value::tuple([k.clone(), t.clone()])
}

fn alone(t: &Value, k: &Value) -> Value {
    Value::tuple([k.clone(), Value::tuple([t.clone()])])
}

impl<'a> State<'a> {
    fn of(state: &'a Value) -> Option<State<'a>> {
        let [entries, guards] = parts(state) else {
            return None;
        };
        Some(State {
            entries: parts(entries),
            guards: parts(guards),
        })
    }

    fn get(self, k: &Value) -> Option<&'a Value> {
        let at = self.entries.binary_search_by(|entry| first(entry).cmp(k));
        at.ok().map(|at| second(&self.entries[at]))
    }

    fn found(self, k: &Value) -> Value {
        self.get(k).cloned().unwrap_or(Value::Nil)
    }

    /// Whether nobody has a guard of the key, or nobody who is alone.
    fn is_free(self, k: &Value, for_one_alone: bool) -> bool {
        let mut guards = self.guards.iter().filter(|guard| first(guard) == k);
        !guards.any(|guard| for_one_alone || is_alone(guard))
    }

    fn is_anybody_alone(self) -> bool {
        self.guards.iter().any(is_alone)
    }

    /// The same, but this is what is there.
    fn set(self, k: &Value, v: Option<&Value>) -> Value {
        let at = self.entries.binary_search_by(|entry| first(entry).cmp(k));
        let mut entries = self.entries.to_vec();
        match (at, v) {
            (Ok(at), Some(v)) => entries[at] = Value::tuple([k.clone(), v.clone()]),
            (Err(at), Some(v)) => entries.insert(at, Value::tuple([k.clone(), v.clone()])),
            (Ok(at), None) => drop(entries.remove(at)),
            (Err(_), None) => {}
        }
        Value::tuple([
            Value::tuple(entries),
            Value::tuple(self.guards.iter().cloned()),
        ])
    }

    fn guarded(self, guard: Value) -> Value {
        let mut guards = self.guards.to_vec();
        guards.insert(guards.partition_point(|other| *other < guard), guard);
        let entries = self.entries.iter().cloned();
        Value::tuple([Value::tuple(entries), Value::tuple(guards)])
    }

    fn without(self, guard: &Value) -> Option<Value> {
        let mut guards = self.guards.to_vec();
        guards.remove(guards.iter().position(|other| other == guard)?);
        let entries = self.entries.iter().cloned();
        Some(Value::tuple([Value::tuple(entries), Value::tuple(guards)]))
    }

    /// The next entry, and whether no guard is in the way to it.
    fn next(self, after: &Value, for_one_alone: bool) -> (Option<&'a Value>, bool) {
        let is_later = |k: &Value| { parts(after).first() }.is_none_or(|after| k > after);
        let next = self.entries.iter().find(|entry| is_later(first(entry)));
        let mut guards = self.guards.iter().filter(|guard| {
            let k = first(guard);
            let is_before_next = next.is_none_or(|next| k.cmp(first(next)) != Ordering::Greater);
            is_later(k) && is_before_next
        });
        let is_free = !guards.any(|guard| for_one_alone || is_alone(guard));
        (next, is_free)
    }
}

impl Model for Keyed {
    fn name(&self) -> &str {
        match self.values {
            Values::None => "hashset",
            Values::Known | Values::Versions => "map",
        }
    }

    fn step(&self, states: &[&Value], method: &str, args: &[Value]) -> Option<Stepped> {
        let state = State::of(states[0])?;
        let to = |after: Value, result: Value| Some(Stepped::to(after, result));
        let stays = |result: Value| Some(Stepped::to(states[0].clone(), result));
        let is_tried = is_tried(method);
        match (method, args) {
            ("contains_key", [k]) if state.is_free(k, false) => {
                stays(state.get(k).is_some().into())
            }
            ("insert", [k, v]) if state.is_free(k, true) => {
                to(state.set(k, Some(v)), state.found(k))
            }
            ("try_insert", [k, v]) if state.is_free(k, true) => match state.get(k) {
                Some(_) => stays(false.into()),
                None => to(state.set(k, Some(v)), true.into()),
            },
            ("look", [k]) if state.is_free(k, false) => stays(state.found(k)),
            ("remove", [k]) if state.is_free(k, true) => to(state.set(k, None), state.found(k)),
            ("len", []) if !state.is_anybody_alone() => {
                stays(Value::Int(state.entries.len() as i128))
            }
            ("is_empty", []) if !state.is_anybody_alone() => stays(state.entries.is_empty().into()),
            ("len_at_once", []) => stays(Value::Int(state.entries.len() as i128)),
            ("is_empty_at_once", []) => stays(state.entries.is_empty().into()),
            ("get" | "try_get", [t, k]) if state.is_free(k, false) => match state.get(k) {
                Some(v) => to(state.guarded(looking(t, k)), v.clone()),
                None => stays(Value::Nil),
            },
            ("get_mut" | "try_get_mut", [t, k]) if state.is_free(k, true) => match state.get(k) {
                Some(v) => to(state.guarded(alone(t, k)), v.clone()),
                None => stays(Value::Nil),
            },
            ("entry" | "try_entry", [t, k]) if state.is_free(k, true) => {
                to(state.guarded(alone(t, k)), state.found(k))
            }
            (_, [_, _]) if is_tried => stays(Keyed::locked()),
            ("next" | "next_mut", [t, after]) => {
                let for_one_alone = method == "next_mut";
                match state.next(after, for_one_alone) {
                    (_, false) => None,
                    (None, true) => stays(Value::Nil),
                    (Some(entry), true) => {
                        let guard = match for_one_alone {
                            true => alone(t, first(entry)),
                            false => looking(t, first(entry)),
                        };
                        to(state.guarded(guard), entry.clone())
                    }
                }
            }
            ("set" | "unset", [t, k, v @ ..]) if state.guards.contains(&alone(t, k)) => {
                to(state.set(k, v.first()), Value::unit())
            }
            ("release", [t, k]) => {
                let freed = state.without(&looking(t, k));
                let freed = freed.or_else(|| state.without(&alone(t, k)));
                to(freed?, Value::unit())
            }
            ("release" | "downgrade" | "release_removed", [t, k, v @ ..]) => {
                let freed = state.without(&alone(t, k))?;
                let freed = State::of(&freed)?;
                let left = match (method, v) {
                    ("release_removed", _) => freed.set(k, None),
                    (_, []) => freed.set(k, freed.get(k)),
                    (_, [v, ..]) => freed.set(k, Some(v)),
                };
                match method {
                    "downgrade" => to(State::of(&left)?.guarded(looking(t, k)), Value::unit()),
                    _ => to(left, Value::unit()),
                }
            }
            _ => None,
        }
    }

    fn only_reads(&self, method: &str, args: &[Value], result: &Value) -> bool {
        match (method, args) {
            ("contains_key" | "look" | "len" | "is_empty", _) => true,
            ("len_at_once" | "is_empty_at_once", _) => true,
            ("insert", [_, v]) => v == result,
            ("try_insert", _) => *result == Value::Bool(false),
            ("get" | "get_mut" | "remove" | "next" | "next_mut", _) => *result == Value::Nil,
            ("try_get" | "try_get_mut", _) => *result == Value::Nil || *result == Keyed::locked(),
            ("try_entry", _) => *result == Keyed::locked(),
            _ => false,
        }
    }

    fn moves(&self, one: Label<'_>, other: Label<'_>) -> bool {
        match (key_of(one), key_of(other)) {
            (Some(k), Some(other)) if k != other => true,
            _ => class(self, one).moves(class(self, other)),
        }
    }

    fn disturbs(&self, one: Label<'_>, other: Label<'_>) -> bool {
        match (key_of(one), key_of(other)) {
            (Some(k), Some(other)) if k != other => false,
            _ => class(self, one).disturbs(class(self, other)),
        }
    }

    fn returns(&self, method: &str) -> bool {
        !matches!(
            method,
            "set" | "unset" | "release" | "release_removed" | "downgrade"
        )
    }

    fn waits(&self, method: &str) -> bool {
        self.returns(method) && !is_tried(method) && !method.ends_with("_at_once")
    }

    /// Nobody else gets at the key, unless it is to find that out, or to count it.
    fn is_free_unless(&self, method: &str) -> Option<&'static [&'static str]> {
        match method {
            "set" | "unset" => Some(&["len_at_once", "is_empty_at_once"]),
            "release" | "release_removed" => Some(&[
                "try_get",
                "try_get_mut",
                "try_entry",
                "len_at_once",
                "is_empty_at_once",
            ]),
            _ => None,
        }
    }

    fn projects(&self) -> bool {
        true
    }

    /// What is known of the keys that are still asked for.
    fn project(&self, state: &Value, rest: &[Label<'_>]) -> Option<Value> {
        let keys: Option<Vec<&Value>> = rest.iter().map(|label| key_of(*label)).collect();
        let keys = keys?;
        let of_keys = |all: &Value| {
            let some = parts(all).iter().filter(|pair| keys.contains(&first(pair)));
            Value::tuple(some.cloned())
        };
        Some(Value::tuple(parts(state).iter().map(of_keys)))
    }

    /// Who it is says nothing to people.
    fn shown(&self, method: &str, args: &[Value], result: &Value) -> Shown {
        shown::shown(self.values, method, args, result)
    }

    fn act(&self, _state: &Value, call: Called<'_>) -> Act {
        act::act(self.values, call)
    }

    fn held(&self, key: &Value, found: &Value, left: &Value) -> Act {
        act::held(self.values, key, found, left)
    }

    fn renamed(&self, state: &Value, to: &dyn Fn(&Value) -> Value) -> Option<Value> {
        let [entries, guards] = parts(state) else {
            return None;
        };
        let renamed = parts(guards).iter().map(|guard| {
            let k = first(guard);
            match parts(second(guard)) {
                [t] => alone(&to(t), k),
                _ => looking(&to(second(guard)), k),
            }
        });
        let mut guards: Vec<Value> = renamed.collect();
        guards.sort();
        Some(Value::tuple([entries.clone(), Value::tuple(guards)]))
    }

    fn owner(&self, state: &Value) -> Option<ThreadId> {
        let guard = parts(parts(state).get(1)?).first()?;
        let holder = second(guard);
        let holder = parts(holder).first().unwrap_or(holder);
        let number = holder.as_int().and_then(|n| u32::try_from(n).ok());
        number.map(ThreadId)
    }
}

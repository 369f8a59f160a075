//! A lock around something. State: `(writer, readers, version, poisoned)`, where the
//! writer is a thread or `nil` and readers are sorted.
//!
//! What is inside is a way for threads to talk to each other, so whoever takes the lock
//! gets its version: the place in the code of whoever changed it last. Given that, and
//! what that thread had seen, it is known what is inside.

mod act;
mod kinds;

use commute_model::Value;
use smallvec::SmallVec;

use super::parts;
use crate::act::Act;
use crate::model::{Called, Label, Model, Shown, Stepped};
use crate::words::ThreadId;
use kinds::{found, kinds, left};

/// The model of mutexes and reader-writer locks.
///
/// - `lock(t)`, `read(t)` wait, and return `(version, poisoned)`;
/// - `try_lock(t)`, `try_read(t)` return that or `nil`;
/// - `unlock(t)` if nothing was changed, `unlock(t, version)` if something was,
///   `unlock(t, version, true)` if `t` panicked; `unread(t)`;
/// - `downgrade(t)`, `downgrade(t, version)`: a writer becomes a reader;
/// - `upgradable(t)`, `try_upgradable(t)`, `unupgradable(t)`: one reader who may become
///   the writer; `upgrade(t)`, `try_upgrade(t)`, `downgrade_upgradable(t)`,
///   `downgrade_to_upgradable(t, version)`;
/// - `is_poisoned()`, `clear_poison()`, `is_locked()`, `is_locked_exclusive()`.
#[derive(Clone, Copy, Debug)]
pub struct Lock;

impl Lock {
    /// A lock that is free.
    pub fn initial() -> Value {
        Lock::poisoned(false)
    }

    /// A lock that is free, and may be poisoned.
    pub fn poisoned(is_poisoned: bool) -> Value {
        Value::tuple([Value::Nil, Value::unit(), Value::Nil, is_poisoned.into()])
    }
}

/// A lock that is being looked at.
struct State<'a> {
    writer: &'a Value,
    readers: &'a [Value],
    version: &'a Value,
    poisoned: &'a Value,
}

impl State<'_> {
    fn is_free(&self) -> bool {
        *self.writer == Value::Nil && self.readers.is_empty()
    }

    /// Which of the readers may upgrade.
    fn upgradable(&self) -> Option<usize> {
        self.readers.iter().position(|r| !parts(r).is_empty())
    }

    fn held(&self, writer: &Value) -> Value {
        let readers = Value::tuple(self.readers.iter().cloned());
        Value::tuple([
            writer.clone(),
            readers,
            self.version.clone(),
            self.poisoned.clone(),
        ])
    }

    fn read_by(&self, readers: impl IntoIterator<Item = Value>) -> Value {
        Value::tuple([
            self.writer.clone(),
            Value::tuple(readers),
            self.version.clone(),
            self.poisoned.clone(),
        ])
    }

    fn found(&self) -> Value {
        Value::tuple([self.version.clone(), self.poisoned.clone()])
    }
}

impl Model for Lock {
    fn name(&self) -> &str {
        "lock"
    }

    fn step(&self, states: &[&Value], method: &str, args: &[Value]) -> Option<Stepped> {
        let [writer, readers, version, poisoned] = parts(states[0]) else {
            return None;
        };
        let state = State {
            writer,
            readers: parts(readers),
            version,
            poisoned,
        };
        let to = |after: Value, result: Value| Some(Stepped::to(after, result));
        let stays = |result: Value| Some(Stepped::to(states[0].clone(), result));
        match (method, args) {
            ("lock" | "try_lock", [t]) if state.is_free() => to(state.held(t), state.found()),
            ("read" | "try_read", [t]) if *writer == Value::Nil => {
                let mut readers: SmallVec<[Value; 4]> = state.readers.iter().cloned().collect();
                readers.insert(readers.partition_point(|r| r < t), t.clone());
                to(state.read_by(readers), state.found())
            }
            ("try_lock" | "try_read", [_]) => stays(Value::Nil),
            ("unlock", [t, changed @ ..]) if writer == t => {
                let (version, poisoned) = match changed {
                    [] => (version, poisoned.clone()),
                    [version] => (version, poisoned.clone()),
                    [version, poisons, ..] => (version, poisons.clone()),
                };
                let free = [Value::Nil, readers.clone(), version.clone(), poisoned];
                to(Value::tuple(free), Value::unit())
            }
            ("downgrade", [t, changed @ ..]) if writer == t => {
                let version = changed.first().unwrap_or(version).clone();
                let readers = Value::tuple([t.clone()]);
                let after = [Value::Nil, readers, version, poisoned.clone()];
                to(Value::tuple(after), Value::unit())
            }
            ("unread", [t]) => {
                let mut readers: SmallVec<[Value; 4]> = state.readers.iter().cloned().collect();
                readers.remove(readers.iter().position(|r| r == t)?);
                to(state.read_by(readers), Value::unit())
            }
            // One who may upgrade is among the readers, in a tuple, and there is one such.
            ("upgradable" | "try_upgradable", [t])
                if *writer == Value::Nil && state.upgradable().is_none() =>
            {
                let readers = state.readers.iter().cloned();
                to(
                    state.read_by(readers.chain([Value::tuple([t.clone()])])),
                    state.found(),
                )
            }
            ("try_upgradable", [_]) => stays(Value::Nil),
            ("upgrade" | "try_upgrade", [t]) => match state.readers {
                [only] if parts(only) == [t.clone()] => {
                    let after = [t.clone(), Value::unit(), version.clone(), poisoned.clone()];
                    to(Value::tuple(after), true.into())
                }
                _ if method == "upgrade" => None,
                _ => stays(false.into()),
            },
            ("unupgradable" | "downgrade_upgradable", [t]) => {
                let mut readers: SmallVec<[Value; 4]> = state.readers.iter().cloned().collect();
                readers.remove(state.upgradable()?);
                if method == "downgrade_upgradable" {
                    readers.insert(readers.partition_point(|r| r < t), t.clone());
                }
                to(state.read_by(readers), Value::unit())
            }
            ("downgrade_to_upgradable", [t, version]) if writer == t => {
                let readers = Value::tuple([Value::tuple([t.clone()])]);
                let after = [Value::Nil, readers, version.clone(), poisoned.clone()];
                to(Value::tuple(after), Value::unit())
            }
            ("is_locked", []) => stays((!state.is_free()).into()),
            ("is_locked_exclusive", []) => stays((*writer != Value::Nil).into()),
            ("is_poisoned", []) => stays(poisoned.clone()),
            ("clear_poison", []) => {
                let after = [
                    writer.clone(),
                    readers.clone(),
                    version.clone(),
                    false.into(),
                ];
                to(Value::tuple(after), Value::unit())
            }
            _ => None,
        }
    }

    fn only_reads(&self, method: &str, _args: &[Value], result: &Value) -> bool {
        match method {
            "try_lock" | "try_read" | "try_upgradable" => *result == Value::Nil,
            "try_upgrade" => *result == Value::Bool(false),
            "is_poisoned" | "is_locked" | "is_locked_exclusive" => true,
            _ => false,
        }
    }

    fn moves(&self, first: Label<'_>, second: Label<'_>) -> bool {
        if let (Some(left), Some(found)) = (left(first), found(second))
            && left != found
        {
            return true;
        }
        kinds(first).all(|first| kinds(second).all(|second| first.moves(second)))
    }

    fn disturbs(&self, first: Label<'_>, other: Label<'_>) -> bool {
        if let (Some(one), Some(another)) = (found(first), found(other))
            && one != another
        {
            return false;
        }
        kinds(first).any(|first| kinds(other).any(|other| first.disturbs(other)))
    }

    fn returns(&self, method: &str) -> bool {
        !matches!(method, "unlock" | "unread" | "clear_poison")
    }

    /// Nobody else gets at a lock while it is held, unless it is to find that out.
    fn is_free_unless(&self, method: &str) -> Option<&'static [&'static str]> {
        match method {
            "unlock" => Some(&[
                "try_lock",
                "try_read",
                "try_upgradable",
                "is_poisoned",
                "clear_poison",
                "is_locked",
                "is_locked_exclusive",
            ]),
            "unread" => Some(&["try_lock", "try_upgrade", "is_locked"]),
            _ => None,
        }
    }

    /// Whoever gives a lock back has it.
    fn waits(&self, method: &str) -> bool {
        matches!(method, "lock" | "read" | "upgradable" | "upgrade")
    }

    /// Who it is and which version was found says nothing to people.
    fn shown(&self, method: &str, _args: &[Value], result: &Value) -> Shown {
        let result = match (method, parts(result)) {
            ("try_lock" | "try_read" | "try_upgradable", []) => Some("would block".to_owned()),
            (_, [_, Value::Bool(true)]) => Some("poisoned".to_owned()),
            ("is_poisoned" | "is_locked" | "is_locked_exclusive" | "try_upgrade", _) => {
                Some(result.to_string())
            }
            _ => None,
        };
        Shown {
            args: Vec::new(),
            result,
        }
    }

    fn act(&self, _state: &Value, call: Called<'_>) -> Act {
        act::act(call)
    }

    fn held(&self, _key: &Value, found: &Value, left: &Value) -> Act {
        Act::Section {
            changes: found != left,
        }
    }

    fn renamed(&self, state: &Value, to: &dyn Fn(&Value) -> Value) -> Option<Value> {
        let [writer, readers, version, poisoned] = parts(state) else {
            return None;
        };
        let writer = match writer {
            Value::Nil => Value::Nil,
            writer => to(writer),
        };
        let (may_upgrade, others): (Vec<&Value>, Vec<&Value>) =
            { parts(readers).iter() }.partition(|reader| !parts(reader).is_empty());
        let mut readers: Vec<Value> = others.into_iter().map(to).collect();
        readers.sort();
        let may_upgrade = may_upgrade.into_iter().flat_map(parts).map(to);
        readers.extend(may_upgrade.map(|reader| Value::tuple([reader])));
        let readers = Value::tuple(readers);
        Some(Value::tuple([
            writer,
            readers,
            version.clone(),
            poisoned.clone(),
        ]))
    }

    fn owner(&self, state: &Value) -> Option<ThreadId> {
        let [writer, readers, ..] = parts(state) else {
            return None;
        };
        let number = writer.as_int().or_else(|| parts(readers).first()?.as_int());
        number.and_then(|n| u32::try_from(n).ok()).map(ThreadId)
    }
}

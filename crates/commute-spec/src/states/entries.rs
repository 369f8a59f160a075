//! What is found by a key: maps, sets and memory.

use commute_model::Value;

use super::answer::Answer;
use super::tree::Tree;
use crate::models::domain::{elements, pair};

/// What the entries are of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Map,
    Memory,
    /// Entries without a value, which is `nil`.
    HashSet,
    /// The same, with `add` for `insert` and the opposite result.
    Set,
}

/// Keys and values.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Entries {
    kind: Kind,
    items: Tree<Value, Value>,
}

impl Entries {
    /// A state of one of these models.
    pub(super) fn of(model: &str, state: &Value) -> Option<Entries> {
        let kind = match model {
            "map" => Kind::Map,
            "memory" => Kind::Memory,
            "hashset" => Kind::HashSet,
            "set" => Kind::Set,
            _ => return None,
        };
        let mut items = Tree::default();
        for item in elements(state)? {
            let (key, value) = match kind {
                Kind::Map | Kind::Memory => pair(item)?,
                Kind::HashSet | Kind::Set => (item, &Value::Nil),
            };
            items = items.with(key.clone(), value.clone());
        }
        Some(Entries { kind, items })
    }

    pub(super) fn value(&self) -> Value {
        let item = |(key, value): (&Value, &Value)| match self.kind {
            Kind::Map | Kind::Memory => Value::tuple([key.clone(), value.clone()]),
            Kind::HashSet | Kind::Set => key.clone(),
        };
        Value::tuple(self.items.iter().map(item))
    }

    pub(super) fn fingerprint(&self) -> u64 {
        self.items.fingerprint()
    }

    pub(super) fn step(&self, method: &str, args: &[Value]) -> Answer<Entries> {
        match self.kind {
            Kind::Map => self.step_map(method, args),
            Kind::Memory => self.step_memory(method, args),
            Kind::HashSet => self.step_set(method, args),
            Kind::Set => match (method, args) {
                ("add", [x]) => {
                    let known = self.items.get(x).is_some();
                    Answer::to(self.with(x, &Value::Nil), [known.into()])
                }
                ("contains", _) => self.step_set(method, args),
                ("size", _) => self.step_set("len", args),
                _ => Answer::Impossible,
            },
        }
    }

    fn step_map(&self, method: &str, args: &[Value]) -> Answer<Entries> {
        let same = || self.clone();
        let (k, rest) = match (method, args) {
            ("size" | "len", []) => return Answer::to(same(), [self.items.len().into()]),
            ("is_empty", []) => return Answer::to(same(), [(self.items.len() == 0).into()]),
            ("clear", []) => return Answer::to(self.cleared(), [self.items.len().into()]),
            ("clear_", []) => return Answer::to(self.cleared(), []),
            // Functions, and all entries at once, are for the model.
            ("snapshot" | "retain" | "modify", _) => return Answer::Unclear,
            (_, [k, rest @ ..]) => (k, rest),
            _ => return Answer::Impossible,
        };
        let now = self.items.get(k).cloned().unwrap_or(Value::Nil);
        let is_there = now != Value::Nil;
        let to = |v: &Value| match v {
            Value::Nil => self.without(k),
            v => self.with(k, v),
        };
        match (method, rest) {
            ("get", []) => Answer::to(same(), [now]),
            ("contains_key", []) => Answer::to(same(), [is_there.into()]),
            ("put", [v]) => Answer::to(to(v), [now]),
            ("remove", []) => Answer::to(self.without(k), [now]),
            ("remove_", []) => Answer::to(self.without(k), []),
            ("cas", [o, n]) if now == *o => Answer::to(to(n), [true.into()]),
            ("cas", [_, _]) => Answer::to(same(), [false.into()]),
            // What follows stores or expects a value, and nil is none.
            (_, [Value::Nil]) => Answer::Impossible,
            ("insert" | "insert_", [v]) => Answer::to(to(v), [now]),
            ("or_insert", [_]) if is_there => Answer::to(same(), [now, false.into()]),
            ("or_insert", [v]) => Answer::to(to(v), [v.clone(), true.into()]),
            ("try_insert", [_]) if is_there => Answer::to(same(), [false.into()]),
            ("try_insert", [v]) => Answer::to(to(v), [true.into()]),
            ("remove_if", [v]) if now == *v => Answer::to(self.without(k), [true.into()]),
            ("remove_if", [_]) => Answer::to(same(), [false.into()]),
            _ => Answer::Impossible,
        }
    }

    fn step_memory(&self, method: &str, args: &[Value]) -> Answer<Entries> {
        let [address, rest @ ..] = args else {
            return Answer::Impossible;
        };
        match (method, rest, self.items.get(address)) {
            ("alloc", [], None) => Answer::to(self.with(address, &Value::Nil), []),
            ("read", [], Some(value)) => Answer::to(self.clone(), [value.clone()]),
            ("write", [value], Some(_)) => Answer::to(self.with(address, value), []),
            ("free", [], Some(_)) => Answer::to(self.without(address), []),
            _ => Answer::Impossible,
        }
    }

    fn step_set(&self, method: &str, args: &[Value]) -> Answer<Entries> {
        let is_there = |x: &Value| self.items.get(x).is_some();
        match (method, args) {
            ("insert", [x]) => {
                let new = !is_there(x);
                Answer::to(self.with(x, &Value::Nil), [new.into()])
            }
            ("insert_", [x]) => Answer::to(self.with(x, &Value::Nil), []),
            ("remove", [x]) => Answer::to(self.without(x), [is_there(x).into()]),
            ("contains", [x]) => Answer::to(self.clone(), [is_there(x).into()]),
            ("len", []) => Answer::to(self.clone(), [self.items.len().into()]),
            ("is_empty", []) => Answer::to(self.clone(), [(self.items.len() == 0).into()]),
            ("clear", []) => Answer::to(self.cleared(), [self.items.len().into()]),
            ("snapshot", []) => Answer::Unclear,
            _ => Answer::Impossible,
        }
    }

    fn with(&self, key: &Value, value: &Value) -> Entries {
        Entries {
            kind: self.kind,
            items: self.items.with(key.clone(), value.clone()),
        }
    }

    fn without(&self, key: &Value) -> Entries {
        Entries {
            kind: self.kind,
            items: self.items.without(key),
        }
    }

    fn cleared(&self) -> Entries {
        Entries {
            kind: self.kind,
            items: Tree::default(),
        }
    }
}

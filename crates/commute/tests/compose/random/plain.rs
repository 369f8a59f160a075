//! The objects as plain data, and what operations do to them.

use std::collections::{HashMap, HashSet};

use super::program::{Action, Call, Flow, Kind, Memory, Program, Returned, Step, Value, run_all};

/// A lone object, for one thread.
#[derive(Clone)]
pub(crate) enum Plain {
    Map(HashMap<u32, u32>),
    Set(HashSet<u32>),
    Number(u32),
}

impl Plain {
    pub(crate) fn new(kind: Kind) -> Plain {
        match kind {
            Kind::DashMap | Kind::LockedMap => Plain::Map(HashMap::new()),
            Kind::DashSet | Kind::LockedSet => Plain::Set(HashSet::new()),
            Kind::Atomic | Kind::LockedNumber => Plain::Number(0),
        }
    }

    fn act(&mut self, call: Call) -> Value {
        match self {
            Plain::Map(map) => on_map(map, call),
            Plain::Set(set) => on_set(set, call),
            Plain::Number(number) => on_number(number, call),
        }
    }
}

/// A lock that is held, and whether others may still look.
#[derive(Clone, Copy)]
pub(crate) struct Held {
    object: usize,
    is_shared: bool,
}

/// Plain data, and who holds it.
#[derive(Clone)]
pub(crate) struct State {
    objects: Vec<(Kind, Plain)>,
    held: Vec<Held>,
    /// Whether somebody waits who can never go on.
    pub(crate) is_blocked: bool,
}

impl State {
    pub(crate) fn new(kinds: &[Kind]) -> State {
        let objects = kinds.iter().map(|kind| (*kind, Plain::new(*kind)));
        State {
            objects: objects.collect(),
            held: Vec::new(),
            is_blocked: false,
        }
    }

    /// Runs a program, with something before each step.
    pub(crate) fn run(
        &mut self,
        program: &Program,
        argument: u32,
        before: &mut dyn FnMut(&mut State),
    ) -> Returned {
        program.run(argument, &mut |step, memory| {
            self.step(step, memory, before)
        })
    }

    fn step(
        &mut self,
        step: &Step,
        memory: &mut Memory,
        before: &mut dyn FnMut(&mut State),
    ) -> Flow {
        before(self);
        let (kind, object) = &mut self.objects[step.object];
        let held = Held {
            object: step.object,
            is_shared: *kind == Kind::LockedMap && step.only_looks(),
        };
        let excludes =
            |other: &Held| other.object == held.object && !(other.is_shared && held.is_shared);
        self.is_blocked |= self.held.iter().any(excludes);
        step.each(memory, |call| object.act(call));
        if step.inside.is_empty() {
            return Flow::Goes;
        }
        self.held.push(held);
        let flow = run_all(&step.inside, memory, &mut |step, memory| {
            self.step(step, memory, before)
        });
        self.held.pop();
        flow
    }
}

pub(crate) fn yes(is: bool) -> Value {
    is.then_some(1)
}

pub(crate) fn count(len: usize) -> Value {
    Some(len as u32)
}

pub(crate) fn look_at_map(map: &HashMap<u32, u32>, call: Call) -> Value {
    match call.action {
        Action::Get => map.get(&call.key).copied(),
        Action::Contains => yes(map.contains_key(&call.key)),
        Action::Len => count(map.len()),
        other => unreachable!("{other:?} looks at a map"),
    }
}

pub(crate) fn on_map(map: &mut HashMap<u32, u32>, call: Call) -> Value {
    match call.action {
        Action::Insert => map.insert(call.key, call.value),
        Action::InsertIfAbsent => {
            let there = map.get(&call.key).copied();
            map.entry(call.key).or_insert(call.value);
            there
        }
        Action::Remove => map.remove(&call.key),
        Action::Replace => {
            let is_old = map.get(&call.key) == Some(&call.old);
            if is_old {
                map.insert(call.key, call.value);
            }
            yes(is_old)
        }
        Action::Clear => {
            map.clear();
            None
        }
        _ => look_at_map(map, call),
    }
}

pub(crate) fn on_set(set: &mut HashSet<u32>, call: Call) -> Value {
    match call.action {
        Action::Contains => yes(set.contains(&call.key)),
        Action::Insert => yes(set.insert(call.key)),
        Action::Remove => yes(set.remove(&call.key)),
        Action::Len => count(set.len()),
        Action::Clear => {
            set.clear();
            None
        }
        other => unreachable!("{other:?} on a set"),
    }
}

pub(crate) fn on_number(number: &mut u32, call: Call) -> Value {
    let old = *number;
    match call.action {
        Action::Load => {}
        Action::Store => {
            *number = call.value;
            return None;
        }
        Action::Add => *number = old.wrapping_add(call.value),
        Action::Swap => *number = call.value,
        Action::CompareExchange => {
            if old == call.old {
                *number = call.value;
            }
            return yes(old == call.old);
        }
        other => unreachable!("{other:?} on a number"),
    }
    Some(old)
}

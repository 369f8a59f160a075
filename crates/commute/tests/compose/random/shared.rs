//! The objects as they are checked, and the check of a random case.

use std::collections::{HashMap, HashSet};
use std::panic::resume_unwind;

use commute::compose::{Check, Checked, Environment, check};
use commute::dashmap::{DashMap, DashSet, Entry};
use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};
use commute::sync::{Mutex, PoisonError, RwLock};

use super::drawn::{Case, Others};
use super::plain::{count, look_at_map, on_map, on_number, on_set, yes};
use super::program::{Action, Call, Flow, Kind, Memory, Program, Step, Value, run_all};

enum Object {
    DashMap(DashMap<u32, u32>),
    LockedMap(RwLock<HashMap<u32, u32>>),
    DashSet(DashSet<u32>),
    LockedSet(Mutex<HashSet<u32>>),
    Atomic(AtomicU32),
    LockedNumber(Mutex<u32>),
}

impl Object {
    fn new(kind: Kind) -> Object {
        match kind {
            Kind::DashMap => Object::DashMap(DashMap::new()),
            Kind::LockedMap => Object::LockedMap(RwLock::default()),
            Kind::DashSet => Object::DashSet(DashSet::new()),
            Kind::LockedSet => Object::LockedSet(Mutex::default()),
            Kind::Atomic => Object::Atomic(AtomicU32::new(0)),
            Kind::LockedNumber => Object::LockedNumber(Mutex::new(0)),
        }
    }

    /// Does a step. Where there is a lock, it is held until the rest is done, too.
    fn step(
        &self,
        step: &Step,
        memory: &mut Memory,
        rest: impl FnOnce(&mut Memory) -> Flow,
    ) -> Flow {
        match self {
            Object::DashMap(map) => step.each(memory, |call| on_dash_map(map, call)),
            Object::DashSet(set) => step.each(memory, |call| on_dash_set(set, call)),
            Object::Atomic(number) => step.each(memory, |call| on_atomic(number, call)),
            Object::LockedMap(map) if step.only_looks() => {
                let map = map.read().unwrap_or_else(PoisonError::into_inner);
                step.each(memory, |call| look_at_map(&map, call));
                return rest(memory);
            }
            Object::LockedMap(map) => {
                let mut map = map.write().unwrap_or_else(PoisonError::into_inner);
                step.each(memory, |call| on_map(&mut map, call));
                return rest(memory);
            }
            Object::LockedSet(set) => {
                let mut set = set.lock().unwrap_or_else(PoisonError::into_inner);
                step.each(memory, |call| on_set(&mut set, call));
                return rest(memory);
            }
            Object::LockedNumber(number) => {
                let mut number = number.lock().unwrap_or_else(PoisonError::into_inner);
                step.each(memory, |call| on_number(&mut number, call));
                return rest(memory);
            }
        }
        rest(memory)
    }
}

fn on_dash_map(map: &DashMap<u32, u32>, call: Call) -> Value {
    let Call {
        key, old, value, ..
    } = call;
    match call.action {
        Action::Get => map.get(&key).map(|there| *there),
        Action::Contains => yes(map.contains_key(&key)),
        Action::Insert => map.insert(key, value),
        Action::InsertIfAbsent => match map.entry(key) {
            Entry::Occupied(entry) => Some(*entry.get()),
            Entry::Vacant(entry) => {
                entry.insert(value);
                None
            }
        },
        Action::Remove => map.remove(&key).map(|(_, there)| there),
        Action::Replace => match map.get_mut(&key) {
            Some(mut there) if *there == old => {
                *there = value;
                yes(true)
            }
            _ => yes(false),
        },
        Action::Len => count(map.len()),
        Action::Clear => {
            map.clear();
            None
        }
        other => unreachable!("{other:?} on a map"),
    }
}

fn on_dash_set(set: &DashSet<u32>, call: Call) -> Value {
    match call.action {
        Action::Contains => yes(set.contains(&call.key)),
        Action::Insert => yes(set.insert(call.key)),
        Action::Remove => yes(set.remove(&call.key).is_some()),
        Action::Len => count(set.len()),
        Action::Clear => {
            set.clear();
            None
        }
        other => unreachable!("{other:?} on a set"),
    }
}

fn on_atomic(number: &AtomicU32, call: Call) -> Value {
    match call.action {
        Action::Load => Some(number.load(SeqCst)),
        Action::Store => {
            number.store(call.value, SeqCst);
            None
        }
        Action::Add => Some(number.fetch_add(call.value, SeqCst)),
        Action::Swap => Some(number.swap(call.value, SeqCst)),
        Action::CompareExchange => {
            let exchanged = number.compare_exchange(call.old, call.value, SeqCst, SeqCst);
            yes(exchanged.is_ok())
        }
        other => unreachable!("{other:?} on a number"),
    }
}

/// What methods are checked on.
enum World {
    /// Objects that are in it.
    Here([Object; 2]),
    /// Objects that are elsewhere, and have their names from who first uses them.
    Elsewhere(Vec<Object>),
}

/// How a case is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum How {
    Pruned,
    Exhaustive,
    Elsewhere,
}

impl World {
    /// One object, and another one if there are two.
    fn new(kinds: &[Kind], how: How) -> World {
        let objects = [0, kinds.len() - 1].map(|index| Object::new(kinds[index]));
        match how {
            How::Elsewhere => World::Elsewhere(objects.into()),
            How::Pruned | How::Exhaustive => World::Here(objects),
        }
    }

    fn objects(&self) -> &[Object] {
        match self {
            World::Here(objects) => objects,
            World::Elsewhere(objects) => objects,
        }
    }

    fn run(&self, program: &Program, argument: u32) -> Vec<Value> {
        match program.run(argument, &mut |step, memory| self.step(step, memory)) {
            Ok(values) => values,
            // A panic that is not printed.
            Err(_) => resume_unwind(Box::new("it panicked")),
        }
    }

    fn step(&self, step: &Step, memory: &mut Memory) -> Flow {
        self.objects()[step.object].step(step, memory, |memory| {
            run_all(&step.inside, memory, &mut |step, memory| {
                self.step(step, memory)
            })
        })
    }
}

/// The verdict of `commute` on a case.
pub(crate) fn checked(case: &Case, how: How) -> Checked {
    let kinds = case.kinds.clone();
    let mut check = check(move || World::new(&kinds, how)).steps(case.steps);
    let method = case.method.clone();
    check = match method.has_argument {
        true => check.method(move |world: &World, n: u32| world.run(&method, n)),
        false => check.method(move |world: &World, (): ()| world.run(&method, 0)),
    };
    for (index, peer) in case.peers.iter().enumerate() {
        let (name, peer) = (Case::peer_name(index), peer.clone());
        check = match peer.has_argument {
            true => check.peer(&name, move |world, n: u32| world.run(&peer, n)),
            false => check.peer(&name, move |world, (): ()| world.run(&peer, 0)),
        };
    }
    for observer in &case.observers {
        let observer = observer.clone();
        check = match observer.has_argument {
            true => check.observe("see", move |world, n: u32| world.run(&observer, n)),
            false => check.observe("see", move |world, (): ()| world.run(&observer, 0)),
        };
    }
    for beginning in &case.beginnings {
        check = begins(check, beginning.clone());
    }
    let environment = match case.others {
        Others::All => Environment::client(),
        Others::Itself => Environment::itself(),
        Others::Peers => Environment::client().without("itself"),
        Others::NotPeer(index) => Environment::client().without(&Case::peer_name(index)),
    };
    check = check.environment(environment);
    if how == How::Exhaustive {
        check = check.exhaustive();
    }
    check.run()
}

fn begins(check: Check<World>, beginning: Program) -> Check<World> {
    let has_argument = beginning.has_argument;
    let begin = move |world: &World, argument| {
        world.run(&beginning, argument);
    };
    match has_argument {
        true => check.also_from(begin),
        false => check.also_from(move |world, (): ()| begin(world, 0)),
    }
}

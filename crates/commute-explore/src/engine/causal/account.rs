//! What happened in a run, as far as it tells runs apart.
//!
//! An event is known by its *key*: what its thread did before, what it returned, and what
//! it depended on. Two runs that have the same keys are one for the engine.

use std::collections::BTreeSet;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use super::Grain;
use crate::code::NodeId;
use crate::engine::dependence::{Dependence, Label};
use crate::knowledge::Knowledge;
use crate::run::{Places, Step};
use crate::words::{ObjectId, OpId, ThreadId};
use crate::world::{StateId, World};

/// The number of a key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Key(u32);

/// All keys so far.
#[derive(Debug, Default)]
pub(super) struct Keys(IndexSet<KeyParts, FxBuildHasher>);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct KeyParts {
    before: Option<Key>,
    node: NodeId,
    label: Label,
    depends: SmallVec<[Depends; 2]>,
}

/// What an event depends on, of an object.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Depends {
    /// No more than its result says.
    Result,
    /// The state that it found and changed.
    State(StateId),
    /// The changes that it could not have come before.
    After(Vec<Key>),
}

/// An access of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Access {
    pub(super) object: ObjectId,
    pub(super) found: StateId,
    pub(super) left: StateId,
}

/// How an event looks at an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sees {
    /// As an invocation that changes it, through what commutes.
    Invocation,
    /// As an invocation that changes nothing: only its result counts.
    Observes,
    /// As memory, and it changes nothing: only its result counts.
    Reads,
    /// It does not look.
    Overwrites,
    /// It needs the very state that it found.
    Changes,
}

/// A step of a run.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) thread: ThreadId,
    pub(super) node: NodeId,
    pub(super) label: Label,
    pub(super) accesses: SmallVec<[Access; 2]>,
    pub(super) sees: SmallVec<[Sees; 2]>,
    /// Of changes: the earlier ones of the object, by other threads, that do not commute
    /// with it.
    pub(super) after: Vec<usize>,
    pub(super) key: Key,
}

/// A run.
#[derive(Clone, Debug)]
pub(super) struct Account {
    pub(super) events: Vec<Event>,
    /// The events of each thread, in order.
    pub(super) threads: Vec<Vec<usize>>,
    /// Their keys.
    keys: Vec<Vec<Key>>,
    /// Where its keys are.
    pub(super) by_key: FxHashMap<Key, usize>,
    /// The event that started a thread.
    pub(super) starts: FxHashMap<ThreadId, usize>,
    pub(super) places: Places,
    pub(super) world: World,
}

impl Account {
    pub(super) fn of(
        steps: &[Step],
        places: &Places,
        grain: Grain,
        keys: &mut Keys,
        dependence: &mut Dependence,
        known: &mut Knowledge,
    ) -> Account {
        let mut account = Account {
            events: Vec::new(),
            threads: vec![Vec::new(); places.len()],
            keys: vec![Vec::new(); places.len()],
            by_key: FxHashMap::default(),
            starts: FxHashMap::default(),
            places: places.clone(),
            world: World::default(),
        };
        for step in steps {
            dependence.meet(step.op, known);
            let place = account.events.len();
            let label = Label {
                op: step.op,
                result: step.result,
            };
            let mut event = account.event(step.thread, step.node, label, grain, known);
            account.find_dependence(&mut event, keys, dependence, known);
            if let Some(child) = known.operation(step.op).spawns {
                account.starts.insert(child, place);
            }
            account.threads[step.thread.index()].push(place);
            account.keys[step.thread.index()].push(event.key);
            account.by_key.insert(event.key, place);
            account.events.push(event);
        }
        account
    }

    /// The next event; its key is found later.
    fn event(
        &mut self,
        thread: ThreadId,
        node: NodeId,
        label: Label,
        grain: Grain,
        known: &mut Knowledge,
    ) -> Event {
        let objects = known.operation(label.op).objects.clone();
        let found: SmallVec<[StateId; 2]> = objects.iter().map(|o| self.world.state(*o)).collect();
        let result = known.step(&mut self.world, label.op);
        assert_eq!(result, Some(label.result), "models do what they did");
        let accesses = objects.iter().zip(found).map(|(object, found)| Access {
            object: *object,
            found,
            left: self.world.state(*object),
        });
        let sees = objects
            .iter()
            .map(|object| sees(label, *object, grain, known));
        Event {
            thread,
            node,
            label,
            accesses: accesses.collect(),
            sees: sees.collect(),
            after: Vec::new(),
            key: Key(0),
        }
    }

    fn find_dependence(
        &self,
        event: &mut Event,
        keys: &mut Keys,
        dependence: &mut Dependence,
        known: &mut Knowledge,
    ) {
        let mut depends = SmallVec::new();
        for (access, sees) in event.accesses.iter().zip(&event.sees) {
            depends.push(match sees {
                Sees::Reads | Sees::Observes | Sees::Overwrites => Depends::Result,
                Sees::Changes => Depends::State(access.found),
                Sees::Invocation => {
                    let mut after: Vec<usize> = Vec::new();
                    for (place, earlier) in self.events.iter().enumerate() {
                        if earlier.thread != event.thread
                            && earlier.sees[0] == Sees::Invocation
                            && !dependence.independent(earlier.label, event.label, known)
                        {
                            after.push(place);
                        }
                    }
                    let mut all: Vec<Key> = after.iter().map(|e| self.events[*e].key).collect();
                    all.sort_unstable();
                    event.after = after;
                    Depends::After(all)
                }
            });
        }
        let before = self.threads[event.thread.index()].last();
        event.key = keys.number(KeyParts {
            before: before.map(|before| self.events[*before].key),
            node: event.node,
            label: event.label,
            depends,
        });
    }

    /// The objects that are written by whoever does not look.
    pub(super) fn overwritten(&self) -> BTreeSet<ObjectId> {
        let accesses = self.events.iter();
        let accesses = accesses.flat_map(|event| event.accesses.iter().zip(&event.sees));
        let written = accesses.filter(|(_, sees)| **sees == Sees::Overwrites);
        written.map(|(access, _)| access.object).collect()
    }

    /// Of threads that may be exchanged one begins after the other: the event with which
    /// that begins.
    pub(super) fn begins_after(&self, thread: ThreadId, known: &Knowledge) -> Option<usize> {
        let events = self.threads.get(known.follows(thread)?.index())?;
        events.first().copied()
    }

    /// Whether another run has all that this one has.
    pub(super) fn is_part_of(&self, other: &Account) -> bool {
        let threads = self.threads.iter().enumerate();
        { threads }.all(|(thread, events)| self.agreement(other, thread) == events.len())
    }

    /// How many events of a thread are the same in both.
    pub(super) fn agreement(&self, other: &Account, thread: usize) -> usize {
        let (Some(mine), Some(theirs)) = (self.keys.get(thread), other.keys.get(thread)) else {
            return 0;
        };
        mine.iter().zip(theirs).take_while(|(a, b)| a == b).count()
    }
}

impl Keys {
    fn number(&mut self, parts: KeyParts) -> Key {
        Key(u32::try_from(self.0.insert_full(parts).0).expect("fewer than 2^32 events"))
    }
}

/// Whether an operation is looked at as a whole, through what commutes.
pub(super) fn is_invocation(op: OpId, grain: Grain, known: &Knowledge) -> bool {
    let objects = &known.operation(op).objects;
    grain == Grain::Invocations && objects.len() == 1 && known.model(objects[0]).is_specified()
}

/// How an operation looks at an object.
fn sees(label: Label, object: ObjectId, grain: Grain, known: &Knowledge) -> Sees {
    let operation = known.operation(label.op);
    let model = known.model(object);
    let invoked = is_invocation(label.op, grain, known);
    let reads = known.only_reads(label.op, label.result);
    if invoked || reads {
        match (invoked, reads) {
            (true, true) => Sees::Observes,
            (true, false) => Sees::Invocation,
            (false, _) => Sees::Reads,
        }
    } else if operation.objects.len() == 1 && model.overwrites(operation.method) {
        Sees::Overwrites
    } else {
        Sees::Changes
    }
}

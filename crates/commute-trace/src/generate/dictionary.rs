//! Actions on one dictionary.
//!
//! The first thread fills the dictionary and forks the others. Then every thread
//! overwrites and reads entries of its own, and asks for the size now and then:
//! all of that commutes, because no entry appears or disappears. A chosen share
//! of the actions instead uses *shared* keys, of which entries are inserted,
//! overwritten, removed and read by all threads without synchronisation: those
//! are races, with each other and with `size`. Results are what a dictionary
//! would have returned.

use commute_model::{Action, Event, MethodId, Names, ObjectId, Op, SharedAction, Value};
use smallvec::smallvec;

use super::Recipe;
use super::random::Random;
use super::schedule::{Phase, Turns, event, thread_id};

const THREADS: u32 = 8;
const KEYS: u32 = 10_000;
/// How many keys all threads use.
const SHARED: u32 = 16;

const LINE_NEW: u32 = 3;
const LINE_FILL: u32 = 6;
const LINE_FORK: u32 = 9;
const LINE_JOIN: u32 = 11;
const LINE_LAST_SIZE: u32 = 12;
const LINE_DROP: u32 = 13;
const LINE_PUT: u32 = 21;
const LINE_GET: u32 = 24;
const LINE_SIZE: u32 = 27;
const LINE_SHARED_PUT: u32 = 33;
const LINE_SHARED_GET: u32 = 36;
const LINE_SHARED_REMOVE: u32 = 39;

#[derive(Debug)]
pub(super) struct Dictionary {
    random: Random,
    conflicts: f64,
    threads: u32,
    phase: Phase,
    turns: Turns,
    /// Entries that belong to threads: the key's number modulo the threads.
    owned: Vec<u32>,
    /// How many entries there will be.
    keys: u32,
    shared: [Option<u32>; SHARED as usize],
    /// The last connection that was opened: values are never used twice.
    connection: u32,
    /// Actions of workers that are still to come.
    budget: u64,
    created: bool,
    teardown: u32,
}

impl Dictionary {
    pub(super) fn new(recipe: &Recipe, names: &mut Names) -> Dictionary {
        let most = recipe.events / 4;
        let threads = recipe.threads.unwrap_or(THREADS);
        let threads = 1 + u64::from(threads - 1).min(most) as u32;
        // `new` always; the last `size` and `drop` if there is room.
        let mut rest = recipe.events - 1 - 2 * u64::from(threads - 1).min(recipe.events - 1);
        let teardown = rest.min(2) as u32;
        rest -= u64::from(teardown);
        let keys = u64::from(recipe.keys.unwrap_or(KEYS).max(threads)).min(rest / 2) as u32;
        rest -= u64::from(keys);
        thread_id(names, 0);
        Dictionary {
            random: Random::new(recipe.seed),
            conflicts: recipe.conflicts,
            threads,
            phase: Phase::Setup,
            turns: Turns::new(threads),
            owned: Vec::with_capacity(keys as usize),
            keys,
            shared: [None; SHARED as usize],
            connection: 0,
            budget: rest,
            created: false,
            teardown,
        }
    }

    pub(super) fn next(&mut self, names: &mut Names) -> Option<Event> {
        loop {
            match self.phase {
                Phase::Setup if !self.created => {
                    self.created = true;
                    let dictionary = names.types.intern("dictionary");
                    let op = Op::New(object(names), dictionary);
                    return Some(event(names, 0, LINE_NEW, op));
                }
                Phase::Setup if (self.owned.len() as u32) < self.keys => {
                    let key = self.owned.len() as u32;
                    let connection = self.open();
                    self.owned.push(connection);
                    let op = put(names, owned_key(key), Some(connection), None);
                    return Some(event(names, 0, LINE_FILL, op));
                }
                Phase::Setup => self.phase = Phase::Fork(1),
                Phase::Fork(thread) if thread < self.threads => {
                    self.phase = Phase::Fork(thread + 1);
                    let op = Op::Fork(thread_id(names, thread));
                    return Some(event(names, 0, LINE_FORK, op));
                }
                Phase::Fork(_) => self.phase = Phase::Work,
                Phase::Work if self.budget > 0 => {
                    self.budget -= 1;
                    let thread = self.turns.next(&mut self.random, |_| true).unwrap_or(0);
                    let (line, op) = self.work(thread, names);
                    return Some(event(names, thread, line, op));
                }
                Phase::Work => self.phase = Phase::Join(1),
                Phase::Join(thread) if thread < self.threads => {
                    self.phase = Phase::Join(thread + 1);
                    let op = Op::Join(thread_id(names, thread));
                    return Some(event(names, 0, LINE_JOIN, op));
                }
                Phase::Join(_) => self.phase = Phase::Teardown,
                Phase::Teardown if self.teardown > 0 => {
                    self.teardown -= 1;
                    let (line, op) = match self.teardown {
                        1 => (LINE_LAST_SIZE, self.size(names)),
                        _ => (LINE_DROP, Op::Drop(object(names))),
                    };
                    return Some(event(names, 0, line, op));
                }
                Phase::Teardown => self.phase = Phase::Done,
                Phase::Done => return None,
            }
        }
    }

    /// One action of a worker.
    fn work(&mut self, thread: u32, names: &mut Names) -> (u32, Op) {
        if self.random.chance(self.conflicts) {
            return self.work_on_shared(names);
        }
        let choices = (self.keys.saturating_sub(thread)).div_ceil(self.threads);
        let kind = self.random.below(16);
        if kind == 0 || choices == 0 {
            return (LINE_SIZE, self.size(names));
        }
        let key = thread + self.threads * self.random.below(choices);
        let before = self.owned[key as usize];
        if kind < 7 {
            let connection = self.open();
            self.owned[key as usize] = connection;
            let op = put(names, owned_key(key), Some(connection), Some(before));
            return (LINE_PUT, op);
        }
        (LINE_GET, get(names, owned_key(key), Some(before)))
    }

    /// One action on a key that all threads use.
    fn work_on_shared(&mut self, names: &mut Names) -> (u32, Op) {
        let number = self.random.below(SHARED);
        let key = Value::str(&format!("shared{number}.com"));
        let before = self.shared[number as usize];
        match self.random.below(4) {
            0 | 1 => {
                let connection = self.open();
                self.shared[number as usize] = Some(connection);
                (LINE_SHARED_PUT, put(names, key, Some(connection), before))
            }
            2 => (LINE_SHARED_GET, get(names, key, before)),
            _ => {
                self.shared[number as usize] = None;
                (LINE_SHARED_REMOVE, put(names, key, None, before))
            }
        }
    }

    fn open(&mut self) -> u32 {
        self.connection = self.connection.wrapping_add(1);
        self.connection
    }

    fn size(&self, names: &mut Names) -> Op {
        let shared = self.shared.iter().flatten().count();
        let size = Value::from(self.owned.len() + shared);
        let method = names.methods.intern("size");
        action(names, method, &[], Some(size))
    }
}

fn object(names: &mut Names) -> ObjectId {
    names.objects.intern("conns")
}

fn owned_key(number: u32) -> Value {
    Value::str(&format!("host{number}.com"))
}

fn entry(connection: Option<u32>) -> Value {
    connection.map_or(Value::Nil, |number| Value::Int(number.into()))
}

fn put(names: &mut Names, key: Value, new: Option<u32>, old: Option<u32>) -> Op {
    let method = names.methods.intern("put");
    action(names, method, &[key, entry(new)], Some(entry(old)))
}

fn get(names: &mut Names, key: Value, found: Option<u32>) -> Op {
    let method = names.methods.intern("get");
    action(names, method, &[key], Some(entry(found)))
}

fn action(names: &mut Names, method: MethodId, args: &[Value], result: Option<Value>) -> Op {
    Op::Action(SharedAction::new(Action {
        object: object(names),
        method,
        args: match args {
            [] => smallvec![],
            [key] => smallvec![key.clone()],
            more => more.iter().cloned().collect(),
        },
        result,
    }))
}

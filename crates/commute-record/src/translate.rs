//! Events in the words of traces.

use std::panic::Location;
use std::sync::Arc;

use commute_model::{
    Action, BlockId, CondvarId, Event, LocationId, LockId, MethodId, Names, ObjectId, Op, ThreadId,
    TypeId, Value,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::event::{Code, Header};
use crate::naming::Naming;
use crate::raw;
use crate::registry::{Sort, registry};

/// Knows the names of everything that was passed on.
#[derive(Debug)]
pub(crate) struct Translator {
    names: Names,
    naming: Naming,
    /// By number of the object.
    known: Vec<Option<Known>>,
    methods: Vec<Option<MethodId>>,
    blocks: Vec<Option<BlockId>>,
    /// By address.
    locations: FxHashMap<u64, LocationId>,
    /// Used again and again.
    event: Event,
}

/// What an object is in the trace.
#[derive(Clone, Copy, Debug)]
enum Known {
    Lock(LockId),
    Condvar(CondvarId),
    Object(ObjectId, TypeId),
    Thread(ThreadId),
}

impl Default for Translator {
    fn default() -> Translator {
        let mut names = Names::default();
        let nowhere = names.locations.intern("");
        Translator {
            naming: Naming::default(),
            known: Vec::new(),
            methods: Vec::new(),
            blocks: Vec::new(),
            locations: FxHashMap::from_iter([(0, nowhere)]),
            event: Event {
                thread: ThreadId(0),
                location: nowhere,
                op: Op::Dummy,
            },
            names,
        }
    }
}

impl Translator {
    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    /// The event that was translated last.
    pub(crate) fn event(&self) -> &Event {
        &self.event
    }

    /// Translates an event, whose values come from `next`; whether it is part of
    /// the trace.
    pub(crate) fn translate(
        &mut self,
        thread: u32,
        header: Header,
        mutex: Option<u32>,
        next: &mut impl FnMut() -> u64,
    ) -> bool {
        let op = match header.code {
            Code::Start | Code::Stop => return false,
            Code::Action => {
                self.action(header, next);
                None
            }
            Code::Begin | Code::End => {
                let block = Some(self.block(header.name));
                Some(match header.code {
                    Code::Begin => Op::Begin(block),
                    _ => Op::End(block),
                })
            }
            code => match self.operation(code, header.object, mutex) {
                Some(op) => Some(op),
                None => return false,
            },
        };
        if let Some(op) = op {
            self.event.op = op;
        }
        self.event.location = self.location(header.location);
        let Some(Known::Thread(thread)) = self.known(thread) else {
            unreachable!("a stream is a thread's");
        };
        self.event.thread = thread;
        true
    }

    fn operation(&mut self, code: Code, number: u32, mutex: Option<u32>) -> Option<Op> {
        let mutex = mutex.and_then(|mutex| match self.known(mutex) {
            Some(Known::Lock(lock)) => Some(lock),
            _ => None,
        });
        Some(match (code, self.known(number)?) {
            (Code::Acquire, Known::Lock(lock)) => Op::Acquire(lock),
            (Code::Release, Known::Lock(lock)) => Op::Release(lock),
            (Code::ReadAcquire, Known::Lock(lock)) => Op::ReadAcquire(lock),
            (Code::ReadRelease, Known::Lock(lock)) => Op::ReadRelease(lock),
            (Code::Fork, Known::Thread(thread)) => Op::Fork(thread),
            (Code::Join, Known::Thread(thread)) => Op::Join(thread),
            (Code::Wait, Known::Condvar(condvar)) => Op::Wait(condvar, mutex?),
            (Code::Wake, Known::Condvar(condvar)) => Op::Wake(condvar, mutex?),
            (Code::Notify, Known::Condvar(condvar)) => Op::Notify(condvar),
            (Code::NotifyAll, Known::Condvar(condvar)) => Op::NotifyAll(condvar),
            (Code::New, Known::Object(object, kind)) => Op::New(object, kind),
            (Code::Drop, Known::Object(object, _)) => {
                let ends = registry()
                    .object(number)
                    .is_some_and(|info| info.kind.ends());
                return ends.then_some(Op::Drop(object));
            }
            // A lock or a thread that is gone is no event of a trace.
            _ => return None,
        })
    }

    /// Makes the event an action, in the memory of the last one.
    fn action(&mut self, header: Header, next: &mut impl FnMut() -> u64) {
        let Some(Known::Object(object, _)) = self.known(header.object) else {
            unreachable!("actions are of objects");
        };
        let method = self.method(header.name);
        let action = match &mut self.event.op {
            Op::Action(last) => last,
            op => {
                *op = Op::Action(Arc::new(Action {
                    object,
                    method,
                    args: SmallVec::new(),
                    result: None,
                }));
                let Op::Action(new) = op else { unreachable!() };
                new
            }
        };
        let action = Arc::make_mut(action);
        (action.object, action.method) = (object, method);
        action.args.clear();
        for _ in 0..header.args {
            action.args.push(raw::take(next));
        }
        action.result = match header.results {
            0 => None,
            1 => Some(raw::take(next)),
            n => Some(Value::tuple(
                (0..n).map(|_| raw::take(next)).collect::<Vec<_>>(),
            )),
        };
    }

    /// An object is gone: its number may come back with another object.
    pub(crate) fn forget(&mut self, number: u32) {
        let ends = registry()
            .object(number)
            .is_some_and(|info| info.kind.ends());
        if let Some(Some(known)) = self.known.get_mut(number as usize).map(Option::take) {
            // Whose end is no event keeps its name: a second object of that name
            // would be taken for it.
            if !ends {
                return;
            }
            let names = &self.names;
            let (sort, name) = match known {
                Known::Lock(lock) => (Sort::Lock, names.locks.name(lock)),
                Known::Condvar(condvar) => (Sort::Condvar, names.condvars.name(condvar)),
                Known::Object(object, _) => (Sort::Object(""), names.objects.name(object)),
                Known::Thread(_) => return,
            };
            self.naming.give_back(sort, name.to_string());
        }
    }

    fn known(&mut self, number: u32) -> Option<Known> {
        let place = number as usize;
        if let Some(Some(known)) = self.known.get(place) {
            return Some(*known);
        }
        let info = registry().object(number)?.clone();
        let sort = info.kind.sort();
        let name = self.naming.name(&info);
        let known = match sort {
            Sort::Lock => Known::Lock(self.names.locks.intern(&name)),
            Sort::Condvar => Known::Condvar(self.names.condvars.intern(&name)),
            Sort::Thread => Known::Thread(self.names.threads.intern(&name)),
            Sort::Object(specification) => {
                let kind = self.names.types.intern(specification);
                Known::Object(self.names.objects.intern(&name), kind)
            }
        };
        if place >= self.known.len() {
            self.known.resize(place + 1, None);
        }
        self.known[place] = Some(known);
        Some(known)
    }

    fn method(&mut self, number: u32) -> MethodId {
        let table = &mut self.names.methods;
        of(&mut self.methods, number, || {
            table.intern(registry().method(number))
        })
    }

    fn block(&mut self, number: u32) -> BlockId {
        let table = &mut self.names.blocks;
        of(&mut self.blocks, number, || {
            table.intern(registry().block(number))
        })
    }

    fn location(&mut self, address: u64) -> LocationId {
        if let Some(&id) = self.locations.get(&address) {
            return id;
        }
        let location = at(address);
        let (file, line, column) = (location.file(), location.line(), location.column());
        let text = format!("{}:{line}:{column}", self.naming.path(file));
        let id = self.names.locations.intern(&text);
        self.locations.insert(address, id);
        id
    }
}

/// What is at this place, found only once.
fn of<I: Copy>(places: &mut Vec<Option<I>>, number: u32, find: impl FnOnce() -> I) -> I {
    let place = number as usize;
    if let Some(Some(id)) = places.get(place) {
        return *id;
    }
    if place >= places.len() {
        places.resize(place + 1, None);
    }
    *places[place].insert(find())
}

/// The location whose address a thread wrote.
#[expect(unsafe_code, reason = "the address of a reference that lives for ever")]
fn at(address: u64) -> &'static Location<'static> {
    let pointer = std::ptr::with_exposed_provenance::<Location<'static>>(address as usize);
    // SAFETY: every address in an event is that of a `&'static Location<'static>`,
    // exposed by `local::address`; 0 was looked up before. Locations never move,
    // are never written and are never freed.
    unsafe { &*pointer }
}

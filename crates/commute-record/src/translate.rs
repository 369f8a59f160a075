//! Events in the words of traces.

use std::panic::Location;

use commute_model::{
    Action, BlockId, CondvarId, Event, LocationId, LockId, MethodId, Names, ObjectId, Op,
    SharedAction, ThreadId, TypeId, VariableId,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::event::{Code, Header};
use crate::naming::Naming;
use crate::registry::{Sort, registry};

/// Knows the names of everything that was passed on.
#[derive(Debug)]
pub(crate) struct Translator {
    names: Names,
    naming: Naming,
    /// By number of the object.
    known: Vec<Option<Known>>,
    /// What locks protect, by number of the lock.
    protected: Vec<Option<VariableId>>,
    methods: Vec<Option<MethodId>>,
    blocks: Vec<Option<BlockId>>,
    /// By address.
    locations: FxHashMap<u64, LocationId>,
}

/// Whose events are no thread's.
const NOBODY: &str = "commute";

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
            protected: Vec::new(),
            methods: Vec::new(),
            blocks: Vec::new(),
            locations: FxHashMap::from_iter([(0, nowhere)]),
            names,
        }
    }
}

impl Translator {
    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    /// The event, without values; none if it is not part of the trace. `more` is the
    /// mutex of a wait, or the number of a block.
    pub(crate) fn translate(&mut self, thread: u32, header: Header, more: u32) -> Option<Event> {
        let op = match header.code {
            Code::Start | Code::Stop => return None,
            Code::Begin => Op::Begin(Some(self.block(more))),
            Code::End => Op::End(Some(self.block(more))),
            code => self.operation(code, header.object, more)?,
        };
        let thread = match self.is_nobodys(header) {
            true => self.names.threads.intern(NOBODY),
            false => match self.known(thread) {
                Some(Known::Thread(thread)) => thread,
                _ => unreachable!("a stream is a thread's"),
            },
        };
        Some(Event {
            thread,
            location: self.location(header.location),
            op,
        })
    }

    /// The end of an object with several owners comes with whoever is the last. It is
    /// not for that thread to wait for.
    fn is_nobodys(&self, header: Header) -> bool {
        header.code == Code::Drop
            && registry()
                .object(header.object)
                .is_some_and(|info| !info.kind.ends())
    }

    fn operation(&mut self, code: Code, number: u32, mutex: u32) -> Option<Op> {
        let mutex = match self.known(mutex) {
            Some(Known::Lock(lock)) => Some(lock),
            _ => None,
        };
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
            (Code::Action, Known::Object(object, _)) => Op::Action(SharedAction::new(Action {
                object,
                method: self.method(1),
                args: SmallVec::new(),
                result: None,
            })),
            (Code::New, Known::Object(object, kind)) => Op::New(object, kind),
            (Code::Drop, Known::Object(object, _)) => Op::Drop(object),
            (Code::Read, Known::Lock(lock)) => Op::Read(self.protected(number, lock)),
            (Code::Write, Known::Lock(lock)) => Op::Write(self.protected(number, lock)),
            // Another lock may get the name, and what that one protects is not what
            // this one did.
            (Code::Drop, Known::Lock(_)) => Op::Alloc((*self.protected.get(number as usize)?)?),
            // A lock or a thread that is gone is no event of a trace.
            _ => return None,
        })
    }

    /// An object is gone: its number may come back with another object.
    pub(crate) fn forget(&mut self, number: u32) {
        if let Some(protected) = self.protected.get_mut(number as usize) {
            *protected = None;
        }
        if let Some(Some(known)) = self.known.get_mut(number as usize).map(Option::take) {
            let names = &self.names;
            let (sort, name) = match known {
                Known::Lock(lock) => (Sort::Lock, names.locks.name(lock)),
                Known::Condvar(condvar) => (Sort::Condvar, names.condvars.name(condvar)),
                Known::Object(object, _) => (Sort::Object(""), names.objects.name(object)),
                // A second thread of the name of one that ended would be taken for it.
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
                let kind = match info.argument {
                    Some(argument) => &format!("{specification}({argument})"),
                    None => specification,
                };
                let kind = self.names.types.intern(kind);
                Known::Object(self.names.objects.intern(&name), kind)
            }
        };
        if place >= self.known.len() {
            self.known.resize(place + 1, None);
        }
        self.known[place] = Some(known);
        Some(known)
    }

    /// What a lock protects is called like the lock.
    fn protected(&mut self, number: u32, lock: LockId) -> VariableId {
        let Names {
            variables, locks, ..
        } = &mut self.names;
        of(&mut self.protected, number, || {
            variables.intern(&locks.name(lock).to_string())
        })
    }

    /// A method, by number.
    pub(crate) fn method(&mut self, number: u32) -> MethodId {
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

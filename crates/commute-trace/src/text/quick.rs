//! The quick way through the lines that make up most of a trace.
//!
//! Eight bytes at a time: a short field is a word that ends with its delimiter,
//! and a small table remembers what that word meant. Whatever is unusual is left
//! to `line`, which also finds out what is wrong: nothing here produces an
//! error, and a name that is new is checked by the same rules as there.

use commute_model::{
    Event, LocationId, LockId, MethodId, NameTable, Names, ObjectId, Op, SharedAction, ThreadId,
    VariableId,
};

use super::late::Late;
use super::memory::{Field, Memory, Numbers};
use super::quick_name::{Argument, fresh, known, trim};
use super::quick_value::{Utf8Window, quick_call};
use super::without_return;
use super::word::{load, word};
use crate::declared::Declared;
use crate::naming::NameKind;
use crate::recycle::Recycled;

/// Remembers what short texts were found to mean.
pub(super) struct Quick {
    threads: Memory<ThreadId, 256>,
    locations: Memory<LocationId, 2048>,
    targets: Memory<(ObjectId, MethodId), 64>,
    variables: Numbers,
    locks: Numbers,
    late: Late,
}

impl Quick {
    pub(super) fn new() -> Quick {
        Quick {
            threads: Memory::new(ThreadId(0)),
            locations: Memory::new(LocationId(0)),
            targets: Memory::new((ObjectId(0), MethodId(0))),
            variables: Numbers::new(),
            locks: Numbers::new(),
            late: Late::new(),
        }
    }

    /// Gives all events their variables. To be called before anybody looks at
    /// them, or interns variables in another way.
    #[inline]
    pub(super) fn resolve(&mut self, names: &mut Names, events: &mut [Event]) {
        self.late
            .resolve(&mut self.variables, &mut names.variables, events);
    }

    /// Reads the line at `start` and adds its event to `events`; where the next
    /// line starts. `None` if the line is unusual: then nothing is added. There is
    /// padding behind the line.
    #[inline(always)]
    pub(super) fn parse(
        &mut self,
        window: Utf8Window<'_>,
        start: usize,
        names: &mut Names,
        declared: &Declared,
        recycled: &mut Recycled,
        events: &mut Vec<Event>,
    ) -> Option<usize> {
        const READ: u64 = word(b"r(");
        const WRITE: u64 = word(b"w(");
        const ACQUIRE: u64 = word(b"acq(");
        const RELEASE: u64 = word(b"rel(");
        const BEGIN: u64 = word(b"begin|");
        const END: u64 = word(b"end|");
        let bytes = window.bytes;
        let (thread, at) = self.thread(bytes, start, &mut names.threads)?;
        // Each branch pushes for itself: one push for all would put the event
        // together in memory first, which takes longer than the rest.
        let push = |events: &mut Vec<Event>, location: LocationId, op: Op| {
            events.push(Event {
                thread,
                location,
                op,
            });
        };
        let head = load(bytes, at);
        let two = head & 0xffff;
        let four = head & 0xffff_ffff;
        if two == READ || two == WRITE {
            let name = Argument::read(bytes, at + 2)?;
            let late = match name.numbered {
                Some(numbered) if self.variables.is_large() && self.variables.knows(numbered) => {
                    Some(VariableId(numbered.number()))
                }
                _ => None,
            };
            let variable = match late {
                Some(number) => number,
                None => {
                    self.resolve(names, events);
                    name.id(
                        &mut self.variables,
                        NameKind::Variable,
                        &mut names.variables,
                    )?
                }
            };
            let (location, next) = self.location(bytes, name.next, &mut names.locations)?;
            if late.is_some() {
                if self.late.is_full() {
                    self.resolve(names, events);
                }
                self.late.add(events.len());
            }
            if two == READ {
                push(events, location, Op::Read(variable));
            } else {
                push(events, location, Op::Write(variable));
            }
            Some(next)
        } else if four == ACQUIRE || four == RELEASE {
            let name = Argument::read(bytes, at + 4)?;
            let lock: LockId = name.id(&mut self.locks, NameKind::Lock, &mut names.locks)?;
            let (location, next) = self.location(bytes, name.next, &mut names.locations)?;
            if four == ACQUIRE {
                push(events, location, Op::Acquire(lock));
            } else {
                push(events, location, Op::Release(lock));
            }
            Some(next)
        } else if four == END {
            let (location, next) = self.location(bytes, at + 4, &mut names.locations)?;
            push(events, location, Op::End(None));
            Some(next)
        } else if head & 0xffff_ffff_ffff == BEGIN {
            let (location, next) = self.location(bytes, at + 6, &mut names.locations)?;
            push(events, location, Op::Begin(None));
            Some(next)
        } else {
            let (action, at) = self.action(window, at, names, declared, recycled)?;
            let (location, next) = self.location(bytes, at, &mut names.locations)?;
            push_action(events, thread, location, action);
            Some(next)
        }
    }

    /// The thread at `at`, and where the operation starts.
    #[inline(always)]
    fn thread(
        &mut self,
        bytes: &[u8],
        at: usize,
        threads: &mut NameTable<ThreadId>,
    ) -> Option<(ThreadId, usize)> {
        let field = Field::read(bytes, at, b'|')?;
        let thread = match self.threads.get(field) {
            Some(thread) => thread,
            None => {
                let text = &bytes[at..at + field.len];
                let thread = fresh(threads, NameKind::Thread, text)?;
                self.threads.put(field, thread);
                thread
            }
        };
        Some((thread, at + field.len + 1))
    }

    /// The action at `at`, whose object and method are short, and where the
    /// location starts.
    fn action(
        &mut self,
        window: Utf8Window<'_>,
        at: usize,
        names: &mut Names,
        declared: &Declared,
        recycled: &mut Recycled,
    ) -> Option<(SharedAction, usize)> {
        let bytes = window.bytes;
        let target = Field::read(bytes, at, b'(')?;
        let (object, method) = match self.targets.get(target) {
            Some(found) => found,
            None => {
                let text = &bytes[at..at + target.len];
                let dot = memchr::memrchr(b'.', text)?;
                let object = std::str::from_utf8(&text[..dot]).ok()?;
                let method = std::str::from_utf8(&text[dot + 1..]).ok()?;
                // Only what the careful way has accepted before.
                let object = names.objects.lookup(object)?;
                let method = names.methods.lookup(method)?;
                if !declared.contains(object) {
                    return None;
                }
                self.targets.put(target, (object, method));
                (object, method)
            }
        };
        let mut end = at + target.len + 1;
        let action = recycled
            .action(object, method, |slots| {
                end = quick_call(window, end, slots).ok_or(())?;
                Ok::<(), ()>(())
            })
            .ok()?;
        Some((action, end + 1))
    }

    /// The location at `at`, and where the next line starts.
    #[inline(always)]
    fn location(
        &mut self,
        bytes: &[u8],
        at: usize,
        locations: &mut NameTable<LocationId>,
    ) -> Option<(LocationId, usize)> {
        match Field::read(bytes, at, b'\n') {
            Some(field) => {
                let location = match self.locations.get(field) {
                    Some(location) => location,
                    None => {
                        let text = without_return(&bytes[at..at + field.len]);
                        let location = fresh(locations, NameKind::Location, text)?;
                        self.locations.put(field, location);
                        location
                    }
                };
                Some((location, at + field.len + 1))
            }
            None => {
                let rest = &bytes[at..];
                let len = memchr::memchr(b'\n', rest)?;
                let text = trim(without_return(&rest[..len]));
                let location = known(locations, NameKind::Location, text)?;
                Some((location, at + len + 1))
            }
        }
    }
}

/// Apart from the other pushes, with which it would be merged.
#[inline(never)]
fn push_action(
    events: &mut Vec<Event>,
    thread: ThreadId,
    location: LocationId,
    action: SharedAction,
) {
    events.push(Event {
        thread,
        location,
        op: Op::Action(action),
    });
}

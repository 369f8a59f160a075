//! What the collector must know about objects, methods and blocks, beyond their
//! numbers in events.

use std::collections::BTreeMap;
use std::panic::Location;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

/// What an instrumented object is in a trace.
#[derive(Debug)]
pub struct Kind {
    word: &'static str,
    sort: Sort,
    /// Whether its end is an event of the thread in which it ends.
    ends: bool,
}

/// The name space of a trace that an object belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sort {
    Lock,
    Condvar,
    /// With the name of its specification.
    Object(&'static str),
    Thread,
}

impl Kind {
    /// A lock, called `word` in names that nobody gave.
    pub const fn lock(word: &'static str) -> Kind {
        let sort = Sort::Lock;
        let ends = true;
        Kind { word, sort, ends }
    }

    /// A condition variable.
    pub const fn condvar(word: &'static str) -> Kind {
        let sort = Sort::Condvar;
        let ends = true;
        Kind { word, sort, ends }
    }

    /// An object with a specification.
    pub const fn object(word: &'static str, specification: &'static str) -> Kind {
        let sort = Sort::Object(specification);
        let ends = true;
        Kind { word, sort, ends }
    }

    /// An atomic.
    pub const ATOMIC: Kind = Kind::object("atomic", "atomic");

    pub(crate) const THREAD: Kind = Kind {
        word: "thread",
        sort: Sort::Thread,
        ends: false,
    };

    /// The same, for objects that have several owners inside the library: their end
    /// comes with whoever is the last, which says nothing about the program.
    pub const fn with_owners(self) -> Kind {
        let ends = false;
        Kind { ends, ..self }
    }

    pub(crate) fn ends(&self) -> bool {
        self.ends
    }

    pub(crate) fn sort(&self) -> Sort {
        self.sort
    }

    /// The name of its specification, if it has one.
    pub fn specification(&self) -> Option<&'static str> {
        match self.sort {
            Sort::Object(specification) => Some(specification),
            _ => None,
        }
    }

    /// What it is called in names that nobody gave.
    pub fn word(&self) -> &'static str {
        self.word
    }
}

/// What is known about an object.
#[derive(Clone, Debug)]
pub(crate) struct Info {
    pub(crate) kind: &'static Kind,
    pub(crate) created: Option<&'static Location<'static>>,
    pub(crate) name: Option<Arc<str>>,
    /// The number that the parameter of its specification stands for.
    pub(crate) argument: Option<u64>,
}

/// All objects, methods and blocks.
#[derive(Debug)]
pub(crate) struct Registry {
    /// By number; number 0 is none.
    objects: Vec<Option<Info>>,
    /// Numbers of objects that are gone.
    free: Vec<u32>,
    methods: Vec<&'static str>,
    blocks: Vec<&'static str>,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry {
    objects: Vec::new(),
    free: Vec::new(),
    methods: Vec::new(),
    blocks: Vec::new(),
});

/// The registry of the process.
pub(crate) fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Registry {
    /// A number for a new object.
    pub(crate) fn add(&mut self, info: Info) -> u32 {
        if self.objects.is_empty() {
            self.objects.push(None);
        }
        match self.free.pop() {
            Some(number) => {
                self.objects[number as usize] = Some(info);
                number
            }
            None => {
                self.objects.push(Some(info));
                u32::try_from(self.objects.len() - 1).expect("fewer than 2³² live objects")
            }
        }
    }

    /// What is known about an object.
    pub(crate) fn object(&self, number: u32) -> Option<&Info> {
        self.objects.get(number as usize)?.as_ref()
    }

    /// Names an object.
    pub(crate) fn rename(&mut self, number: u32, name: &str) {
        if let Some(Some(info)) = self.objects.get_mut(number as usize) {
            info.name = Some(name.into());
        }
    }

    /// The number may be used again.
    pub(crate) fn remove(&mut self, number: u32) {
        if let Some(place) = self.objects.get_mut(number as usize)
            && place.take().is_some()
        {
            self.free.push(number);
        }
    }

    pub(crate) fn method(&self, number: u32) -> &'static str {
        self.methods[number as usize - 1]
    }

    pub(crate) fn block(&self, number: u32) -> &'static str {
        self.blocks[number as usize - 1]
    }
}

/// The name of a method in events: a `static`, numbered at its first use.
#[derive(Debug)]
pub struct Method {
    name: &'static str,
    number: AtomicU32,
}

/// The name of an atomic block in events: a `static`, numbered at its first use.
#[derive(Debug)]
pub struct Block {
    name: &'static str,
    number: AtomicU32,
}

impl Method {
    /// The method of this name.
    pub const fn new(name: &'static str) -> Method {
        let number = AtomicU32::new(0);
        Method { name, number }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    #[inline]
    pub(crate) fn number(&self) -> u32 {
        number(&self.number, self.name, |registry| &mut registry.methods)
    }
}

impl Block {
    /// The block of this name.
    pub const fn new(name: &'static str) -> Block {
        let number = AtomicU32::new(0);
        Block { name, number }
    }

    /// The one block of this name that is made where there is no `static`.
    pub fn named(name: &'static str) -> &'static Block {
        static NAMED: RwLock<BTreeMap<&str, &Block>> = RwLock::new(BTreeMap::new());
        let known = NAMED.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(block) = known.get(name) {
            return block;
        }
        drop(known);
        let mut known = NAMED.write().unwrap_or_else(PoisonError::into_inner);
        // As many as there are names in the program.
        known
            .entry(name)
            .or_insert_with(|| Box::leak(Box::new(Block::new(name))))
    }

    #[inline]
    pub(crate) fn number(&self) -> u32 {
        number(&self.number, self.name, |registry| &mut registry.blocks)
    }
}

#[inline(always)]
fn number(
    cell: &AtomicU32,
    name: &'static str,
    names: impl FnOnce(&mut Registry) -> &mut Vec<&'static str>,
) -> u32 {
    match cell.load(Relaxed) {
        0 => number_first(cell, name, names),
        known => known,
    }
}

#[cold]
fn number_first(
    cell: &AtomicU32,
    name: &'static str,
    names: impl FnOnce(&mut Registry) -> &mut Vec<&'static str>,
) -> u32 {
    let mut registry = registry();
    let names = names(&mut registry);
    let known = names.iter().position(|known| *known == name);
    let place = known.unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    });
    let number = place as u32 + 1;
    cell.store(number, Relaxed);
    number
}

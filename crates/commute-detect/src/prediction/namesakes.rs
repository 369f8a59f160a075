//! Locks and condition variables that are allocated and freed, as variables are:
//! `free(m)` is of everything that is called `m`.
//!
//! Names are compared only when something is allocated or freed, or when a lock
//! has a name that nobody knew then. In between, a lock costs one comparison.

use commute_model::{CondvarId, Id, LockId, Name, NameTable, Names, Op, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::access::Subject;

/// Which locks and condition variables have the name of a variable that was
/// allocated or freed.
#[derive(Debug, Default)]
pub(super) struct Namesakes {
    /// Variables that were allocated or freed, and which of the two came last.
    variables: ByName<(VariableId, bool)>,
    locks: Namesake<LockId>,
    condvars: Namesake<CondvarId>,
}

/// Things of one kind.
#[derive(Debug)]
struct Namesake<I> {
    /// All that have a name, as far as names were looked at.
    all: ByName<I>,
    /// How many those are.
    known: usize,
    variables: FxHashMap<I, VariableId>,
    of_variables: FxHashMap<VariableId, I>,
    /// Those that are freed now.
    freed: FxHashSet<I>,
    /// Nothing is to be said of those with a smaller number than this.
    quiet: usize,
}

/// What a lock operation or one of a condition variable uses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Used {
    Lock(LockId),
    Condvar(CondvarId),
}

impl From<Used> for Subject {
    fn from(used: Used) -> Subject {
        match used {
            Used::Lock(l) => Subject::Lock(l),
            Used::Condvar(c) => Subject::Condvar(c),
        }
    }
}

/// What an event uses that is no variable.
pub(super) fn used(op: &Op) -> SmallVec<[Used; 2]> {
    let mut used = SmallVec::new();
    match *op {
        Op::Acquire(l) | Op::Release(l) | Op::ReadAcquire(l) | Op::ReadRelease(l) => {
            used.push(Used::Lock(l));
        }
        Op::Wait(c, l) | Op::Wake(c, l) => used.extend([Used::Condvar(c), Used::Lock(l)]),
        Op::Notify(c) | Op::NotifyAll(c) => used.push(Used::Condvar(c)),
        _ => {}
    }
    used
}

impl Namesakes {
    /// Whether there are any.
    pub(super) fn is_empty(&self) -> bool {
        self.locks.variables.is_empty() && self.condvars.variables.is_empty()
    }

    /// The variable of the same name, if it was ever allocated or freed.
    pub(super) fn variable(&self, used: Used) -> Option<VariableId> {
        match used {
            Used::Lock(l) => self.locks.variables.get(&l).copied(),
            Used::Condvar(c) => self.condvars.variables.get(&c).copied(),
        }
    }

    /// The lock and the condition variable with the name of a variable.
    pub(super) fn of(&self, x: VariableId) -> SmallVec<[Used; 2]> {
        let lock = self.locks.of_variables.get(&x).map(|l| Used::Lock(*l));
        let condvar = self.condvars.of_variables.get(&x);
        let condvar = condvar.map(|c| Used::Condvar(*c));
        lock.into_iter().chain(condvar).collect()
    }

    /// `alloc(x)` or `free(x)`.
    pub(super) fn set_freed(&mut self, x: VariableId, freed: bool, names: &Names) {
        let Namesakes {
            variables,
            locks,
            condvars,
        } = self;
        let name = names.variables.name(x);
        locks.look(&names.locks, variables);
        condvars.look(&names.condvars, variables);
        if variables.insert(name, (x, freed)) {
            locks.introduce(name, x);
            condvars.introduce(name, x);
        }
        locks.set_freed(x, freed);
        condvars.set_freed(x, freed);
    }

    /// Whether nothing is to be said of a use of this lock.
    #[inline]
    pub(super) fn is_quiet(&self, l: LockId) -> bool {
        l.index() < self.locks.quiet
    }

    /// The variable of the same name, if it is freed.
    pub(super) fn freed(&mut self, used: Used, names: &Names) -> Option<VariableId> {
        let variables = &self.variables;
        match used {
            Used::Lock(l) => self.locks.freed(l, &names.locks, variables),
            Used::Condvar(c) => self.condvars.freed(c, &names.condvars, variables),
        }
    }
}

impl<I> Default for Namesake<I> {
    fn default() -> Namesake<I> {
        Namesake {
            all: ByName::default(),
            known: 0,
            variables: FxHashMap::default(),
            of_variables: FxHashMap::default(),
            freed: FxHashSet::default(),
            quiet: usize::MAX,
        }
    }
}

impl<I: Id> Namesake<I> {
    /// Looks at names that are new.
    fn look(&mut self, names: &NameTable<I>, variables: &ByName<(VariableId, bool)>) {
        for id in (self.known..names.len()).map(I::from_index) {
            let name = names.name(id);
            self.all.insert(name, id);
            if let Some((x, freed)) = variables.get(name) {
                self.introduce(name, x);
                self.set_freed(x, freed);
            }
        }
        self.known = names.len();
        self.update();
    }

    /// A variable that may have the name of something.
    fn introduce(&mut self, name: Name<'_>, x: VariableId) {
        if let Some(id) = self.all.get(name) {
            self.variables.insert(id, x);
            self.of_variables.insert(x, id);
        }
    }

    fn set_freed(&mut self, x: VariableId, freed: bool) {
        if let Some(id) = self.of_variables.get(&x) {
            match freed {
                true => self.freed.insert(*id),
                false => self.freed.remove(id),
            };
            self.update();
        }
    }

    /// A name that is new may be that of something freed.
    fn update(&mut self) {
        self.quiet = match self.freed.is_empty() {
            true => self.known,
            false => 0,
        };
    }

    fn freed(
        &mut self,
        id: I,
        names: &NameTable<I>,
        variables: &ByName<(VariableId, bool)>,
    ) -> Option<VariableId> {
        if id.index() < self.quiet {
            return None;
        }
        if id.index() >= self.known {
            self.look(names, variables);
        }
        let freed = self.freed.contains(&id);
        freed.then(|| self.variables[&id])
    }
}

/// Things by their names. Names are stems with numbers, and there are few stems.
#[derive(Debug)]
struct ByName<I>(FxHashMap<Box<str>, FxHashMap<Option<u32>, I>>);

impl<I> Default for ByName<I> {
    fn default() -> ByName<I> {
        ByName(FxHashMap::default())
    }
}

impl<I: Copy> ByName<I> {
    fn get(&self, name: Name<'_>) -> Option<I> {
        let (stem, number) = name.parts();
        self.0.get(stem)?.get(&number).copied()
    }

    /// Whether the name is new.
    fn insert(&mut self, name: Name<'_>, id: I) -> bool {
        let (stem, number) = name.parts();
        let numbers = match self.0.get_mut(stem) {
            Some(numbers) => numbers,
            None => self.0.entry(stem.into()).or_default(),
        };
        numbers.insert(number, id).is_none()
    }
}

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
#[derive(Clone, Debug, Default)]
pub(super) struct Namesakes {
    variables: Variables,
    locks: Namesake<LockId>,
    condvars: Namesake<CondvarId>,
}

/// Variables that were allocated or freed.
#[derive(Clone, Debug, Default)]
struct Variables {
    /// By variable: which of the two came last.
    last: Vec<Last>,
    /// In the order in which they came.
    all: Vec<VariableId>,
    /// The first of them, by name. A million variables are freed without anybody
    /// asking for the name of one.
    by_name: ByName<VariableId>,
    indexed: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Last {
    #[default]
    Neither,
    Allocated,
    Freed,
}

/// Things of one kind.
#[derive(Clone, Debug)]
struct Namesake<I> {
    /// All that have a name, as far as names were looked at.
    by_name: ByName<I>,
    /// The variables of the same name: as many as names were looked at.
    variables: Vec<Option<VariableId>>,
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
        self.locks.of_variables.is_empty() && self.condvars.of_variables.is_empty()
    }

    /// The variable of the same name, if it was ever allocated or freed.
    pub(super) fn variable(&self, used: Used) -> Option<VariableId> {
        match used {
            Used::Lock(l) => self.locks.variable(l),
            Used::Condvar(c) => self.condvars.variable(c),
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
        locks.look(&names.locks, variables, names);
        condvars.look(&names.condvars, variables, names);
        if variables.set_freed(x, freed) {
            let name = names.variables.name(x);
            { locks.by_name.get(name) }
                .into_iter()
                .for_each(|l| locks.link(l, x));
            { condvars.by_name.get(name) }
                .into_iter()
                .for_each(|c| condvars.link(c, x));
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
        let variables = &mut self.variables;
        match used {
            Used::Lock(l) => self.locks.freed(l, &names.locks, variables, names),
            Used::Condvar(c) => self.condvars.freed(c, &names.condvars, variables, names),
        }
    }
}

impl Variables {
    /// Whether it is new.
    fn set_freed(&mut self, x: VariableId, freed: bool) -> bool {
        if x.index() >= self.last.len() {
            self.last.resize(x.index() + 1, Last::Neither);
        }
        let now = match freed {
            true => Last::Freed,
            false => Last::Allocated,
        };
        let new = std::mem::replace(&mut self.last[x.index()], now) == Last::Neither;
        self.all.extend(new.then_some(x));
        new
    }

    /// The one of this name.
    fn named(&mut self, name: Name<'_>, names: &Names) -> Option<VariableId> {
        for &x in &self.all[self.indexed..] {
            self.by_name.insert(names.variables.name(x), x);
        }
        self.indexed = self.all.len();
        self.by_name.get(name)
    }
}

impl<I> Default for Namesake<I> {
    fn default() -> Namesake<I> {
        Namesake {
            by_name: ByName::default(),
            variables: Vec::new(),
            of_variables: FxHashMap::default(),
            freed: FxHashSet::default(),
            quiet: usize::MAX,
        }
    }
}

impl<I: Id> Namesake<I> {
    fn variable(&self, id: I) -> Option<VariableId> {
        self.variables.get(id.index()).copied().flatten()
    }

    /// Looks at names that are new.
    fn look(&mut self, table: &NameTable<I>, variables: &mut Variables, names: &Names) {
        for id in (self.variables.len()..table.len()).map(I::from_index) {
            let name = table.name(id);
            self.by_name.insert(name, id);
            self.variables.push(None);
            if let Some(x) = variables.named(name, names) {
                self.link(id, x);
                self.set_freed(x, variables.last[x.index()] == Last::Freed);
            }
        }
        self.update();
    }

    /// The two have the same name.
    fn link(&mut self, id: I, x: VariableId) {
        self.variables[id.index()] = Some(x);
        self.of_variables.insert(x, id);
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
            true => self.variables.len(),
            false => 0,
        };
    }

    fn freed(
        &mut self,
        id: I,
        table: &NameTable<I>,
        variables: &mut Variables,
        names: &Names,
    ) -> Option<VariableId> {
        if id.index() < self.quiet {
            return None;
        }
        if id.index() >= self.variables.len() {
            self.look(table, variables, names);
        }
        self.variable(id).filter(|_| self.freed.contains(&id))
    }
}

/// Things by their names. Names are stems with numbers, and there are few stems.
#[derive(Clone, Debug)]
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

    fn insert(&mut self, name: Name<'_>, id: I) {
        let (stem, number) = name.parts();
        let numbers = match self.0.get_mut(stem) {
            Some(numbers) => numbers,
            None => self.0.entry(stem.into()).or_default(),
        };
        numbers.insert(number, id);
    }
}

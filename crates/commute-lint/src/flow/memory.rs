//! Places are found, read and written.

use std::rc::Rc;
use std::sync::Arc;

use crate::flow::access::Access;
use crate::flow::path::{Hop, PathId, Root};
use crate::flow::state::State;
use crate::flow::value::{Origin, Origins, Region, Set, Source, Value, add};
use crate::flow::walk::Walk;
use crate::ir::{FieldId, Local, Operand, Operation, Place, Step};

/// What more of the caller's memory holds is not followed.
const CELLS: usize = 128;

/// Where a place is.
enum Spot {
    /// In a local, or in a part of it.
    Slot(Local, Vec<FieldId>),
    /// Somewhere else.
    Memory {
        paths: Set<PathId>,
        /// What is known to be there.
        known: Option<Box<Value>>,
        /// What the pointer comes from.
        origins: Origins,
        /// What an index is a copy of, and comes from.
        index: Value,
    },
}

fn part<'v>(value: &'v Value, fields: &[FieldId]) -> Option<&'v Value> {
    fields
        .iter()
        .try_fold(value, |value, field| value.fields.get(field))
}

impl Walk<'_, '_> {
    pub(crate) fn operand(&mut self, state: &mut State, operand: &Operand) -> Value {
        match operand {
            Operand::Place(place, gone) => {
                let value = self.load(state, place);
                if *gone {
                    // The owner of a guard is its new place.
                    self.leave(state, place, &value);
                }
                value
            }
            Operand::Constant(text) => {
                let number = self.world.paths.text(text);
                Value::to(self.world.paths.root(Root::Constant(number)))
            }
            Operand::Static(name) => {
                let number = self.world.paths.text(name);
                Value::to(self.world.paths.root(Root::Static(number)))
            }
        }
    }

    fn leave(&mut self, state: &mut State, place: &Place, value: &Value) {
        if value.all_guards().is_empty() {
            return;
        }
        match self.find(state, place) {
            Spot::Slot(local, fields) if fields.is_empty() => {
                Rc::make_mut(&mut state.locals[local.index()])
                    .guards
                    .clear();
                Rc::make_mut(&mut state.locals[local.index()])
                    .fields
                    .clear();
            }
            Spot::Slot(local, fields) => {
                let mut at = Rc::make_mut(&mut state.locals[local.index()]);
                for field in &fields {
                    at = at.fields.entry(*field).or_default();
                }
                at.guards.clear();
            }
            Spot::Memory { paths, .. } => {
                for path in paths {
                    if let Some(cell) = state.cells.get_mut(&path) {
                        Rc::make_mut(cell).guards.clear();
                    }
                }
            }
        }
    }

    fn slot(&mut self, state: &State, local: Local, fields: &[FieldId]) -> Value {
        let whole = &state.locals[local.index()];
        if let Some(value) = part(whole, fields)
            && (fields.is_empty()
                || !value.points.is_empty()
                || self.world.keeps(fields[fields.len() - 1]))
        {
            return value.clone();
        }
        // Named by where it is.
        let known = part(whole, fields).cloned();
        let bases: Set<PathId> = if whole.points.is_empty() {
            let mut set = Set::new();
            set.push(self.world.paths.root(Root::Local(local)));
            set
        } else {
            whole.points.clone()
        };
        let mut value = known.unwrap_or_else(|| Value::from(whole.origins.clone()));
        for base in bases {
            let mut path = base;
            for field in fields {
                path = self.world.paths.hop(path, Hop::Field(*field));
            }
            add(&mut value.points, path);
        }
        value
    }

    /// Pointers to locals are followed: what they point to is known.
    pub(crate) fn through(&mut self, state: &State, value: &Value) -> Value {
        let mut seen = value.clone();
        for _ in 0..4 {
            let local =
                seen.points
                    .iter()
                    .copied()
                    .find_map(|path| match self.world.paths.split(path) {
                        (Root::Local(local), hops) => Some((path, local, hops)),
                        _ => None,
                    });
            let Some((path, local, hops)) = local else {
                return seen;
            };
            let fields: Option<Vec<FieldId>> = hops
                .iter()
                .map(|hop| match hop {
                    Hop::Field(field) => Some(*field),
                    _ => None,
                })
                .collect();
            let Some(fields) = fields else {
                return seen;
            };
            let there = self.slot(state, local, &fields).lent();
            if there.points.contains(&path) {
                return seen;
            }
            seen.points.retain(|other| *other != path);
            seen.join(&there);
        }
        seen
    }

    fn find(&mut self, state: &State, place: &Place) -> Spot {
        let mut at = Spot::Slot(place.local, Vec::new());
        for step in &place.steps {
            at = match (at, step) {
                (Spot::Slot(local, mut fields), Step::Field(field)) => {
                    fields.push(*field);
                    Spot::Slot(local, fields)
                }
                (Spot::Slot(local, fields), Step::Element(_)) => Spot::Slot(local, fields),
                (Spot::Slot(local, fields), Step::Deref) => {
                    let value = self.slot(state, local, &fields);
                    self.pointee(state, &value)
                }
                (
                    Spot::Memory {
                        paths,
                        known,
                        origins,
                        index,
                    },
                    Step::Field(field),
                ) => Spot::Memory {
                    known: known
                        .as_ref()
                        .and_then(|known| known.fields.get(field))
                        .filter(|value| !value.points.is_empty() || self.world.keeps(*field))
                        .cloned()
                        .map(Box::new),
                    paths: paths
                        .iter()
                        .map(|path| self.world.paths.hop(*path, Hop::Field(*field)))
                        .collect(),
                    origins,
                    index,
                },
                (
                    Spot::Memory {
                        paths,
                        origins,
                        mut index,
                        ..
                    },
                    Step::Element(local),
                ) => {
                    if let Some(local) = local {
                        index.join(&state.locals[local.index()].clone());
                    }
                    Spot::Memory {
                        paths: paths
                            .iter()
                            .map(|path| self.world.paths.hop(*path, Hop::Element))
                            .collect(),
                        known: None,
                        origins,
                        index,
                    }
                }
                (
                    Spot::Memory {
                        paths,
                        known,
                        origins,
                        ..
                    },
                    Step::Deref,
                ) => {
                    let mut value = self.stored_at(state, &paths, known);
                    value.origins.join(&origins);
                    self.pointee(state, &value)
                }
            };
        }
        at
    }

    /// The same value, if its pointers are still good. What a lock guards cannot
    /// be pointed to when the lock has been released: then it is a copy.
    /// Not of what a shared pointer points to: that lives on.
    pub(crate) fn alive(&self, local: Local, mut value: Value) -> Value {
        let paths = &self.world.paths;
        let ty = self.type_name(local);
        if ty.contains("Arc<") || ty.contains("Rc<") {
            return value;
        }
        if !self.world.program.guarded || value.points.is_empty() || !value.guards.is_empty() {
            return value;
        }
        let mut dead: Set<PathId> = Set::new();
        for origin in value.origins.iter().filter(|origin| !origin.decides) {
            if let Source::Access(number) = origin.source
                && let access = &self.accesses[number as usize]
                && let (Some(region), Some(lock)) = (access.region, paths.lock_of(access.path))
                && origin.held.binary_search(&region).is_err()
            {
                add(&mut dead, lock);
            }
        }
        let lives = |path: &PathId| match paths.lock_of(*path) {
            Some(lock) => dead.binary_search(&lock).is_err(),
            None => true,
        };
        value.points.retain(|path| lives(path));
        value
    }

    /// What a pointer points to.
    fn pointee(&mut self, state: &State, value: &Value) -> Spot {
        if let [path] = value.points.as_slice()
            && let (Root::Local(local), hops) = self.world.paths.split(*path)
            && local.index() < state.locals.len()
        {
            let fields: Option<Vec<FieldId>> = hops
                .iter()
                .map(|hop| match hop {
                    Hop::Field(field) => Some(*field),
                    _ => None,
                })
                .collect();
            if let Some(fields) = fields {
                return Spot::Slot(local, fields);
            }
        }
        Spot::Memory {
            paths: value.points.clone(),
            known: (!value.fields.is_empty()).then(|| Box::new(value.clone().lent())),
            origins: value.origins.clone(),
            index: Value::default(),
        }
    }

    /// The value at a place, without a read.
    pub(crate) fn peek(&mut self, state: &State, place: &Place) -> Value {
        match self.find(state, place) {
            Spot::Slot(local, fields) => self.slot(state, local, &fields),
            Spot::Memory { paths, known, .. } => self.stored_at(state, &paths, known),
        }
    }

    fn load(&mut self, state: &mut State, place: &Place) -> Value {
        match self.find(state, place) {
            Spot::Slot(local, fields) => self.slot(state, local, &fields),
            Spot::Memory {
                paths,
                known,
                origins,
                index,
            } => {
                let mut value = self.loaded(state, &paths, known);
                value.origins.join(&origins);
                for (part, path) in paths.iter().enumerate() {
                    let noted = Noted {
                        path: *path,
                        reads: true,
                        writes: false,
                        operation: None,
                        name: "",
                        index: index.clone(),
                        value: Set::new(),
                        origins: index.all_origins(),
                        object: Origins::default(),
                    };
                    if let Some(number) = self.touch(state, part as u32, noted) {
                        value.origins.add(&self.origin(state, number));
                    }
                }
                value
            }
        }
    }

    pub(crate) fn origin(&self, state: &State, access: u32) -> Origin {
        let mut held = state.held.clone();
        if let Some(region) = self.accesses[access as usize].region
            && state.maybe.binary_search(&region).is_ok()
        {
            add(&mut held, region);
        }
        Origin {
            source: Source::Access(access),
            decides: false,
            decided: false,
            held,
        }
    }

    pub(crate) fn address(&mut self, state: &mut State, place: &Place) -> Value {
        match self.find(state, place) {
            Spot::Slot(local, fields) => {
                let mut path = self.world.paths.root(Root::Local(local));
                for field in &fields {
                    path = self.world.paths.hop(path, Hop::Field(*field));
                }
                Value::to(path)
            }
            Spot::Memory {
                paths,
                known,
                origins,
                index,
            } => {
                let mut value = Value {
                    points: paths,
                    origins,
                    ..Value::default()
                };
                if let Some(known) = known {
                    value.fields = known.lent().fields;
                }
                value.origins.join(&index.all_origins());
                value
            }
        }
    }

    pub(crate) fn store(&mut self, state: &mut State, place: &Place, value: Value) {
        match self.find(state, place) {
            Spot::Slot(local, fields) => {
                let Some(slot) = state.locals.get_mut(local.index()) else {
                    return;
                };
                if fields.is_empty() {
                    *slot = Rc::new(value);
                    return;
                }
                let whole = Rc::make_mut(slot);
                whole.origins.join(&value.all_origins());
                let mut at = whole;
                for field in &fields {
                    at = at.fields.entry(*field).or_default();
                }
                *at = value;
            }
            Spot::Memory { paths, index, .. } => {
                for (part, path) in paths.iter().enumerate() {
                    let mut origins = value.all_origins();
                    origins.join(&index.all_origins());
                    let noted = Noted {
                        path: *path,
                        reads: false,
                        writes: true,
                        operation: None,
                        name: "",
                        index: index.clone(),
                        value: value.points.clone(),
                        origins,
                        object: Origins::default(),
                    };
                    self.touch(state, 100 + part as u32, noted);
                    if let Some(Hop::Field(field)) = self.world.paths.last(*path)
                        && self.world.names(field)
                    {
                        for target in &value.points {
                            self.stored.insert((*target, field));
                        }
                    }
                    if self.world.paths.lock_of(*path).is_none() {
                        let mut stored = value.clone();
                        if paths.len() > 1
                            && let Some(there) = state.cells.get(path)
                        {
                            stored.join(there);
                        }
                        if state.cells.len() < CELLS || state.cells.contains_key(path) {
                            state.cells.insert(*path, Rc::new(stored));
                        }
                    }
                }
            }
        }
    }

    /// Notes an access, if the memory can be shared.
    pub(crate) fn touch(&mut self, state: &State, part: u32, noted: Noted<'_>) -> Option<u32> {
        let region = self.region_of(state, noted.path);
        let region = region.or_else(|| self.single(part, &noted));
        if region.is_none() && (self.is_copy(noted.path) || !self.may_be_shared(noted.path)) {
            return None;
        }
        let mut origins = noted.origins;
        let decided = self.decided(state);
        let rechecks = match noted.writes {
            true => {
                let checked = self.checked(state, &decided);
                self.rechecks(state, &checked, region, noted.path)
            }
            false => Set::new(),
        };
        origins.join(&decided);
        let trail = self.trail();
        let access = Access {
            path: noted.path,
            reads: noted.reads,
            writes: noted.writes,
            operation: noted.operation,
            name: Arc::from(noted.name),
            key: noted.index.points.clone(),
            key_origins: noted.index.all_origins(),
            object: noted.object,
            value: noted.value,
            region,
            held: state.held.clone(),
            origins,
            near: self.nearest(state),
            rechecks,
            validated: if noted.writes {
                self.validated(state)
            } else {
                Set::new()
            },
            tested: false,
            unwrapped: false,
            taken: false,
            trail,
            when: self.when(),
            thread: None,
            threads: state.threads.clone(),
        };
        Some(self.note(part, access))
    }

    /// What a lock guards, without the lock: no reference gets that far, so it
    /// is a copy.
    pub(crate) fn is_copy(&self, path: PathId) -> bool {
        self.world.program.guarded && self.world.paths.lock_of(path).is_some()
    }

    pub(crate) fn may_be_shared(&self, path: PathId) -> bool {
        if self.world.program.guarded && self.world.paths.lock_of(path).is_some() {
            return true;
        }
        match self.world.paths.root_of(path) {
            Root::Parameter(local) => self.guardable[local.index()],
            _ => false,
        }
    }

    /// The region that guards memory.
    pub(crate) fn region_of(&self, state: &State, path: PathId) -> Option<Region> {
        if self.world.program.guarded {
            let lock = self.world.paths.lock_of(path)?;
            let regions = state.maybe.iter().rev();
            return regions
                .copied()
                .find(|region| self.regions[region.0 as usize].lock == lock);
        }
        let shared = !matches!(
            self.world.paths.root_of(path),
            Root::Local(_) | Root::Constant(_)
        );
        state.held.first().copied().filter(|_| shared)
    }
}

/// An access that is about to be noted.
pub(crate) struct Noted<'a> {
    pub(crate) path: PathId,
    pub(crate) reads: bool,
    pub(crate) writes: bool,
    pub(crate) operation: Option<Operation>,
    pub(crate) name: &'a str,
    /// Its key or index.
    pub(crate) index: Value,
    /// What it writes is a copy of this.
    pub(crate) value: Set<PathId>,
    /// What it depends on.
    pub(crate) origins: Origins,
    /// Where the object comes from, if it is a call.
    pub(crate) object: Origins,
}

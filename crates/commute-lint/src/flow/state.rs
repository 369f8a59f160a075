//! What is known at a point of a function.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::flow::path::PathId;
use crate::flow::threads::Threads;
use crate::flow::value::{Origins, Region, Set, Value, add, common};

#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) locals: Vec<Rc<Value>>,
    /// What memory of the caller holds, if it was written.
    pub(crate) cells: BTreeMap<PathId, Rc<Value>>,
    /// Regions that are held on every way here.
    pub(crate) held: Set<Region>,
    /// Regions that are held on some way here.
    pub(crate) maybe: Set<Region>,
    /// The threads that have been started.
    pub(crate) threads: Threads,
    /// What the last run of a branch depended on, by its block.
    pub(crate) branches: BTreeMap<u32, Rc<Origins>>,
}

fn join_value(into: &mut Rc<Value>, other: &Rc<Value>) -> bool {
    if Rc::ptr_eq(into, other) || into == other {
        return false;
    }
    let mut joined = Value::clone(into);
    joined.join(other);
    let changed = joined != **into;
    if changed {
        *into = Rc::new(joined);
    }
    changed
}

impl State {
    /// Joins what is known on another way here. Whether it says more.
    pub(crate) fn join(&mut self, other: &State) -> bool {
        let mut changed = false;
        for (into, other) in self.locals.iter_mut().zip(&other.locals) {
            changed |= join_value(into, other);
        }
        for (path, value) in &other.cells {
            match self.cells.get_mut(path) {
                Some(into) => changed |= join_value(into, value),
                None => {
                    self.cells.insert(*path, value.clone());
                    changed = true;
                }
            }
        }
        let held = common(&self.held, &other.held);
        changed |= held != self.held;
        self.held = held;
        for region in &other.maybe {
            if self.maybe.binary_search(region).is_err() {
                add(&mut self.maybe, *region);
                changed = true;
            }
        }
        changed |= self.threads.join(&other.threads);
        for (block, origins) in &other.branches {
            match self.branches.get_mut(block) {
                Some(into) if Rc::ptr_eq(into, origins) || into == origins => {}
                Some(into) => {
                    let mut joined = Origins::clone(into);
                    joined.join(origins);
                    if joined != **into {
                        *into = Rc::new(joined);
                        changed = true;
                    }
                }
                None => {
                    self.branches.insert(*block, origins.clone());
                    changed = true;
                }
            }
        }
        changed
    }

    /// A region begins.
    pub(crate) fn hold(&mut self, region: Region) {
        add(&mut self.held, region);
        add(&mut self.maybe, region);
    }

    /// A region ends: whatever was read in it may get stale from now on.
    pub(crate) fn release(&mut self, region: Region) {
        if let Ok(at) = self.held.binary_search(&region) {
            self.held.remove(at);
        }
        if let Ok(at) = self.maybe.binary_search(&region) {
            self.maybe.remove(at);
        }
        for value in self.locals.iter_mut().chain(self.cells.values_mut()) {
            if value.mentions(region) {
                Rc::make_mut(value).release(region);
            }
        }
        for origins in self.branches.values_mut() {
            if origins.mentions(region) {
                Rc::make_mut(origins).release(region);
            }
        }
    }

    /// The locals that own a region's guard.
    pub(crate) fn owners(&self, region: Region) -> Vec<usize> {
        let owns = |value: &Rc<Value>| value.all_guards().contains(&region);
        if self.cells.values().any(owns) {
            return Vec::new();
        }
        let locals = self.locals.iter().enumerate();
        locals
            .filter(|(_, value)| owns(value))
            .map(|(at, _)| at)
            .collect()
    }
}

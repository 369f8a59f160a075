//! What a function does with memory that others may use.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::control::Arm;
use crate::flow::path::PathId;
use crate::flow::threads::Threads;
use crate::flow::value::{Origins, Region, Set, Value};
use crate::ir::{FieldId, FunctionId, Mode, Operation, Site};

/// What is deeper in calls is told as if it were in the last of so many.
pub(crate) const LONGEST: usize = 9;

/// Where something happens: the place in this function, then in the function
/// it calls there, and so on.
pub(crate) type Trail = Arc<[(FunctionId, Site)]>;

/// An access to memory.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Access {
    pub(crate) path: PathId,
    pub(crate) reads: bool,
    pub(crate) writes: bool,
    /// The operation, if it is one of a library; plain reads and writes have none.
    pub(crate) operation: Option<Operation>,
    /// What it is in a report: `HashMap::insert`.
    pub(crate) name: Arc<str>,
    /// What its key or index is a copy of, if that is known.
    pub(crate) key: Set<PathId>,
    /// What it writes is a copy of this, if that is known.
    pub(crate) value: Set<PathId>,
    /// The region it is in.
    pub(crate) region: Option<Region>,
    /// All regions that are held.
    pub(crate) held: Set<Region>,
    /// What it depends on: what is written, keys, and what decides that it
    /// happens.
    pub(crate) origins: Origins,
    /// The reads that made the last decision before it.
    pub(crate) near: Set<u32>,
    /// What was looked at again in the same region before it was decided.
    pub(crate) rechecks: Set<PathId>,
    /// Regions whose reads were compared with what is there now.
    pub(crate) validated: Set<Region>,
    /// Whether its result is looked at.
    pub(crate) tested: bool,
    /// Whether its result is taken for granted: `unwrap`.
    pub(crate) unwrapped: bool,
    /// Whether what it found was removed before its region ended.
    pub(crate) taken: bool,
    /// What its key or index depends on.
    pub(crate) key_origins: Origins,
    /// Where the object comes from, if it is a call.
    pub(crate) object: Origins,
    pub(crate) trail: Trail,
    /// The branches that lead to it, in the innermost function.
    pub(crate) when: Arc<[Arm]>,
    /// The thread that does it, if the function starts one for it.
    pub(crate) thread: Option<u32>,
    /// If none does: the threads that there are by then.
    pub(crate) threads: Threads,
}

/// A region of a function, or of one that it calls.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct RegionInfo {
    pub(crate) lock: PathId,
    pub(crate) mode: Mode,
    /// Whether it is one operation only.
    pub(crate) single: bool,
    pub(crate) trail: Trail,
    /// Where it ends.
    pub(crate) ends: Set<Site>,
    /// Whether it is given up in between, to wait.
    pub(crate) waits: bool,
    /// Whether it is so outside of loops: nothing is looked at again.
    pub(crate) waits_once: bool,
}

/// A thread that a function starts.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ThreadInfo {
    pub(crate) trail: Trail,
    /// Whether the function may start several.
    pub(crate) several: bool,
    /// The functions on the way that start only one each time they run: what
    /// they make for it, no other of these threads has.
    pub(crate) once_in: Vec<FunctionId>,
    pub(crate) body: FunctionId,
}

/// What callers need to know of a function. Paths begin with its parameters.
#[derive(Clone, Default, PartialEq, Debug)]
pub(crate) struct Summary {
    pub(crate) result: Value,
    /// What was read that the result is made of, not only decided by.
    pub(crate) given: BTreeSet<PathId>,
    pub(crate) accesses: Vec<Access>,
    /// Those of the accesses and of what is returned, by their numbers.
    pub(crate) regions: BTreeMap<Region, RegionInfo>,
    /// Whether it has any, or calls somebody who has.
    pub(crate) locks: bool,
    pub(crate) threads: Vec<ThreadInfo>,
    /// Which of them may still run when it ends.
    pub(crate) running: Set<u32>,
    /// What memory of the caller holds afterwards.
    pub(crate) outputs: Vec<(PathId, Value)>,
    /// Pointers that are stored in fields.
    pub(crate) stored: Vec<(PathId, FieldId)>,
    /// Whether something was left out.
    pub(crate) cut: bool,
}

impl Summary {
    /// All callers were told: what only they need is forgotten.
    pub(crate) fn forget(&mut self) {
        self.accesses = Vec::new();
        self.regions = BTreeMap::new();
        self.outputs = Vec::new();
    }
}

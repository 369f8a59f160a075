//! Correlations (MoTH, §4, Definitions 1 and 2).
//!
//! A direct correlation is a way in the dependency graph. A common correlation
//! of two variables that were read is a third one that was written and that a
//! way leads to from both.
//!
//! Deviation: values that are arguments of one call, that decide about it or
//! that decide one branch are correlated, too. By the letter a method that compares its arguments and
//! assigns nothing correlates nothing, and the paper's result for Coord03 came
//! from an accident in the library.
//!
//! Cost: what is reached is found once for each variable and region that is
//! asked for.

use rustc_hash::FxHashMap;

use super::dependencies::Dependencies;
use super::graph::Label;
use super::variables::{Global, Variable};

/// Visits of nodes after which no more is asked.
const EFFORT: usize = 200_000_000;

/// A variable, and the region that it was read in.
type Read = (Global, u32);

/// Answers whether variables that were read are correlated.
pub(crate) struct Correlations<'a> {
    found: &'a Dependencies,
    /// The versions of a variable in a region.
    versions: FxHashMap<Read, Vec<u32>>,
    reached: FxHashMap<Read, Vec<u32>>,
    kept: usize,
    spent: usize,
    pairs: FxHashMap<(Read, Read), bool>,
}

impl<'a> Correlations<'a> {
    pub(crate) fn new(found: &'a Dependencies) -> Correlations<'a> {
        Correlations {
            found,
            versions: versions(found),
            reached: FxHashMap::default(),
            kept: 0,
            spent: 0,
            pairs: FxHashMap::default(),
        }
    }

    /// Whether the answer was given up at least once.
    pub(crate) fn gave_up(&self) -> bool {
        self.spent > EFFORT
    }

    fn reach(&mut self, of: Read) {
        if !self.reached.contains_key(&of) {
            let from = self.versions.get(&of).map_or(&[][..], Vec::as_slice);
            let reached = self.found.graph.reached(from);
            self.spent += reached.len();
            self.kept += reached.len();
            if self.kept > EFFORT / 4 {
                self.reached.clear();
                self.kept = reached.len();
            }
            self.reached.insert(of, reached);
        }
    }

    /// Definition 2: a variable that is neither of the two and depends on both,
    /// one as it was read in its region, the other in its own.
    pub(crate) fn common(&mut self, one: Read, other: Read) -> bool {
        if let Some(known) = self.pairs.get(&(one, other)) {
            return *known;
        }
        if self.gave_up() {
            return false;
        }
        self.reach(one);
        let left = self.reached.get(&one).cloned().unwrap_or_default();
        self.reach(other);
        let right = self.reached.get(&other).map_or(&[][..], Vec::as_slice);
        self.spent += left.len().min(right.len());
        let (few, many) = match left.len() < right.len() {
            true => (left.as_slice(), right),
            false => (right, left.as_slice()),
        };
        let nodes = &self.found.graph.nodes;
        let common = few.iter().any(|node| {
            is_third(nodes[*node as usize].label, one.0, other.0)
                && many.binary_search(node).is_ok()
        });
        self.pairs.insert((one, other), common);
        self.pairs.insert((other, one), common);
        common
    }
}

/// Whether a node is written, and neither of the two variables.
fn is_third(label: Label, one: Global, other: Global) -> bool {
    match label {
        Label::Version {
            variable: Variable::Global(global),
            entry,
        } => !entry && global != one && global != other,
        Label::Version { entry, .. } => !entry,
        Label::Parameter(_) | Label::Result | Label::Together | Label::Branch => true,
        Label::Use(_) | Label::Context | Label::Left(_) | Label::After(_) => false,
    }
}

/// Definition 10 (atomic variable versions): the versions of global variables
/// in regions.
pub(crate) fn versions(found: &Dependencies) -> FxHashMap<Read, Vec<u32>> {
    let mut versions: FxHashMap<Read, Vec<u32>> = FxHashMap::default();
    for (index, node) in found.graph.nodes.iter().enumerate() {
        if let Label::Version {
            variable: Variable::Global(global),
            ..
        } = node.label
            && let Some(region) = node.region
        {
            versions
                .entry((global, region))
                .or_default()
                .push(index as u32);
        }
    }
    versions
}

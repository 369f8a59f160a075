//! The dependency graph D (MoTH, §4): versions of variables, and which
//! influences which.
//!
//! | paper | here |
//! |---|---|
//! | `(x, h, m)` | [`Label::Version`], with the node's site and region |
//! | `(x, h?, m)` | the same, with `entry` |
//! | `meth.p_i`, `meth.ret` | [`Label::Parameter`], [`Label::Result`] |
//! | `v ↪→ w` | an edge, of data or of control |
//!
//! Some nodes are no versions. They stand between versions so that the graph
//! stays small: with [`Label::Branch`] for the versions in a condition, what
//! the condition guards needs one edge, not one for each. Ways between
//! versions are the same.

use super::variables::{Global, Variable};
use crate::ir::Site;

/// Which region a node is in; `None` is the paper's ⊥.
pub(crate) type RegionId = Option<u32>;

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Label {
    /// A version of a variable; `entry` if it is the one with `h?`.
    Version { variable: Variable, entry: bool },
    /// `meth.p_i`; 0 is `this` or the first parameter.
    Parameter(u32),
    /// `meth.ret`.
    Result,
    /// A read of a global variable with an index, a key or arguments.
    Use(Global),
    /// The arguments of one call.
    Together,
    /// The condition of a branch.
    Branch,
    /// `IS` where the method is called.
    Context,
    /// The versions with which a method leaves a variable.
    Left(Global),
    /// The versions with which a call leaves a variable.
    After(Global),
}

impl Label {
    /// Whether it is a variable's version, a parameter or a result: what the
    /// paper's graph consists of.
    pub(crate) fn is_version(self) -> bool {
        matches!(
            self,
            Label::Version { .. } | Label::Parameter(_) | Label::Result
        )
    }
}

/// A node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) label: Label,
    pub(crate) region: RegionId,
    pub(crate) instance: u32,
    pub(crate) site: Site,
}

/// Where a dependency leads, and whether by data.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Edge {
    pub(crate) to: u32,
    pub(crate) data: bool,
}

/// The graph.
#[derive(Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    starts: Vec<u32>,
    edges: Vec<Edge>,
}

impl Graph {
    pub(crate) fn new(nodes: Vec<Node>, mut pairs: Vec<(u32, Edge)>) -> Graph {
        // Data before control: of two edges between the same nodes it is the
        // stronger one.
        pairs.sort_unstable_by_key(|(from, edge)| (*from, edge.to, !edge.data));
        pairs.dedup_by_key(|(from, edge)| (*from, edge.to));
        let mut starts = vec![0; nodes.len() + 1];
        for (from, _) in &pairs {
            starts[*from as usize + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        Graph {
            nodes,
            starts,
            edges: pairs.into_iter().map(|(_, edge)| edge).collect(),
        }
    }

    pub(crate) fn after(&self, node: u32) -> &[Edge] {
        let from = self.starts[node as usize] as usize;
        let to = self.starts[node as usize + 1] as usize;
        &self.edges[from..to]
    }

    /// Definition 1 (direct correlation): a shortest way from one of these nodes
    /// to one that is wanted. A way has a state besides its node; `next` says
    /// which it has after an edge, if it may take the edge.
    pub(crate) fn way<S: Copy + Eq + std::hash::Hash>(
        &self,
        from: &[u32],
        state: S,
        next: impl Fn(u32, S, Edge) -> Option<S>,
        wanted: impl Fn(u32, S) -> bool,
    ) -> Option<Vec<u32>> {
        let mut before: rustc_hash::FxHashMap<(u32, S), Option<(u32, S)>> =
            rustc_hash::FxHashMap::default();
        let mut queue = std::collections::VecDeque::new();
        for start in from {
            before.insert((*start, state), None);
            queue.push_back((*start, state));
        }
        while let Some(here) = queue.pop_front() {
            if before[&here].is_some() && wanted(here.0, here.1) {
                let mut way = vec![here.0];
                let mut step = here;
                while let Some(earlier) = before[&step] {
                    way.push(earlier.0);
                    step = earlier;
                }
                way.reverse();
                return Some(way);
            }
            for edge in self.after(here.0) {
                if let Some(state) = next(here.0, here.1, *edge) {
                    let there = (edge.to, state);
                    before.entry(there).or_insert_with(|| {
                        queue.push_back(there);
                        Some(here)
                    });
                }
            }
        }
        None
    }

    /// All nodes that are reached from these by one dependency or more.
    pub(crate) fn reached(&self, from: &[u32]) -> Vec<u32> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut found = Vec::new();
        let mut waiting = from.to_vec();
        while let Some(node) = waiting.pop() {
            for edge in self.after(node) {
                if seen.insert(edge.to) {
                    found.push(edge.to);
                    waiting.push(edge.to);
                }
            }
        }
        found.sort_unstable();
        found
    }
}

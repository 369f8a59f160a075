//! Stale-value errors (MoTH, §5.2, Definitions 10 and 11).
//!
//! `D_V` has an edge (m1, x, m2) if a version of `x` in m1 is directly
//! correlated with a version of a global variable in m2. It is an error if any
//! process writes `x`.
//!
//! Deviations: with `reads`, a read in m2 whose index, key or argument depends
//! on `x` counts like a write. For m1 = m2 the paper asks for a way from
//! `m.ret` to `m.p_i`; here the value must leave the region, stay outside of
//! all regions, and come back as data. So regions that are no methods are
//! covered, and a loop that tries again with a value it has just read
//! (DoubleCheck) does not make its region depend on itself.
//!
//! Cost: 64 pairs of variable and region are followed in one pass over the
//! graph, in reverse postorder, until nothing changes: (pairs / 64) · edges ·
//! loops.

use std::collections::BTreeMap;

use super::bits::Bits;
use super::correlation::versions;
use super::dependencies::{Dependencies, enters};
use super::graph::{Edge, Graph};
use super::variables::Global;

/// An edge of `D_V`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Stale {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) variable: Global,
}

/// The edges of `D_V` for the variables that satisfy the condition.
pub(crate) fn view_dependencies(
    found: &Dependencies,
    reads: bool,
    variable: impl Fn(Global) -> bool,
) -> Vec<Stale> {
    let graph = &found.graph;
    let by_pair: BTreeMap<(Global, u32), Vec<u32>> = versions(found)
        .into_iter()
        .filter(|((global, _), _)| variable(*global))
        .filter(|(_, nodes)| nodes.iter().any(|node| !graph.after(*node).is_empty()))
        .collect();
    let sources: Vec<((Global, u32), Vec<u32>)> = by_pair.into_iter().collect();
    let order = reverse_postorder(graph);
    let fresh = fresh(graph);
    let mut edges = Vec::new();
    for batch in sources.chunks(64) {
        let pass = Pass::run(found, &order, &fresh, batch);
        for (index, node) in graph.nodes.iter().enumerate() {
            let (Some(_), Some(region)) = (enters(node.label, reads), node.region) else {
                continue;
            };
            let own = pass.own(region);
            let mut bits = (pass.reached[index] & !own) | (pass.back[index] & own);
            while bits != 0 {
                let ((variable, from), _) = &batch[bits.trailing_zeros() as usize];
                bits &= bits - 1;
                edges.push(Stale {
                    from: *from,
                    to: region,
                    variable: *variable,
                });
            }
        }
        edges.sort_unstable();
        edges.dedup();
    }
    edges
}

/// Where a value is on its way out of a region and back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Phase {
    /// In its region, or in some other.
    Inside,
    /// It left its region and was in none since.
    Outside,
    /// It came back into its region, as data.
    Back,
}

/// The nodes outside of regions whose data was, all of it, read in regions.
/// What decided that it was read makes it no older.
pub(crate) fn fresh(graph: &Graph) -> Bits {
    let inside = |node: usize| graph.nodes[node].region.is_some();
    let data = |node: usize| graph.after(node as u32).iter().filter(|edge| edge.data);
    let mut missing = vec![0u32; graph.nodes.len()];
    for node in 0..graph.nodes.len() {
        data(node).for_each(|edge| missing[edge.to as usize] += 1);
    }
    let mut fresh = Bits::new(graph.nodes.len());
    let mut waiting: Vec<usize> = (0..graph.nodes.len())
        .filter(|node| inside(*node))
        .collect();
    while let Some(node) = waiting.pop() {
        for edge in data(node) {
            let to = edge.to as usize;
            missing[to] -= 1;
            if missing[to] == 0 && !inside(to) && fresh.insert(to) {
                waiting.push(to);
            }
        }
    }
    fresh
}

/// Whether a value that follows a dependency is outside of regions afterwards.
pub(crate) fn stays_outside(graph: &Graph, fresh: &Bits, edge: Edge) -> bool {
    let to = &graph.nodes[edge.to as usize];
    to.region.is_none() && (edge.data || !fresh.contains(edge.to as usize))
}

/// What one pass over the graph finds, for 64 pairs at once.
struct Pass {
    /// The pairs whose region is this one.
    of_region: BTreeMap<u32, u64>,
    /// Which pairs reach a node.
    reached: Vec<u64>,
    /// Which pairs left their region and were outside of all since.
    outside: Vec<u64>,
    /// Which pairs came back into their region, as data.
    back: Vec<u64>,
}

impl Pass {
    fn own(&self, region: u32) -> u64 {
        self.of_region.get(&region).copied().unwrap_or(0)
    }

    fn run(
        found: &Dependencies,
        order: &Order,
        fresh: &Bits,
        batch: &[((Global, u32), Vec<u32>)],
    ) -> Pass {
        let graph = &found.graph;
        let nodes = graph.nodes.len();
        let mut pass = Pass {
            of_region: BTreeMap::new(),
            reached: vec![0; nodes],
            outside: vec![0; nodes],
            back: vec![0; nodes],
        };
        // A source is not reached by itself; what it leads to is.
        let mut begins = vec![0u64; nodes];
        for (bit, ((_, region), versions)) in batch.iter().enumerate() {
            *pass.of_region.entry(*region).or_default() |= 1 << bit;
            for version in versions {
                begins[*version as usize] |= 1 << bit;
            }
        }
        let mut waiting = Bits::new(nodes);
        let starts = batch.iter().flat_map(|(_, versions)| versions);
        starts.for_each(|node| {
            waiting.insert(order.position[*node as usize] as usize);
        });
        // From the front, again and again: few edges lead back.
        while let Some(mut next) = waiting.first_from(0) {
            loop {
                waiting.remove(next);
                let at = order.nodes[next] as usize;
                let here = pass.reached[at] | begins[at];
                let inside = graph.nodes[at].region.map_or(0, |region| pass.own(region));
                for edge in graph.after(at as u32) {
                    let stays = stays_outside(graph, fresh, *edge);
                    if pass.follow(graph, (at, *edge), stays, here, inside) {
                        waiting.insert(order.position[edge.to as usize] as usize);
                    }
                }
                match waiting.first_from(next) {
                    Some(later) => next = later,
                    None => break,
                }
            }
        }
        pass
    }

    fn follow(
        &mut self,
        graph: &Graph,
        (at, edge): (usize, Edge),
        stays: bool,
        here: u64,
        inside: u64,
    ) -> bool {
        let to = edge.to as usize;
        let region = graph.nodes[to].region;
        let own = region.map_or(0, |region| self.own(region));
        let outside = match stays {
            // Left just now, or outside already.
            true => (here & inside) | self.outside[at],
            false => 0,
        };
        let entering = match edge.data && graph.nodes[at].region != region {
            true => self.outside[at] & own,
            false => 0,
        };
        let before = (self.reached[to], self.outside[to], self.back[to]);
        self.reached[to] |= here;
        self.outside[to] |= outside;
        self.back[to] |= self.back[at] | entering;
        before != (self.reached[to], self.outside[to], self.back[to])
    }
}

/// Nodes before what they lead to, as far as there are no cycles.
struct Order {
    nodes: Vec<u32>,
    position: Vec<u32>,
}

fn reverse_postorder(graph: &Graph) -> Order {
    let mut seen = Bits::new(graph.nodes.len());
    let mut order = Vec::with_capacity(graph.nodes.len());
    for root in 0..graph.nodes.len() as u32 {
        if !seen.insert(root as usize) {
            continue;
        }
        let mut stack = vec![(root, 0)];
        while let Some((node, next)) = stack.pop() {
            match graph.after(node).get(next) {
                Some(edge) => {
                    stack.push((node, next + 1));
                    if seen.insert(edge.to as usize) {
                        stack.push((edge.to, 0));
                    }
                }
                None => order.push(node),
            }
        }
    }
    order.reverse();
    let mut position = vec![0; order.len()];
    for (index, node) in order.iter().enumerate() {
        position[*node as usize] = index as u32;
    }
    Order {
        nodes: order,
        position,
    }
}

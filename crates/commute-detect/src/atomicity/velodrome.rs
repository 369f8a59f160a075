//! Velodrome (Flanagan, Freund and Yi, PLDI 2008): the graph of transactions.
//!
//! Claims: a cycle is reported at the first event after which Definition 1 has a
//! witness, with the two events of every edge. Later reports are true cycles
//! too: the edge that would close a cycle is not added.
//!
//! The graph is kept in a topological order that is mended where a new edge
//! contradicts it (Pearce and Kelly, 2006), so an edge costs only what it
//! reorders. A transaction that has ended and has no incoming edge can never be
//! on a cycle and is thrown away.
//!
//! Threads are slots ([`slots`](crate::slots)): a forked thread takes over the slot of a
//! joined one whose last transaction was thrown away. Then so were all of its transactions,
//! and what comes after them does not matter any more.
//!
//! Deviations: an event outside any block is a node of its own only if it has
//! conflicts.

use commute_model::{BlockId, Event, LocationId, Op, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::algorithm::{Algorithm, Party, Violation};
use super::cycle::{Cycle, Edge, Occurrence, OrderedBy, Transaction};
use super::touches::{Order, Touches};

/// The state of the algorithm.
#[derive(Clone, Debug)]
pub(super) struct Velodrome {
    threads: Vec<Thread>,
    nodes: Vec<Node>,
    free: Vec<u32>,
    edges: FxHashSet<(u32, u32)>,
    /// The rank of the next node.
    rank: u64,
    current: Occurrence,
    /// The slot of its thread.
    slot: u32,
    /// Why the current event comes after others.
    ordered_by: OrderedBy,
    found: Vec<Violation>,
    /// How many more edges may be followed in search of cycles.
    steps: u64,
}

impl Default for Velodrome {
    fn default() -> Velodrome {
        Velodrome {
            threads: Vec::new(),
            nodes: Vec::new(),
            free: Vec::new(),
            edges: FxHashSet::default(),
            rank: 0,
            current: Occurrence {
                thread: ThreadId(0),
                index: 0,
                location: LocationId(0),
                op: Op::Dummy,
            },
            slot: 0,
            ordered_by: OrderedBy::Conflict,
            found: Vec::new(),
            steps: u64::MAX,
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Thread {
    /// The node of its open transaction, or of the current event.
    node: Option<u32>,
    in_block: bool,
    /// Its last node before that, and the last event of it.
    last: Option<Stamp>,
    /// Its last event.
    latest: Option<Occurrence>,
    /// Forks that its next event comes after.
    forks: Vec<Stamp>,
}

/// A node that may have been thrown away, and an event of it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Stamp {
    node: u32,
    generation: u32,
    event: Occurrence,
}

#[derive(Clone, Debug)]
struct Node {
    /// How many nodes were at this place before.
    generation: u32,
    /// Nodes with an edge to this one have a lower rank.
    rank: u64,
    transaction: Transaction,
    out: Vec<(u32, Edge)>,
    into: Vec<u32>,
}

impl Velodrome {
    /// Follows at most so many edges in search of cycles, and then gives up.
    pub(super) fn limit(&mut self, steps: u64) {
        self.steps = steps;
    }

    fn thread(&mut self, t: u32) -> &mut Thread {
        let place = t as usize;
        if place >= self.threads.len() {
            self.threads.resize_with(place + 1, Thread::default);
        }
        &mut self.threads[place]
    }

    /// The node of the current event, of thread `t`.
    fn node(&mut self, t: u32) -> u32 {
        if let Some(node) = self.threads[t as usize].node {
            return node;
        }
        let node = self.new_node(None, true);
        self.threads[t as usize].node = Some(node);
        self.follow(t, node);
        node
    }

    /// `node` comes after what its thread did before.
    fn follow(&mut self, t: u32, node: u32) {
        if let Some(last) = self.threads[t as usize].last.take() {
            self.add_edge(&last, node);
        }
    }

    fn new_node(&mut self, block: Option<BlockId>, unary: bool) -> u32 {
        let here = (self.current.index, self.current.location);
        let transaction = Transaction {
            thread: self.current.thread,
            block,
            unary,
            first: here,
            last: here,
            ended: unary,
        };
        self.rank += 1;
        let rank = self.rank;
        if let Some(id) = self.free.pop() {
            let node = &mut self.nodes[id as usize];
            node.rank = rank;
            node.transaction = transaction;
            return id;
        }
        self.nodes.push(Node {
            generation: 0,
            rank,
            transaction,
            out: Vec::new(),
            into: Vec::new(),
        });
        self.nodes.len() as u32 - 1
    }

    /// The current event, of node `to`, comes after that of `stamp`.
    fn add_edge(&mut self, stamp: &Stamp, to: u32) {
        let from = stamp.node;
        let gone = self.nodes[from as usize].generation != stamp.generation;
        if gone || from == to {
            return;
        }
        let edge = Edge {
            earlier: stamp.event.clone(),
            later: self.current.clone(),
            ordered_by: self.ordered_by,
        };
        if self.edges.contains(&(from, to)) {
            let out = &mut self.nodes[from as usize].out;
            // The edge to the transaction that runs now is among the last.
            if let Some((_, known)) = out.iter_mut().rev().find(|(node, _)| *node == to) {
                known.improve(&edge);
            }
            return;
        }
        let rank = |node: u32| self.nodes[node as usize].rank;
        if rank(from) > rank(to) && !self.reorder(from, to) {
            self.report(from, to, edge);
            return;
        }
        self.edges.insert((from, to));
        self.nodes[from as usize].out.push((to, edge));
        self.nodes[to as usize].into.push(from);
    }

    /// Makes the rank of `from` lower than that of `to`; false if there is a
    /// path from `to` to `from`.
    fn reorder(&mut self, from: u32, to: u32) -> bool {
        let (low, high) = (self.nodes[to as usize].rank, self.nodes[from as usize].rank);
        let nodes = &self.nodes;
        let search = |start: u32, next: &dyn Fn(u32, &mut Vec<u32>)| {
            let mut seen = vec![start];
            let mut known: FxHashSet<u32> = [start].into_iter().collect();
            let (mut neighbours, mut steps) = (Vec::new(), 0);
            let mut i = 0;
            while i < seen.len() {
                next(seen[i], &mut neighbours);
                steps += neighbours.len() as u64 + 1;
                for node in neighbours.drain(..) {
                    let rank = nodes[node as usize].rank;
                    if low <= rank && rank <= high && known.insert(node) {
                        seen.push(node);
                    }
                }
                i += 1;
            }
            (seen, steps)
        };
        let out = |node: u32, next: &mut Vec<u32>| {
            next.extend(nodes[node as usize].out.iter().map(|(to, _)| *to));
        };
        let into = |node: u32, next: &mut Vec<u32>| next.extend(&nodes[node as usize].into);
        let (mut forward, steps) = search(to, &out);
        self.steps = self.steps.saturating_sub(steps);
        if forward.contains(&from) {
            return false;
        }
        let (mut backward, steps) = search(from, &into);
        self.steps = self.steps.saturating_sub(steps);
        forward.sort_unstable_by_key(|&node| nodes[node as usize].rank);
        backward.sort_unstable_by_key(|&node| nodes[node as usize].rank);
        backward.append(&mut forward);
        let mut ranks: Vec<u64> = backward.iter().map(|&n| nodes[n as usize].rank).collect();
        ranks.sort_unstable();
        for (node, rank) in backward.into_iter().zip(ranks) {
            self.nodes[node as usize].rank = rank;
        }
        true
    }

    /// The edge would close a cycle: reports it with the shortest path back.
    fn report(&mut self, from: u32, to: u32, edge: Edge) {
        let mut came: FxHashMap<u32, (u32, usize)> = FxHashMap::default();
        let mut queue = vec![to];
        let mut i = 0;
        while !came.contains_key(&from) {
            let node = queue[i];
            i += 1;
            let out = self.nodes[node as usize].out.len() as u64;
            self.steps = self.steps.saturating_sub(out);
            for (place, (next, _)) in self.nodes[node as usize].out.iter().enumerate() {
                if *next != to && !came.contains_key(next) {
                    came.insert(*next, (node, place));
                    queue.push(*next);
                }
            }
        }
        let mut cycle = Cycle {
            transactions: Vec::new(),
            edges: vec![edge],
        };
        let mut node = from;
        loop {
            let transaction = &self.nodes[node as usize].transaction;
            cycle.transactions.push(transaction.clone());
            let Some(&(before, place)) = came.get(&node) else {
                break;
            };
            let (_, edge) = &self.nodes[before as usize].out[place];
            cycle.edges.push(edge.clone());
            node = before;
        }
        cycle.transactions.reverse();
        cycle.edges.reverse();
        let other = cycle.transactions[cycle.transactions.len() - 1].thread;
        self.found.push(Violation {
            slot: self.slot,
            other: Party::Thread(other),
            cycle: Some(Box::new(cycle)),
        });
    }

    /// Throws a node away if it can be on no cycle, and then its successors.
    fn collect(&mut self, node: u32) {
        let mut stack = vec![node];
        while let Some(id) = stack.pop() {
            let node = &mut self.nodes[id as usize];
            if !node.transaction.ended || !node.into.is_empty() {
                continue;
            }
            node.generation += 1;
            // It may be on the stack again, for another predecessor.
            node.transaction.ended = false;
            self.free.push(id);
            for (to, _) in std::mem::take(&mut node.out) {
                self.edges.remove(&(id, to));
                self.nodes[to as usize].into.retain(|&from| from != id);
                stack.push(to);
            }
        }
    }

    /// The current event comes after the forks of its thread.
    fn arrive(&mut self, t: u32) {
        for stamp in std::mem::take(&mut self.threads[t as usize].forks) {
            if !self.is_over(&stamp) {
                let node = self.node(t);
                self.add_edge(&stamp, node);
            }
        }
    }

    /// The transaction of `t` is over.
    fn leave(&mut self, t: u32) {
        if let Some(node) = self.threads[t as usize].node.take() {
            self.threads[t as usize].last = Some(Stamp {
                node,
                generation: self.nodes[node as usize].generation,
                event: self.current.clone(),
            });
            self.collect(node);
        }
    }
}

impl Order for Velodrome {
    type Stamp = Stamp;

    fn after(&mut self, t: u32, u: u32, stamp: &Stamp) {
        let alive = self.nodes[stamp.node as usize].generation == stamp.generation;
        if u != t && alive {
            let node = self.node(t);
            self.add_edge(stamp, node);
        }
    }

    fn ordered_by(&mut self, by: OrderedBy) {
        self.ordered_by = by;
    }

    fn is_over(&self, stamp: &Stamp) -> bool {
        self.nodes[stamp.node as usize].generation != stamp.generation
    }

    fn stamp(&mut self, t: u32) -> Stamp {
        let node = self.node(t);
        Stamp {
            node,
            generation: self.nodes[node as usize].generation,
            event: self.current.clone(),
        }
    }
}

impl Algorithm for Velodrome {
    fn event(&mut self, t: u32, index: u64, event: &Event) {
        self.current = Occurrence::of(index, event);
        self.slot = t;
        self.thread(t).latest = Some(self.current.clone());
        if let Some(node) = self.threads[t as usize].node {
            self.nodes[node as usize].transaction.last = (index, event.location);
        }
        self.arrive(t);
    }

    fn begin(&mut self, t: u32, index: u64, event: &Event) {
        self.current = Occurrence::of(index, event);
        self.slot = t;
        let block = match event.op {
            Op::Begin(block) => block,
            _ => None,
        };
        let node = self.new_node(block, false);
        let latest = Some(self.current.clone());
        let thread = self.thread(t);
        thread.latest = latest;
        thread.node = Some(node);
        thread.in_block = true;
        self.follow(t, node);
        self.arrive(t);
    }

    fn end(&mut self, t: u32, _touches: &mut Touches<Stamp>) {
        if let Some(node) = self.threads[t as usize].node {
            self.nodes[node as usize].transaction.ended = true;
        }
        self.threads[t as usize].in_block = false;
        self.leave(t);
    }

    fn fork(&mut self, t: u32, u: u32) {
        let stamp = self.stamp(t);
        self.thread(u).forks.push(stamp);
    }

    fn join(&mut self, t: u32, u: u32) {
        let child = self.thread(u);
        let stamp = match (child.node, &child.latest) {
            (Some(node), Some(event)) => Some(Stamp {
                node,
                event: event.clone(),
                generation: self.nodes[node as usize].generation,
            }),
            _ => child.last.clone(),
        };
        if let Some(stamp) = stamp {
            self.after(t, u, &stamp);
        }
    }

    fn is_unused(&self) -> bool {
        self.threads.is_empty()
    }

    fn is_known(&self, _t: u32, u: u32, _is_own: bool) -> bool {
        self.threads.get(u as usize).is_none_or(|thread| {
            let last = thread.last.as_ref();
            let mut before = last.into_iter().chain(&thread.forks);
            thread.node.is_none() && before.all(|stamp| self.is_over(stamp))
        })
    }

    fn take_over(&mut self, _t: u32, u: u32, _last: ThreadId) -> u32 {
        *self.thread(u) = Thread::default();
        0
    }

    fn resume(&mut self, _t: u32, _thread: ThreadId) {}

    fn join_past(&mut self, _t: u32, _thread: ThreadId) {}

    fn is_exhausted(&self) -> bool {
        self.steps == 0
    }

    fn done(&mut self, t: u32) {
        if !self.threads[t as usize].in_block {
            self.leave(t);
        }
    }

    fn found(&mut self) -> &mut Vec<Violation> {
        &mut self.found
    }
}

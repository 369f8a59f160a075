//! What threads do, as far as it was seen: after each history of results, the next
//! operation.

use std::hash::Hasher;

use commute_model::Value;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use smallvec::SmallVec;

use crate::digest;
use crate::words::{OpId, ResultId, ThreadId};

/// A place in the code of a thread: the history of results that led there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

/// How a thread ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// It returned.
    Returned,
    /// It panicked, with this message.
    Panicked(String),
}

/// What a thread does at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// This.
    Op(OpId),
    /// Nothing more.
    Ended(End),
    /// It looks again at what it saw since that place, until that changes.
    Spins(NodeId),
}

#[derive(Debug)]
struct Node {
    thread: ThreadId,
    /// From where, and by which result. Of a root: the place of the parent that
    /// started the thread.
    parent: Option<(NodeId, ResultId)>,
    depth: u32,
    /// The same for the same history in every process.
    digest: u64,
    /// Of threads that may be exchanged: the same for the same operations and results,
    /// whoever did and got them.
    likeness: u64,
    next: Option<Next>,
    children: SmallVec<[(ResultId, NodeId); 2]>,
}

/// The code of all threads.
#[derive(Debug, Default)]
pub(crate) struct Code {
    nodes: Vec<Node>,
    roots: FxHashMap<(ThreadId, Option<NodeId>), NodeId>,
    has_spins: bool,
    /// Where rounds of several looks begin.
    rounds: FxHashSet<NodeId>,
}

impl Code {
    /// Where a thread begins that was started at `by`, if anybody was there.
    pub(crate) fn known_root(&self, thread: ThreadId, by: Option<NodeId>) -> Option<NodeId> {
        self.roots.get(&(thread, by)).copied()
    }

    /// Where a thread begins that was started at `by`: what it captured depends on what
    /// its parent had seen. `like` is where the first was started of those that do the
    /// same, `number` what it is known by if nobody started it.
    pub(crate) fn root(
        &mut self,
        thread: ThreadId,
        by: Option<NodeId>,
        like: Option<NodeId>,
        number: u64,
    ) -> NodeId {
        // Who has nothing from others is known by the number.
        let digest = like.or(by).map_or(number, |by| self.digest(by));
        let root = self.add(thread, None, 0, mixed(digest, ROOT));
        self.nodes[root.0 as usize].likeness = mixed(digest, ROOT);
        self.roots.insert((thread, by), root);
        root
    }

    fn add(
        &mut self,
        thread: ThreadId,
        parent: Option<(NodeId, ResultId)>,
        depth: u32,
        digest: u64,
    ) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 places"));
        self.nodes.push(Node {
            thread,
            parent,
            depth,
            digest,
            likeness: ROOT,
            next: None,
            children: SmallVec::new(),
        });
        id
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// What is done there, if that is known.
    pub(crate) fn next(&self, id: NodeId) -> Option<&Next> {
        self.node(id).next.as_ref()
    }

    /// Learns what is done there. What is known already comes back if it is something
    /// else.
    pub(crate) fn learn(&mut self, id: NodeId, next: Next) -> Result<(), Next> {
        let depth = self.depth(id);
        if let Next::Spins(back) = next {
            self.has_spins = true;
            if depth > self.depth(back) + 1 {
                self.rounds.insert(back);
            }
        }
        let node = &mut self.nodes[id.0 as usize];
        match &node.next {
            None => node.next = Some(next),
            Some(known) if *known != next => return Err(known.clone()),
            Some(_) => {}
        }
        Ok(())
    }

    /// All places.
    pub(crate) fn places(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// What is done there is known by another name.
    pub(crate) fn replace(&mut self, id: NodeId, next: Next) {
        self.nodes[id.0 as usize].next = Some(next);
    }

    /// Forgets what is done anywhere. Places stay what they are.
    pub(crate) fn forget(&mut self) {
        for node in &mut self.nodes {
            node.next = None;
        }
        self.has_spins = false;
        self.rounds.clear();
    }

    /// Whether a thread may come back there after it looked at several things.
    pub(crate) fn begins_round(&self, id: NodeId) -> bool {
        self.rounds.contains(&id)
    }

    /// Whether some thread looks at something again and again.
    pub(crate) fn has_spins(&self) -> bool {
        self.has_spins
    }

    /// What tells a place from others, in every process; but not from those where somebody
    /// is who does the same.
    pub(crate) fn digest(&self, id: NodeId) -> u64 {
        self.node(id).digest
    }

    /// Where the operation that is done there leads, if it returns `result`, which is
    /// this value; nobody has been there. `does` is what makes two such steps alike.
    pub(crate) fn after(
        &mut self,
        id: NodeId,
        result: ResultId,
        value: &Value,
        does: u64,
    ) -> NodeId {
        let node = self.node(id);
        let (thread, depth) = (node.thread, node.depth + 1);
        let mut hasher = FxHasher::default();
        digest::write(value, &mut hasher);
        let digest = mixed(node.digest, hasher.finish());
        let likeness = mixed(node.likeness, does);
        let child = self.add(thread, Some((id, result)), depth, digest);
        self.nodes[child.0 as usize].likeness = likeness;
        self.nodes[id.0 as usize].children.push((result, child));
        child
    }

    /// The same, if it was ever there.
    pub(crate) fn known_after(&self, id: NodeId, result: ResultId) -> Option<NodeId> {
        find(&self.node(id).children, result)
    }

    /// Whether one of the results that it was seen to return leads to a look again.
    pub(crate) fn may_spin(&self, id: NodeId) -> bool {
        let mut children = self.node(id).children.iter();
        children.any(|(_, child)| matches!(self.next(*child), Some(Next::Spins(_))))
    }

    /// The same for places with the same operations and results before them.
    pub(crate) fn likeness(&self, id: NodeId) -> u64 {
        self.node(id).likeness
    }

    /// How many operations led there.
    pub(crate) fn depth(&self, id: NodeId) -> u32 {
        self.node(id).depth
    }

    pub(crate) fn thread(&self, id: NodeId) -> ThreadId {
        self.node(id).thread
    }

    /// The place before, and what was returned there.
    pub(crate) fn parent(&self, id: NodeId) -> Option<(NodeId, ResultId)> {
        self.node(id).parent
    }
}

fn find(children: &[(ResultId, NodeId)], result: ResultId) -> Option<NodeId> {
    let mut children = children.iter();
    children.find(|(r, _)| *r == result).map(|(_, node)| *node)
}

/// Of the beginning of a thread: which is known from where it was started.
const ROOT: u64 = 1;

/// Two digests as one, in which neither the order nor a zero is lost.
pub(crate) fn mixed(a: u64, b: u64) -> u64 {
    let mixed = (a.rotate_left(25) ^ b).wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed ^ (mixed >> 27)
}

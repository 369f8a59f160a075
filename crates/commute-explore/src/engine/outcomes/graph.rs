//! The search of the graph: its nodes are the places of all threads with the states of
//! all objects, its edges the steps.
//!
//! A place stands for all that its thread saw, so ends of the graph are outcomes. Steps
//! are taken in the models. The program runs where nobody knows what a thread does next,
//! and what such a run comes to is new, for it has a place in it that no run had. It also
//! runs once for each end that no run came to.
//!
//! Where a thread can do something that no other can disturb or be disturbed by (start a
//! thread, or give back a lock), nothing else is tried first: everything that can happen
//! before can happen afterwards. This is a persistent set of one (Godefroid).
//!
//! A look in vain takes a thread back to where it began to look. It changes nothing, so
//! whatever follows it follows without it too, and there is no edge for it.

use std::hash::{BuildHasher, Hasher};

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashSet, FxHasher};

use super::partition::Partition;
use super::session::{Session, Stop};
use crate::code::{Next, NodeId};
use crate::knowledge::Knowledge;
use crate::run::Places;
use crate::words::{ObjectId, OpId, ThreadId};
use crate::world::{StateId, World};

/// How much of the graph was searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Searched {
    /// All of it.
    Everything,
    /// So many nodes as are allowed.
    Part,
}

/// Words of memory for the nodes.
const WORDS: usize = 64 << 20;

/// Words that are written for each node that is allowed: where there are many threads,
/// there are many more steps than nodes, and nodes are long.
const EFFORT: usize = 60;

/// Nodes for each outcome that was found, beyond what is allowed: where many are, the
/// graph is the quickest way to them.
const WORTH: usize = 40;

/// Nodes between two questions whether to go on.
const PATIENCE: usize = 256;

/// A node of the graph.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct At {
    pub(super) places: Places,
    pub(super) world: World,
}

/// Searches at most `most` nodes, with so much effort as is usual for them. If others
/// search, too, after `shared` nodes each leaves out what is the others'.
pub(super) fn search(
    session: &mut Session<'_, '_>,
    most: usize,
    shared: usize,
) -> Result<Searched, Stop> {
    let mut search = Search {
        session,
        shared,
        nodes: Nodes::default(),
        open: Vec::new(),
        effort: 0,
        absent: Vec::new(),
        kinds: FxHashSet::default(),
    };
    let root = search.session.subject.known.root(ThreadId::MAIN, None);
    if search.session.subject.known.next(root).is_none() {
        search.run(&[])?;
    }
    if search.session.subject.known.next(root).is_none() {
        return Ok(Searched::Part);
    }
    loop {
        search.absent.clear();
        let searched = search.search(root, most)?;
        let known = &search.session.subject.known;
        if !search.absent.iter().any(|method| known.calls(method)) {
            return Ok(searched);
        }
        // Something was not looked at because of a method that is called after all.
    }
}

struct Search<'g, 's, 'p> {
    session: &'g mut Session<'s, 'p>,
    /// So many nodes are everybody's.
    shared: usize,
    nodes: Nodes,
    open: Vec<u32>,
    /// Words that were written.
    effort: usize,
    /// Methods that are thought not to be called.
    absent: Vec<&'static str>,
    /// Nodes that were seen, up to exchanges of threads; only if there are some that may
    /// be exchanged.
    kinds: FxHashSet<u128>,
}

impl Search<'_, '_, '_> {
    fn search(&mut self, root: NodeId, most: usize) -> Result<Searched, Stop> {
        self.nodes = Nodes::default();
        self.kinds.clear();
        let mut here = At::default();
        let mut there = At::default();
        here.places.push(Some(root));
        self.nodes.add(&here, 0, ThreadId::MAIN);
        self.open.clear();
        self.open.push(0);
        let mut popped = 0;
        // Not those that were run: that is the same for all who search.
        let (allowed, mut ends) = (most, 0_usize);
        while let Some(index) = self.open.pop() {
            let worth = ends.saturating_mul(WORTH);
            let most = if allowed > 0 { allowed.max(worth) } else { 0 };
            if self.nodes.count() > most
                || self.nodes.words.len() > WORDS
                || self.effort > most.saturating_mul(EFFORT)
            {
                return Ok(Searched::Part);
            }
            if self.nodes.count() > self.shared {
                self.shared = usize::MAX;
                if self.divide()? {
                    // Ends that were left to others may be ours now.
                    return self.search(root, allowed);
                }
            }
            popped += 1;
            self.session.watch.left(self.open.len() + 1, None);
            if popped % PATIENCE == 0 {
                self.session.go_on()?;
            }
            self.nodes.read(index, &mut here);
            if let Some(thread) = self.free(&here) {
                self.follow(index, &here, &mut there, thread)?;
                continue;
            }
            let mut is_end = true;
            // Who did the last step goes on first, so it is put on the stack last.
            let last = self.nodes.by(index).index();
            let others = (0..here.places.len()).rev().filter(|t| *t != last);
            for thread in others.chain([last]) {
                let thread = ThreadId(thread as u32);
                if self.follow(index, &here, &mut there, thread)? {
                    is_end = is_end && self.is_in_vain(index, &here, thread)?;
                }
            }
            if is_end {
                ends += 1;
                self.run_to_end(index, &here)?;
            }
        }
        Ok(Searched::Everything)
    }

    /// Decides whose what is, if others search, too, as all of them do who come this far;
    /// whether that had to be.
    fn divide(&mut self) -> Result<bool, Stop> {
        let share = &self.session.share;
        let (Some(shard), None) = (share.shard, &share.partition) else {
            // It may be said later.
            if share.shard.is_none() {
                self.shared = self.nodes.count() + PATIENCE;
            }
            return Ok(false);
        };
        if self.session.subject.known.has_likes() {
            return Ok(false);
        }
        let partition = Partition::new(self.session, shard.of)?;
        let divides = partition.divides();
        if divides {
            self.session.share.partition = Some(partition);
        }
        Ok(divides)
    }

    /// A thread whose step nobody needs to come before.
    fn free(&mut self, here: &At) -> Option<ThreadId> {
        let known = &mut self.session.subject.known;
        for thread in 0..here.places.len() {
            let thread = ThreadId(thread as u32);
            let Some(op) = op(known, here, thread) else {
                continue;
            };
            let operation = known.operation(op);
            let model = known.model(operation.objects[0]);
            let Some(unless) = model.is_free_unless(operation.method) else {
                continue;
            };
            if unless.iter().any(|method| known.calls(method)) {
                continue;
            }
            if known.peek(&here.world, op).is_some() {
                for method in unless {
                    if !self.absent.contains(method) {
                        self.absent.push(method);
                    }
                }
                return Some(thread);
            }
        }
        None
    }

    /// Goes where the step of a thread leads, if it is possible.
    fn follow(
        &mut self,
        index: u32,
        here: &At,
        there: &mut At,
        thread: ThreadId,
    ) -> Result<bool, Stop> {
        let known = &mut self.session.subject.known;
        let Some(op) = op(known, here, thread) else {
            return Ok(false);
        };
        if known.peek(&here.world, op).is_none() {
            return Ok(false);
        }
        self.effort += here.places.len() + here.world.states().len();
        there.places.clone_from(&here.places);
        there.world.clone_from(&here.world);
        step(known, there, thread, op);
        if self.session.share.is_others(known, &there.places) {
            return Ok(true);
        }
        if !is_known(known, there, thread, op) {
            let schedule = self.nodes.schedule(index, Some(thread));
            self.run(&schedule)?;
            if !is_known(&mut self.session.subject.known, there, thread, op) {
                // The run had trouble before it came there.
                self.session
                    .doubt(|| "a run did not come to where it was sent".to_owned());
                return Ok(true);
            }
        }
        if !spins(&self.session.subject.known, there, thread)
            && self.is_new_kind(there)
            && let Some(added) = self.nodes.add(there, index, thread)
        {
            self.open.push(added);
        }
        Ok(true)
    }

    /// Whether nothing was seen that is the same but for threads that may be exchanged.
    fn is_new_kind(&mut self, at: &At) -> bool {
        let known = &self.session.subject.known;
        !known.has_likes() || self.kinds.insert(known.kind(&at.places, &at.world))
    }

    /// Runs the program to an end that no run has come to, up to exchanges.
    fn run_to_end(&mut self, index: u32, here: &At) -> Result<(), Stop> {
        let known = &self.session.subject.known;
        let is_left = self.session.share.leaves(known, &here.places);
        if !is_left && !self.session.has_seen(&here.places, &here.world) {
            let schedule = self.nodes.schedule(index, None);
            self.session.run(&schedule)?;
        }
        Ok(())
    }

    /// Runs the program to where nobody knows what comes next.
    fn run(&mut self, schedule: &[ThreadId]) -> Result<(), Stop> {
        self.session.run(schedule)?;
        Ok(())
    }

    /// Whether a thread, left alone, comes back to where it is and has learned nothing.
    fn is_in_vain(&mut self, index: u32, here: &At, thread: ThreadId) -> Result<bool, Stop> {
        if !self.session.subject.known.has_spins() {
            return Ok(false);
        }
        let mut there = here.clone();
        let mut alone: Vec<ThreadId> = Vec::new();
        loop {
            let known = &mut self.session.subject.known;
            let Some(op) = op(known, &there, thread) else {
                return Ok(false);
            };
            if !step(known, &mut there, thread, op) || there.world != here.world {
                return Ok(false);
            }
            alone.push(thread);
            if !is_known(known, &there, thread, op) {
                let mut schedule = self.nodes.schedule(index, None);
                schedule.extend(&alone);
                self.run(&schedule)?;
            }
            let place = there.places[thread.index()].expect("it was there");
            match self.session.subject.known.next(place) {
                Some(Next::Spins(back)) => return Ok(here.places[thread.index()] == Some(*back)),
                Some(Next::Op(_)) => {}
                _ => return Ok(false),
            }
        }
    }
}

/// What a thread is about to do.
pub(super) fn op(known: &Knowledge, at: &At, thread: ThreadId) -> Option<OpId> {
    let place = at.places.get(thread.index()).copied().flatten()?;
    match known.next(place) {
        Some(Next::Op(op)) if known.may_go(thread, &at.places) => Some(*op),
        _ => None,
    }
}

/// Does the step, if it is possible now.
pub(super) fn step(known: &mut Knowledge, at: &mut At, thread: ThreadId, op: OpId) -> bool {
    let Some(result) = known.step(&mut at.world, op) else {
        return false;
    };
    let place = at.places[thread.index()].expect("it does something there");
    at.places[thread.index()] = Some(known.after(place, result));
    if let Some(child) = known.operation(op).spawns {
        let root = known.root(child, Some(place));
        if at.places.len() <= child.index() {
            at.places.resize(child.index() + 1, None);
        }
        at.places[child.index()] = Some(root);
    }
    true
}

/// Whether it is known what comes next where that step led; maybe from a thread that does
/// the same.
pub(super) fn is_known(known: &mut Knowledge, at: &At, thread: ThreadId, op: OpId) -> bool {
    let child = known.operation(op).spawns;
    let mut is_known = |thread: ThreadId| {
        let Some(place) = at.places[thread.index()] else {
            return false;
        };
        if known.has_likes() {
            known.take_over(place);
        }
        known.next(place).is_some()
    };
    is_known(thread) && child.is_none_or(is_known)
}

pub(super) fn spins(known: &Knowledge, at: &At, thread: ThreadId) -> bool {
    let place = at.places[thread.index()].expect("it was there");
    matches!(known.next(place), Some(Next::Spins(_)))
}

/// All nodes that were seen.
#[derive(Default)]
struct Nodes {
    /// What each is, one after the other.
    words: Vec<u32>,
    nodes: Vec<Node>,
    table: HashTable<u32>,
    scratch: Vec<u32>,
}

/// How a node was come to first.
struct Node {
    begins: u32,
    from: u32,
    by: ThreadId,
}

fn hash(words: &[u32]) -> u64 {
    let mut hasher: FxHasher = FxBuildHasher.build_hasher();
    for word in words {
        hasher.write_u32(*word);
    }
    hasher.finish()
}

impl Nodes {
    fn count(&self) -> usize {
        self.nodes.len()
    }

    fn by(&self, index: u32) -> ThreadId {
        self.nodes[index as usize].by
    }

    fn words(&self, index: u32) -> &[u32] {
        let begins = self.nodes[index as usize].begins as usize;
        let ends = { self.nodes.get(index as usize + 1) }
            .map_or(self.words.len(), |next| next.begins as usize);
        &self.words[begins..ends]
    }

    /// Adds a node, unless it is there.
    fn add(&mut self, at: &At, from: u32, by: ThreadId) -> Option<u32> {
        let mut words = std::mem::take(&mut self.scratch);
        words.clear();
        words.push(at.places.len() as u32);
        words.extend(at.places.iter().map(|p| p.map_or(0, |node| node.0 + 1)));
        words.extend(at.world.states().iter().map(|state| state.0));
        let hashed = hash(&words);
        let is_there = self.table.find(hashed, |n| self.words(*n) == words);
        let added = if is_there.is_some() {
            None
        } else {
            let index = self.nodes.len() as u32;
            self.nodes.push(Node {
                begins: self.words.len() as u32,
                from,
                by,
            });
            self.words.extend_from_slice(&words);
            let Nodes {
                words,
                nodes,
                table,
                ..
            } = self;
            let rehash = |n: &u32| {
                let begins = nodes[*n as usize].begins as usize;
                let ends =
                    { nodes.get(*n as usize + 1) }.map_or(words.len(), |next| next.begins as usize);
                hash(&words[begins..ends])
            };
            table.insert_unique(hashed, index, rehash);
            Some(index)
        };
        self.scratch = words;
        added
    }

    fn read(&self, index: u32, at: &mut At) {
        let words = self.words(index);
        let (places, states) = words[1..].split_at(words[0] as usize);
        at.places.clear();
        at.places
            .extend(places.iter().map(|p| p.checked_sub(1).map(NodeId)));
        at.world = World::default();
        for (object, state) in states.iter().enumerate().rev() {
            at.world.set(ObjectId(object as u32), StateId(*state));
        }
    }

    /// The steps that lead to a node, and one more.
    fn schedule(&self, index: u32, then: Option<ThreadId>) -> Vec<ThreadId> {
        let mut schedule: Vec<ThreadId> = then.into_iter().collect();
        let mut index = index;
        while index != 0 {
            let node = &self.nodes[index as usize];
            schedule.push(node.by);
            index = node.from;
        }
        schedule.reverse();
        schedule
    }
}

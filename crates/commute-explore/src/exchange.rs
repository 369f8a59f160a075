//! Threads that may be exchanged.
//!
//! A test may say of threads that they do the same. Then whatever can happen can also
//! happen with two of them in each other's place, and one of the two is enough. Two things
//! make use of that, and both only leave out what is the same under another name:
//!
//! - they begin in the order in which they were started ([`Knowledge::may_go`]), if an
//!   engine wants it: whoever would begin later is the other one;
//! - of two moments that differ by an exchange, one is gone on from ([`Knowledge::kind`]):
//!   the threads are put into an order that does not depend on their names, and whatever
//!   names them in the states of objects is renamed with them.
//!
//! Places of two such threads are alike if the same was done and got on the way there, as
//! their numbers say ([`likeness`](Knowledge::likeness_of_step)), which are different for
//! all that is not the same, but for the odds of 64 bits. What a thread has for itself (an
//! object that it made, a thread that it started, an address) is not renamed: from there
//! on its places are like those of nobody, and nothing is left out.
//!
//! That they do the same is checked where two came to places that are alike
//! ([`Knowledge::unlike`]), and used: what one did, others need not be run for
//! ([`Knowledge::take_over`]).

mod kinds;

use std::hash::{Hash, Hasher};

use commute_model::Value;
use rustc_hash::{FxHashMap, FxHasher};

use crate::code::{End, Next, NodeId, mixed};
use crate::digest;
use crate::knowledge::{Knowledge, number};
use crate::words::{Operation, ResultId, ThreadId};

/// What is known of threads that may be exchanged.
#[derive(Debug, Default)]
pub(crate) struct Exchange {
    /// Who begins before a thread.
    before: FxHashMap<ThreadId, ThreadId>,
    /// The first of those that a thread is like. Each is like itself.
    first: FxHashMap<ThreadId, ThreadId>,
    /// Whether they begin in the order in which they were started.
    in_order: bool,
    /// What is done at places that are alike.
    done: FxHashMap<u64, Done>,
    /// Places of which it is thought that the same is done as at another.
    taken_over: FxHashMap<NodeId, NodeId>,
}

/// What is done at a place, as far as another thread can do it in the same words.
#[derive(Clone, Copy, Debug)]
struct Done {
    node: NodeId,
    /// All but what may be the thread's own.
    roughly: u64,
    /// All of it, if nothing may be.
    exactly: Option<u64>,
}

impl Done {
    fn agrees(&self, other: &Done) -> bool {
        let both = self.exactly.zip(other.exactly);
        self.roughly == other.roughly && both.is_none_or(|(one, other)| one == other)
    }
}

impl Exchange {
    pub(crate) fn forget(&mut self) {
        self.done.clear();
        self.taken_over.clear();
    }
}

impl Knowledge {
    /// The thread that `parent` starts after `before` others, and that does the same as
    /// those that were started just before: `rank` of them.
    pub fn thread_like(&mut self, parent: ThreadId, before: u32, rank: u32) -> ThreadId {
        // Its place among them is part of its name: then nobody is like others in one run
        // and not in another.
        let mut named = |before: u32, rank: u32| {
            let name = (Some(parent), before, rank + 1);
            ThreadId(number(self.threads.insert_full(name).0))
        };
        let thread = named(before, rank);
        if rank > 0 {
            let other = named(before - 1, rank - 1);
            self.follow(thread, other);
        }
        thread
    }

    /// That `thread` and `before`, which the same thread has started earlier, do the same,
    /// so that the two may be exchanged in whatever happens: `before` begins first then.
    ///
    /// Of all that can happen, at least one of each kind is left, up to such exchanges.
    pub fn follow(&mut self, thread: ThreadId, before: ThreadId) {
        let Exchange {
            before: befores,
            first,
            ..
        } = &mut self.exchange;
        befores.insert(thread, before);
        let one = *first.entry(before).or_insert(before);
        first.insert(thread, one);
    }

    /// Who begins before a thread.
    pub fn follows(&self, thread: ThreadId) -> Option<ThreadId> {
        let before = self.exchange.before.get(&thread).copied();
        before.filter(|_| self.exchange.in_order)
    }

    /// Lets threads that may be exchanged begin in the order in which they were started.
    pub fn begin_in_order(&mut self) {
        self.exchange.in_order = true;
    }

    /// Lets them begin in any order.
    pub fn begin_in_any_order(&mut self) {
        self.exchange.in_order = false;
    }

    /// What a place has in common with those of threads that may be exchanged with its
    /// own, if there are some: the first of them, and a number for what was done.
    pub(crate) fn alike(&self, node: NodeId) -> Option<(ThreadId, u64)> {
        if !self.has_likes() {
            return None;
        }
        let first = self.exchange.first.get(&self.owner(node))?;
        Some((*first, self.code.likeness(node)))
    }

    /// Whether some threads may be exchanged.
    #[inline]
    pub fn has_likes(&self) -> bool {
        !self.exchange.before.is_empty()
    }

    /// Whether one who has to begin before a thread that was started has begun.
    #[inline]
    pub fn may_go(&self, thread: ThreadId, places: &[Option<NodeId>]) -> bool {
        if !self.has_likes() {
            return true;
        }
        let Some(before) = self.follows(thread) else {
            return true;
        };
        let has_begun = |thread: ThreadId| {
            let place = places.get(thread.index()).copied().flatten();
            place.is_some_and(|place| {
                self.depth(place) > 0 || matches!(self.next(place), Some(Next::Ended(_)))
            })
        };
        has_begun(thread) || has_begun(before)
    }

    /// Where the first was started of those that a thread is like, which was started at
    /// `by`.
    pub(crate) fn start_of_all(&self, thread: ThreadId, by: NodeId) -> Option<NodeId> {
        let first = *self.exchange.first.get(&thread)?;
        let starts_first = |place: &NodeId| match self.next(*place) {
            Some(Next::Op(op)) => self.operation(*op).spawns == Some(first),
            _ => false,
        };
        let earlier = |place: &NodeId| Some(self.before(*place)?.0);
        std::iter::successors(Some(by), earlier).find(starts_first)
    }

    /// The place of a thread among those that may be exchanged, from 1; 0 if it is none.
    pub(crate) fn rank(&self, thread: ThreadId) -> u32 {
        self.threads[thread.index()].2
    }

    /// What tells a place from all others, also from those of threads that do the same.
    pub fn own_digest(&self, node: NodeId) -> u64 {
        let digest = self.digest(node);
        match self.rank(self.owner(node)) {
            0 | 1 => digest,
            rank => mixed(digest, rank.into()),
        }
    }

    /// What makes the step of a place like that of another thread.
    pub(crate) fn likeness_of_step(&self, node: NodeId, result: ResultId) -> u64 {
        if !self.exchange.first.contains_key(&self.owner(node)) {
            return 0;
        }
        let does = match self.next(node) {
            Some(Next::Op(op)) => likeness(self.operation(*op)),
            _ => 0,
        };
        mixed(does, result.0.into())
    }

    /// What is done at a place by a thread that may be exchanged.
    fn done_at(&self, node: NodeId) -> Option<Done> {
        let certain = |number: u64| Done {
            node,
            roughly: number,
            exactly: Some(number),
        };
        Some(match self.next(node)? {
            Next::Op(op) => {
                let operation = self.operation(*op);
                // What is used for the first time may be the thread's own.
                let is_new = { operation.objects.iter() }.any(|object| {
                    let named = self.objects.get_index(object.index());
                    named.is_none_or(|(name, _)| name.0 == node)
                });
                let is_own = is_new || operation.is_own || operation.spawns.is_some();
                Done {
                    node,
                    roughly: rough_likeness(operation),
                    exactly: (!is_own).then(|| likeness(operation)),
                }
            }
            Next::Ended(End::Returned) => certain(1),
            Next::Ended(End::Panicked(_)) => certain(2),
            // Whether somebody looks in vain depends on what others do.
            Next::Spins(_) => return None,
        })
    }

    /// Takes over what is done at a place where nobody was from one that is like it. A run
    /// that comes there says whether that is so.
    pub(crate) fn take_over(&mut self, node: NodeId) {
        let thread = self.owner(node);
        if self.next(node).is_some() || !self.exchange.first.contains_key(&thread) {
            return;
        }
        let alike = self.code.likeness(node);
        let done = self.exchange.done.get(&alike);
        let Some(other) = done.filter(|done| done.exactly.is_some()) else {
            return;
        };
        let other = other.node;
        let next = match self.next(other) {
            Some(Next::Op(op)) => {
                let mut operation = self.operation(*op).clone();
                if let Some(me) = operation.me {
                    operation.args[usize::from(me)] = Value::Int(thread.0.into());
                }
                Next::Op(self.op(operation))
            }
            Some(other) => other.clone(),
            None => return,
        };
        let learned = self.learn(node, next);
        debug_assert_eq!(learned, Ok(()), "nothing was known of it");
        if let Some(location) = self.location(other) {
            self.locate(node, location);
        }
        self.exchange.taken_over.insert(node, other);
    }

    /// Where it is taken from what is done at a place.
    pub(crate) fn taken_from(&self, node: NodeId) -> Option<NodeId> {
        self.exchange.taken_over.get(&node).copied()
    }

    /// Another place, of a thread that should do the same, where something else is done.
    pub(crate) fn unlike(&mut self, node: NodeId) -> Option<NodeId> {
        if !self.exchange.first.contains_key(&self.owner(node)) {
            return None;
        }
        let done = self.done_at(node)?;
        let alike = self.code.likeness(node);
        let known = self.exchange.done.entry(alike).or_insert(done);
        if !known.agrees(&done) {
            return Some(known.node);
        }
        if known.exactly.is_none() {
            *known = done;
        }
        None
    }
}

/// What makes an operation like that of another thread: all but who does it.
fn likeness(operation: &Operation) -> u64 {
    let mut hasher = FxHasher::default();
    operation.objects.hash(&mut hasher);
    operation.method.hash(&mut hasher);
    for (n, arg) in operation.args.iter().enumerate() {
        match operation.me == Some(n as u8) {
            true => hasher.write_u8(1),
            false => digest::write(arg, &mut hasher),
        }
    }
    operation.spawns.hash(&mut hasher);
    hasher.finish()
}

/// The same of an operation in which something may be the thread's own.
fn rough_likeness(operation: &Operation) -> u64 {
    let mut hasher = FxHasher::default();
    operation.method.hash(&mut hasher);
    operation.objects.len().hash(&mut hasher);
    operation.args.len().hash(&mut hasher);
    hasher.finish()
}

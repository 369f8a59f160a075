//! The search of Wing and Gong with Lowe's memory ("Testing for linearizability",
//! algorithm of Wing and Gong as improved by Lowe; Porcupine and Knossos do the same).
//!
//! Claims: finds an order if there is one; if it says that there is none, there is none.
//!
//! A call can be the next one of an order iff no other call that is still to come
//! returned before it was invoked: iff its invocation is in the list before the first
//! return. Such calls are tried, one after the other, and lifted out of the list. A call
//! that never returned has no return in the list, so it holds up nobody; an order is
//! complete when no return is left.
//!
//! What can follow depends on the set of calls that are in the order and on the state,
//! not on the order. So each pair of both is looked at once.
//!
//! Deviations: pending calls are tried after all others, because most of them are not
//! needed. A set of calls takes little room ([`Linearized`]). When the memory for pairs is
//! used up, no more are remembered: the search still is right, but gets slower, and
//! ends when the steps are used up.

use rustc_hash::FxHashSet;

use super::entries::{Entries, Entry};
use super::history::Call;
use super::linearized::Linearized;
use super::specification::{SequentialSpecification, states_after};

/// What a search found. Numbers are indices of the calls that were given.
pub(super) enum Found<S> {
    /// An order that explains everything.
    Order(Vec<usize>),
    /// There is none.
    Nothing(Longest<S>),
    /// Whether there is one was not found out with so many steps.
    OutOfSteps,
}

/// The order that explains the most calls that returned.
pub(super) struct Longest<S> {
    pub(super) order: Vec<usize>,
    /// The state after it.
    pub(super) state: S,
    /// The calls that returned and could be the next ones, but for what they returned.
    pub(super) refused: Vec<usize>,
    /// How many calls that returned are not in it.
    left: usize,
}

/// What a search may use.
pub(super) struct Budget {
    pub(super) steps: u64,
    pub(super) memory: usize,
}

pub(super) struct Search<'a, S: SequentialSpecification> {
    specification: &'a S,
    calls: &'a [&'a Call],
    entries: Entries,
    /// How many calls return before each.
    ranks: Vec<usize>,
    linearized: Linearized,
    processes: usize,
    /// How many calls returned and are not in the order yet.
    left: usize,
    seen: FxHashSet<(Linearized, S::State)>,
    budget: &'a mut Budget,
    longest: Longest<S::State>,
    /// How many calls of the longest order are the first ones of the order of now.
    shared: usize,
}

/// A place in the search: the calls below it are in the order.
struct Node<S> {
    state: S,
    candidates: Candidates,
    /// The call that comes next, and states after it that were not tried yet.
    next: Option<usize>,
    states: std::vec::IntoIter<S>,
}

/// How far the calls that can come next have been tried.
#[derive(Clone, Copy, Default)]
struct Candidates {
    /// The place in the list before the next one.
    place: usize,
    /// Whether it is the turn of pending calls.
    pending: bool,
}

impl<S> Node<S> {
    fn new(state: S) -> Node<S> {
        Node {
            state,
            candidates: Candidates::default(),
            next: None,
            states: Vec::new().into_iter(),
        }
    }
}

impl<'a, S: SequentialSpecification> Search<'a, S> {
    pub(super) fn new(
        specification: &'a S,
        calls: &'a [&'a Call],
        budget: &'a mut Budget,
    ) -> Search<'a, S> {
        let end = |call: &Call| call.returned.as_ref().map(|returned| returned.at);
        let times: Vec<_> = calls.iter().map(|call| (call.invoked, end(call))).collect();
        let mut order: Vec<usize> = (0..calls.len()).collect();
        order.sort_by_key(|&call| (times[call].1.is_none(), times[call].1));
        let mut ranks = vec![0; calls.len()];
        for (rank, call) in order.into_iter().enumerate() {
            ranks[call] = rank;
        }
        let processes: FxHashSet<&str> = calls.iter().map(|call| &*call.process).collect();
        Search {
            specification,
            calls,
            entries: Entries::new(&times),
            ranks,
            linearized: Linearized::default(),
            processes: processes.len(),
            left: calls.iter().filter(|call| !call.is_pending()).count(),
            seen: FxHashSet::default(),
            budget,
            longest: Longest {
                order: Vec::new(),
                state: specification.initial(),
                refused: Vec::new(),
                left: usize::MAX,
            },
            shared: 0,
        }
    }

    pub(super) fn run(mut self) -> Found<S::State> {
        if self.left == 0 {
            return Found::Order(Vec::new());
        }
        let mut nodes = vec![Node::new(self.specification.initial())];
        while let [before @ .., node] = &mut nodes[..] {
            if let Some(state) = node.states.next() {
                if self.left == 0 {
                    return Found::Order(order(&nodes).collect());
                }
                if self.is_new(&state) {
                    nodes.push(Node::new(state));
                }
                continue;
            }
            if let Some(tried) = node.next.take() {
                self.put_back(tried);
                self.shared = self.shared.min(before.len());
            }
            let Some(call) = self.next_candidate(&mut node.candidates) else {
                self.leave(before, &node.state);
                nodes.pop();
                continue;
            };
            let states = states_after(self.specification, &node.state, self.calls[call]);
            let states: Vec<S::State> = states.collect();
            let cost = states.len().max(1) as u64;
            match self.budget.steps.checked_sub(cost) {
                Some(steps) => self.budget.steps = steps,
                None => return Found::OutOfSteps,
            }
            if !states.is_empty() {
                self.lift(call);
                node.next = Some(call);
                node.states = states.into_iter();
            }
        }
        Found::Nothing(self.longest)
    }

    /// The next call to try.
    fn next_candidate(&self, candidates: &mut Candidates) -> Option<usize> {
        loop {
            let place = self.entries.after(candidates.place);
            match self.entries.at(place) {
                Entry::Invocation(call) => {
                    candidates.place = place;
                    if self.calls[call].is_pending() == candidates.pending {
                        return Some(call);
                    }
                }
                Entry::Return | Entry::End if !candidates.pending => {
                    candidates.pending = true;
                    candidates.place = 0;
                }
                Entry::Return | Entry::End => return None,
            }
        }
    }

    fn lift(&mut self, call: usize) {
        self.entries.lift(call);
        self.linearized.insert(self.ranks[call]);
        self.left -= usize::from(!self.calls[call].is_pending());
    }

    fn put_back(&mut self, call: usize) {
        self.entries.put_back(call);
        self.linearized.remove(self.ranks[call]);
        self.left += usize::from(!self.calls[call].is_pending());
    }

    /// Whether this state was not reached with these calls before.
    fn is_new(&mut self, state: &S::State) -> bool {
        debug_assert!(self.linearized.others() <= self.processes);
        let pair = (self.linearized.clone(), state.clone());
        // A table is at least half full, most of the time.
        let size = 2 * (self.linearized.size() + self.specification.size(state));
        match self.budget.memory.checked_sub(size) {
            None => !self.seen.contains(&pair),
            Some(memory) => {
                let is_new = self.seen.insert(pair);
                if is_new {
                    self.budget.memory = memory;
                }
                is_new
            }
        }
    }

    /// Remembers a node at which nothing is left to try, and those before it, if the order
    /// is the longest so far. Only what is new is copied, or dead ends of a long history
    /// would cost its square.
    fn leave(&mut self, before: &[Node<S::State>], state: &S::State) {
        if self.longest.left <= self.left {
            return;
        }
        // All that could be next was refused, or there would be a longer order.
        let mut candidates = Candidates::default();
        let all = std::iter::from_fn(|| self.next_candidate(&mut candidates));
        let refused = all.filter(|&call| !self.calls[call].is_pending());
        self.longest.refused = refused.collect();
        self.longest.order.truncate(self.shared);
        self.longest.order.extend(order(&before[self.shared..]));
        self.shared = before.len();
        self.longest.state = state.clone();
        self.longest.left = self.left;
    }
}

/// The calls in the order.
fn order<S>(nodes: &[Node<S>]) -> impl Iterator<Item = usize> {
    nodes.iter().filter_map(|node| node.next)
}

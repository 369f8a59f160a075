//! A run that is looked at, with the constraints on it.

use std::rc::Rc;

use batsat::Lit;
use rustc_hash::FxHashMap;

use super::Grain;
use super::account::{Account, Event, Sees, is_invocation};
use super::constraints::Constraints;
use crate::code::{Next, NodeId};
use crate::engine::dependence::Dependence;
use crate::knowledge::Knowledge;
use crate::run::Places;
use crate::words::{OpId, ResultId, ThreadId};
use crate::world::World;

/// A run that is looked at.
pub(super) struct Case<'a> {
    pub(super) account: &'a Account,
    pub(super) constraints: Constraints,
    /// How far each other run agrees, thread by thread.
    agreements: Vec<Vec<usize>>,
    /// By operation: what it may find.
    may_find: FxHashMap<OpId, Rc<States>>,
}

/// A thread has done so much of the run, and is about to do something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pivot {
    pub(super) thread: usize,
    pub(super) index: usize,
    pub(super) node: NodeId,
    pub(super) op: OpId,
}

/// States of the objects that an operation uses, each with the literals that say so; for
/// an invocation one for each result. None if there are too many.
pub(super) type States = Option<Vec<(World, Vec<Lit>)>>;

impl<'a> Case<'a> {
    pub(super) fn new(account: &'a Account, known: &mut Knowledge) -> Case<'a> {
        Case {
            account,
            constraints: Constraints::new(account, known),
            agreements: Vec::new(),
            may_find: FxHashMap::default(),
        }
    }

    /// Everything that a thread was about to do.
    pub(super) fn pivots(&self, known: &Knowledge) -> Vec<Pivot> {
        let mut pivots = Vec::new();
        for (thread, events) in self.account.threads.iter().enumerate() {
            for (index, event) in events.iter().enumerate() {
                let event = &self.account.events[*event];
                pivots.push(Pivot {
                    thread,
                    index,
                    node: event.node,
                    op: event.label.op,
                });
            }
            if let Some(node) = self.account.places[thread]
                && let Some(Next::Op(op)) = known.next(node)
                && known.may_go(ThreadId(thread as u32), &self.account.places)
            {
                pivots.push(Pivot {
                    thread,
                    index: events.len(),
                    node,
                    op: *op,
                });
            }
        }
        pivots
    }

    /// That the thread of a pivot is just there, and may go on.
    pub(super) fn at(&self, pivot: Pivot, known: &Knowledge) -> Vec<Lit> {
        let events = &self.account.threads[pivot.thread];
        let thread = ThreadId(pivot.thread as u32);
        let last = match pivot.index.checked_sub(1) {
            Some(last) => Some(&events[last]),
            None => self.account.starts.get(&thread),
        };
        let next = events.get(pivot.index);
        let there = |event: usize| self.constraints.there[event];
        let last = last.map(|last| there(*last));
        let next = next.map(|next| !there(*next));
        let begins = match pivot.index {
            0 => self.account.begins_after(thread, known).map(there),
            _ => None,
        };
        last.into_iter().chain(next).chain(begins).collect()
    }

    pub(super) fn agreements(&mut self, other: usize, there: &Account) -> &[usize] {
        if self.agreements.len() <= other {
            self.agreements.resize(other + 1, Vec::new());
        }
        let agreements = &mut self.agreements[other];
        if agreements.is_empty() {
            let threads = 0..self.account.threads.len();
            *agreements = threads.map(|t| self.account.agreement(there, t)).collect();
        }
        agreements
    }

    /// What an operation may find after a prefix.
    pub(super) fn states(&mut self, op: OpId, grain: Grain, known: &mut Knowledge) -> Rc<States> {
        if let Some(states) = self.may_find.get(&op) {
            return Rc::clone(states);
        }
        let states = Rc::new(self.find_states(op, grain, known));
        self.may_find.insert(op, Rc::clone(&states));
        states
    }

    fn find_states(&mut self, op: OpId, grain: Grain, known: &mut Knowledge) -> States {
        let objects = known.operation(op).objects.clone();
        if is_invocation(op, grain, known) {
            let leaves = { &mut self.constraints }.returns(op, objects[0], self.account, known)?;
            let leaves = leaves.into_iter().map(|(world, leaf)| (world, vec![leaf]));
            return Some(leaves.collect());
        }
        let mut states = vec![(World::default(), Vec::new())];
        for object in objects {
            let lasts = self.constraints.lasts(object, self.account);
            let mut product = Vec::new();
            for (world, lits) in &states {
                for (state, lit) in &lasts {
                    let (mut world, mut lits) = (world.clone(), lits.clone());
                    world.set(object, *state);
                    lits.push(*lit);
                    product.push((world, lits));
                }
            }
            states = product;
        }
        Some(states)
    }

    /// When the event of the pivot is the one of another run: one of these is true.
    pub(super) fn same(
        &mut self,
        event: &Event,
        there: &Account,
        pivot: Pivot,
        grain: Grain,
        dependence: &mut Dependence,
        known: &mut Knowledge,
    ) -> Vec<Vec<Lit>> {
        if event.sees[0] == Sees::Invocation {
            let place = |earlier: &usize| self.account.by_key.get(&there.events[*earlier].key);
            let after: Option<Vec<usize>> = event.after.iter().map(|e| place(e).copied()).collect();
            let Some(after) = after else {
                return Vec::new();
            };
            let mut same = Vec::new();
            for (place, earlier) in self.account.events.iter().enumerate() {
                let lit = self.constraints.there[place];
                if after.contains(&place) {
                    same.push(lit);
                } else if earlier.thread.index() != pivot.thread
                    && earlier.sees[0] == Sees::Invocation
                    && !dependence.independent(earlier.label, event.label, known)
                {
                    same.push(!lit);
                }
            }
            return vec![same];
        }
        let mut all = Vec::new();
        for (world, lits) in self.states(pivot.op, grain, known).iter().flatten() {
            let mut seen = event.accesses.iter().zip(&event.sees);
            let same = seen.all(|(access, sees)| {
                *sees != Sees::Changes || world.state(access.object) == access.found
            });
            if same && stepped(pivot.node, pivot.op, world, known) == Some(event.label.result) {
                all.push(lits.clone());
            }
        }
        all
    }

    /// Leaves out the states in which the event would have to wait, or look again.
    pub(super) fn skip_waiting(
        &mut self,
        pivot: Pivot,
        active: Lit,
        grain: Grain,
        known: &mut Knowledge,
    ) {
        if is_invocation(pivot.op, grain, known) && !may_wait(pivot.node, pivot.op, known) {
            return;
        }
        for (world, lits) in self.states(pivot.op, grain, known).iter().flatten() {
            if stepped(pivot.node, pivot.op, world, known).is_none() {
                let lits = lits.iter().map(|lit| !*lit);
                self.constraints
                    .order
                    .add([!active].into_iter().chain(lits));
            }
        }
    }

    /// Leaves out what has exactly these events.
    pub(super) fn exclude(&mut self, active: Lit, prefix: &[usize]) {
        let there = self.constraints.there.iter().enumerate();
        let differs = there.map(|(event, lit)| match prefix.contains(&event) {
            true => !*lit,
            false => *lit,
        });
        let clause: Vec<Lit> = [!active].into_iter().chain(differs).collect();
        self.constraints.order.add(clause);
    }

    /// Where a prefix leads.
    pub(super) fn simulate(&self, prefix: &[usize], known: &mut Knowledge) -> (World, Places) {
        let mut world = World::default();
        let mut places = Places::from_elem(None, self.account.threads.len());
        places[0] = Some(known.root(ThreadId::MAIN, None));
        for event in prefix {
            let event = &self.account.events[*event];
            assert_eq!(places[event.thread.index()], Some(event.node));
            let result = known.step(&mut world, event.label.op);
            assert_eq!(
                result,
                Some(event.label.result),
                "each event is what it was"
            );
            places[event.thread.index()] = Some(known.after(event.node, event.label.result));
            if let Some(child) = known.operation(event.label.op).spawns {
                places[child.index()] = Some(known.root(child, Some(event.node)));
            }
        }
        (world, places)
    }
}

/// What a step returns; nothing if it has to wait, or is known to be in vain.
pub(super) fn stepped(
    node: NodeId,
    op: OpId,
    world: &World,
    known: &mut Knowledge,
) -> Option<ResultId> {
    let result = known.peek(world, op)?;
    let after = known.known_after(node, result);
    let next = after.and_then(|after| known.next(after));
    (!matches!(next, Some(Next::Spins(_)))).then_some(result)
}

/// Whether an invocation may have to wait, or to look again.
pub(super) fn may_wait(node: NodeId, op: OpId, known: &Knowledge) -> bool {
    let operation = known.operation(op);
    known.model(operation.objects[0]).waits(operation.method) || known.may_spin(node)
}

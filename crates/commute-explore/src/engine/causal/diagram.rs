//! What an operation returns after some of the changes of an object: Φ_val for
//! invocations.
//!
//! Changes that do not commute keep the order of the run, so all orders of the same
//! changes lead to the same state, and what an operation returns depends only on which of
//! them came before. That is a decision diagram: a layer for each change, a node for what
//! of the state can be told from then on ([`crate::Model::project`]), an edge for each
//! answer to whether the change came before. Twenty increments make 21 states, not 2^20.
//!
//! A node has a literal that is true if the diagram leads there, and may be true
//! otherwise: enough for clauses that forbid a result.

use batsat::Lit;
use commute_model::Value;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::account::{Account, Sees};
use super::order::Order;
use crate::knowledge::Knowledge;
use crate::model::Label;
use crate::words::{ObjectId, OpId, ResultId};
use crate::world::{StateId, World};

/// Nodes of a diagram.
const MOST: usize = 100_000;

/// The changes of an object in a run, in order.
pub(super) struct Changes {
    object: ObjectId,
    changes: Vec<Change>,
}

struct Change {
    event: usize,
    op: OpId,
    result: ResultId,
    /// Others that come before it, if it is there; by their numbers here.
    needs: Vec<u32>,
    /// The last that needs it.
    needed_by: u32,
}

/// Whether a change comes before.
pub(super) enum Comes {
    Always,
    Never,
    /// If all of these are true.
    If(SmallVec<[Lit; 2]>),
}

/// What is the same for all runs of what is left.
#[derive(PartialEq, Eq, Hash)]
struct Point {
    part: Part,
    /// What did not come before, and is needed by something that is left.
    missing: SmallVec<[u32; 4]>,
}

#[derive(PartialEq, Eq, Hash)]
enum Part {
    State(StateId),
    Projected(Value),
}

type Layer = IndexMap<Point, (StateId, Lit), FxBuildHasher>;

/// A state for each result, or for none, with the literal that says that it is this one.
pub(super) type Leaves = Vec<(World, Lit)>;

impl Changes {
    pub(super) fn of(object: ObjectId, account: &Account) -> Changes {
        let mut changes: Vec<Change> = Vec::new();
        for (place, event) in account.events.iter().enumerate() {
            if event.sees[0] != Sees::Invocation || event.accesses[0].object != object {
                continue;
            }
            let number = changes.len() as u32;
            let mut needs = Vec::new();
            for (earlier, change) in changes.iter_mut().enumerate() {
                let is_own = account.events[change.event].thread == event.thread;
                if is_own || event.after.contains(&change.event) {
                    needs.push(earlier as u32);
                    change.needed_by = number;
                }
            }
            changes.push(Change {
                event: place,
                op: event.label.op,
                result: event.label.result,
                needs,
                needed_by: 0,
            });
        }
        Changes { object, changes }
    }

    /// Where they are in the run.
    pub(super) fn events(&self) -> impl Iterator<Item = usize> {
        self.changes.iter().map(|change| change.event)
    }

    /// What `op`, with this result if it is known, returns; `comes` says when each change
    /// comes before it. All this holds if `root` does. None if there are too many states.
    pub(super) fn leaves(
        &self,
        op: OpId,
        result: Option<ResultId>,
        root: Lit,
        mut comes: impl FnMut(usize, &mut Order) -> Comes,
        order: &mut Order,
        known: &mut Knowledge,
    ) -> Option<Leaves> {
        let mut nodes = 0;
        let mut layer = Layer::default();
        let start = self.point(0, StateId::INITIAL, SmallVec::new(), op, result, known);
        layer.insert(start, (StateId::INITIAL, root));
        for number in 0..self.changes.len() {
            let change = &self.changes[number];
            let comes = comes(change.event, order);
            let mut next = Layer::default();
            for (point, (state, lit)) in &layer {
                let without = || (*state, self.missing_without(number, point));
                let with = self.with(number, *state, point, known);
                let mut go = |(state, missing), order: &mut Order, known: &mut Knowledge| {
                    let point = self.point(number + 1, state, missing, op, result, known);
                    let entry = next.entry(point);
                    entry.or_insert_with(|| (state, order.variable())).1
                };
                let lits = match &comes {
                    Comes::Never => {
                        let to = go(without(), order, known);
                        order.add([!*lit, to]);
                        continue;
                    }
                    Comes::Always => &[][..],
                    Comes::If(lits) => &lits[..],
                };
                // If it cannot come here, the literals are not all true.
                let to = with.map(|with| go(with, order, known));
                let all = lits.iter().map(|lit| !*lit).chain(to);
                order.add([!*lit].into_iter().chain(all));
                if !lits.is_empty() {
                    let to = go(without(), order, known);
                    for if_it in lits {
                        order.add([!*lit, *if_it, to]);
                    }
                }
            }
            nodes += next.len();
            if nodes > MOST {
                return None;
            }
            layer = next;
        }
        Some(self.results(layer, op, order, known))
    }

    /// One leaf for each result.
    fn results(&self, last: Layer, op: OpId, order: &mut Order, known: &mut Knowledge) -> Leaves {
        let mut leaves: IndexMap<Option<ResultId>, (World, Lit), FxBuildHasher> =
            IndexMap::default();
        for (_, (state, lit)) in last {
            let world = self.world(state);
            let entry = leaves.entry(known.peek(&world, op));
            let (_, leaf) = entry.or_insert_with(|| (world, order.variable()));
            let leaf = *leaf;
            order.add([!lit, leaf]);
        }
        leaves.into_values().collect()
    }

    fn world(&self, state: StateId) -> World {
        let mut world = World::default();
        world.set(self.object, state);
        world
    }

    /// After a change; nothing if it cannot come there.
    fn with(
        &self,
        number: usize,
        state: StateId,
        point: &Point,
        known: &mut Knowledge,
    ) -> Option<(StateId, SmallVec<[u32; 4]>)> {
        let change = &self.changes[number];
        if change.needs.iter().any(|need| point.missing.contains(need)) {
            return None;
        }
        let mut world = self.world(state);
        let result = known.step(&mut world, change.op);
        (result == Some(change.result)).then(|| {
            let missing = self.still_needed(number, &point.missing).collect();
            (world.state(self.object), missing)
        })
    }

    fn missing_without(&self, number: usize, point: &Point) -> SmallVec<[u32; 4]> {
        let mut missing: SmallVec<[u32; 4]> = self.still_needed(number, &point.missing).collect();
        if self.changes[number].needed_by as usize > number {
            missing.push(number as u32);
        }
        missing
    }

    fn still_needed(&self, number: usize, missing: &[u32]) -> impl Iterator<Item = u32> {
        let needed = move |m: &u32| self.changes[*m as usize].needed_by as usize > number;
        missing.iter().copied().filter(needed)
    }

    fn point(
        &self,
        number: usize,
        state: StateId,
        missing: SmallVec<[u32; 4]>,
        op: OpId,
        result: Option<ResultId>,
        known: &Knowledge,
    ) -> Point {
        let model = known.model(self.object);
        let projected = match model.projects() {
            false => None,
            true => {
                let rest = self.changes[number..].iter();
                let rest = rest.map(|change| known.label(change.op, Some(change.result)));
                let rest: Vec<Label<'_>> = rest.chain([known.label(op, result)]).collect();
                model.project(known.state_value(self.object, state), &rest)
            }
        };
        let part = projected.map_or(Part::State(state), Part::Projected);
        Point { part, missing }
    }
}

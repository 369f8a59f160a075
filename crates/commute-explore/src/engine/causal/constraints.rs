//! The constraints of maximal causality reduction (thesis, Figure 4.6) on a run: which of
//! its events can be there, and in which order, so that each is what it was.
//!
//! `there[e]` is that event e is in the prefix; O_a < O_b is `order.before(a, b)`. Φ_mhb is
//! what `order.fix` fixes. Φ_lock needs nothing of its own: a lock is an object whose
//! state says who has it, and whoever takes it needs the state that says that it is
//! free. Φ_val(r, v) is [`Constraints::reads_from`], for each event that needs a state.
//! Invocations that change something come in the order of the run if they do not commute;
//! what others return is Φ_val again, over all changes that come before (`diagram.rs`).

use std::rc::Rc;

use batsat::Lit;
use rustc_hash::FxHashMap;

use super::account::{Account, Sees};
use super::diagram::{Changes, Comes, Leaves};
use super::order::Order;
use crate::engine::dependence::Label;
use crate::knowledge::Knowledge;
use crate::words::{ObjectId, OpId, ThreadId};
use crate::world::{StateId, World};

/// What can be done with the events of a run.
pub(super) struct Constraints {
    pub(super) order: Order,
    pub(super) there: Vec<Lit>,
    /// Objects that are memory: the events that write it.
    written_by: FxHashMap<ObjectId, Vec<usize>>,
    /// By object: who wrote last, or nobody, with the state that leaves.
    left_by: FxHashMap<ObjectId, Vec<(StateId, Lit)>>,
    /// By object: its changes.
    changes: FxHashMap<ObjectId, Rc<Changes>>,
    /// Whether an object has too many states, so that not all orders are looked at.
    pub(super) is_cut: bool,
}

impl Constraints {
    pub(super) fn new(account: &Account, known: &mut Knowledge) -> Constraints {
        let mut order = Order::new(account.events.len());
        let there = account.events.iter().map(|_| order.variable()).collect();
        let mut constraints = Constraints {
            order,
            there,
            written_by: FxHashMap::default(),
            left_by: FxHashMap::default(),
            changes: FxHashMap::default(),
            is_cut: false,
        };
        constraints.must_happen_before(account, known);
        constraints.find_writers(account);
        for (place, event) in account.events.iter().enumerate() {
            for earlier in &event.after {
                constraints.needs(place, *earlier);
            }
        }
        for place in 0..account.events.len() {
            let event = &account.events[place];
            for (access, sees) in event.accesses.iter().zip(&event.sees) {
                let label = event.label;
                match sees {
                    Sees::Invocation | Sees::Overwrites => {}
                    Sees::Observes => constraints.observes(place, account, known),
                    Sees::Changes => {
                        constraints.reads_from(place, access.object, account, |state| {
                            state == access.found
                        });
                    }
                    Sees::Reads => constraints.reads_from(place, access.object, account, |state| {
                        result(label.op, access.object, state, known) == Some(label)
                    }),
                }
            }
        }
        constraints
    }

    /// Φ_mhb: the order of each thread, and its start. A join needs the state in which
    /// the other has ended.
    fn must_happen_before(&mut self, account: &Account, known: &Knowledge) {
        for events in &account.threads {
            for pair in events.windows(2) {
                self.needs(pair[1], pair[0]);
            }
        }
        // order: one clause for each, in any order.
        for (thread, start) in &account.starts {
            let first = account.threads.get(thread.index()).and_then(|t| t.first());
            if let Some(first) = first {
                self.needs(*first, *start);
            }
        }
        for (thread, events) in account.threads.iter().enumerate() {
            let begins = account.begins_after(ThreadId(thread as u32), known);
            if let (Some(first), Some(begins)) = (events.first(), begins) {
                self.needs(*first, begins);
            }
        }
    }

    /// `a` is not there without `b`, which comes before it.
    fn needs(&mut self, a: usize, b: usize) {
        self.order.fix(b, a);
        let clause = [!self.there[a], self.there[b]];
        self.order.add(clause);
    }

    fn find_writers(&mut self, account: &Account) {
        for (place, event) in account.events.iter().enumerate() {
            for (access, sees) in event.accesses.iter().zip(&event.sees) {
                let writes = match sees {
                    Sees::Overwrites => true,
                    Sees::Changes => access.found != access.left,
                    Sees::Reads | Sees::Observes | Sees::Invocation => false,
                };
                let writers = self.written_by.entry(access.object).or_default();
                if writes {
                    writers.push(place);
                }
            }
        }
    }

    fn writers(&self, object: ObjectId) -> Vec<usize> {
        self.written_by.get(&object).cloned().unwrap_or_default()
    }

    /// Φ_val: the event finds a state for which `allows` holds, because somebody left it
    /// so and nobody came between.
    fn reads_from(
        &mut self,
        place: usize,
        object: ObjectId,
        account: &Account,
        mut allows: impl FnMut(StateId) -> bool,
    ) {
        let mut found = vec![!self.there[place]];
        let writers = self.writers(object);
        let others = |w: Option<usize>| {
            let others = writers.iter().copied();
            others.filter(move |other| *other != place && Some(*other) != w)
        };
        let sources = writers.iter().copied().filter(|w| *w != place).map(Some);
        for source in sources.chain([None]) {
            let left = match source {
                Some(w) => left(account, w, object),
                None => StateId::INITIAL,
            };
            if !allows(left) {
                continue;
            }
            let chosen = self.order.variable();
            found.push(chosen);
            if let Some(w) = source {
                let before = self.order.before(w, place);
                self.order.add([!chosen, before]);
                let there = self.there[w];
                self.order.add([!chosen, there]);
            }
            for other in others(source) {
                let mut clause = vec![!chosen, !self.there[other]];
                clause.push(self.order.before(place, other));
                if let Some(w) = source {
                    clause.push(self.order.before(other, w));
                }
                self.order.add(clause);
            }
        }
        self.order.add(found);
    }

    /// Φ_val for an invocation that changes nothing: what came before is such that it
    /// returns what it did.
    fn observes(&mut self, place: usize, account: &Account, known: &mut Knowledge) {
        let event = &account.events[place];
        let Label { op, result } = event.label;
        let changes = self.changes(event.accesses[0].object, account);
        let there = &self.there;
        let comes = |change: usize, order: &mut Order| {
            if order.is_fixed(place, change) {
                Comes::Never
            } else if order.is_fixed(change, place) {
                Comes::Always
            } else {
                Comes::If([there[change], order.before(change, place)].into())
            }
        };
        let root = there[place];
        let leaves = changes.leaves(op, Some(result), root, comes, &mut self.order, known);
        let Some(leaves) = leaves else {
            self.is_cut = true;
            return self.keep_place(place, &changes);
        };
        for (world, leaf) in leaves {
            if known.peek(&world, op) != Some(result) {
                self.order.add([!leaf]);
            }
        }
    }

    /// The event comes after the same changes as in the run.
    fn keep_place(&mut self, place: usize, changes: &Changes) {
        for change in changes.events() {
            let before = self.order.before(change, place);
            if change < place {
                self.order.add([!self.there[place], before]);
                self.order.add([!self.there[place], self.there[change]]);
            } else {
                self.order
                    .add([!self.there[place], !self.there[change], !before]);
            }
        }
    }

    fn changes(&mut self, object: ObjectId, account: &Account) -> Rc<Changes> {
        let changes = self.changes.entry(object);
        Rc::clone(changes.or_insert_with(|| Rc::new(Changes::of(object, account))))
    }

    /// What an invocation would return after all that is there, each with a literal that
    /// is true if it does. None if there are too many states.
    pub(super) fn returns(
        &mut self,
        op: OpId,
        object: ObjectId,
        account: &Account,
        known: &mut Knowledge,
    ) -> Option<Leaves> {
        let changes = self.changes(object, account);
        let there = &self.there;
        let comes = |change: usize, _: &mut Order| Comes::If([there[change]].into_iter().collect());
        let root = self.order.always();
        let leaves = changes.leaves(op, None, root, comes, &mut self.order, known);
        self.is_cut |= leaves.is_none();
        leaves
    }

    /// The states that memory can be left in, each with a literal that is only true if
    /// it is. One of them is true.
    pub(super) fn lasts(&mut self, object: ObjectId, account: &Account) -> Vec<(StateId, Lit)> {
        if let Some(lasts) = self.left_by.get(&object) {
            return lasts.clone();
        }
        let writers = self.writers(object);
        let mut lasts = Vec::new();
        let nobody = self.order.variable();
        lasts.push((StateId::INITIAL, nobody));
        for w in &writers {
            let there = self.there[*w];
            self.order.add([!nobody, !there]);
            let last = self.order.variable();
            lasts.push((left(account, *w, object), last));
            self.order.add([!last, there]);
            for other in writers.iter().filter(|other| *other != w) {
                let before = self.order.before(*other, *w);
                let there = self.there[*other];
                self.order.add([!last, !there, before]);
            }
        }
        let any: Vec<Lit> = lasts.iter().map(|(_, last)| *last).collect();
        self.order.add(any);
        self.left_by.insert(object, lasts.clone());
        lasts
    }

    /// What is there in the solution, in an order that is possible.
    pub(super) fn schedule(&self) -> Vec<usize> {
        let there: Vec<bool> = { self.there.iter() }
            .map(|lit| self.order.holds(*lit))
            .collect();
        self.order.sorted(&there)
    }
}

/// The state that an event leaves an object in.
fn left(account: &Account, place: usize, object: ObjectId) -> StateId {
    let accesses = account.events[place].accesses.iter();
    let mut of_object = accesses.filter(|access| access.object == object);
    of_object.next().expect("it writes the object").left
}

/// What the operation, which has this object only, does in a state.
fn result(op: OpId, object: ObjectId, state: StateId, known: &mut Knowledge) -> Option<Label> {
    let mut world = World::default();
    world.set(object, state);
    let result = known.peek(&world, op)?;
    Some(Label { op, result })
}

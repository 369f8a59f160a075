//! The constraints of maximal causality reduction (thesis, Figure 4.6) on a run: which of
//! its events can be there, and in which order, so that each is what it was.
//!
//! `there[e]` is that event e is in the prefix; O_a < O_b is `order.before(a, b)`. Φ_mhb is
//! what `order.fix` fixes. Φ_lock needs nothing of its own: a lock is an object whose
//! state says who has it, and whoever takes it needs the state that says that it is
//! free. Φ_val(r, v) is [`Constraints::reads_from`], for each event that needs a state.
//! For invocations the events with which they do not commute come in the order of the
//! run instead.

use batsat::Lit;
use rustc_hash::FxHashMap;

use super::account::{Account, Sees};
use super::order::Order;
use crate::engine::dependence::Label;
use crate::knowledge::Knowledge;
use crate::words::{ObjectId, OpId};
use crate::world::{StateId, World};

/// What can be done with the events of a run.
pub(super) struct Constraints {
    pub(super) order: Order,
    pub(super) there: Vec<Lit>,
    /// Objects that are memory: the events that write it.
    written_by: FxHashMap<ObjectId, Vec<usize>>,
    /// By object: who wrote last, or nobody, with the state that leaves.
    left_by: FxHashMap<ObjectId, Vec<(StateId, Lit)>>,
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
        };
        constraints.must_happen_before(account);
        constraints.find_writers(account);
        for place in 0..account.events.len() {
            let event = &account.events[place];
            for (access, sees) in event.accesses.iter().zip(&event.sees) {
                let label = event.label;
                match sees {
                    Sees::Invocation => constraints.stays_after(place, &event.after),
                    Sees::Overwrites => {}
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
    fn must_happen_before(&mut self, account: &Account) {
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
    }

    /// `a` is not there without `b`, which comes before it.
    fn needs(&mut self, a: usize, b: usize) {
        self.order.fix(b, a);
        let clause = [!self.there[a], self.there[b]];
        self.order.add(clause);
    }

    fn stays_after(&mut self, place: usize, after: &[usize]) {
        for earlier in after {
            self.needs(place, *earlier);
        }
    }

    fn find_writers(&mut self, account: &Account) {
        for (place, event) in account.events.iter().enumerate() {
            for (access, sees) in event.accesses.iter().zip(&event.sees) {
                let writes = match sees {
                    Sees::Overwrites => true,
                    Sees::Changes => access.found != access.left,
                    Sees::Reads | Sees::Invocation => false,
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

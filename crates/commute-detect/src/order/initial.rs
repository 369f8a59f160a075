//! The initial states of objects that a trace does not record: how many permits a
//! semaphore had at first, and how many parties a barrier has.
//!
//! An initial count that is not recorded is the least that makes the whole trace possible.
//! A pass that reads a trace once knows only the least that makes the trace so far
//! possible, and [`is_late`](super::Order::is_late) says whether that was too small for an
//! earlier action. The trace is then read again, with the counts that [`InferInitial`]
//! found.

use std::sync::Arc;

use commute_model::{Event, Names, ObjectId, Op, ThreadId, TypeId};
use commute_spec::{Key, Library};
use rustc_hash::FxHashMap;

use super::{Knowledge, Order};
use crate::objects::Objects;

/// The initial state of an object for one of the `orders` of its type, inferred from its
/// actions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Inferred {
    /// The rule has no initial state.
    Nothing,
    Count(u64),
    /// A rule with shared variables: how many of each value there were.
    Counts(FxHashMap<Key, u64>),
    /// The numbers of parties that are possible; `None` if all are.
    Parties(Option<Vec<u64>>),
}

/// The initial state of an object, as far as it is known.
#[derive(Clone, Default, Debug)]
pub(crate) struct Initial {
    /// The argument of its type, if the trace records it: 2 in `semaphore(2)`.
    pub(crate) argument: Option<u64>,
    /// By the `orders` of its type.
    pub(super) inferred: Option<Arc<[Inferred]>>,
}

impl Initial {
    pub(crate) fn new(argument: Option<u64>, inferred: Option<Arc<[Inferred]>>) -> Initial {
        Initial { argument, inferred }
    }

    /// The state for the `orders` with this number.
    pub(super) fn inferred(&self, number: usize) -> &Inferred {
        match &self.inferred {
            Some(inferred) => &inferred[number],
            None => &Inferred::Nothing,
        }
    }
}

/// The initial states of the objects of a trace that it does not record.
#[derive(Clone, Default, Debug)]
pub struct InitialStates {
    /// By object and the index of the event that made it.
    lifetimes: FxHashMap<(ObjectId, u64), Arc<[Inferred]>>,
}

impl InitialStates {
    /// The initial states of a whole trace of which no object is declared beforehand. An
    /// event that is not understood ends it.
    pub fn infer(events: &[Event], names: &Names, library: Arc<Library>) -> InitialStates {
        let mut pass = InferInitial::new(library);
        pass.steps(events, names);
        pass.finish()
    }

    fn insert(&mut self, object: ObjectId, made: u64, order: &Order<()>) {
        self.lifetimes.insert((object, made), order.inferred());
    }

    /// The state of the object that this event made.
    #[inline]
    pub(crate) fn get(&self, object: ObjectId, made: u64) -> Option<Arc<[Inferred]>> {
        if self.lifetimes.is_empty() {
            return None;
        }
        self.lifetimes.get(&(object, made)).cloned()
    }
}

/// Reads a trace for the initial states that it does not record.
#[derive(Debug)]
pub struct InferInitial {
    objects: Objects,
    /// The objects with `orders`, each with the index of the event that made it.
    orders: FxHashMap<ObjectId, (u64, Order<()>)>,
    found: InitialStates,
    index: u64,
    is_over: bool,
}

impl InferInitial {
    /// No event yet; types come from `library`.
    pub fn new(library: Arc<Library>) -> InferInitial {
        InferInitial {
            objects: Objects::new(library),
            orders: FxHashMap::default(),
            found: InitialStates::default(),
            index: 0,
            is_over: false,
        }
    }

    /// Declares an object before the first event, as `new` does in a trace.
    pub fn declare(&mut self, object: ObjectId, type_id: TypeId, names: &Names) {
        self.end(object);
        if self
            .objects
            .declare(object, type_id, self.index, names)
            .is_err()
        {
            self.is_over = true;
            return;
        }
        let order = self.objects.get(object).map(|object| object.new_order());
        if let Some(order) = order.filter(|order| !order.is_none()) {
            self.orders.insert(object, (self.index, order));
        }
    }

    /// Takes the next events, up to the first that is not understood.
    pub fn steps(&mut self, events: &[Event], names: &Names) {
        for event in events {
            self.index += 1;
            match &event.op {
                _ if self.is_over => return,
                Op::New(object, type_id) => self.declare(*object, *type_id, names),
                Op::Drop(object) => {
                    self.objects.forget(*object);
                    self.end(*object);
                }
                Op::Action(action) => {
                    let Ok((invocation, object)) = self.objects.bind(action, names) else {
                        self.is_over = true;
                        return;
                    };
                    if let Some((_, order)) = self.orders.get_mut(&action.object) {
                        let specification = &object.compiled.specification;
                        order.before(event.thread, invocation, specification, &mut Nothing);
                        order.after(event.thread, invocation, specification, &mut Nothing);
                    }
                }
                _ => {}
            }
        }
    }

    /// The initial states of all objects.
    pub fn finish(mut self) -> InitialStates {
        // order: they are put into a map.
        for (object, (made, order)) in self.orders.drain() {
            self.found.insert(object, made, &order);
        }
        self.found
    }

    fn end(&mut self, object: ObjectId) {
        if let Some((made, order)) = self.orders.remove(&object) {
            self.found.insert(object, made, &order);
        }
    }
}

/// No knowledge: only the objects themselves are followed.
struct Nothing;

impl Knowledge for Nothing {
    type Known = ();

    fn learn(&mut self, _: ThreadId, (): &()) {}

    fn publish(&mut self, _: ThreadId, (): &mut ()) {}

    fn replace(&mut self, _: ThreadId, (): &mut ()) {}
}

//! The order that actions on synchronising objects imply: the `orders` of their types.
//!
//! [`commute_spec::OrderRule`] defines the rules. An initial state that the trace does not
//! record is inferred: see [`initial`].

mod barrier;
mod by_value;
mod counting;
mod fifo;
mod initial;
mod relation;

use std::sync::Arc;

use commute_clock::VectorClock;
use commute_model::ThreadId;
use commute_spec::{InitialCount, Invocation, Matching, OrderRule, Orders, Specification};
use rustc_hash::FxHashMap;

use barrier::Rounds;
use by_value::{Counters, Pending};
use counting::{Counter, Known};
use fifo::Fifo;
use initial::Inferred;

pub(crate) use initial::Initial;
pub use initial::{InferInitial, InitialStates};
pub(crate) use relation::{Earlier, Look, Relation, looked, relation};

/// What order is made of: clocks, or the events that are ordered.
pub(crate) trait Knowledge {
    /// What some events published.
    type Known: Clone + Default + std::fmt::Debug;

    /// The event of `t` comes after what is `known`.
    fn learn(&mut self, t: ThreadId, known: &Self::Known);

    /// Whoever learns what is `known` comes after the event of `t`, too.
    fn publish(&mut self, t: ThreadId, known: &mut Self::Known);

    /// Whoever learns what is `known` comes after the event of `t`, which has
    /// learned what was known before.
    fn replace(&mut self, t: ThreadId, known: &mut Self::Known);

    /// In no execution does the event of `t` come before the events that are marked in
    /// `known`, although `t` does not learn of them.
    fn keep_order(&mut self, _t: ThreadId, _known: &Self::Known) {}

    /// Marks the event of `t` for [`keep_order`](Self::keep_order).
    fn mark(&mut self, _t: ThreadId, _known: &mut Self::Known) {}

    /// A number that `t` shares only with threads that ended before it began.
    fn chain(&self, t: ThreadId) -> u32 {
        t.0
    }

    /// Later events of `t` are told apart from earlier ones.
    fn tick(&mut self, _t: ThreadId) {}

    /// Whether an action on an object of which the trace records the initial count comes
    /// after no action in particular, because the count is checked.
    fn counts(&self) -> bool {
        false
    }

    /// Announces that the next edges come from a rule of order. `is_inferred`: they depend
    /// on an initial state that the trace does not record.
    fn by_rule(&mut self, _is_inferred: bool) {}
}

/// The published knowledge of an object whose actions order threads, for each of the
/// `orders` of its type.
#[derive(Clone, Debug)]
pub(crate) struct Order<K = VectorClock> {
    states: Vec<State<K>>,
}

#[derive(Clone, Debug)]
enum State<K> {
    Atomic(K),
    Barrier(Rounds<K>),
    /// A rule without shared variables.
    All(K),
    Pending(Pending<K>),
    Fifo(Fifo<K>),
    Counter(Counter<K>),
    Counters(Counters<K>),
}

impl<K: Clone + Default + std::fmt::Debug> Order<K> {
    /// Of an object that orders nothing.
    pub(crate) fn none() -> Order<K> {
        Order { states: Vec::new() }
    }

    /// Of a new object of this type.
    pub(crate) fn new(specification: &Specification, initial: &Initial) -> Order<K> {
        let state = |(number, orders): (usize, &Orders)| {
            let inferred = initial.inferred(number);
            match orders {
                Orders::Atomic => State::Atomic(K::default()),
                Orders::Barrier => {
                    let parties = match inferred {
                        Inferred::Parties(parties) => parties.clone(),
                        _ => None,
                    };
                    State::Barrier(Rounds::new(initial.argument, parties))
                }
                Orders::Rule(rule) => State::of_rule(rule, initial.argument, inferred),
            }
        };
        Order {
            states: { specification.orders.iter().enumerate() }
                .map(state)
                .collect(),
        }
    }

    /// The initial state that the actions so far tell of, for each of the `orders`.
    fn inferred(&self) -> Arc<[Inferred]> {
        let inferred = |state: &State<K>| match state {
            State::Counter(counter) => Inferred::Count(counter.initial()),
            State::Counters(counters) => Inferred::Counts(counters.initial().clone()),
            State::Barrier(rounds) => Inferred::Parties(rounds.parties().cloned()),
            State::Atomic(_) | State::All(_) | State::Pending(_) | State::Fifo(_) => {
                Inferred::Nothing
            }
        };
        self.states.iter().map(inferred).collect()
    }

    /// Whether an edge was added that the initial state of the whole trace does not have:
    /// later actions have shown a larger count or fewer numbers of parties.
    pub(crate) fn is_late(&self) -> bool {
        self.states.iter().any(|state| match state {
            State::Counter(counter) => counter.is_late(),
            State::Counters(counters) => counters.is_late(),
            State::Barrier(rounds) => rounds.is_late(),
            State::Atomic(_) | State::All(_) | State::Pending(_) | State::Fifo(_) => false,
        })
    }

    /// Whether the object orders nothing.
    #[inline]
    pub(crate) fn is_none(&self) -> bool {
        self.states.is_empty()
    }

    /// Makes the thread of an action learn of the actions before it.
    pub(crate) fn before(
        &mut self,
        t: ThreadId,
        action: Invocation<'_>,
        specification: &Specification,
        hb: &mut impl Knowledge<Known = K>,
    ) {
        let leaves = || specification.methods[action.method].name == "leave";
        for (state, orders) in self.states.iter_mut().zip(&specification.orders) {
            hb.by_rule(state.is_inferred());
            match (state, orders) {
                (State::Atomic(cell), _) => hb.learn(t, cell),
                (State::Barrier(rounds), _) if leaves() => rounds.leave(t, hb),
                (state, Orders::Rule(rule)) => {
                    let Some(key) = rule.after(action) else {
                        continue;
                    };
                    let takes = specification.takes(action.method);
                    match state {
                        State::All(known) => hb.learn(t, known),
                        State::Pending(pending) => pending.after(t, &key, takes, hb),
                        State::Fifo(fifo) => fifo.receive(t, &key, hb),
                        State::Counter(counter) => counter.after(t, takes, hb),
                        State::Counters(counters) => counters.after(t, &key, takes, hb),
                        State::Atomic(_) | State::Barrier(_) => {}
                    }
                }
                _ => {}
            }
        }
    }

    /// Publishes an action for the later ones that come after it.
    pub(crate) fn after(
        &mut self,
        t: ThreadId,
        action: Invocation<'_>,
        specification: &Specification,
        hb: &mut impl Knowledge<Known = K>,
    ) {
        let arrives = || specification.methods[action.method].name == "arrive";
        for (state, orders) in self.states.iter_mut().zip(&specification.orders) {
            match (state, orders) {
                (State::Atomic(cell), _) => hb.replace(t, cell),
                (State::Barrier(rounds), _) if arrives() => rounds.arrive(t, hb),
                (state, Orders::Rule(rule)) => {
                    if rule.has_after(action.method) {
                        // Of looks in one epoch only the first would be remembered.
                        hb.tick(t);
                        if let State::Fifo(fifo) = &mut *state {
                            fifo.received(t, hb);
                        }
                    }
                    let Some(key) = rule.before(action) else {
                        continue;
                    };
                    match state {
                        State::All(known) => hb.publish(t, known),
                        State::Pending(pending) => pending.before(t, key, hb),
                        State::Fifo(fifo) => fifo.send(t, key, hb),
                        State::Counter(counter) => counter.before(t, hb),
                        State::Counters(counters) => counters.before(t, key, hb),
                        State::Atomic(_) | State::Barrier(_) => {}
                    }
                }
                _ => {}
            }
        }
    }
}

impl<K> Order<K> {
    /// Calls `show` with all knowledge that an action may still learn.
    pub(crate) fn for_each(&mut self, show: &mut dyn FnMut(&mut K)) {
        for state in &mut self.states {
            match state {
                State::Atomic(known) | State::All(known) => show(known),
                State::Barrier(rounds) => rounds.for_each(show),
                State::Pending(pending) => pending.for_each(show),
                State::Fifo(fifo) => fifo.for_each(show),
                State::Counter(counter) => counter.for_each(show),
                State::Counters(counters) => counters.for_each(show),
            }
        }
    }
}

impl<K: Clone + Default + std::fmt::Debug> State<K> {
    fn of_rule(rule: &OrderRule, argument: Option<u64>, inferred: &Inferred) -> State<K> {
        match (rule.matching, rule.is_keyed()) {
            (Matching::Pending, false) => State::All(K::default()),
            (Matching::Pending, true) => State::Pending(Pending::default()),
            (Matching::Fifo, _) => State::Fifo(Fifo::default()),
            (Matching::Counting(initial), false) => {
                let known = match (initial, argument) {
                    (InitialCount::Is(count), _) => Known::Constant(count),
                    (InitialCount::Parameter, Some(count)) => Known::Recorded(count),
                    (InitialCount::Parameter | InitialCount::Least, _) => Known::No,
                };
                let inferred = match inferred {
                    Inferred::Count(count) => Some(*count),
                    _ => None,
                };
                State::Counter(Counter::new(known, inferred))
            }
            (Matching::Counting(_), true) => State::Counters(Counters::new(match inferred {
                Inferred::Counts(counts) => counts.clone(),
                _ => FxHashMap::default(),
            })),
        }
    }
}

impl<K> State<K> {
    /// Whether the edges of the rule depend on an initial state that the trace does not
    /// record.
    fn is_inferred(&self) -> bool {
        match self {
            State::Counter(counter) => counter.is_inferred(),
            State::Barrier(rounds) => rounds.is_inferred(),
            State::Counters(_) => true,
            State::Atomic(_) | State::All(_) | State::Pending(_) | State::Fifo(_) => false,
        }
    }
}

//! The order between threads that actions of synchronising objects imply.
//!
//! `orders A -> B` says that an action that matches B happens only because of earlier
//! actions that match A, and after them: an `acquire` after the `release` that made its
//! permit free. Which actions A those are is the *matching* of the rule:
//!
//! | rule | an action b that matches B comes after |
//! |---|---|
//! | `A -> B` | all earlier actions that match A; if A and B share variables, those with equal values that are pending |
//! | `A -> B fifo` | as above, where of the messages of one thread the first pending one is received first |
//! | `A -> B counting from k` | the j-th b after the (j - k)-th a |
//!
//! An a with a shared value is *pending* until there were as many changing b as a with
//! that value. With shared variables, `counting` counts each value on its own.

mod display;

use commute_model::{Span, Value};
use smallvec::SmallVec;

use crate::evaluate::{Ints, evaluate};
use crate::formula::Formula;
use crate::invocation::Invocation;
use crate::specification::{Mutates, Specification};

/// How actions of a type order threads.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Orders {
    /// Every action comes after all earlier ones: an atomic cell.
    Atomic,
    /// A thread that leaves comes after all that arrived in its round.
    Barrier,
    /// Actions of one kind come after actions of another kind.
    Rule(OrderRule),
}

/// `orders A -> B`: actions that match B come after actions that match A.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct OrderRule {
    /// The alternatives of A.
    pub before: Vec<ActionPattern>,
    /// The alternatives of B.
    pub after: Vec<ActionPattern>,
    /// Which actions A an action B comes after.
    pub matching: Matching,
    /// Where the rule is written.
    pub span: Span,
}

/// Actions of one method, as one side of an [`OrderRule`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ActionPattern {
    /// The method.
    pub method: usize,
    /// The condition on the slots of the action, all of the first side.
    pub guard: Option<Formula>,
    /// The slots of the variables that both sides share, in the order of their names.
    pub key: Vec<usize>,
}

/// Which earlier actions A an action B comes after.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Matching {
    /// All that are pending.
    Pending,
    /// Of every thread the first that is pending.
    Fifo,
    /// The j-th B after the (j - k)-th A.
    Counting(InitialCount),
}

/// The count k of B that need no A.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InitialCount {
    /// The least that makes the trace possible.
    Least,
    /// The parameter of the type; the least if the trace does not record it.
    Parameter,
    /// This number.
    Is(u64),
}

/// The values of the variables that both sides of a rule share.
pub type Key = SmallVec<[Value; 1]>;

impl ActionPattern {
    /// Whether the action is one of these.
    pub fn matches(&self, action: Invocation<'_>) -> bool {
        let holds = |guard: &Formula| evaluate(guard, action, action, None, &Ints) == Some(true);
        self.method == action.method && self.guard.as_ref().is_none_or(holds)
    }

    /// The values of an action of this method that the other side must have, too.
    pub fn key(&self, action: Invocation<'_>) -> Key {
        let values = self.key.iter().map(|slot| action.slot(*slot).clone());
        values.collect()
    }
}

impl OrderRule {
    /// The key of an action that others come after.
    pub fn before(&self, action: Invocation<'_>) -> Option<Key> {
        matching_key(&self.before, action)
    }

    /// The key of an action that comes after others.
    pub fn after(&self, action: Invocation<'_>) -> Option<Key> {
        matching_key(&self.after, action)
    }

    /// Whether B shares variables with A.
    pub fn is_keyed(&self) -> bool {
        self.after.iter().any(|pattern| !pattern.key.is_empty())
    }

    /// Whether the method is one of A.
    pub fn has_before(&self, method: usize) -> bool {
        self.before.iter().any(|pattern| pattern.method == method)
    }

    /// Whether the method is one of B.
    pub fn has_after(&self, method: usize) -> bool {
        self.after.iter().any(|pattern| pattern.method == method)
    }

    /// Whether the action looked for what A provides: it is of a method of B of which
    /// some actions do not match, as `try_recv`.
    pub fn looks(&self, method: usize) -> bool {
        let mut patterns = self.after.iter();
        patterns.any(|pattern| pattern.method == method && pattern.guard.is_some())
    }
}

fn matching_key(patterns: &[ActionPattern], action: Invocation<'_>) -> Option<Key> {
    let found = patterns.iter().find(|pattern| pattern.matches(action));
    found.map(|pattern| pattern.key(action))
}

impl Specification {
    /// The rules of the type.
    pub fn rules(&self) -> impl Iterator<Item = &OrderRule> {
        self.orders.iter().filter_map(|orders| match orders {
            Orders::Rule(rule) => Some(rule),
            Orders::Atomic | Orders::Barrier => None,
        })
    }

    /// Whether an action of this method takes what it finds, if it finds something.
    pub fn takes(&self, method: usize) -> bool {
        self.methods[method].mutates != Mutates::Never
    }

    /// The specification for objects of which the initial count is known: actions that a
    /// rule counts from the parameter commute, because the count says when they cannot be
    /// exchanged.
    pub(crate) fn counted(&self) -> Specification {
        let mut counted = self.clone();
        let counts = Matching::Counting(InitialCount::Parameter);
        for rule in self.rules().filter(|rule| rule.matching == counts) {
            for (a, b) in rule
                .before
                .iter()
                .flat_map(|a| rule.after.iter().map(move |b| (a, b)))
            {
                if a.method == b.method {
                    continue;
                }
                let (condition, swapped) = counted.pair(a.method, b.method);
                let mut condition = condition.clone();
                if swapped {
                    condition.formula = condition.formula.swap();
                }
                let guards = [a.guard.clone(), b.guard.as_ref().map(Formula::swap)];
                let mut guards: Vec<Formula> = guards.into_iter().flatten().collect();
                condition.formula = match guards.len() {
                    0 => Formula::Const(true),
                    1 => Formula::Or(vec![condition.formula, guards.remove(0)]),
                    _ => Formula::Or(vec![condition.formula, Formula::And(guards)]),
                };
                counted.set(a.method, b.method, condition);
            }
        }
        counted
    }
}

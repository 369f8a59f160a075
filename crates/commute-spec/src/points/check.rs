//! Atoms that are evaluated millions of times a second.

use commute_model::Value;

use crate::evaluate::{Ints, evaluate, evaluate_whatever};
use crate::formula::{Formula, Term};
use crate::invocation::Invocation;
use crate::logic::atoms::Atom;

/// A condition about one invocation. The frequent forms have their own case; what is
/// large is elsewhere, so that it takes one look to tell them apart.
#[derive(Clone, Debug)]
pub(super) enum Check {
    /// Two slots are equal.
    Slots(usize, usize),
    /// A slot is `nil`.
    Nil(usize),
    /// A slot has this value.
    Value(usize, Box<Value>),
    /// Anything else.
    Other(Box<Formula>),
}

impl Check {
    /// The check for an atom about side `First`.
    pub(super) fn of(atom: &Atom) -> Check {
        match atom {
            Atom::Same(Term::Slot(_, a), Term::Slot(_, b)) => Check::Slots(*a, *b),
            Atom::Same(Term::Slot(_, a), Term::Value(Value::Nil)) => Check::Nil(*a),
            Atom::Same(Term::Slot(_, a), Term::Value(value)) => {
                Check::Value(*a, Box::new(value.clone()))
            }
            atom => Check::Other(Box::new(atom.formula(true))),
        }
    }

    /// Whether it holds.
    #[inline(always)]
    pub(super) fn holds(&self, invocation: Invocation<'_>) -> bool {
        match self {
            Check::Other(formula) => holds_otherwise(formula, invocation),
            frequent => frequent.holds_at_once(invocation) == Some(true),
        }
    }

    /// The same, if it has one of the frequent forms.
    #[inline(always)]
    pub(super) fn holds_at_once(&self, invocation: Invocation<'_>) -> Option<bool> {
        match self {
            Check::Slots(a, b) => Some(invocation.slot(*a).same(invocation.slot(*b))),
            Check::Nil(a) => Some(matches!(invocation.slot(*a), Value::Nil)),
            Check::Value(a, value) => Some(invocation.slot(*a).same(value)),
            Check::Other(_) => None,
        }
    }

    /// Whether it holds, whatever was where the invocation is opaque; `None` if that
    /// depends on it.
    pub(super) fn holds_whatever(&self, invocation: Invocation<'_>) -> Option<bool> {
        let clear = |slot: &usize| !invocation.slot(*slot).has_opaque();
        match self {
            Check::Slots(a, b) if clear(a) && clear(b) => Some(self.holds(invocation)),
            Check::Nil(a) | Check::Value(a, _) if clear(a) => Some(self.holds(invocation)),
            Check::Slots(..) | Check::Nil(_) | Check::Value(..) => None,
            Check::Other(formula) => evaluate_whatever(formula, invocation, invocation),
        }
    }
}

/// Apart, so that the frequent forms are evaluated where they are needed.
#[inline(never)]
fn holds_otherwise(formula: &Formula, invocation: Invocation<'_>) -> bool {
    evaluate(formula, invocation, invocation, None, &Ints) == Some(true)
}

//! How two actions of a synchronising object are related if they do not commute.
//!
//! By actions that a rule relates threads wait for each other: they may meet, and that is
//! no race. An action that looked for something and found nothing
//! (`try_recv` with 'empty') is a *look*: a thread that looks again has decided nothing.

use commute_spec::{Invocation, OrderRule, Orders, Specification};

/// How an action and an earlier one that does not commute with it are related.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    /// Threads wait for each other by them, or ownership puts them in order.
    Synchronisation,
    /// The earlier or the later one is a look that found nothing: see
    /// [`looks`](crate::looks).
    Look {
        earlier: bool,
    },
    Other,
}

/// The result of an action that looks for something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Look {
    Found,
    FoundNothing,
    /// The action does not look.
    None,
}

/// Whether the action found something, by the rules of its type.
pub(crate) fn looked(specification: &Specification, action: Invocation<'_>) -> Look {
    let mut look = Look::None;
    for rule in specification
        .rules()
        .filter(|rule| has_looks(rule, specification))
    {
        if rule.after(action).is_some() {
            return Look::Found;
        }
        if rule.looks(action.method) {
            look = Look::FoundNothing;
        }
    }
    look
}

/// Whether there are actions that look and find nothing, and would have changed the
/// object otherwise.
fn has_looks(rule: &OrderRule, specification: &Specification) -> bool {
    let mut after = rule.after.iter();
    after.any(|pattern| pattern.guard.is_some() && specification.takes(pattern.method))
}

/// The earlier one of two actions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Earlier {
    pub(crate) method: usize,
    /// Whether it changed the object.
    pub(crate) changed: bool,
    /// Whether it looked and found nothing.
    pub(crate) found_nothing: bool,
}

impl Earlier {
    /// What counts of this action.
    pub(crate) fn of(specification: &Specification, action: Invocation<'_>) -> Earlier {
        Earlier {
            method: action.method,
            changed: specification.mutates(action),
            found_nothing: looked(specification, action) == Look::FoundNothing,
        }
    }
}

/// How two actions are related.
pub(crate) fn relation(
    specification: &Specification,
    earlier: Earlier,
    later: Invocation<'_>,
) -> Relation {
    let mut relation = Relation::Other;
    let found_nothing = looked(specification, later) == Look::FoundNothing;
    for orders in &specification.orders {
        let Orders::Rule(rule) = orders else {
            return Relation::Synchronisation;
        };
        let provides = rule.has_before(earlier.method);
        let took = rule.has_after(earlier.method) && earlier.changed;
        let found = rule.after(later).is_some();
        if provides && found || took && rule.has_before(later.method) {
            return Relation::Synchronisation;
        }
        if !has_looks(rule, specification) {
            continue;
        }
        if provides && found_nothing && rule.looks(later.method) {
            relation = Relation::Look { earlier: false };
        } else if earlier.found_nothing
            && rule.looks(earlier.method)
            && rule.has_before(later.method)
        {
            relation = Relation::Look { earlier: true };
        }
    }
    relation
}

//! Conflicts of synchronising objects that are no race.

use commute_model::{Action, Event, Names, Op};
use commute_spec::{Library, OrderRule, Orders, Specification};

use super::super::{invocation, life, type_name};

/// Why a conflict is no race for a rule, or may be none.
enum Reason {
    /// The rule orders actions like these.
    Ordered,
    /// This action looked: it is a race only if the look was the last word.
    Look(usize),
}

/// Whether the conflict of two actions is no race: the type synchronises by such actions,
/// or one of them is a look that was not the last word.
pub(in crate::oracle) fn is_meant(
    events: &[Event],
    (i, a): (usize, &Action),
    (j, b): (usize, &Action),
    specification: &Specification,
    names: &Names,
) -> bool {
    let synchronises = |orders: &Orders| matches!(orders, Orders::Atomic | Orders::Barrier);
    if specification.orders.iter().any(synchronises) {
        return true;
    }
    let mut reasons = { specification.rules() }
        .filter_map(|rule| reason(rule, (i, a), (j, b), specification, names));
    reasons.any(|reason| match reason {
        Reason::Ordered => true,
        Reason::Look(look) => !is_last_word(events, look, specification, names),
    })
}

/// Whether two actions of one life, by their positions, are how threads wait for each
/// other, or one of them is a look: prediction reports no race of them.
pub fn is_waiting(
    events: &[Event],
    names: &Names,
    library: &Library,
    (i, j): (usize, usize),
) -> bool {
    let (Op::Action(a), Op::Action(b)) = (&events[i].op, &events[j].op) else {
        return false;
    };
    let name = type_name(events, names, j);
    let Some(specification) = name.and_then(|name| library.specification(&name)) else {
        return false;
    };
    let synchronises = |orders: &Orders| matches!(orders, Orders::Atomic | Orders::Barrier);
    let mut rules = specification.rules();
    specification.orders.iter().any(synchronises)
        || rules.any(|rule| reason(rule, (i, a), (j, b), specification, names).is_some())
}

fn reason(
    rule: &OrderRule,
    (i, a): (usize, &Action),
    (j, b): (usize, &Action),
    specification: &Specification,
    names: &Names,
) -> Option<Reason> {
    let earlier = invocation(specification, a, names);
    let later = invocation(specification, b, names);
    let changed = specification.mutates(earlier);
    if rule.has_before(earlier.method) && rule.after(later).is_some() {
        return Some(Reason::Ordered);
    }
    if rule.has_after(earlier.method) && changed && rule.has_before(later.method) {
        return Some(Reason::Ordered);
    }
    if !has_looks(rule, specification) {
        return None;
    }
    let finds_nothing = |action| {
        let mut rules = specification.rules();
        !rules.any(|rule| has_looks(rule, specification) && rule.after(action).is_some())
    };
    if rule.looks(later.method) && finds_nothing(later) && rule.has_before(earlier.method) {
        return Some(Reason::Look(j));
    }
    let is_look = rule.looks(earlier.method) && finds_nothing(earlier);
    (is_look && rule.has_before(later.method)).then_some(Reason::Look(i))
}

/// Whether actions look for what the rule provides and take it if it is there.
fn has_looks(rule: &OrderRule, specification: &Specification) -> bool {
    let mut guarded = rule.after.iter().filter(|pattern| pattern.guard.is_some());
    guarded.any(|pattern| specification.takes(pattern.method))
}

/// Whether after a look, in the same life, no action finds anything, and no other thread
/// looks and finds nothing.
fn is_last_word(
    events: &[Event],
    look: usize,
    specification: &Specification,
    names: &Names,
) -> bool {
    let Op::Action(action) = &events[look].op else {
        return false;
    };
    let begin = life(events, look, action);
    let rules = || { specification.rules() }.filter(|rule| has_looks(rule, specification));
    (look + 1..events.len()).all(|k| {
        let Op::Action(other) = &events[k].op else {
            return true;
        };
        if other.object != action.object || life(events, k, other) != begin {
            return true;
        }
        let other = invocation(specification, other, names);
        let finds = rules().any(|rule| rule.after(other).is_some());
        let looks = rules().any(|rule| rule.looks(other.method));
        !finds && (!looks || events[k].thread == events[look].thread)
    })
}

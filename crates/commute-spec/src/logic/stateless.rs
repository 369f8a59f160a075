//! Conditions where no state was recorded.
//!
//! Then `state` is unknown, unknown travels as in Kleene's logic, and a
//! condition that is unknown counts as false (see [`crate::evaluate`]). So a
//! condition with `state` stands for one without: "it is known to be true".

use crate::formula::Formula;

/// A condition that would be larger than this without `state` is left alone:
/// every `==` between conditions doubles what is below it.
const LARGEST: usize = 10_000;

/// The condition that `formula` is, for recorded invocations; `None` if it
/// would be too large.
pub(crate) fn without_state(formula: &Formula) -> Option<Formula> {
    match formula.uses_state() {
        true if size(formula) > LARGEST => None,
        true => Some(known(formula, true)),
        false => Some(formula.clone()),
    }
}

/// How many parts "it is known" has, at most.
fn size(formula: &Formula) -> usize {
    let all = |parts: &[Formula]| parts.iter().map(size).fold(1, usize::saturating_add);
    match formula {
        Formula::Not(f) => size(f),
        Formula::And(parts) | Formula::Or(parts) => all(parts),
        Formula::Iff(f, g) => size(f).saturating_add(size(g)).saturating_mul(2),
        Formula::Const(_) | Formula::Compare(..) | Formula::Holds(_) => 1,
    }
}

/// "`formula` is known to have this value."
fn known(formula: &Formula, value: bool) -> Formula {
    let list = |parts: &[Formula]| parts.iter().map(|f| known(f, value)).collect();
    match formula {
        Formula::Not(f) => known(f, !value),
        Formula::And(parts) if value => Formula::And(list(parts)),
        Formula::And(parts) => Formula::Or(list(parts)),
        Formula::Or(parts) if value => Formula::Or(list(parts)),
        Formula::Or(parts) => Formula::And(list(parts)),
        Formula::Iff(f, g) => {
            let both = |a, b| Formula::And(vec![known(f, a), known(g, b)]);
            Formula::Or(vec![both(true, value), both(false, !value)])
        }
        f if f.uses_state() => Formula::Const(false),
        f if value => f.clone(),
        f => f.clone().negate(),
    }
}

#[cfg(test)]
mod tests {
    use commute_model::Value;

    use super::*;
    use crate::evaluate::{Ints, evaluate};
    use crate::invocation::Invocation;
    use crate::parse;

    #[test]
    fn deeply_nested_equivalences_are_left_alone() {
        let mut formula = Formula::Holds(crate::formula::Term::State);
        for _ in 0..100 {
            formula = Formula::Iff(Box::new(formula), Box::new(Formula::Const(true)));
        }
        assert_eq!(without_state(&formula), None);
    }

    #[test]
    fn what_is_known_is_what_evaluation_without_a_state_says() {
        let conditions = [
            "a1 || has(state, a1)",
            "!(a1 && state)",
            "(state == 1) == (state == 1)",
            "(a1 == a2) != (a1 && len(state) > 0)",
            "!((a1 || state) == a2)",
            "state || !state || a1",
        ];
        for condition in conditions {
            let text = format!("type t {{ f(a) g(a) f(a1) ~ g(a2) : {condition} }}");
            let formula = parse(&text).specifications[0].pair(0, 1).0.formula.clone();
            let stateless = without_state(&formula).expect("small");
            assert!(!stateless.uses_state());
            for row in 0..4 {
                let (a, b) = ([Value::Bool(row & 1 == 1)], [Value::Bool(row & 2 == 2)]);
                let (a, b) = (Invocation::new(0, &a, &[]), Invocation::new(0, &b, &[]));
                let expected = evaluate(&formula, a, b, None, &Ints) == Some(true);
                let found = evaluate(&stateless, a, b, None, &Ints);
                assert_eq!(found, Some(expected), "{condition} {row}");
            }
        }
    }
}

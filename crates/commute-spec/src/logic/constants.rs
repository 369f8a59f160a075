//! Constants inside conditions, computed.
//!
//! What is computed is the same for every two invocations, in every state and
//! for every meaning of `MIN`, `MAX` and `app`.

use commute_model::Value;

use super::atoms::Literal;
use crate::evaluate::{apply, arithmetic, negate};
use crate::formula::{Formula, Function, Term};

/// The same condition without constants inside: they hide which part matters.
pub(crate) fn fold(formula: &Formula) -> Formula {
    match formula {
        Formula::Not(f) => fold(f).negate(),
        Formula::And(parts) => fold_list(parts, true),
        Formula::Or(parts) => fold_list(parts, false),
        Formula::Iff(f, g) => match (fold(f), fold(g)) {
            (Formula::Const(true), f) | (f, Formula::Const(true)) => f,
            (Formula::Const(false), f) | (f, Formula::Const(false)) => f.negate(),
            (f, g) => Formula::Iff(Box::new(f), Box::new(g)),
        },
        f => match Literal::of(f) {
            Some(Literal::Const(b)) => Formula::Const(b),
            _ => f.clone(),
        },
    }
}

fn fold_list(parts: &[Formula], and: bool) -> Formula {
    let mut kept = Vec::new();
    for part in parts.iter().map(fold) {
        match part {
            Formula::Const(b) if b == and => {}
            Formula::Const(b) => return Formula::Const(b),
            part => kept.push(part),
        }
    }
    match (kept.len(), and) {
        (0, _) => Formula::Const(and),
        (1, _) => kept.remove(0),
        (_, true) => Formula::And(kept),
        (_, false) => Formula::Or(kept),
    }
}

/// The same term with its constant parts computed.
pub(crate) fn fold_term(term: &Term) -> Term {
    let value = |value| Term::Value(value);
    match term {
        Term::Slot(..) | Term::Value(_) | Term::Min | Term::Max | Term::State => term.clone(),
        Term::Negate(t) => match fold_term(t) {
            Term::Value(v) => value(negate(&v)),
            t => Term::Negate(Box::new(t)),
        },
        Term::Arithmetic(op, a, b) => match (fold_term(a), fold_term(b)) {
            (Term::Value(a), Term::Value(b)) => value(arithmetic(*op, &a, &b)),
            // With what is not a number there is no result, whatever the rest.
            (Term::Value(v), _) | (_, Term::Value(v)) if !matches!(v, Value::Int(_)) => {
                value(Value::Opaque)
            }
            (a, b) => Term::Arithmetic(*op, Box::new(a), Box::new(b)),
        },
        Term::Call(function, terms) => {
            let terms: Vec<Term> = terms.iter().map(fold_term).collect();
            let values: Option<Vec<Value>> = terms
                .iter()
                .map(|term| match term {
                    Term::Value(value) => Some(value.clone()),
                    _ => None,
                })
                .collect();
            match (function, values) {
                (Function::Has | Function::Len, Some(values)) => value(apply(*function, &values)),
                _ => Term::Call(*function, terms),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::{Ints, evaluate};
    use crate::invocation::Invocation;
    use crate::parse;
    use crate::random::{Formulas, Kind, Random, domain};

    fn folded(condition: &str) -> String {
        let text = format!("type t {{ f(a) g(b)  f(a) ~ g(b) : {condition} }}");
        let parsed = parse(&text);
        let spec = parsed.specifications.first();
        let spec = spec.unwrap_or_else(|| panic!("{condition}: {:?}", parsed.diagnostics));
        fold(&spec.pair(0, 1).0.formula).text(&spec.variables(0, 1))
    }

    #[test]
    fn what_is_constant_is_computed() {
        for (condition, expected) in [
            ("1 < 2", "true"),
            ("3 == 3", "true"),
            ("'a' >= 'b'", "false"),
            ("1 + 2 * 3 != 7", "false"),
            ("1 < 2 && a == b", "a1 == b2"),
            ("state == 1 && false || a == b", "a1 == b2"),
            ("(1 > 2) == (a == b)", "!(a1 == b2)"),
            ("!(len(()) == 0)", "false"),
            ("has((), 1)", "false"),
            // Without a result: equal to nothing, not even to itself.
            ("1 / 0 == 1 / 0", "false"),
            ("1 / 0 != a", "true"),
            ("a + nil == b", "false"),
            ("-'x' < a", "false"),
            // What these are is not known here.
            ("MIN < MAX", "MIN < MAX"),
            ("app('f', 1) == 2", "app('f', 1) == 2"),
            ("a == a", "a1 == a1"),
            ("state + nil != 1", "state + nil != 1"),
        ] {
            assert_eq!(folded(condition), expected, "{condition}");
        }
    }

    #[test]
    fn the_meaning_stays() {
        let domain = domain();
        for seed in 0..2000 {
            let mut random = Random::new(seed);
            let formula = Formulas {
                random: &mut random,
                kind: Kind::Any,
                slots: [2, 2],
            }
            .formula(seed as usize % 4);
            let folded = fold(&formula);
            for _ in 0..20 {
                let mut call = || [(); 2].map(|()| random.pick(&domain).clone());
                let (a, b) = (call(), call());
                let (a, b) = (Invocation::new(0, &a, &[]), Invocation::new(1, &b, &[]));
                let value = |f: &Formula| evaluate(f, a, b, None, &Ints);
                assert_eq!(value(&folded), value(&formula), "{formula:?}");
            }
        }
    }
}

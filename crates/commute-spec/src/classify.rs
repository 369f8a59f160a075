//! The class of a condition (RD2 §6.1; Kulkarni et al. for SIMPLE, L1, L2).
//!
//! From the smallest to the largest: SIMPLE, a conjunction of `x ≠ y` between
//! slots of the two sides; ECL, which adds one-sided conditions so that SIMPLE
//! remains once these are known; L2, anything about arguments and results; L1,
//! which may also use `state`.
//!
//! A condition belongs to a class if it is *equivalent* to one that is written
//! as the class demands (Lemma 6.4): `!(k1 == k2)` is SIMPLE.
//! That is decided by truth tables. A condition of more than 14 different atoms
//! is taken as it is written: then it may be put into too large a class, never
//! into too small a one.

use std::fmt;

use crate::formula::{Comparison, Formula};
use crate::logic::atoms::{Literal, Reach};
use crate::logic::residue::{Remain, is_simple, residue};

/// The class of a condition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// A conjunction of `x != y` between slots of the two sides.
    Simple,
    /// That, once one-sided conditions are known.
    Ecl,
    /// Any condition about arguments and results.
    L2,
    /// A condition that uses the state.
    L1,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Class::Simple => "SIMPLE",
            Class::Ecl => "ECL",
            Class::L2 => "L2",
            Class::L1 => "L1",
        })
    }
}

/// A class, and why it is not a smaller one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Classification {
    /// The smallest class the condition belongs to.
    pub class: Class,
    /// The smallest part of the condition that is not in the next smaller
    /// class. A part under a negation is negated.
    pub culprit: Option<Formula>,
}

/// The class of a condition.
///
/// ```
/// use commute_spec::{Class, classify, parse};
/// let text = "type heap { push(v)  pop() -> r  push(v1) ~ pop()/r2 : r2 != nil && v1 > r2 }";
/// let spec = &parse(text).specifications[0];
/// let found = classify(&spec.pair(0, 1).0.formula);
/// assert_eq!(found.class, Class::L2);
/// assert_eq!(found.culprit.unwrap().text(&spec.variables(0, 1)), "v1 > r2");
/// ```
pub fn classify(formula: &Formula) -> Classification {
    let class = class(formula);
    let member: Option<&dyn Fn(&Formula) -> bool> = match class {
        Class::Simple => None,
        Class::Ecl => Some(&simple),
        Class::L2 => Some(&ecl),
        Class::L1 => Some(&|f| !f.uses_state()),
    };
    let culprit = member.map(|member| match fold(formula) {
        folded if !member(&folded) => culprit(&folded, true, member),
        _ => formula.clone(),
    });
    Classification { class, culprit }
}

/// The class alone.
pub(crate) fn class(formula: &Formula) -> Class {
    match formula {
        f if f.uses_state() => Class::L1,
        f if simple(f) => Class::Simple,
        f if ecl(f) => Class::Ecl,
        _ => Class::L2,
    }
}

fn simple(formula: &Formula) -> bool {
    is_simple(formula).unwrap_or_else(|_| written(formula, true) == Written::Simple)
}

fn ecl(formula: &Formula) -> bool {
    use crate::logic::residue::NoResidue;
    match residue(formula, Remain::Slots) {
        Ok(_) => true,
        Err(NoResidue::Other) => false,
        Err(NoResidue::TooLarge) => written(formula, true) != Written::Other,
    }
}

/// How a formula is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Written {
    /// `S` of RD2's grammar.
    Simple,
    /// `B`
    OneSided,
    /// `X`
    Ecl,
    /// None of these.
    Other,
}

/// Reads the formula, or its negation, by the grammar
/// `X ::= S | B | X ∧ X | X ∨ B`.
fn written(formula: &Formula, positive: bool) -> Written {
    let (parts, and) = match formula {
        Formula::Not(f) => return written(f, !positive),
        Formula::And(parts) => (parts, positive),
        Formula::Or(parts) => (parts, !positive),
        Formula::Iff(f, g) => {
            let one_sided = |f| written(f, true) == Written::OneSided;
            return match one_sided(f) && one_sided(g) {
                true => Written::OneSided,
                false => Written::Other,
            };
        }
        _ => {
            return match Literal::of(formula) {
                Some(Literal::Is(atom, value)) => match (atom.reach(), atom.as_key()) {
                    (Reach::One(_), _) => Written::OneSided,
                    (Reach::Both, Some(_)) if value != positive => Written::Simple,
                    (Reach::Both, _) => Written::Other,
                },
                // A constant is S and B; as B it fits more places.
                _ => Written::OneSided,
            };
        }
    };
    let found: Vec<Written> = parts.iter().map(|part| written(part, positive)).collect();
    let all = |kind| found.iter().all(|k| *k == kind);
    let one_sided = found.iter().filter(|k| **k == Written::OneSided).count();
    match (found.contains(&Written::Other), and) {
        (true, _) => Written::Other,
        _ if all(Written::OneSided) => Written::OneSided,
        (false, true) if all(Written::Simple) => Written::Simple,
        (false, true) => Written::Ecl,
        (false, false) if one_sided + 1 >= found.len() => Written::Ecl,
        (false, false) => Written::Other,
    }
}

/// The smallest part of `formula`, or of its negation, that is not a member.
fn culprit(formula: &Formula, positive: bool, member: &dyn Fn(&Formula) -> bool) -> Formula {
    /// From longer lists no shorter ones are tried.
    const LONGEST: usize = 64;
    let guilty = |f: &Formula, positive| !member(&polar(f, positive));
    match formula {
        Formula::Not(f) => culprit(f, !positive, member),
        Formula::And(parts) | Formula::Or(parts) => {
            if let Some(part) = parts.iter().find(|part| guilty(part, positive)) {
                return culprit(part, positive, member);
            }
            // The parts are innocent one by one: the fewest that are not are
            // to blame together.
            let list: fn(Vec<Formula>) -> Formula = match formula {
                Formula::And(_) => Formula::And,
                _ => Formula::Or,
            };
            let mut parts = parts.clone();
            let mut i = 0;
            while i < parts.len() && parts.len() <= LONGEST {
                let part = parts.remove(i);
                if !guilty(&list(parts.clone()), positive) {
                    parts.insert(i, part);
                    i += 1;
                }
            }
            polar(&list(parts), positive)
        }
        Formula::Iff(f, g) => {
            // Both sides count as they are and negated; a side that is guilty
            // either way is blamed first.
            let sides = [(f, true), (g, true), (f, false), (g, false)];
            let twice = |f: &Formula| guilty(f, true) && guilty(f, false);
            let found = sides.iter().find(|(f, _)| twice(f));
            match found.or_else(|| sides.iter().find(|(f, positive)| guilty(f, *positive))) {
                Some((f, positive)) => culprit(f, *positive, member),
                None => polar(formula, positive),
            }
        }
        _ => polar(formula, positive),
    }
}

/// The formula or its negation.
fn polar(formula: &Formula, positive: bool) -> Formula {
    match formula {
        f if positive => f.clone(),
        Formula::Compare(Comparison::Eq, a, b) => {
            Formula::Compare(Comparison::Ne, a.clone(), b.clone())
        }
        Formula::Compare(Comparison::Ne, a, b) => {
            Formula::Compare(Comparison::Eq, a.clone(), b.clone())
        }
        f => f.clone().negate(),
    }
}

/// The formula without constants inside: they hide which part matters.
fn fold(formula: &Formula) -> Formula {
    match formula {
        Formula::Not(f) => fold(f).negate(),
        Formula::And(parts) => fold_list(parts, true),
        Formula::Or(parts) => fold_list(parts, false),
        Formula::Iff(f, g) => match (fold(f), fold(g)) {
            (Formula::Const(b), f) | (f, Formula::Const(b)) => match b {
                true => f,
                false => f.negate(),
            },
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn check(condition: &str, class: Class, culprit: &str) {
        let text = format!(
            "type t {{ f(k, v, o) -> (p, ok)  g(k, v, o, n) -> (p, ok, r)
               f(k1, v1, o1)/(p1, ok1) ~ g(k2, v2, o2, n2)/(p2, ok2, r2) : {condition} }}"
        );
        let parsed = parse(&text);
        let spec = parsed.specifications.first();
        let spec = spec.unwrap_or_else(|| panic!("{condition}: {:?}", parsed.diagnostics));
        let found = classify(&spec.pair(0, 1).0.formula);
        let text = found.culprit.map(|f| f.text(&spec.variables(0, 1)));
        let found = (found.class, text.unwrap_or_default());
        assert_eq!(found, (class, culprit.to_string()), "{condition}");
    }

    #[test]
    fn conditions_have_the_class_of_what_they_mean() {
        use Class::{Ecl, L1, L2, Simple};
        for (condition, class, culprit) in [
            ("true", Simple, ""),
            ("k1 != k2", Simple, ""),
            ("k1 != k2 && v1 != p2", Simple, ""),
            ("!(k1 == k2)", Simple, ""),
            ("!(k1 == k2 || v1 == v2)", Simple, ""),
            ("k1 != k2 || false", Simple, ""),
            ("(k1 != k2) == true", Simple, ""),
            ("k1 != k2 || v1 == p1", Ecl, "v1 == p1"),
            ("k1 != k2 || (v1 == p1 && v2 == p2)", Ecl, "v1 == p1"),
            ("(v1 == nil) == (p1 == nil)", Ecl, "v1 == nil"),
            ("r2 != nil && v1 != r2", Ecl, "r2 != nil"),
            // The remainder, not the way it is written, decides.
            ("(v1 != r2 && r2 != nil) || !ok1", Ecl, "r2 != nil"),
            (
                "(!ok2 && o2 != v1 && o2 != p1) || (v1 == p1 && (!ok2 || o2 == n2))",
                Ecl,
                "!ok2",
            ),
            ("(k1 == k2) == ok1 || ok1", Ecl, "ok1"),
            (
                "ok1 || (k1 != k2 || !ok1 && v1 != v2) && (k1 != k2 || ok1)",
                Ecl,
                "ok1",
            ),
            // Equality helps: if v1 is p1, they differ from o2 together.
            ("v1 == p1 && (v1 != o2 || p1 != o2)", Ecl, "v1 == p1"),
            ("k1 != k2 || (k1 == k2 && ok1)", Ecl, "k1 == k2"),
            ("k1 != k2 || v1 != v2", L2, "k1 != k2 || v1 != v2"),
            (
                "ok1 || v1 != v2 || ok2 || k1 != k2",
                L2,
                "v1 != v2 || k1 != k2",
            ),
            ("k1 == k2", L2, "k1 == k2"),
            ("!(k1 != k2)", L2, "k1 == k2"),
            ("!(k1 == k2 && v1 == v2)", L2, "!(k1 == k2 && v1 == v2)"),
            ("ok1 == (k1 != k2)", L2, "k1 == k2"),
            ("r2 != nil && v1 > r2", L2, "v1 > r2"),
            ("k1 != k2 || ok1 && v1 > r2", L2, "v1 > r2"),
            ("k1 == k2 && false || v1 > r2", L2, "v1 > r2"),
            ("!has(v2, k1)", L2, "!has(v2, k1)"),
            ("k1 != k2 + 1", L2, "k1 != k2 + 1"),
            (
                "(!ok2 && o2 != v1 && o2 != p1) || k1 != k2",
                L2,
                "(!ok2 && o2 != v1 && o2 != p1) || k1 != k2",
            ),
            ("k1 != k2 || has(state, k1)", L1, "has(state, k1)"),
            ("ok1 && !(len(state) > 2)", L1, "!(len(state) > 2)"),
        ] {
            check(condition, class, culprit);
        }
    }

    #[test]
    fn what_is_made_from_ecl_is_ecl() {
        use crate::logic::atoms::Atoms;
        use crate::random::{Formulas, Kind, Random};
        let mut counts = [0; 4];
        for seed in 0..2000 {
            let mut random = Random::new(seed);
            let random = &mut random;
            let (kind, slots) = (Kind::Ecl, [3, 2]);
            let formula = Formulas {
                random,
                kind,
                slots,
            }
            .formula(seed as usize % 5);
            let found = classify(&formula);
            let large = Atoms::of(&[&formula]).is_none();
            assert!(large || found.class <= Class::Ecl, "{formula:?}");
            assert_eq!(found.culprit.is_none(), found.class == Class::Simple);
            counts[found.class as usize] += 1;
        }
        assert!(counts[0] > 300 && counts[1] > 800, "{counts:?}");
    }

    #[test]
    fn a_huge_condition_is_read_as_written() {
        let many = |n| (0..n).map(|i| format!("v1 == {i}")).collect::<Vec<_>>();
        let atoms = many(40).join(" || ");
        check(&format!("k1 != k2 || {atoms}"), Class::Ecl, "v1 == 0");
        check(&format!("k1 != k2 && !({atoms})"), Class::Ecl, "v1 != 0");
        let culprit = "k1 != k2 || v1 != v2";
        check(
            &format!("k1 != k2 || {atoms} || v1 != v2"),
            Class::L2,
            culprit,
        );
        check(&format!("k1 == k2 || {atoms}"), Class::L2, "k1 == k2");
    }
}

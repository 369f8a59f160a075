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
//!
//! Constants are computed first, and `state` counts only where it makes a
//! difference.

mod culprit;
#[cfg(test)]
mod tests;
mod written;

use std::fmt;

use crate::formula::Formula;
use crate::logic::constants::fold;
use crate::logic::equivalent;
use crate::logic::residue::{NoResidue, Remain, is_simple, residue};
use crate::logic::stateless::without_state;
use culprit::culprit;
use written::{Written, written};

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
    let formula = essence(formula);
    let class = class_of(&formula);
    let member: Option<&dyn Fn(&Formula) -> bool> = match class {
        Class::Simple => None,
        Class::Ecl => Some(&simple),
        Class::L2 => Some(&ecl),
        Class::L1 => Some(&|f| !essence(f).uses_state()),
    };
    let culprit = member.map(|member| culprit(&formula, member));
    Classification { class, culprit }
}

/// The class alone.
pub(crate) fn class(formula: &Formula) -> Class {
    class_of(&essence(formula))
}

/// The class of a formula that uses `state` only if it matters.
fn class_of(formula: &Formula) -> Class {
    match formula {
        f if f.uses_state() => Class::L1,
        f if simple(f) => Class::Simple,
        f if ecl(f) => Class::Ecl,
        _ => Class::L2,
    }
}

/// The formula without what cannot matter: constants inside, and `state` where
/// it makes no difference whether it is known.
fn essence(formula: &Formula) -> Formula {
    let formula = fold(formula);
    if !formula.uses_state() {
        return formula;
    }
    match without_state(&formula).map(|f| fold(&f)) {
        Some(known) if equivalent(&formula, &known) == Some(true) => known,
        _ => formula,
    }
}

fn simple(formula: &Formula) -> bool {
    is_simple(formula).unwrap_or_else(|_| written(formula, true) == Written::Simple)
}

fn ecl(formula: &Formula) -> bool {
    match residue(formula, Remain::Slots) {
        Ok(_) => true,
        Err(NoResidue::Other) => false,
        Err(NoResidue::TooLarge) => written(formula, true) != Written::Other,
    }
}

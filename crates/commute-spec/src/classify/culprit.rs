//! Which part of a condition keeps it out of a class.
//!
//! A part may be outside the class taken alone and yet do no harm where it
//! stands: `k1 == k2` in `k1 != k2 || (k1 == k2 && ok1)`, which means
//! `k1 != k2 || ok1`. So a part is blamed only if the whole condition comes into
//! the class without it, and without the others that must go as well.

use std::cell::Cell;

use crate::formula::{Comparison, Formula};

/// In longer lists the first part that is outside is blamed unseen.
const LONGEST: usize = 64;

/// The whole condition is looked at while the sizes add up to no more than this.
const MOST_NODES: usize = 1 << 20;

/// The smallest part of `formula` that keeps it from being a member, which it
/// must not be. A part under a negation is negated.
pub(super) fn culprit(formula: &Formula, member: &dyn Fn(&Formula) -> bool) -> Formula {
    let search = Search {
        member,
        tries: Cell::new(MOST_NODES / nodes(formula)),
    };
    search.part(formula, true, &|part| part)
}

struct Search<'a> {
    member: &'a dyn Fn(&Formula) -> bool,
    tries: Cell<usize>,
}

/// Makes the whole condition from what stands at the place of a part.
type Whole<'a> = &'a dyn Fn(Formula) -> Formula;

impl Search<'_> {
    /// Whether the formula, or its negation, is outside by itself.
    fn guilty(&self, formula: &Formula, positive: bool) -> bool {
        !(self.member)(&polar(formula, positive))
    }

    fn part(&self, formula: &Formula, positive: bool, whole: Whole<'_>) -> Formula {
        match formula {
            Formula::Not(f) => self.part(f, !positive, &|part| whole(part.negate())),
            Formula::And(parts) => self.list(Formula::And, parts, positive, whole),
            Formula::Or(parts) => self.list(Formula::Or, parts, positive, whole),
            Formula::Iff(f, g) => {
                // Both sides count as they are and negated; a side that is
                // guilty either way is blamed first.
                let sides = [(f, g, true), (g, f, true), (f, g, false), (g, f, false)];
                let twice = |f: &Formula| self.guilty(f, true) && self.guilty(f, false);
                let found = sides.iter().find(|(f, ..)| twice(f)).or_else(|| {
                    let mut sides = sides.iter();
                    sides.find(|(f, _, positive)| self.guilty(f, *positive))
                });
                match found {
                    Some((side, other, positive)) => self.part(side, *positive, &|part| {
                        whole(Formula::Iff(Box::new(part), (*other).clone()))
                    }),
                    None => polar(formula, positive),
                }
            }
            _ => polar(formula, positive),
        }
    }

    fn list(
        &self,
        list: fn(Vec<Formula>) -> Formula,
        parts: &[Formula],
        positive: bool,
        whole: Whole<'_>,
    ) -> Formula {
        let places = 0..parts.len();
        let guilty: Vec<usize> = places
            .filter(|i| self.guilty(&parts[*i], positive))
            .collect();
        let without = |dropped: &[usize]| {
            let kept = (0..parts.len()).filter(|i| !dropped.contains(i));
            kept.map(|i| parts[i].clone()).collect::<Vec<Formula>>()
        };
        let fits = |dropped: &[usize]| {
            self.tries.set(self.tries.get().saturating_sub(1));
            self.tries.get() > 0 && (self.member)(&whole(list(without(dropped))))
        };
        let short = parts.len() <= LONGEST;
        let mut blamed = guilty.clone();
        if short && fits(&guilty) {
            // What may come back did no harm.
            for part in guilty {
                let others: Vec<usize> = blamed.iter().copied().filter(|i| *i != part).collect();
                if fits(&others) {
                    blamed = others;
                }
            }
        } else if blamed.is_empty() || (short && self.guilty(&list(without(&blamed)), positive)) {
            return self.together(list, without(&blamed), positive);
        } else {
            blamed.truncate(1);
        }
        let Some((&first, others)) = blamed.split_first() else {
            return polar(&list(parts.to_vec()), positive);
        };
        self.part(&parts[first], positive, &|part| {
            let mut kept = without(others);
            // Those that are left out come after the one that is blamed.
            kept[first] = part;
            whole(list(kept))
        })
    }

    /// The parts are innocent one by one: the fewest that are not are to blame
    /// together.
    fn together(
        &self,
        list: fn(Vec<Formula>) -> Formula,
        mut parts: Vec<Formula>,
        positive: bool,
    ) -> Formula {
        let mut i = 0;
        while i < parts.len() && parts.len() <= LONGEST {
            let part = parts.remove(i);
            if !self.guilty(&list(parts.clone()), positive) {
                parts.insert(i, part);
                i += 1;
            }
        }
        polar(&list(parts), positive)
    }
}

/// How many parts there are, parts of parts included.
fn nodes(formula: &Formula) -> usize {
    match formula {
        Formula::Not(f) => 1 + nodes(f),
        Formula::And(parts) | Formula::Or(parts) => 1 + parts.iter().map(nodes).sum::<usize>(),
        Formula::Iff(f, g) => 1 + nodes(f) + nodes(g),
        Formula::Const(_) | Formula::Compare(..) | Formula::Holds(_) => 1,
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

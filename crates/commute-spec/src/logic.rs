//! Deciding questions about conditions exactly.
//!
//! A condition is a propositional formula over *atoms* ([`atoms`]): equalities
//! and orderings of terms, in a normal form that makes different spellings of
//! one atom the same. With at most [`MOST_ATOMS`] atoms the formula has a truth
//! table of at most 2¹⁴ bits ([`table`]), and questions about it are questions
//! about bits. Rows that contradict the laws of equality are left out
//! ([`equality`]): no two invocations can produce them.
//!
//! On this stand the check that an (m, m) condition is symmetric
//! ([`equivalent`]), the classes ([`crate::classify`]) and the translation to
//! access points ([`residue`]).

pub(crate) mod atoms;
pub(crate) mod constants;
pub(crate) mod equality;
pub(crate) mod reduce;
pub(crate) mod residue;
pub(crate) mod stateless;
pub(crate) mod symmetry;
pub(crate) mod table;

use crate::formula::Formula;
use atoms::Atoms;

/// Conditions with more atoms are not decided by truth tables.
pub(crate) const MOST_ATOMS: usize = 14;

/// Whether a formula has too many atoms to be decided by truth tables.
pub(crate) fn is_too_large(formula: &Formula) -> bool {
    Atoms::of(&[formula]).is_none()
}

/// Whether two formulas agree on all invocations, as far as the laws of logic
/// and equality tell; `None` if they have too many atoms.
pub(crate) fn equivalent(f: &Formula, g: &Formula) -> Option<bool> {
    let atoms = Atoms::of(&[f, g])?;
    let mut difference = atoms.table(f);
    difference.xor(&atoms.table(g));
    difference.and(&equality::possible(atoms.list()));
    Some(difference.is_false())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    /// A condition of `f(a, b, c)` and `g(a, b, c)`.
    fn formula(text: &str) -> Formula {
        let both = "f(a, b, c) g(a, b, c)  f(a1, b1, c1) ~ g(a2, b2, c2)";
        let text = format!("type t {{ {both} : {text} }}");
        parse(&text).specifications[0].pair(0, 1).0.formula.clone()
    }

    #[test]
    fn equivalence_knows_logic_and_equality() {
        for (f, g, expected) in [
            ("a1 == b2", "b2 == a1", true),
            ("a1 == b2", "!(a1 != b2)", true),
            ("a1 < b2", "b2 > a1", true),
            ("a1 <= b2", "!(a1 > b2)", false), // differ for opaque values
            ("a1", "a1 == true", true),
            (
                "(a1 == nil) == (b1 == nil)",
                "(a1 == nil && b1 == nil) || (a1 != nil && b1 != nil)",
                true,
            ),
            (
                "a1 == b1 && b1 == c2",
                "a1 == b1 && a1 == c2 && b1 == c2",
                true,
            ),
            ("a1 == 'x' && a2 == 'y' && a1 == a2", "false", true),
            ("a1 == 'x' && b1 == 'x' && a1 != b1", "false", true),
            ("a1 == a1", "true", false), // false for opaque values
            ("a1 == a1 || a1 != b2", "true", true),
            ("1 == 1", "'a' != 'b'", true),
            ("MIN == MIN", "MAX == MAX", false),
            ("a1 == b1 || a2 == b2", "a1 == b1", false),
        ] {
            assert_eq!(
                equivalent(&formula(f), &formula(g)),
                Some(expected),
                "{f}  {g}"
            );
        }
        let many = (0..20).map(|i| format!("a1 == {i}"));
        let many = formula(&many.collect::<Vec<_>>().join(" || "));
        assert_eq!(equivalent(&many, &many), None);
    }
}

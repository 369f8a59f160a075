//! Conditions by the way they are written, for those with too many atoms for a
//! truth table.

use crate::formula::Formula;
use crate::logic::atoms::{Literal, Reach};

/// How a formula is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Written {
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
pub(super) fn written(formula: &Formula, positive: bool) -> Written {
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

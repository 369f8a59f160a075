//! Conditions, their classes, and what keeps them from smaller ones.

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
        // A part that does no harm where it stands is not blamed.
        ("k1 != k2 || (k1 == k2 && ok1)", Ecl, "ok1"),
        ("k1 != k2 || (k1 == k2 && ok1) || v1 < v2", L2, "v1 < v2"),
        ("k1 != k2 || v1 < v2 || (k1 == k2 && ok1)", L2, "v1 < v2"),
        ("v1 < v2 || (k1 == k2 && ok1) || k1 != k2", L2, "v1 < v2"),
        (
            "k1 != k2 || (((k1 == k2 && ok2) || v1 < o2) && ok1)",
            L2,
            "v1 < o2",
        ),
        ("k1 != k2 || (k1 == k2 && v1 < v2)", L2, "v1 < v2"),
        ("k1 != k2 && (k1 == k2 || ok1) && v1 < v2", L2, "v1 < v2"),
        (
            "!(k1 == k2 && (k1 != k2 || !ok1)) || v1 > v2",
            L2,
            "v1 > v2",
        ),
        (
            "k1 != k2 || v1 != v2 || (k1 == k2 && ok1)",
            L2,
            "k1 != k2 || v1 != v2",
        ),
        ("v1 < v2 || k1 < k2", L2, "v1 < v2"),
        ("v1 < v2 && k1 < k2", L2, "v1 < v2"),
        // Constants are computed first.
        ("1 < 2", Simple, ""),
        ("3 == 3 && k1 != k2", Simple, ""),
        ("1 < 2 && k1 == k2", L2, "k1 == k2"),
        ("1 + 1 == 3 || v1 == 2 || k1 != k2", Ecl, "v1 == 2"),
        // So is a state that makes no difference.
        ("state == 1 && false || k1 != k2", Simple, ""),
        ("state == 1 && false || k1 == k2", L2, "k1 == k2"),
        ("ok1 && !ok1 && has(state, k1) || k1 != k2", Simple, ""),
        ("(ok1 || !ok1 && state == 1) || ok1", L1, "state == 1"),
        // True, but not known to be where no state was recorded.
        ("state == 1 || state != 1", L1, "state == 1"),
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

/// What is blamed is outside the class by itself too.
#[test]
fn no_culprit_is_innocent() {
    use crate::random::{Formulas, Kind, Random};
    let mut counts = [0; 4];
    for seed in 0..3000 {
        let formula = Formulas {
            random: &mut Random::new(seed),
            kind: Kind::Any,
            slots: [3, 2],
        }
        .formula(seed as usize % 4);
        let found = classify(&formula);
        counts[found.class as usize] += 1;
        if let Some(culprit) = found.culprit {
            assert_eq!(class(&culprit), found.class, "{formula:?}: {culprit:?}");
        }
    }
    assert!(counts.iter().all(|n| *n > 100), "{counts:?}");
}

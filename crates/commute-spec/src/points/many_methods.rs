//! Types with many methods. The translation costs about as much per pair as in
//! a small type; this ends soon only if it does.

use commute_model::{Span, Value};

use super::{AccessPoints, Touched};
use crate::formula::{Comparison, Formula, Side, Term};
use crate::invocation::Invocation;
use crate::specification::{Condition, Method, Mutates, Specification};

const METHODS: usize = 150;
const CONSTANTS: usize = 6;

/// `k1 != k2 || (v1 == c && v2 == c)`, where c is one of six constants.
fn condition(a: usize, b: usize) -> Formula {
    let slot = Term::Slot;
    let constant = Value::from((a + b) % CONSTANTS);
    let is = |side| Formula::Compare(Comparison::Eq, slot(side, 1), Term::Value(constant.clone()));
    Formula::Or(vec![
        Formula::Compare(Comparison::Ne, slot(Side::First, 0), slot(Side::Second, 0)),
        Formula::And(vec![is(Side::First), is(Side::Second)]),
    ])
}

fn specification() -> Specification {
    let method = |i| Method {
        name: format!("m{i}"),
        args: vec!["k".to_string(), "v".to_string()],
        results: vec![],
        mutates: Mutates::Unknown,
        span: Span::default(),
    };
    let mut spec = Specification::new("many", (0..METHODS).map(method).collect());
    for (a, b) in (0..METHODS).flat_map(|a| (a..METHODS).map(move |b| (a, b))) {
        let condition = Condition {
            formula: condition(a, b),
            listed: true,
            ..Condition::unlisted(Span::default())
        };
        spec.set(a, b, condition);
    }
    spec
}

#[test]
fn a_type_with_many_methods_is_translated_exactly() {
    let spec = specification();
    let points = AccessPoints::of(&spec);
    assert_eq!(points.linear(), []);
    // Methods whose numbers are equal modulo six have the same conditions. It
    // matters which constant the value is; all calls with another are alike.
    assert_eq!(points.classes().len(), CONSTANTS * CONSTANTS + 1);
    let touched = |method: usize, args: &[Value; 2]| {
        let mut touched = Touched::new();
        points.touch(Invocation::new(method, args, &[]), &mut touched);
        touched
            .iter()
            .map(|(class, key)| (*class, key.cloned()))
            .collect::<Vec<_>>()
    };
    for step in 0..20_000usize {
        let (a, b) = (step % METHODS, step / 7 % METHODS);
        let [x, y] = [(a, step), (b, step / 8)].map(|(method, n)| {
            let args = [n / 5 % 2, n % (CONSTANTS + 1)].map(Value::from);
            (method, args)
        });
        let calls = [&x, &y].map(|(method, args)| Invocation::new(*method, args, &[]));
        let (first, second) = (touched(x.0, &x.1), touched(y.0, &y.1));
        let conflict = first.iter().any(|(c, key)| {
            let mut others = second.iter();
            others.any(|(d, other)| points.conflict(*c, *d) && key == other)
        });
        assert_eq!(conflict, !spec.commutes(calls[0], calls[1]), "{x:?} {y:?}");
    }
}

//! The paper's examples, and its theorems on random specifications.

use commute_model::Value;
use expect_test::{Expect, expect};

use super::check::Check;
use super::simplify::simplify;
use super::translate::{Raw, Translation};
use super::*;
use crate::formula::Side;
use crate::logic::residue::{NoResidue, Outcome, Remain, residue};
use crate::logic::stateless::without_state;
use crate::random::{Kind, Random, domain, specification};
use crate::variables::Variables;
use crate::{Specification, parse};

/// Figure 6.
const DICTIONARY: &str = "
type dictionary {
  put(k, v) -> p
  get(k) -> v
  size() -> r
  put(k1, v1)/p1 ~ put(k2, v2)/p2 : k1 != k2 || (v1 == p1 && v2 == p2)
  put(k1, v1)/p1 ~ get(k2)/v2 : k1 != k2 || v1 == p1
  put(k1, v1)/p1 ~ size()/r2 : (v1 == nil && p1 == nil) || (v1 != nil && p1 != nil)
  get ~ get, get ~ size, size ~ size : true
}";

fn read(text: &str) -> Specification {
    let mut parsed = parse(text);
    assert_eq!(parsed.specifications.len(), 1, "{:?}", parsed.diagnostics);
    parsed.specifications.remove(0)
}

/// Classes with their conflicts, what methods touch, and what is not translated.
fn show(spec: &Specification, points: &AccessPoints) -> String {
    let name = |class: &u16| &points.classes()[usize::from(*class)].name[..];
    let mut out = String::new();
    for class in points.classes() {
        let conflicts: Vec<&str> = class.conflicts.iter().map(name).collect();
        out += &format!("{} conflicts with {}\n", class.name, conflicts.join(", "));
    }
    for method in 0..spec.methods.len() {
        out += &format!("{}\n", points.describe(spec, method));
    }
    for (a, b) in points.linear() {
        let (a, b) = (&spec.methods[*a].name, &spec.methods[*b].name);
        out += &format!("linear: {a} ~ {b}\n");
    }
    out
}

fn check(text: &str, expected: Expect) {
    let spec = read(text);
    expected.assert_eq(&show(&spec, &AccessPoints::of(&spec)));
}

#[test]
fn figure_6_gives_figure_7() {
    check(
        DICTIONARY,
        expect![[r#"
        r:k conflicts with w:k
        w:k conflicts with r:k, w:k
        size conflicts with resize
        resize conflicts with size
        put(k, v)/p touches r:k if v == p; w:k if v != p; resize if (v == nil) != (p == nil)
        get(k)/v touches r:k
        size()/r touches size
    "#]],
    );
    let points = AccessPoints::of(&read(DICTIONARY));
    assert_eq!(points.classes().len(), 4);
    assert!(points.classes().iter().all(|c| c.conflicts.len() <= 2));
}

/// The touched points of §6.2, before simplification.
fn raw(translation: &Translation, call: Invocation<'_>) -> Vec<(Raw, Option<Value>)> {
    let method = call.method;
    let checks = translation.atoms[method].iter().map(Check::of);
    let bits = checks
        .enumerate()
        .map(|(i, c)| usize::from(c.holds(call)) << i);
    let beta = bits.sum();
    let point = |key, value: Option<&Value>| (Raw { method, key, beta }, value.cloned());
    let mut points = vec![point(Key::Whole, None)];
    for slot in 0..call.args().len() + call.results().len() {
        let value = call.slot(slot);
        points.push(point(Key::Slot(slot), Some(value)));
        if let Value::Tuple(values) = value {
            points.extend(values.iter().map(|v| point(Key::Elements(slot), Some(v))));
        }
    }
    points
}

#[test]
fn the_examples_of_section_6_2() {
    let spec = read(DICTIONARY);
    let translation = Translation::of(&spec);
    let text = |method: usize| {
        let variables = Variables::of_method(&spec.methods[method]);
        let atoms = translation.atoms[method].iter();
        atoms
            .map(|a| a.formula(true).text(&variables))
            .collect::<Vec<_>>()
    };
    // B(Φ, put), B(Φ, get), B(Φ, size)
    assert_eq!(text(0), ["v == p", "v == nil", "p == nil"]);
    assert!(text(1).is_empty() && text(2).is_empty());
    // β and η of put(5,6)/nil
    let (args, results) = ([Value::from(5), Value::from(6)], [Value::Nil]);
    let touched = raw(&translation, Invocation::new(0, &args, &results));
    assert!(touched.iter().all(|(point, _)| point.beta == 0b100));
    let touched: Vec<_> = touched
        .into_iter()
        .map(|(p, value)| (p.key, value))
        .collect();
    assert_eq!(
        touched,
        [
            (Key::Whole, None),
            (Key::Slot(0), Some(Value::from(5))),
            (Key::Slot(1), Some(Value::from(6))),
            (Key::Slot(2), Some(Value::Nil)),
        ]
    );
    // ϕ(put; get)[β₁; β₂] is k₁ ≠ k₂ if v = p is false, otherwise true.
    let pair = translation.pairs.iter().find(|p| p.methods == (0, 1));
    let pair = pair.expect("put ~ get is translated");
    for beta in 0..8 {
        let conflicts = pair.row(Side::First, beta, Key::Slot(0));
        let expected = if beta & 1 == 0 {
            vec![(0, Key::Slot(0))]
        } else {
            vec![]
        };
        assert_eq!(conflicts, expected);
        assert_eq!(pair.row(Side::First, beta, Key::Whole), []);
    }
}

#[test]
fn the_conflicts_of_appendix_a_2() {
    let translation = Translation::of(&read(DICTIONARY));
    let point = |method, key, beta| Raw { method, key, beta };
    for first in 0..8 {
        let (v_is_p, v_is_nil, p_is_nil) = (first & 1 == 1, first & 2 == 2, first & 4 == 4);
        if !translation.betas(0).contains(&first) {
            // These contradict the laws of equality.
            assert!(
                [0b011, 0b101, 0b110].contains(&first)
                    || (v_is_p && v_is_nil != p_is_nil)
                    || (!v_is_p && v_is_nil && p_is_nil)
            );
            continue;
        }
        let (key, whole) = (point(0, Key::Slot(0), first), point(0, Key::Whole, first));
        for &second in translation.betas(0) {
            let expected = !v_is_p || second & 1 == 0;
            let other = point(0, Key::Slot(0), second);
            assert_eq!(translation.conflict(key, other), expected);
        }
        let (get, size) = (point(1, Key::Slot(0), 0), point(2, Key::Whole, 0));
        assert_eq!(translation.conflict(key, get), !v_is_p);
        assert_eq!(translation.conflict(get, key), !v_is_p);
        assert_eq!(translation.conflict(whole, size), v_is_nil != p_is_nil);
        assert!(!translation.conflict(whole, get) && !translation.conflict(key, size));
    }
    // A.3 ends with four classes, of which get touches the one of a put that
    // changes nothing.
    let classes = simplify(&translation).expect("few classes");
    assert_eq!(classes.len(), 4);
    let get = point(1, Key::Slot(0), 0);
    let class = classes.iter().find(|c| c.points.contains(&get));
    let put: Vec<_> = class.expect("get touches a point").points.iter().collect();
    assert!(put.iter().all(|p| p.method == 1 || p.beta & 1 == 1));
    assert!(put.iter().any(|p| p.method == 0));
}

#[test]
fn an_outcome_is_a_conjunction_of_keys() {
    let spec = read(
        "type t { f(a, b) f(a1, b1) ~ f(a2, b2) : a1 != b2 && b1 != a2 || a1 == 0 || a2 == 0 }",
    );
    let formula = &spec.pair(0, 0).0.formula;
    let residue = residue(formula, Remain::Slots).expect("it is ECL");
    assert_eq!(
        residue.keys,
        [(Key::Slot(0), Key::Slot(1)), (Key::Slot(1), Key::Slot(0))]
    );
    assert_eq!(residue.outcome(0, 0), Some(Outcome::Unless(0b11)));
    assert_eq!(residue.outcome(0, 1), Some(Outcome::Unless(0)));
}

#[test]
fn what_is_not_symmetric_is_not_translated() {
    // The parser refuses such a condition; a program may still make it.
    let text = "type t { f(a) g(a)  f(a1) ~ g(a2) : a1 == 1  f(a1) ~ f(a2) : true }";
    let mut spec = read(text);
    let condition = spec.pair(0, 1).0.clone();
    spec.set(0, 0, condition);
    assert_eq!(AccessPoints::of(&spec).linear(), [(0, 0)]);
}

#[test]
fn points_of_other_types() {
    check(
        "type queue {
           push(v) mutates
           pop() -> r mutates r != nil
           peek() -> r
           len() -> n
           push ~ push, push ~ len : false
           push(v1) ~ pop()/r2, push(v1) ~ peek()/r2 : r2 != nil && v1 != r2
           pop()/r1 ~ pop()/r2 : r1 == nil && r2 == nil
           pop()/r1 ~ peek, pop()/r1 ~ len : r1 == nil
           peek ~ peek, peek ~ len, len ~ len : true
         }",
        expect![[r#"
            w:v conflicts with w:r
            w:r conflicts with w:v
            len conflicts with push, resize
            r conflicts with resize
            push conflicts with len, push
            resize conflicts with len, r, resize
            push(v) touches w:v; push
            pop()/r touches w:r if r != nil; len if r == nil; resize if r != nil
            peek()/r touches w:r if r != nil; len if r == nil; r if r != nil
            len()/n touches len
        "#]],
    );
    check(
        "type map {
           get(k) -> v
           insert(k, v) -> p mutates v != p
           retain() -> xs mutates xs != ()
           len() -> n
           get ~ get, get ~ len, len ~ len : true
           get(k1) ~ insert(k2, v2)/p2 : k1 != k2 || v2 == p2
           get(k1) ~ retain()/xs2 : !has(xs2, k1)
           insert(k1, v1)/p1 ~ insert(k2, v2)/p2 : k1 != k2 || v1 == p1 && v2 == p2
           insert(k1, v1)/p1 ~ retain()/x2 : v1 == p1 && x2 == ()
           insert(k1, v1)/p1 ~ len : p1 != nil
           retain()/x1 ~ retain()/x2 : x1 == () && x2 == ()
           retain()/x1 ~ len : x1 == ()
         }",
        expect![[r#"
            r:k conflicts with w:xs, w:k
            w:xs conflicts with r:k
            r2:k conflicts with w:k
            w:k conflicts with r:k, r2:k, w:k
            len conflicts with resize, r2, w2
            w conflicts with r3, w2
            r conflicts with w2
            resize conflicts with len, r3, w2
            r2 conflicts with len, w2
            r3 conflicts with w, resize, w2
            w2 conflicts with len, w, r, resize, r2, r3, w2
            get(k)/v touches r:k
            insert(k, v)/p touches r2:k if v == p; w:k if v != p; w if v != p && p != nil; r if v == p && p != nil; resize if v != p && p == nil; r2 if v == p && p == nil
            retain()/xs touches w:xs for each element of xs; r3 if xs == (); w2 if xs != ()
            len()/n touches len
        "#]],
    );
    check(
        "type cell {
           load() -> v
           store(v)
           swap(v) -> p
           cas(o, n) -> ok
           heap(v)
           load ~ load : true
           load ~ store, store ~ store, store ~ swap, store ~ cas : false
           load ~ swap(v2)/p2 : v2 == p2
           load ~ cas(o2, n2)/ok2 : !ok2 || o2 == n2
           swap(v1)/p1 ~ swap(v2)/p2 : v1 == p1 && v2 == p2
           swap(v1)/p1 ~ cas(o2, n2)/ok2 :
             (!ok2 && o2 != v1 && o2 != p1) || (v1 == p1 && (!ok2 || o2 == n2))
           cas(o1, n1)/ok1 ~ cas(o2, n2)/ok2 : (!ok1 || o1 == n1) && (!ok2 || o2 == n2)
           heap(v1) ~ swap(v2) : v1 > v2
           heap(v1) ~ heap(v2) : v1 != v2 || has(state, v1) && has(state, v2)
           heap ~ load, heap ~ store, heap ~ cas : true
         }",
        expect![[r#"
            r:v conflicts with r:o
            r:o conflicts with r:v
            w:v conflicts with w:v
            load conflicts with store, load-change
            store-change conflicts with store
            store conflicts with load, store-change, store, load-change
            load-change conflicts with load, store, load-change
            load()/v touches load
            store(v) touches store
            swap(v)/p touches r:v if v != p; r:v with v = p if v != p; load if v == p; load-change if v != p
            cas(o, n)/ok touches r:o if !ok; load if ok && o == n; store-change if !ok; store if ok && o != n
            heap(v) touches w:v
            linear: swap ~ heap
        "#]],
    );
}

/// A random method with values for its slots.
fn slots(random: &mut Random, spec: &Specification, domain: &[Value]) -> (usize, Vec<Value>) {
    let method = random.below(spec.methods.len());
    let slots = 0..spec.methods[method].slots().count();
    (method, slots.map(|_| random.pick(domain).clone()).collect())
}

fn call<'v>(spec: &Specification, (method, slots): &'v (usize, Vec<Value>)) -> Invocation<'v> {
    let (args, results) = slots.split_at(spec.methods[*method].args.len());
    Invocation::new(*method, args, results)
}

/// Whether touched points conflict, simplified and not.
fn conflicts(
    points: &AccessPoints,
    translation: &Translation,
    a: Invocation<'_>,
    b: Invocation<'_>,
) -> (bool, bool) {
    let (mut first, mut second) = (Touched::new(), Touched::new());
    points.touch(a, &mut first);
    let mut each = Touched::new();
    points.touch_each(a, |class, key| each.push((class, key)));
    assert_eq!(each, first);
    points.touch(b, &mut second);
    for touched in [&first, &second] {
        for (i, point) in touched.iter().enumerate() {
            assert!(!touched[..i].contains(point), "{point:?} twice");
            let keyed = points.classes()[usize::from(point.0)].keyed;
            assert_eq!(keyed, point.1.is_some());
            assert!(!point.1.is_some_and(Value::has_opaque));
        }
    }
    let simplified = first.iter().any(|(c, x)| {
        second
            .iter()
            .any(|(d, y)| points.conflict(*c, *d) && x == y)
    });
    let same = |x: &Option<Value>, y: &Option<Value>| match (x, y) {
        (Some(x), Some(y)) => x.same(y),
        _ => x.is_none() && y.is_none(),
    };
    let (first, second) = (raw(translation, a), raw(translation, b));
    let raw = first.iter().any(|(p, x)| {
        second
            .iter()
            .any(|(q, y)| same(x, y) && translation.conflict(*p, *q))
    });
    (simplified, raw)
}

/// Theorem 6.5: two actions commute iff they touch no conflicting points; and
/// 6.6: a point conflicts with a bounded number of points.
fn theorems(kind: Kind, seeds: std::ops::Range<u64>) -> (usize, usize, usize) {
    let domain = domain();
    let (mut checked, mut conflicting, mut linear) = (0, 0, 0);
    for seed in seeds {
        let mut random = Random::new(seed);
        let spec = specification(&mut random, kind);
        let points = AccessPoints::of(&spec);
        let translation = Translation::of(&spec);
        linear += points.linear().len();
        for (a, b) in points.linear() {
            let formula = without_state(&spec.pair(*a, *b).0.formula).expect("small");
            let too_large = residue(&formula, Remain::SlotsAndElements).map(|_| ());
            assert!(
                kind == Kind::Any || too_large != Err(NoResidue::Other),
                "{formula:?}"
            );
        }
        for (i, class) in points.classes().iter().enumerate() {
            // Symmetric, bounded, without duplicates, and none without use.
            assert!(class.conflicts.is_sorted_by(|a, b| a < b));
            assert!((1..=points.classes().len()).contains(&class.conflicts.len()));
            assert!(
                class
                    .conflicts
                    .iter()
                    .all(|c| points.conflict(*c, i as u16))
            );
            let same = |other: &PointClass| other.conflicts == class.conflicts;
            let equal = points.classes().iter().filter(|c| same(c)).count();
            assert_eq!(equal, 1, "classes with equal rows are merged");
        }
        for _ in 0..60 {
            let xs = slots(&mut random, &spec, &domain);
            let ys = slots(&mut random, &spec, &domain);
            let (a, b) = (call(&spec, &xs), call(&spec, &ys));
            let (m, n) = (a.method, b.method);
            if points.linear().contains(&(m.min(n), m.max(n))) {
                continue;
            }
            let expected = !spec.commutes(a, b);
            let found = conflicts(&points, &translation, a, b);
            let text = || format!("seed {seed}: {a:?} {b:?}\n{}", spec.condition_text(m, n));
            assert_eq!(found, (expected, expected), "{}", text());
            checked += 1;
            conflicting += usize::from(expected);
        }
    }
    (checked, conflicting, linear)
}

#[test]
fn theorems_6_5_and_6_6_for_ecl() {
    let (checked, conflicting, linear) = theorems(Kind::Ecl, 0..500);
    assert!(
        checked > 25_000 && conflicting > 8_000,
        "{checked} {conflicting}"
    );
    assert!(checked - conflicting > 8_000, "{checked} {conflicting}");
    // Every formula that is equivalent to ECL is translated, unless it is huge.
    assert!(linear < 10, "{linear}");
}

#[test]
fn theorems_6_5_and_6_6_with_elements() {
    let (checked, conflicting, linear) = theorems(Kind::Elements, 10_000..10_500);
    assert!(
        checked > 25_000 && conflicting > 8_000,
        "{checked} {conflicting}"
    );
    assert!(linear < 20, "{linear}");
}

#[test]
fn theorems_6_5_and_6_6_for_whatever_is_translated() {
    let (checked, conflicting, linear) = theorems(Kind::Any, 20_000..20_500);
    assert!(
        checked > 8_000 && conflicting > 2_500,
        "{checked} {conflicting}"
    );
    assert!(linear > 125, "{linear}");
}

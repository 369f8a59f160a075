//! What the parser says about good and bad texts.

use commute_model::{Position, Severity};
use expect_test::{Expect, expect};

use crate::formula::{Comparison, Formula, Side, Term};
use crate::orders::Orders;
use crate::specification::Mutates;
use crate::{format_file, parse};

/// The diagnostics of `text`, one a line.
fn check(text: &str, expected: Expect) {
    let parsed = parse(text);
    let mut out = String::new();
    for d in &parsed.diagnostics {
        let code = d.code.map_or("-".to_string(), |code| code.to_string());
        let position = Position::of(text, d.span.start);
        let excerpt = &text[d.span.start..d.span.end];
        let excerpt = excerpt.lines().next().unwrap_or("");
        out += &format!("{} {code} {position} [{excerpt}] {}", d.severity, d.message);
        for label in &d.related {
            let position = Position::of(text, label.span.start);
            out += &format!("; {} {position}", label.text);
        }
        if let Some(help) = &d.help {
            out += &format!("; help: {help}");
        }
        out += "\n";
    }
    expected.assert_eq(&out);
}

#[test]
fn the_dictionary_of_the_design_is_in_canonical_form() {
    let text = "\
type dictionary {
  put(k, v) -> p  mutates v != p
  get(k) -> v
  size() -> r

  put(k1, v1)/p1 ~ put(k2, v2)/p2 : k1 != k2 || (v1 == p1 && v2 == p2)
  put(k1, v1)/p1 ~ get(k2)/v2     : k1 != k2 || v1 == p1
  put(k1, v1)/p1 ~ size()/r2      : (v1 == nil) == (p1 == nil)
  get ~ get, get ~ size, size ~ size : true
}
";
    let parsed = parse(text);
    assert_eq!(parsed.diagnostics, []);
    assert_eq!(format_file(&parsed.specifications), text);
    let spec = &parsed.specifications[0];
    assert_eq!(spec.methods[1].mutates, Mutates::Never);
    let slot = |side, n| Term::Slot(side, n);
    let differ = |a, b| Formula::Compare(Comparison::Ne, a, b);
    let same = |a, b| Formula::Compare(Comparison::Eq, a, b);
    let expected = Formula::Or(vec![
        differ(slot(Side::First, 0), slot(Side::Second, 0)),
        same(slot(Side::First, 1), slot(Side::First, 2)),
    ]);
    assert_eq!(spec.pair(0, 1).0.formula, expected);
    assert_eq!(spec.pair(1, 0).0.formula, expected);
}

#[test]
fn everything_the_language_has() {
    let text = r"
      type channel(n) { model queue orders atomic   // two properties
        orders send(v)/true -> has(v) | or_insert(v, 'x')/(_, f) if f || v == 2 fifo
        orders close -> send(_)/ok if !ok counting from n; orders close -> close counting
        send(v) -> ok mutates ok ; close() mutates
        has(x) -> (r, n)
        or_insert(k, v) -> (r, f) mutates has(k, v) && len(k) > 0
        order send(v1)/ok1 ~ close() : !ok1
        order close ~ close : true
        has(x1)/(r1, _) ~ send(_)/ok2 : (r1 != x1) == (ok2 && x1 >= MIN) || -x1 % 2 < --3 * (x1 - 1)
        or_insert/(r1, f1) ~ close : f1 != (r1 == 'it\'s \\ \n \x7c') || state == ()
        has(x1) ~ has(x2), send(x1) ~ send(x2) : x1 != x2 && !!(1 <= MAX)
        or_insert(a, b) ~ send(c) : app(a, b) == c
        or_insert(a, b) ~ has(c) : has(a, c) || app(a, b)
        or_insert ~ or_insert : false  has ~ close : true
      }";
    let parsed = parse(text);
    assert!(
        parsed
            .diagnostics
            .iter()
            .all(|d| d.severity == Severity::Note)
    );
    let spec = &parsed.specifications[0];
    assert_eq!(spec.orders[0], Orders::Atomic);
    assert_eq!(spec.rules().count(), 3);
    assert_eq!(spec.methods[1].mutates, Mutates::When(Formula::Const(true)));
    expect![[r#"
        type channel(n) {
          model queue
          orders atomic
          orders send(v)/ok if ok == true
            -> has(v) | or_insert(v, v_)/(_, f) if v_ == 'x' && (f || v == 2) fifo
          orders close() -> send(_)/ok if !ok counting from n
          orders close() -> close() counting

          send(v) -> ok  mutates ok
          close()  mutates true
          has(x) -> (r, n)
          or_insert(k, v) -> (r, f)  mutates has(k, v) && len(k) > 0

          send(v1)/ok1 ~ send(v2)/ok2                   : v1 != v2 && !!(1 <= MAX)
          order send(v1)/ok1 ~ close()                  : !ok1
          send(v1)/ok1 ~ has(x2)/(r2, n2)               : (r2 != x2) == (ok1 && x2 >= MIN) || -x2 % 2 < --3 * (x2 - 1)
          send(v1)/ok1 ~ or_insert(k2, v2)/(r2, f2)     : app(k2, v2) == v1
          close() ~ or_insert(k2, v2)/(r2, f2)          : f2 != (r2 == 'it\'s \\ \n \x7c') || state == ()
          has(x1)/(r1, n1) ~ has(x2)/(r2, n2)           : x1 != x2 && !!(1 <= MAX)
          has(x1)/(r1, n1) ~ or_insert(k2, v2)/(r2, f2) : has(k2, x1) || app(k2, v2)
          close ~ has : true
          or_insert ~ or_insert : false
          order close ~ close : true
        }
    "#]]
    .assert_eq(&format_file(&parsed.specifications));
}

#[test]
fn every_error_is_found_and_the_next_item_is_read() {
    check(
        "type a {
  model
  put(k, ) -> (
  get(k) -> v,
  size() -> r
  modle map
  put(k1 ~ get(k2) : true
  get(k1) ~ get(k2) : k1 = k2
  get ~ size : 'abc
  size ~ size : (true
  size ~ get/v : \"x\" ≠ 3
}
} type type b { x(y) x ~ x : y1 }
type c { x(a) } type d { x(",
        expect![[r#"
            error CM901 3:3 [put] expected the name of a model, found `put`
            error CM901 4:6 [(] expected `,` or `)`, found `(`
            error CM902 6:3 [modle] no item begins with `modle`; help: did you mean `model`?
            error CM901 7:10 [~] expected `,` or `)`, found `~`
            error CM901 8:26 [=] expected an operator or the end of the condition, found `=`; help: equality is written `==`
            error CM901 9:16 ['abc] this string has no closing `'`
            error CM901 11:3 [size] expected `)`, found `size`
            error CM901 11:18 ["] expected a condition or a value, found `\"`; help: strings are written in single quotes: 'text'
            error CM901 13:1 [}] expected `type`, found `}`
            error CM901 13:13 [b] expected `{`, found `b`
            error CM901 13:15 [{] expected `(` or `~` after the name of a method, found `{`
            warning CM905 14:6 [c] 1 pair of `c` has no condition, so never commutes: x ~ x; help: if that is meant, say so with `: false`
            error CM901 14:22 [d] type `d` has no closing `}`
            error CM901 14:28 [] expected a name or `)`, found the end of the file
        "#]],
    );
}

#[test]
fn names_and_numbers_must_fit() {
    check(
        "type a {
  orders atomc
  model m model n
  put(k, v) -> p
  put(k)
  get(nil, k, k) -> _
  mutates(x)
  put(k1, v1)/p1 ~ put(k2, v2)/p2 : k1 != k3 && foo(k1) && has(k1) && len(k1)
  put(k1)/(p1, q1) ~ gte(k2) : true
  put(x, x) ~ get(a, b, x) : 5 || x + 1 || (x == x) < 3
  put ~ mutates, mutates ~ put : 99999999999999999999999999999999999999999 == 1
  get ~ mutates, mutates ~ get, get ~ get : k1 == k2 == k3
  mutates ~ mutates : k1
}
type a { }",
        expect![[r#"
            error CM902 2:10 [atomc] there is no order `atomc`; help: did you mean `atomic`?
            warning CM902 3:9 [m] there is no model `m`; help: the models are atomic, barrier, bounded_queue, channel, condvar, context, counter, file, future, hashset, latch, map, memory, mpsc, priority_queue, queue, register, semaphore, set, stack, union_find, vec, wait_group
            error CM904 3:17 [n] `model` is given twice; first here 3:9
            warning CM902 3:17 [n] there is no model `n`; help: the models are atomic, barrier, bounded_queue, channel, condvar, context, counter, file, future, hashset, latch, map, memory, mpsc, priority_queue, queue, register, semaphore, set, stack, union_find, vec, wait_group
            error CM904 5:3 [put] method `put` is declared twice; first here 4:3
            error CM901 6:7 [nil] `nil` cannot be a name here
            error CM904 6:15 [k] variable `k` is bound twice; first here 6:12
            error CM901 6:21 [_] `_` cannot be a name here
            error CM902 7:11 [x] nothing here is called `x`; help: text is quoted: 'x'
            error CM902 8:43 [k3] nothing here is called `k3`; help: did you mean `k1`?
            error CM902 8:49 [foo] there is no function `foo`; help: the functions are `app`, `has` and `len`
            error CM903 8:60 [has] `has` takes 2 arguments, found 1
            error CM901 8:71 [len(k1)] a number is not a condition
            error CM903 9:3 [put(k1)/(p1, q1)] `put` has 2 arguments, found 1; declared here 4:3
            error CM903 9:3 [put(k1)/(p1, q1)] `put` has 1 result, found 2; declared here 4:3
            error CM904 10:10 [x] variable `x` is bound twice; first here 10:7
            error CM904 10:25 [x] variable `x` is bound twice; first here 10:7
            error CM901 10:30 [5] a constant is not a condition
            error CM901 10:35 [x + 1] a number is not a condition
            error CM901 10:45 [x == x] a condition is not a value; help: conditions can be compared only by `==` and `!=`, with each other
            error CM901 11:34 [99999999999999999999999999999999999999999] the number 9999999999999999999999999999999999999999… is too large; help: numbers have at most 128 bits
            error CM901 12:54 [==] comparisons cannot be chained; help: use parentheses or `&&`
            error CM904 15:6 [a] type `a` is declared twice; first here 1:6
        "#]],
    );
}

#[test]
fn pairs_without_a_condition_are_named_together() {
    check(
        "type a { f() g() h()  f ~ g : true }",
        expect![[r#"
            warning CM905 1:6 [a] 5 pairs of `a` have no condition, so never commute: f ~ f, h; g ~ g, h; h ~ h; help: if that is meant, say so with `: false`
        "#]],
    );
}

/// A pair with an error is listed all the same, and a condition over wrong
/// variables is not judged.
#[test]
fn an_error_in_a_pair_is_reported_alone() {
    check(
        "type a {
  put(k, v) -> p  get(k) -> v
  put(k, v) ~ put(k, w) : k == w
  put(k1)/p1 ~ get(k2) : k1 != k2 || p1 == 3
  get(k1) ~ get(k2) : k1 != k3
}
type b {
  put(k, v) -> p
  put(nil, v1) ~ put(k2, v2) : nil == v1
}
type c {
  put(k, v) -> p  get(k) -> v
  put ~ put : true
  put ~ gte : true
  get ~ get : true
}
type d {
  put(k)  get(k)  add(k)
  put(k1) ~ put(k2), get(k1) ~ get(k2), add(k) ~ put(k2) : k1 != k2
}",
        expect![[r#"
            error CM904 3:19 [k] variable `k` is bound twice; first here 3:7
            error CM903 4:3 [put(k1)/p1] `put` has 2 arguments, found 1; declared here 2:3
            error CM902 5:29 [k3] nothing here is called `k3`; help: did you mean `k1`?
            error CM901 9:7 [nil] `nil` cannot be a name here
            error CM902 14:9 [gte] type `c` has no method `gte`; help: did you mean `get`?
            warning CM905 17:6 [d] 3 pairs of `d` have no condition, so never commute: put ~ get; get ~ add; add ~ add; help: if that is meant, say so with `: false`
            error CM902 19:60 [k1] nothing here is called `k1`; help: did you mean `k`?
        "#]],
    );
}

#[test]
fn conditions_are_judged() {
    check(
        "type a {
  push(v) -> i
  pop() -> r
  push(v1) ~ push(v2) : v1 < v2
  push(x)/_ ~ push(y) : true
  pop()/old ~ push(new) : old != nil && (new > old || !has(old, new))
  pop()/r1 ~ pop()/r2 : r1 != r2 || r1 == r2 + 1
}
type b {
  f(x) -> b
  g(x)
  h(x)
  f(x1)/b1 ~ f(x2) : x1 != x2 || !b1
  f(x1) ~ g(x2) : !has(x1, x2)
  g(x1) ~ f(x2) : true
  g(x1) ~ g(x2) : x1 != x2 || len(state) > 3
  g(x1) ~ h(x2) : x1 != x2 && x1 > len(state)
  h ~ h : len(state) > 3
  f(x1) ~ h(x2) : x1 == x2
}",
        expect![[r#"
            error CM906 4:3 [push(v1) ~ push(v2) : v1 < v2] the condition of `push ~ push` is not symmetric; help: it is false for v1 = 1, v2 = 0, and true with the two exchanged
            error CM904 5:3 [push(x)/_ ~ push(y)] pair `push ~ push` is given twice; first here 4:3
            note CM907 6:3 [pop()/old ~ push(new) : old != nil && (new > old || !has(old, new))] `pop ~ push` is outside ECL (L2) because of `new > old`; it is checked pair by pair, in time linear in the object's actions
            note CM907 7:3 [pop()/r1 ~ pop()/r2 : r1 != r2 || r1 == r2 + 1] `pop ~ pop` is outside ECL (L2) because of `r1 == r2 + 1`; it is checked pair by pair, in time linear in the object's actions
            error CM906 13:3 [f(x1)/b1 ~ f(x2) : x1 != x2 || !b1] the condition of `f ~ f` is not symmetric; help: it is false for x1 = 0, b1 = true, x2 = 0, b2 = 0, and true with the two exchanged
            note CM907 14:3 [f(x1) ~ g(x2) : !has(x1, x2)] `f ~ g` is outside ECL (L2) because of `!has(x1, x2)`; access points express it all the same
            error CM904 15:3 [g(x1) ~ f(x2)] pair `g ~ f` is given twice; first here 14:3
            note CM907 16:3 [g(x1) ~ g(x2) : x1 != x2 || len(state) > 3] `g ~ g` is outside ECL (L1) because of `len(state) > 3`; traces record no state, so there the rest of it decides
            note CM907 17:3 [g(x1) ~ h(x2) : x1 != x2 && x1 > len(state)] `g ~ h` is outside ECL (L1) because of `x1 > len(state)`; traces record no state, so there the rest of it decides
            note CM907 18:3 [h ~ h : len(state) > 3] `h ~ h` is outside ECL (L1) because of `len(state) > 3`; traces record no state, so there the rest of it decides
            note CM907 19:3 [f(x1) ~ h(x2) : x1 == x2] `f ~ h` is outside ECL (L2) because of `x1 == x2`; it is checked pair by pair, in time linear in the object's actions
        "#]],
    );
}

#[test]
fn rules_of_order_must_make_sense() {
    check(
        r"type t(n) {
  release() -> ok mutates ok  acquire(v)
  orders release() -> 
  orders release -> acquire counting from m
  orders release(x)/ok -> acquire(v)
  orders release() -> acquire() fifo
  orders release()/v -> acquire(v) | release()
  orders free() -> acquire(v) if w
  orders release() -> acquire(v) counting from 18446744073709551616
  orders release()/true -> acquire(1 + 2) counting from 0
  release ~ release, release ~ acquire, acquire ~ acquire : false
}",
        expect![[r#"
            error CM901 4:18 [->] expected `(` or `~` after the name of a method, found `->`
            error CM903 5:10 [release(x)/ok] `release` has 0 arguments, found 1; declared here 2:3
            error CM901 6:3 [orders release() -> acquire() fifo] `fifo` needs a variable that both sides share: the message; help: for example `orders send(v) -> recv()/v fifo`
            error CM903 6:23 [acquire()] `acquire` has 1 argument, found 0; declared here 2:31
            error CM902 7:38 [release()] `release` has no `v`, which both sides share; help: every alternative must bind a variable that relates both sides
            error CM902 8:34 [w] nothing here is called `w`; help: text is quoted: 'w'
            error CM901 9:48 [18446744073709551616] expected a number below 2^64, found the number 18446744073709551616
        "#]],
    );
}

#[test]
fn words_stand_for_the_rules_of_shipped_types() {
    let methods = "send(v) -> ok mutates ok recv() -> r close() -> w";
    let text = format!("type t {{ orders channel {methods} }}");
    let spec = &parse(&text).specifications[0];
    let rules: Vec<String> = spec.orders.iter().map(|o| spec.order_text(o)).collect();
    assert_eq!(
        rules,
        [
            "send(v)/ok if ok -> recv()/v if v != nil counting",
            "close()/w if w -> recv()/r if r == nil"
        ]
    );
}

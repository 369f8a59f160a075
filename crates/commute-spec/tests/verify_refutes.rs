//! Wrong specifications are refuted, with the smallest counterexample.

use commute_model::{Span, Value};
use commute_spec::models::Atomic;
use commute_spec::verify::{Ending, Verification};
use commute_spec::{
    Comparison, Condition, Formula, Method, Mutates, Side, Specification, Term, models, parse,
    shipped, verify,
};
use expect_test::{Expect, expect};

fn refute(spec: &Specification) -> Verification {
    verify(spec, models::named(spec.model.as_deref().unwrap()).unwrap())
}

/// A shipped specification with the condition of some pairs replaced.
fn planted(name: &str, pairs: &str) -> Specification {
    let mut spec = shipped::named(name).unwrap().clone();
    let mut text = format!("type {name} {{");
    for method in &spec.methods {
        let (args, results) = (method.args.join(", "), method.results.join(", "));
        text += &match method.results.len() {
            0 => format!(" {}({args})", method.name),
            _ => format!(" {}({args}) -> ({results})", method.name),
        };
    }
    let parsed = parse(&format!("{text} {pairs} }}"));
    let wrong = &parsed.specifications[0];
    for (a, b, condition) in wrong.pairs().filter(|(_, _, c)| c.listed) {
        spec.set(a, b, condition.clone());
    }
    assert_ne!(&spec, shipped::named(name).unwrap());
    spec
}

/// A shipped specification with `mutates` of one method replaced.
fn lying(name: &str, method: &str, mutates: Mutates) -> Specification {
    let mut spec = shipped::named(name).unwrap().clone();
    let index = spec.method(method).unwrap();
    assert_ne!(spec.methods[index].mutates, mutates);
    spec.methods[index].mutates = mutates;
    spec
}

fn check(spec: &Specification, expected: Expect) {
    let found = refute(spec);
    assert!(!found.is_sound());
    let mut out = String::new();
    for pair in found.unsound_pairs() {
        let [a, b] = [pair.first, pair.second].map(|m| &spec.methods[m].name);
        let counterexample = pair.counterexample.as_ref().unwrap();
        out += &format!("{a} ~ {b}: {} wrong\n{counterexample}\n", pair.unsound);
    }
    for change in found.hidden_changes() {
        out += &format!("{change}\n");
    }
    expected.assert_eq(&out);
}

/// That a `clear` removed nothing does not help: the `clear_` may be why.
#[test]
fn clear_that_removed_nothing_against_clear_() {
    let spec = planted("map", "clear()/n1 ~ clear_() : n1 == 0");
    check(
        &spec,
        expect![[r#"
        clear ~ clear_: 1 wrong
        in state ((0,'a'),)
          clear()/0 ; clear_()  is impossible: in ((0,'a'),) clear() returns 1
          clear_() ; clear()/0  ends in ()
    "#]],
    );
}

/// That an `insert` found the value does not help: the `insert_` may be why.
#[test]
fn insert_of_a_known_value_against_insert_() {
    let spec = planted("hashset", "insert(x1)/b1 ~ insert_(x2) : x1 != x2 || !b1");
    check(
        &spec,
        expect![[r#"
        insert ~ insert_: 2 wrong
        in state ()
          insert(0)/false ; insert_(0)  is impossible: in () insert(0) returns true
          insert_(0) ; insert(0)/false  ends in (0,)
    "#]],
    );
}

/// Table 4.1 of the thesis is for sets whose `add` returns whether the value is
/// new, Table 2.1 for sets whose `add` returns whether it was there.
#[test]
fn table_4_1_against_table_2_1() {
    let spec = planted("set", "add(v1)/r1 ~ contains(v2)/r2 : v1 != v2 || !r1");
    check(
        &spec,
        expect![[r#"
        add ~ contains: 4 wrong
        in state ()
          add(0)/false ; contains(0)/false  is impossible: in (0,) contains(0) returns true
          contains(0)/false ; add(0)/false  ends in (0,)
    "#]],
    );
}

/// Figure 3.2 prints `true` for closing against reading and writing.
#[test]
fn figure_3_2_on_closing() {
    let spec = planted("file", "read ~ close : true");
    check(
        &spec,
        expect![[r#"
        read ~ close: 1 wrong
        in state open
          read() ; close()  ends in closed
          close() ; read()  is impossible: in closed read() is not enabled
    "#]],
    );
}

/// Both orders are possible and end differently.
#[test]
fn blind_writes() {
    let spec = planted("register", "write ~ write : true");
    check(
        &spec,
        expect![[r#"
        write ~ write: 6 wrong
        in state 0
          write(0) ; write(1)  ends in 1
          write(1) ; write(0)  ends in 0
    "#]],
    );
}

/// `max(0)` changes nothing in an unsigned integer; in a signed one it does.
#[test]
fn zero_is_not_the_least_signed_integer() {
    let spec = planted("atomic", "load ~ max(v2) : v2 == 0");
    let signed = Atomic::new(-2, 1);
    assert!(refute(&spec).is_sound());
    let found = verify(&spec, &signed);
    let wrong = found.unsound_pairs().next().unwrap();
    expect![[r#"
        in state -2
          load()/-2 ; max(0)  ends in 0
          max(0) ; load()/-2  is impossible: in 0 load() returns 0"#]]
    .assert_eq(&wrong.counterexample.as_ref().unwrap().to_string());
    assert!(verify(shipped::named("atomic").unwrap(), &signed).is_sound());
}

/// A condition on the state is judged in each state: enough permits are needed.
#[test]
fn conditions_on_the_state() {
    let right = planted("semaphore", "acquire ~ release : state >= 1");
    let found = refute(&right);
    assert!(found.is_sound());
    let gap = |found: &Verification| found.pairs.iter().map(|p| p.state_gap).sum::<usize>();
    assert_eq!(
        gap(&found) + 3,
        gap(&refute(shipped::named("semaphore").unwrap()))
    );
    let wrong = planted("semaphore", "acquire ~ release : state >= 0");
    check(
        &wrong,
        expect![[r#"
        acquire ~ release: 1 wrong
        in state 0
          acquire() ; release()  is impossible: in 0 acquire() is not enabled
          release() ; acquire()  ends in 0
    "#]],
    );
}

#[test]
fn mutates_that_lies() {
    let more_than_one = Formula::Compare(
        Comparison::Gt,
        Term::Slot(Side::First, 0),
        Term::Value(Value::Int(1)),
    );
    let spec = lying("map", "clear", Mutates::When(more_than_one));
    check(
        &spec,
        expect![[r#"
        clear()/1 changes state ((0,'a'),) to ()
    "#]],
    );
    let spec = lying("queue", "pop", Mutates::Never);
    check(
        &spec,
        expect![[r#"
        pop()/'a' changes state ('a',) to ()
    "#]],
    );
}

#[test]
fn mutates_that_exaggerates() {
    let spec = lying("map", "clear", Mutates::When(Formula::Const(true)));
    let found = refute(&spec);
    assert!(found.is_sound());
    let idle: Vec<(usize, String)> = found
        .mutates
        .iter()
        .filter_map(|m| Some((m.idle, m.idle_witness.as_ref()?.to_string())))
        .collect();
    assert_eq!(idle, [(1, "clear()/0".to_owned())]);
}

#[test]
fn imprecision_has_a_witness() {
    let found = refute(shipped::named("queue").unwrap());
    let witnesses: Vec<String> = found
        .imprecise_pairs()
        .map(|pair| pair.imprecision.as_ref().unwrap().to_string())
        .collect();
    assert_eq!(
        witnesses,
        [
            "push('a') and push('a') commute: in state () both orders end in ('a','a')",
            "pop()/'a' and pop()/'a' commute: in state ('a','a') both orders end in ()",
        ]
    );
}

#[test]
fn what_does_not_fit_the_model_is_said() {
    let text = "type odd { model stack
        push(v) -> n  mutates
        pop() -> r  mutates r != nil
        shove(v)  mutates
        pop ~ pop, push ~ push, push ~ pop, shove ~ shove, shove ~ push, shove ~ pop : false }";
    let parsed = parse(text);
    assert_eq!(parsed.diagnostics, []);
    let found = refute(&parsed.specifications[0]);
    assert!(!found.is_sound());
    assert_eq!(found.unsound_pairs().count(), 0);
    assert_eq!(found.pairs.len(), 1, "pop and pop can be checked");
    let said: Vec<String> = found.mismatches.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "`push` is declared with 1 argument and 1 result, the model has 1 argument and 0 results",
            "the model has no method `shove`; it has push, pop, peek, len, is_empty",
        ]
    );
}

/// A specification made in code may mention slots that are not there.
#[test]
fn slots_that_do_not_exist() {
    let beyond = |side| Formula::Holds(Term::Slot(side, 1));
    let pop = |mutates| Method {
        name: "pop".into(),
        args: vec![],
        results: vec!["r".into()],
        mutates,
        span: Span::default(),
    };
    let condition = |formula| Condition {
        formula,
        order: false,
        listed: true,
        span: Span::default(),
    };
    let mut spec = Specification::new("odd", vec![pop(Mutates::Unknown)]);
    spec.set(0, 0, condition(beyond(Side::Second)));
    let stack = models::named("stack").unwrap();
    let found = verify(&spec, stack);
    assert_eq!((found.mismatches.len(), found.pairs.len()), (1, 0));

    let mut spec = Specification::new("odd", vec![pop(Mutates::When(beyond(Side::First)))]);
    let nil = Formula::Compare(
        Comparison::Eq,
        Term::Slot(Side::First, 0),
        Term::Value(Value::Nil),
    );
    spec.set(0, 0, condition(nil));
    let found = verify(&spec, stack);
    assert_eq!((found.mismatches.len(), found.mutates.len()), (1, 0));
    // pop()/nil and then pop()/'a' is impossible, the other order is not.
    let wrong = found.pairs[0].counterexample.as_ref().unwrap();
    assert!(matches!(wrong.forward, Ending::Impossible { .. }));
    assert!(matches!(wrong.backward, Ending::In(_)));
    assert_eq!(wrong.state, stack.states()[1]);
}

/// What `get` returns comes from `put`, but `get` changes nothing and keeps it
/// anyway; of two `put` the later one returns what the earlier one put.
#[test]
fn order_where_a_value_flows() {
    let mut spec = shipped::named("dictionary").unwrap().clone();
    let put = spec.method("put").unwrap();
    mark_order(&mut spec, put, put);
    let get = spec.method("get").unwrap();
    mark_order(&mut spec, put, get);
    let found = refute(&spec);
    let flowing: Vec<String> = { found.flowing_values() }
        .map(|(order, value)| format!("{} wrong: {value}", order.dependent))
        .collect();
    expect!["24 wrong: put(0,'a')/nil is possible in state ((0,'a'),) after put(0,nil)/'a', not without it"].assert_eq(&flowing.join("\n"));
    assert!(!found.is_sound());
}

/// Whether a semaphore has a permit left depends on who took and gave one, and
/// a caller sees it.
#[test]
fn order_between_acquire_and_release() {
    let mut spec = shipped::named("semaphore").unwrap().clone();
    for second in 0..spec.methods.len() {
        mark_order(&mut spec, 0, second);
    }
    let found = refute(&spec);
    let pairs: Vec<String> = { found.flowing_values() }
        .map(|(order, value)| format!("{} ~ {}: {value}", order.first, order.second))
        .collect();
    expect!["0 ~ 2: acquire() is possible in state 0 after release(), not without it"]
        .assert_eq(&pairs.join("\n"));
}

fn mark_order(spec: &mut Specification, first: usize, second: usize) {
    let mut condition = spec.pair(first, second).0.clone();
    condition.order = true;
    spec.set(first, second, condition);
}

/// The rules of order that do not hold, each with its counterexample.
fn broken_rules(text: &str) -> Vec<String> {
    let parsed = parse(text);
    let spec = parsed.specifications.first().expect("a type");
    let model = models::named(spec.model.as_deref().expect("a model")).expect("known");
    let found = verify(spec, model);
    assert_eq!(found.mismatches, []);
    let broken = found.broken_rules();
    broken
        .map(|(index, why)| format!("{}: {why}", spec.order_text(&spec.orders[index])))
        .collect()
}

#[test]
fn rules_of_order_that_do_not_hold() {
    let queue = "push(v) mutates true  pop() -> r mutates r != nil  len() -> n";
    let semaphore =
        "acquire() mutates true  release() mutates true  try_acquire() -> ok mutates ok";
    let broken = |model: &str, rules: &str, methods: &str| {
        broken_rules(&format!("type t(n) {{ model {model} {rules} {methods} }}"))
    };
    expect_test::expect![[r#"
        push(v) -> pop()/v: in state () pop()/nil is possible without an action before `->`
        len() -> pop(): in state () pop()/nil is possible without an action before `->`
        push(_) -> pop() counting: pop()/nil in state () does not agree with the count
        release() -> acquire() counting from n: try_acquire()/true in state 1 does not agree with the count
        release() -> acquire() | try_acquire()/ok if ok == true counting from 2: `acquire` is not possible in state 0 although the count is 1
        acquire() -> release() counting from n: try_acquire()/true in state 1 does not agree with the count"#]].assert_eq(
        &[
            broken("queue", "orders push(v) -> pop()/v", queue),
            broken("queue", "orders len() -> pop()", queue),
            broken("queue", "orders push(_) -> pop() counting", queue),
            broken(
                "queue",
                "orders push(_) -> pop()/r if r != nil counting from 0",
                queue,
            ),
            broken(
                "semaphore",
                "orders release() -> acquire() counting from n",
                semaphore,
            ),
            broken(
                "semaphore",
                "orders release() -> acquire() | try_acquire()/true counting from 2",
                semaphore,
            ),
            broken(
                "semaphore",
                "orders acquire() -> release() counting from n",
                semaphore,
            ),
        ]
        .concat()
        .join("\n"),
    );
}

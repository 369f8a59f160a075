//! The shipped specifications: there, well formed, sound.

use std::collections::BTreeSet;
use std::path::Path;

use commute_model::Severity;
use commute_model::Value;
use commute_spec::models::{self, Model};
use commute_spec::{
    AccessPoints, Class, Invocation, Mutates, Specification, Touched, classify, parse, shipped,
    verify,
};
use expect_test::expect;

#[test]
fn every_file_is_embedded_and_every_name_is_known() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    let embedded: Vec<String> = shipped::SOURCES
        .iter()
        .map(|(name, _)| format!("{name}.ecl"))
        .collect();
    assert_eq!(files, embedded);
    let names: Vec<&str> = shipped::all().iter().map(|s| s.name.as_str()).collect();
    let sources: Vec<&str> = shipped::SOURCES.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, sources);
    assert_eq!(
        shipped::named("union-find-coarse").unwrap().name,
        "union_find_coarse"
    );
    assert!(shipped::named("no_such_type").is_none());
}

#[test]
fn every_text_is_free_of_errors_and_warnings() {
    for (name, text) in shipped::SOURCES {
        let parsed = parse(text);
        let mut bad = parsed.diagnostics.iter();
        let bad = bad.find(|diagnostic| diagnostic.severity != Severity::Note);
        assert_eq!(bad, None, "{name}");
        assert_eq!(parsed.specifications.len(), 1, "{name}");
        assert!(text.starts_with("# "), "{name}: no word about what it is");
        let spec = &parsed.specifications[0];
        assert!(
            spec.pairs().all(|(_, _, condition)| condition.listed),
            "{name}"
        );
        let says = |m: &commute_spec::Method| m.mutates != Mutates::Unknown;
        assert!(spec.methods.iter().all(says), "{name}: mutates");
        let longest = text.lines().map(|line| line.chars().count()).max();
        assert!(longest <= Some(120), "{name}: {longest:?}");
    }
}

#[test]
fn every_specification_is_sound_for_its_model() {
    let mut report = String::new();
    let mut used = BTreeSet::new();
    for spec in shipped::all() {
        let name = spec.model.as_deref().expect("a model");
        used.insert(name);
        let found = verify(spec, models::named(name).expect("a built-in model"));
        assert_eq!(found.mismatches, [], "{}", spec.name);
        if let Some(pair) = found.unsound_pairs().next() {
            panic!("{}: {}", spec.name, pair.counterexample.as_ref().unwrap());
        }
        if let Some(change) = found.hidden_changes().next() {
            panic!("{}: {change}", spec.name);
        }
        if let Some((_, value)) = found.flowing_values().next() {
            panic!("{}: {value}", spec.name);
        }
        if let Some((rule, why)) = found.broken_rules().next() {
            panic!(
                "{}: {}: {why}",
                spec.name,
                spec.order_text(&spec.orders[rule])
            );
        }
        assert_eq!(found.rules.len(), spec.rules().count());
        assert!(found.is_sound());
        // `mutates` is exact as well.
        let idle = found.mutates.iter().find_map(|m| m.idle_witness.as_ref());
        assert_eq!(idle, None, "{}", spec.name);
        let imprecise = found.imprecise_pairs().count();
        report += &format!("{}: {imprecise} imprecise; {}\n", spec.name, found.size);
    }
    expect![[r#"
        atomic: 11 imprecise; 4 states, 176 actions, 18592 pairs of actions, 74368 cases
        barrier: 0 imprecise; 10 states, 2 actions, 3 pairs of actions, 30 cases
        bounded_queue: 4 imprecise; 7 states, 21 actions, 262 pairs of actions, 1834 cases
        channel: 4 imprecise; 14 states, 18 actions, 191 pairs of actions, 2674 cases
        condvar: 0 imprecise; 27 states, 14 actions, 123 pairs of actions, 3321 cases
        context: 0 imprecise; 2 states, 3 actions, 7 pairs of actions, 14 cases
        counter: 0 imprecise; 5 states, 12 actions, 98 pairs of actions, 490 cases
        dictionary: 0 imprecise; 9 states, 27 actions, 549 pairs of actions, 4941 cases
        file: 0 imprecise; 2 states, 3 actions, 6 pairs of actions, 12 cases
        future: 0 imprecise; 3 states, 9 actions, 55 pairs of actions, 165 cases
        hashset: 0 imprecise; 4 states, 26 actions, 383 pairs of actions, 1532 cases
        hashtable: 0 imprecise; 9 states, 27 actions, 549 pairs of actions, 4941 cases
        latch: 0 imprecise; 4 states, 4 actions, 11 pairs of actions, 44 cases
        map: 22 imprecise; 9 states, 140 actions, 10906 pairs of actions, 98154 cases
        memory: 1 imprecise; 16 states, 14 actions, 128 pairs of actions, 2048 cases
        mpsc: 0 imprecise; 24 states, 14 actions, 121 pairs of actions, 2904 cases
        priority_queue: 1 imprecise; 20 states, 15 actions, 141 pairs of actions, 2820 cases
        queue: 2 imprecise; 15 states, 14 actions, 119 pairs of actions, 1785 cases
        register: 1 imprecise; 3 states, 6 actions, 27 pairs of actions, 81 cases
        semaphore: 0 imprecise; 4 states, 8 actions, 43 pairs of actions, 172 cases
        set: 0 imprecise; 4 states, 11 actions, 81 pairs of actions, 324 cases
        stack: 2 imprecise; 15 states, 14 actions, 119 pairs of actions, 1785 cases
        union_find: 0 imprecise; 15 states, 56 actions, 1932 pairs of actions, 28980 cases
        union_find_coarse: 7 imprecise; 15 states, 56 actions, 1932 pairs of actions, 28980 cases
        vec: 0 imprecise; 15 states, 49 actions, 1515 pairs of actions, 22725 cases
        wait_group: 0 imprecise; 5 states, 6 actions, 27 pairs of actions, 135 cases
    "#]]
    .assert_eq(&report);
    let all: BTreeSet<&str> = models::all().iter().map(|m| m.name()).collect();
    assert_eq!(used, all, "models without a specification");
}

#[test]
fn order_only_conflicts_are_marked() {
    let mut marked = String::new();
    for spec in shipped::all() {
        for (a, b, condition) in spec.pairs() {
            if condition.order {
                let [a, b] = [a, b].map(|m| &spec.methods[m].name);
                marked += &format!("{}: {a} ~ {b}\n", spec.name);
            }
        }
    }
    expect![[r#"
        channel: send ~ close
        condvar: wait_begin ~ notify_one
        condvar: wait_begin ~ notify_all
        context: cancel ~ Err
        file: read ~ close
        file: write ~ close
        file: close ~ close
        memory: read ~ free
        memory: write ~ free
        memory: free ~ free
        mpsc: send ~ close
    "#]]
    .assert_eq(&marked);
}

#[test]
fn synchronising_types_say_so() {
    let lines = shipped::all().iter().flat_map(|spec| {
        let orders = spec.orders.iter();
        orders.map(|orders| format!("{}: {}\n", spec.name, spec.order_text(orders)))
    });
    expect![[r#"
        atomic: atomic
        barrier: barrier
        bounded_queue: push(v)/ok if ok | force_push(v) -> pop()/v if v != nil | peek()/v if v != nil | force_push(_)/v if v != nil counting
        channel: send(v)/ok if ok -> recv()/v if v != nil | try_recv()/v if v != 'empty' && v != 'closed' counting
        channel: close()/w if w -> recv()/r if r == nil | try_recv()/r if r == 'closed'
        context: cancel() -> Err()/e if e != nil
        future: complete(v)/ok if ok -> get()/v | poll()/v if v != nil
        latch: count_down() -> wait() | try_wait()/open if open == true
        mpsc: send(v)/ok if ok -> recv()/v if v != nil | try_recv()/v if v != 'empty' && v != 'closed' fifo
        mpsc: close()/w if w | disconnect() -> recv()/r if r == nil | try_recv()/r if r == 'closed'
        mpsc: recv() | try_recv() -> close()
        mpsc: send(_) -> disconnect()
        priority_queue: push(v) -> pop_min()/v if v != nil | peek()/v if v != nil
        queue: push(v) -> pop()/v if v != nil | peek()/v if v != nil counting
        semaphore: release() -> acquire() | try_acquire()/ok if ok == true counting from permits
        stack: push(v) -> pop()/v if v != nil | peek()/v if v != nil
        wait_group: done() -> wait()
    "#]].assert_eq(&lines.collect::<String>());
}

/// All others are in ECL. Where a condition uses the state, what counts for
/// traces is what remains without it; `linear` pairs have no access points.
#[test]
fn conditions_beyond_ecl() {
    let mut beyond = String::new();
    for spec in shipped::all() {
        let points = AccessPoints::of(spec);
        for (a, b, condition) in spec.pairs() {
            let class = classify(&condition.formula).class;
            let linear = if points.linear().contains(&(a, b)) {
                " linear"
            } else {
                ""
            };
            if class > Class::Ecl || !linear.is_empty() {
                let [a, b] = [a, b].map(|m| &spec.methods[m].name);
                beyond += &format!("{}: {a} ~ {b} {class}{linear}\n", spec.name);
            }
        }
    }
    expect![[r#"
        map: get ~ retain L2
        map: contains_key ~ retain L2
        priority_queue: push ~ pop_min L2 linear
        priority_queue: push ~ peek L2 linear
        union_find: union ~ union L1
        union_find: union ~ union_ L1
        union_find: union ~ same L1
        union_find: union ~ find L1
        union_find: union_ ~ same L1
        union_find: union_ ~ find L1
        union_find: union_ ~ components L1
    "#]]
    .assert_eq(&beyond);
}

/// What access points say is what the conditions say, for all actions of the
/// models.
#[test]
fn access_points_are_exact_for_the_actions_of_the_models() {
    let mut compared = 0;
    for spec in shipped::all() {
        let model = models::named(spec.model.as_deref().unwrap()).unwrap();
        let points = AccessPoints::of(spec);
        let actions = actions(spec, model);
        for a in &actions {
            for b in &actions {
                let pair = (a.0.min(b.0), a.0.max(b.0));
                if points.linear().contains(&pair) {
                    continue;
                }
                let [a, b] = [a, b].map(|(m, args, results)| Invocation::new(*m, args, results));
                let (mut at_a, mut at_b) = (Touched::new(), Touched::new());
                points.touch(a, &mut at_a);
                points.touch(b, &mut at_b);
                let meet = |(p, x): &(u16, Option<&Value>), (q, y): &(u16, Option<&Value>)| {
                    let same = match (x, y) {
                        (Some(x), Some(y)) => x.same(y),
                        _ => true,
                    };
                    points.conflict(*p, *q) && same
                };
                let conflict = at_a.iter().any(|p| at_b.iter().any(|q| meet(p, q)));
                assert_eq!(conflict, !spec.commutes(a, b), "{}: {a:?} {b:?}", spec.name);
                compared += 1;
            }
        }
    }
    assert!(compared > 50_000, "{compared}");
}

/// (method, arguments, results) of everything that can happen in a small state.
fn actions(spec: &Specification, model: &dyn Model) -> Vec<(usize, Vec<Value>, Vec<Value>)> {
    let mut actions = BTreeSet::new();
    for (index, method) in spec.methods.iter().enumerate() {
        for args in model.arguments(&method.name) {
            for state in model.states() {
                for outcome in model.step(&state, &method.name, &args) {
                    actions.insert((index, args.clone(), outcome.results));
                }
            }
        }
    }
    actions.into_iter().collect()
}

/// Conditions that look symmetric at first sight, or whose counterexample needs
/// many equal values.
#[test]
fn asymmetric_conditions_are_found_among_many_variables() {
    let text = "type grid {
      put(x, y, z, w, v) -> p
      put(x1, y1, z1, w1, v1)/p1 ~ put(x2, y2, z2, w2, v2)/p2 :
        x1 != x2 || y1 != y2 || z1 != z2 || w1 != w2 || v1 == p1
    }";
    let parsed = parse(text);
    let codes: Vec<_> = parsed.diagnostics.iter().filter_map(|d| d.code).collect();
    assert!(codes.contains(&commute_model::Code::CM906), "{codes:?}");
}

/// Where symmetry can be neither proved nor refuted, the order of two
/// invocations still does not decide.
#[test]
fn an_unproved_condition_does_not_depend_on_the_order() {
    let text = "type t { f(a)  f(a1) ~ f(a2) : a1*a1 - 50*a1 + 624 == 0 }";
    let spec = &parse(text).specifications[0];
    let (a, b) = ([Value::from(24)], [Value::from(1)]);
    let (a, b) = (Invocation::new(0, &a, &[]), Invocation::new(0, &b, &[]));
    assert!(!spec.commutes(a, b) && !spec.commutes(b, a));
    assert!(spec.commutes(a, a));
}

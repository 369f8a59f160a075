//! What is found by the points, held against the formula.

use std::collections::BTreeSet;

use std::sync::Arc;

use commute_model::{Action, MethodId, ObjectId, Op};
use commute_spec::{Library, parse};
use commute_testkit::traces::{Family, Trace};

use super::*;
use crate::objects::Objects;
use crate::pass::Pass;
use crate::prediction::legal::bind;
use crate::prediction::namesakes::Namesakes;
use crate::prediction::{Options, Prediction};

/// Whether two actions conflict, and whether the later one needs the earlier, from
/// the formula.
fn relate(first: &Action, second: &Action, context: &Context<'_>) -> Option<bool> {
    let (specification, first) = bind(first, context.objects.at(0), context.names)?;
    let (_, second) = bind(second, context.objects.at(0), context.names)?;
    let order = specification.pair(first.method, second.method).0.order;
    if may_swap(specification, first, second) || (order && context.lax) {
        return None;
    }
    let exempt = order && specification.surely_mutates(second);
    Some(!exempt && (context.legal == Legal::Order || specification.may_mutate(first)))
}

/// What is found of the actions of a trace, on one object.
fn found(actions: &[&SharedAction], context: &Context<'_>) -> Vec<Vec<Dependence>> {
    let mut dependences = Dependences::default();
    let each = actions.iter().enumerate().map(|(no, action)| {
        let objects = context.objects.at(0);
        let compiled = objects.compiled(action.object).expect("declared");
        let (_, invocation) = bind(action, objects, context.names).expect("fits");
        dependences.act(no as No, (action, invocation), compiled, context)
    });
    each.collect()
}

/// Everything that is found is so, and everything that is so follows from it; how
/// much is so, how much was found, and how much of that is not so.
fn compare(name: &str, trace: &Trace, context: &Context<'_>) -> (usize, usize, usize) {
    let actions = trace.events.iter().filter_map(|event| match &event.op {
        Op::Action(action) => Some(action),
        _ => None,
    });
    let actions: Vec<&SharedAction> = actions.collect();
    let found = found(&actions, context);
    // For every action those that are needed for it.
    let mut needed: Vec<BTreeSet<No>> = Vec::new();
    let (mut so, mut kept, mut more) = (0, 0, 0);
    for (a, own) in found.iter().enumerate() {
        let mut needs = BTreeSet::new();
        for earlier in own {
            let b = earlier.no as usize;
            let truth = relate(actions[b], actions[a], context);
            // If something is opaque, the points may say more than the formula, and
            // so does a stop.
            more += usize::from(truth.is_none());
            let is_so = truth == Some(earlier.needs);
            let is_said = truth != Some(true) || earlier.needs;
            let is_right = is_so || name.contains("opaque") && is_said;
            assert!(is_right, "{name}: {b} and {a}");
            if earlier.needs {
                needs.insert(earlier.no);
                needs.extend(&needed[b]);
            }
        }
        for b in 0..a as No {
            let Some(truth) = relate(actions[b as usize], actions[a], context) else {
                continue;
            };
            so += 1;
            let has = |c: usize| found[c].iter().any(|earlier| earlier.no == b);
            let follows = has(a) || needs.iter().any(|&c| has(c as usize));
            assert!(
                follows,
                "{name}: {b} before {a}\n{:?}\n{:?}",
                actions[b as usize], actions[a]
            );
            assert!(!truth || needs.contains(&b), "{name}: {b} for {a}");
        }
        kept += own.len();
        needed.push(needs);
    }
    (so, kept, more)
}

#[test]
fn what_is_hidden_follows_from_what_is_seen() {
    let library = Arc::new(Library::shipped());
    let (mut so, mut kept, mut more) = (0, 0, 0);
    for kind in library.names() {
        if library
            .specification(kind)
            .is_none_or(|s| s.model.is_none())
        {
            continue;
        }
        // The name lives as long as the test.
        let kind: &'static str = Box::leak(kind.to_owned().into_boxed_str());
        let family = Family {
            events: 60,
            locking: 0,
            ..Family::objects(&[kind])
        };
        for seed in 0..60 {
            let family = Family {
                opaque: if seed < 40 { 0 } else { 30 },
                ..family.clone()
            };
            let trace = family.trace(seed, &library);
            let mut pass = Prediction::new(library.clone(), Options::default());
            let taken = pass.steps(&trace.events, &trace.names);
            taken.expect("well-formed");
            for (legal, lax) in [
                (Legal::Order, false),
                (Legal::Observe, false),
                (Legal::Observe, true),
            ] {
                let context = context(&trace, &pass.objects, &pass.namesakes, legal, lax);
                let opaque = if seed < 40 { "" } else { "opaque " };
                let name = format!("{opaque}{kind}, seed {seed}, {legal:?}, {lax}");
                let numbers = compare(&name, &trace, &context);
                so += numbers.0;
                kept += numbers.1;
                more += numbers.2;
            }
        }
    }
    assert!(
        kept > 10_000 && 2 * so > 3 * kept,
        "{so} are so, {kept} found"
    );
    assert!(100 * more < kept, "{more} of {kept} are not so");
}

/// Where nobody knows which keys are equal, an action is told of a bounded number of
/// others, however many there are, and still everything follows.
#[test]
fn the_cost_of_opaque_keys_is_bounded() {
    let library = Arc::new(Library::shipped());
    let kinds = ["map", "hashset", "queue", "mpsc", "memory"];
    for (kind, opaque) in kinds.into_iter().flat_map(|kind| [(kind, 30), (kind, 90)]) {
        let family = Family {
            events: 300,
            locking: 0,
            opaque,
            ..Family::objects(&[kind])
        };
        for seed in 0..2 {
            let trace = family.trace(seed, &library);
            let mut pass = Prediction::new(library.clone(), Options::default());
            let taken = pass.steps(&trace.events, &trace.names);
            taken.expect("well-formed");
            let (objects, namesakes) = (&pass.objects, &pass.namesakes);
            let context = context(&trace, objects, namesakes, Legal::Observe, false);
            let name = format!("opaque {kind}, seed {seed}");
            compare(&name, &trace, &context);
        }
    }
    // Neither hides the other, and each needs all of the other.
    let rows = [
        ("remove_(?)", "get(?)/nil"),
        ("remove_(?)", "get(7)/nil"),
        ("insert(K,1)/nil", "get(?)/1"),
    ];
    for (first, second) in rows {
        let row = |line: &str| {
            let line = |i: usize| format!("T|m.{}|\n", line.replace('K', &i.to_string()));
            (0..250).map(line).collect::<String>()
        };
        let text = format!("T|new(m:map)|\n{}{}", row(first), row(second));
        let trace = Trace::parse(&text);
        let mut pass = Prediction::new(library.clone(), Options::default());
        pass.steps(&trace.events, &trace.names)
            .expect("well-formed");
        let (objects, namesakes) = (&pass.objects, &pass.namesakes);
        let context = context(&trace, objects, namesakes, Legal::Observe, false);
        let (so, kept, _) = compare(&format!("opaque {first}"), &trace, &context);
        assert!(so >= 62_500 && kept <= 500 * MOST, "{first}: {so}, {kept}");
    }
}

/// What does not change the object need not be there, so it hides nothing.
#[test]
fn what_is_not_needed_hides_nothing() {
    let text = "type log { note(v) clear() mutates true \
                note ~ note : false note ~ clear, clear ~ clear : true }";
    let specification = parse(text).specifications.remove(0);
    let compiled = CompiledSpecification::new(specification);
    let (trace, objects) = (
        Trace::parse("T|dummy|\n"),
        Objects::new(Arc::new(Library::shipped())),
    );
    let namesakes = Namesakes::default();
    let notes = |legal| {
        let mut dependences = Dependences::default();
        let context = context(&trace, &objects, &namesakes, legal, false);
        let action = SharedAction::new(Action {
            object: ObjectId(0),
            method: MethodId(0),
            args: [1.into()].into_iter().collect(),
            result: None,
        });
        let method = &compiled.specification.methods[0];
        let mut note = |no| {
            let invocation = Invocation::bind(0, method, &action).expect("fits");
            dependences.act(no, (&action, invocation), &compiled, &context)
        };
        [note(0).len(), note(1).len(), note(2).len(), note(3).len()]
    };
    assert_eq!(notes(Legal::Observe), [0, 1, 2, 3]);
    assert_eq!(notes(Legal::Order), [0, 1, 1, 1]);
}

fn context<'a>(
    trace: &'a Trace,
    objects: &'a Objects,
    namesakes: &'a Namesakes,
    legal: Legal,
    lax: bool,
) -> Context<'a> {
    Context {
        names: &trace.names,
        objects,
        namesakes,
        legal,
        lax,
    }
}

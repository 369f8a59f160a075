//! What an object contains is known only if it was made in the trace, by a type that
//! leaves no choice: a certified reordering is one whatever the others contained.

use std::collections::BTreeSet;
use std::sync::Arc;

use commute_detect::{Legal, Options, Pass, Predicted, PredictedKind, Prediction, Reason};
use commute_model::{Action, ObjectId, Op, Value};
use commute_spec::models;
use commute_spec::{Invocation, Library};
use commute_testkit::traces::{Family, Trace};

fn options() -> Options {
    Options {
        legal: Legal::Replay,
        budget: 20_000,
        ..Options::default()
    }
}

/// A trace in which every event has a location of its own.
fn located(text: &str) -> Trace {
    let lines = text.split("; ").enumerate();
    let lines: Vec<String> = lines.map(|(i, line)| format!("{line}|t.rs:{i}")).collect();
    Trace::parse(&lines.join("\n"))
}

fn predict(trace: &Trace) -> Vec<Predicted> {
    let mut pass = Prediction::new(Arc::new(Library::shipped()), options());
    pass.steps(&trace.events, &trace.names)
        .expect("well-formed");
    pass.finish(&trace.names, &mut Vec::new());
    pass.predicted().to_vec()
}

fn pairs(text: &str) -> Vec<(PredictedKind, u64, u64, Option<Reason>)> {
    let found = predict(&located(text)).into_iter();
    let mut found: Vec<_> = found
        .map(|p| (p.kind, p.earlier, p.later, p.unconfirmed))
        .collect();
    found.sort();
    found
}

/// Two permits: the third event needs none of the other thread, and the sixth both.
#[test]
fn a_semaphore_has_any_number_of_permits() {
    let text = "T0|new(s:semaphore); T0|fork(T1); T0|s.acquire(); T0|w(x); T0|s.acquire(); \
                T1|s.available()/0; T1|w(x)";
    let races = pairs(text).into_iter();
    let races = races.filter(|(_, earlier, ..)| *earlier == 4);
    assert_eq!(races.collect::<Vec<_>>(), []);
}

#[test]
fn an_object_may_have_been_filled_before_it_was_recorded() {
    let race = (PredictedKind::Race, 3, 6, None);
    let text = "T0|new(d:dictionary); T0|fork(T1); T0|w(y); T0|d.get(1)/7; T1|d.get(1)/7; T1|w(y)";
    assert_eq!(pairs(text), [race]);
    // Nothing says so until the end.
    let late = format!("{text}; T1|d.get(2)/8");
    assert_eq!(pairs(&late.replace("/7", "/nil")), [race]);
}

/// The read of 0 does not need the write of 0 if the value was 0 before; but it may
/// have been another.
#[test]
fn an_integer_may_begin_with_any_value() {
    for kind in ["atomic", "register"] {
        let (store, load) = match kind {
            "atomic" => ("store", "load"),
            _ => ("write", "read"),
        };
        let text = format!(
            "T0|new(a:{kind}); T0|fork(T1); T0|w(y); T0|a.{store}(0); T1|a.{load}()/0; T1|w(y)"
        );
        let on_y = |found: &(PredictedKind, u64, u64, Option<Reason>)| found.1 == 3;
        assert!(!pairs(&text).iter().any(on_y), "{kind}");
    }
}

/// By the model of a new dictionary the `get` needs neither `put`. That it was not new
/// is known only from the last event on.
#[test]
fn a_certificate_is_withdrawn_if_the_object_was_not_new() {
    let text = "T0|new(d:dictionary); T0|fork(T1); T0|w(y); T0|d.put(1,2)/nil; \
                T0|d.put(1,nil)/2; T1|d.get(1)/nil; T1|w(y)";
    let race = (PredictedKind::Race, 3, 7, None);
    assert!(pairs(text).contains(&race), "{:?}", pairs(text));
    let wrong = format!("{text}; T1|d.get(3)/4");
    assert!(!pairs(&wrong).iter().any(|found| found.1 == 3));
    // The pair was certified long before the trace said so.
    let between = "; T1|r(z)".repeat(400);
    let late = format!("{text}{between}; T1|d.get(3)/4");
    let race = (PredictedKind::Race, 3, 7, Some(Reason::Contents));
    assert!(pairs(&late).contains(&race), "{:?}", pairs(&late));
    let lives = format!("{text}{between}; T0|new(d:dictionary); T1|d.get(3)/4");
    let race = (PredictedKind::Race, 3, 7, None);
    assert!(pairs(&lives).contains(&race), "{:?}", pairs(&lives));
}

/// Types of the command line belong to objects that were there before.
#[test]
fn an_object_of_the_command_line_is_not_new() {
    let text = "T0|new(d:dictionary); T0|fork(T1); T0|w(y); T0|d.put(1,2)/nil; \
                T0|d.put(1,nil)/2; T1|d.get(1)/nil; T1|w(y)";
    let mut trace = located(text);
    let Op::New(object, type_id) = trace.events.remove(0).op else {
        panic!("the object is made first");
    };
    let mut pass = Prediction::new(Arc::new(Library::shipped()), options());
    pass.declare(object, type_id, &trace.names).expect("known");
    pass.steps(&trace.events, &trace.names)
        .expect("well-formed");
    pass.finish(&trace.names, &mut Vec::new());
    let races = pass.predicted().iter().filter(|p| p.earlier == 2);
    assert_eq!(races.count(), 0);
}

/// Whether an object in this state can do these calls.
fn replays(trace: &Trace, kind: &str, state: &Value, calls: &[&Action]) -> bool {
    let library = Library::shipped();
    let specification = library.specification(kind).expect("a type");
    let model = models::named(kind)
        .or(models::named("map"))
        .expect("a model");
    let mut states = BTreeSet::from([state.clone()]);
    for action in calls {
        let name = trace.names.methods.name(action.method).to_string();
        let method = specification.method(&name).expect("a method");
        let declared = &specification.methods[method];
        let call = Invocation::bind(method, declared, action).expect("it fits");
        let outcomes = states
            .iter()
            .flat_map(|s| model.step(s, &name, call.args()));
        let fit = outcomes.filter(|outcome| outcome.results == call.results());
        states = fit.map(|outcome| outcome.state).collect();
    }
    !states.is_empty()
}

/// The states in which the object may have been when it was made: the initial one, if
/// the type leaves no choice and a new object can do what it did; else any in which it
/// can.
fn may_begin(trace: &Trace, kind: &str, calls: &[&Action]) -> Vec<Value> {
    let model = models::named(kind)
        .or(models::named("map"))
        .expect("a model");
    let initial = model.initial();
    let is_chosen = ["semaphore", "atomic"].contains(&kind);
    if !is_chosen && replays(trace, kind, &initial, calls) {
        return vec![initial];
    }
    let states = model.states().into_iter();
    { states.filter(|state| replays(trace, kind, state, calls)) }.collect()
}

fn calls(trace: &Trace, order: impl IntoIterator<Item = usize>, o: ObjectId) -> Vec<&Action> {
    let events = order.into_iter().map(|e| &trace.events[e]);
    let action = events.filter_map(|event| match &event.op {
        Op::Action(action) if action.object == o => Some(&**action),
        _ => None,
    });
    action.collect()
}

#[test]
fn certificates_hold_whatever_the_objects_contained() {
    let library = Library::shipped();
    let (mut certificates, mut wrong, mut example) = (0, 0, None);
    for kind in ["semaphore", "atomic", "dictionary", "queue", "set"] {
        let family = Family {
            filled: 70,
            ..Family::objects(&[kind])
        };
        for seed in 0..400 {
            let trace = family.trace(seed, &library);
            let news = trace.events.iter().filter(|e| matches!(e.op, Op::New(..)));
            if news.count() > 1 {
                continue;
            }
            let o = ObjectId(0);
            let begins = may_begin(&trace, kind, &calls(&trace, 0..trace.events.len(), o));
            assert!(!begins.is_empty(), "{kind}, seed {seed}");
            for predicted in predict(&trace) {
                if predicted.unconfirmed.is_some() {
                    continue;
                }
                certificates += 1;
                let own = if predicted.kind == PredictedKind::Race {
                    2
                } else {
                    1
                };
                let steps = &predicted.steps[..predicted.steps.len() - own];
                let order = (1..=predicted.prefix).chain(steps.iter().copied());
                let order: Vec<usize> = order.map(|index| index as usize - 1).collect();
                let calls = calls(&trace, order, o);
                if !begins
                    .iter()
                    .all(|state| replays(&trace, kind, state, &calls))
                {
                    wrong += 1;
                    example.get_or_insert((kind, seed, trace.text(), predicted));
                }
            }
        }
    }
    assert!(certificates > 1_000, "only {certificates} certificates");
    assert_eq!(wrong, 0, "of {certificates}: {example:?}");
}

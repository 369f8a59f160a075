//! What models say of their calls, against what it means: by enumeration of small states
//! and short runs of calls.

#![expect(clippy::print_stdout, reason = "figures of what was compared")]

mod renamed;
mod subjects;

use std::collections::BTreeSet;

use commute_explore::Label;
use commute_model::Value;
use subjects::{Call, Subject, subjects};

/// A call with a result that it has in some state.
#[derive(Clone, PartialEq, Debug)]
struct Event {
    call: Call,
    result: Value,
}

impl Event {
    fn label(&self) -> Label<'_> {
        Label {
            method: self.call.method,
            args: &self.call.args,
            result: Some(&self.result),
        }
    }

    fn whatever(&self) -> Label<'_> {
        Label {
            result: None,
            ..self.label()
        }
    }
}

fn events(subject: &Subject) -> Vec<Event> {
    let mut events = Vec::new();
    for call in &subject.calls {
        let results = subject.states.iter().filter_map(|s| subject.step(s, call));
        let results: BTreeSet<Value> = results.map(|(_, result)| result).collect();
        let event = |result| Event {
            call: call.clone(),
            result,
        };
        events.extend(results.into_iter().map(event));
    }
    events
}

/// About so many of them: every n-th, so that there is something of each method.
fn some(events: Vec<Event>, count: usize) -> Vec<Event> {
    let every = events.len().div_ceil(count);
    events.into_iter().step_by(every).collect()
}

/// The state after an event, if it is possible with its result.
fn after(subject: &Subject, state: &Value, event: &Event) -> Option<Value> {
    let (after, result) = subject.step(state, &event.call)?;
    (result == event.result).then_some(after)
}

fn after_both(subject: &Subject, state: &Value, first: &Event, second: &Event) -> Option<Value> {
    after(subject, &after(subject, state, first)?, second)
}

/// Whether two calls can be of different threads.
fn apart(a: &Event, b: &Event) -> bool {
    a.call.thread.is_none() || a.call.thread != b.call.thread
}

#[test]
fn what_moves_can_be_turned_round() {
    for subject in subjects() {
        let (events, mut said, mut holds) = (events(&subject), 0, 0);
        for first in &events {
            for second in events.iter().filter(|second| apart(first, second)) {
                let mut states = subject.states.iter();
                let moves = states.all(|state| {
                    let straight = after_both(&subject, state, first, second);
                    straight.is_none() || straight == after_both(&subject, state, second, first)
                });
                let model = &subject.model;
                let labels = (first.label(), second.label());
                let name = subject.name;
                if model.moves(labels.0, labels.1) {
                    assert!(moves, "{name}: {first:?} before {second:?}");
                    said += 1;
                }
                holds += usize::from(moves);
                // Whoever does not know the result says less.
                let less = model.moves(first.whatever(), labels.1)
                    || model.moves(labels.0, second.whatever());
                assert!(
                    !less || model.moves(labels.0, labels.1),
                    "{name}: {labels:?}"
                );
            }
        }
        println!("{}: {said} of {holds} pairs are said to move", subject.name);
    }
}

#[test]
fn what_does_not_disturb_leaves_the_other_possible() {
    for subject in subjects() {
        let (events, mut said, mut holds) = (events(&subject), 0, 0);
        for first in &events {
            for other in events.iter().filter(|other| apart(first, other)) {
                let disturbs = subject.states.iter().any(|state| {
                    let both = after(&subject, state, first).is_some()
                        && after(&subject, state, other).is_some();
                    both && after_both(&subject, state, first, other).is_none()
                });
                let model = &subject.model;
                holds += usize::from(disturbs);
                if model.disturbs(first.label(), other.label()) {
                    said += 1;
                } else {
                    assert!(!disturbs, "{}: {first:?} {other:?}", subject.name);
                }
            }
        }
        println!("{}: {said} for {holds} that disturb", subject.name);
    }
}

/// Runs of calls without one that affects nothing behind it.
#[test]
fn what_affects_nothing_can_be_left_out() {
    for subject in subjects() {
        let events = some(events(&subject), 48);
        let (mut without, mut runs) = (0, 0);
        for first in &events {
            let unaffected: Vec<&Event> = { events.iter() }
                .filter(|event| apart(first, event))
                .filter(|event| !subject.model.affects(first.label(), event.label()))
                .collect();
            for state in &subject.states {
                let Some(with) = after(&subject, state, first) else {
                    continue;
                };
                for a in &unaffected {
                    let Some(with) = after(&subject, &with, a) else {
                        continue;
                    };
                    let rest = after(&subject, state, a);
                    let rest = rest.unwrap_or_else(|| panic!("{first:?} {a:?} in {state}"));
                    for b in &unaffected {
                        runs += 1;
                        let Some(with) = after(&subject, &with, b) else {
                            continue;
                        };
                        let told = || format!("{first:?} {a:?} {b:?} in {state}");
                        let rest =
                            after(&subject, &rest, b).unwrap_or_else(|| panic!("{}", told()));
                        for c in unaffected.iter().take(16) {
                            let fine = after(&subject, &with, c).is_none()
                                || after(&subject, &rest, c).is_some();
                            assert!(fine, "{} {c:?}", told());
                        }
                        without += 1;
                    }
                }
            }
        }
        println!("{}: {without} of {runs}", subject.name);
    }
}

#[test]
fn what_returns_nothing_or_never_waits_does_so_everywhere() {
    for subject in subjects() {
        for call in &subject.calls {
            for state in &subject.states {
                let stepped = subject.step(state, call);
                let told = format!("{}.{call:?} in {state}", subject.name);
                if !subject.model.waits(call.method) && subject.makes_sense(state, call) {
                    assert!(stepped.is_some(), "{told}");
                }
                if let Some((after, result)) = stepped {
                    let model = &subject.model;
                    if !model.returns(call.method) {
                        assert_eq!(result, Value::unit(), "{told}");
                    }
                    if model.only_reads(call.method, &call.args, &result) {
                        assert_eq!(after, *state, "{told}");
                    }
                }
            }
        }
    }
}

#[test]
fn what_is_free_can_come_first() {
    let mut said = 0;
    for subject in subjects() {
        let free = subject.calls.iter().filter_map(|call| {
            let unless = subject.model.is_free_unless(call.method)?;
            Some((call, unless))
        });
        for (call, unless) in free {
            let may_come = |other: &&Call| {
                let apart = call.thread.is_none() || call.thread != other.thread;
                apart && !unless.contains(&other.method)
            };
            for other in subject.calls.iter().filter(may_come) {
                for state in &subject.states {
                    let (Some(free), Some(first)) =
                        (subject.step(state, call), subject.step(state, other))
                    else {
                        continue;
                    };
                    said += 1;
                    let told = format!("{}: {call:?} {other:?} in {state}", subject.name);
                    let later = subject.step(&free.0, other).expect(&told);
                    let still = subject.step(&first.0, call).expect(&told);
                    assert_eq!(later, (still.0, first.1), "{told}");
                    assert_eq!(still.1, free.1, "{told}");
                }
            }
        }
    }
    assert!(said > 0);
}

/// Whether the events are possible, one after the other.
fn possible(subject: &Subject, state: &Value, events: &[&Event]) -> bool {
    let mut state = state.clone();
    events
        .iter()
        .all(|event| match after(subject, &state, event) {
            Some(next) => {
                state = next;
                true
            }
            None => false,
        })
}

#[test]
fn states_with_the_same_projection_cannot_be_told_apart() {
    for subject in subjects().filter(|subject| subject.model.projects()) {
        let events = some(events(&subject), 24);
        let mut merged = 0;
        for a in &events {
            for b in &events {
                let rest = [a.label(), b.label()];
                let orders: [&[&Event]; 4] = [&[a], &[b], &[a, b], &[b, a]];
                for (n, one) in subject.states.iter().enumerate() {
                    let part = subject.model.project(one, &rest);
                    for other in &subject.states[..n] {
                        if part.is_none() || subject.model.project(other, &rest) != part {
                            continue;
                        }
                        merged += 1;
                        for order in orders {
                            let both = (
                                possible(&subject, one, order),
                                possible(&subject, other, order),
                            );
                            assert_eq!(both.0, both.1, "{}: {one} {other} {order:?}", subject.name);
                        }
                    }
                }
            }
        }
        assert!(merged > 0, "{}", subject.name);
        println!("{}: {merged} pairs of states are the same", subject.name);
    }
}

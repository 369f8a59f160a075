//! Recorded actions against sequential models.
//!
//! A trace that was recorded right has the actions of each object in an order in
//! which a sequential object returns what was recorded. This replays them, object by
//! object. A result that is opaque fits everything; an action with an opaque argument
//! cannot be replayed, and neither can what comes after it on that object.

use std::collections::BTreeMap;

use commute_model::{Action, Event, Names, ObjectId, Op, Value};

use crate::invocation::Invocation;
use crate::library::Library;
use crate::models::{self, Atomic, Model};
use crate::specification::Specification;
use crate::states::{Recorded, States};

/// The objects of a trace, each on its model.
pub struct Replay<'l> {
    library: &'l Library,
    lives: BTreeMap<ObjectId, Life<'l>>,
    /// How many actions were replayed.
    replayed: u64,
    /// How many could not be.
    skipped: u64,
}

/// An object from its creation on.
struct Life<'l> {
    specification: &'l Specification,
    model: &'static dyn Model,
    /// Where it can be; none if that is not known any more.
    states: Option<States>,
    /// Whether it had an action.
    begun: bool,
}

/// An action that its model cannot do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Impossible {
    /// What, in one line.
    pub message: String,
}

impl<'l> Replay<'l> {
    /// Objects have types of this library.
    ///
    /// ```
    /// use commute_model::{Action, Event, Names, Op};
    /// use commute_spec::{Library, replay::Replay};
    ///
    /// let library = Library::shipped();
    /// let mut names = Names::default();
    /// let object = names.objects.intern("o");
    /// let new = Op::New(object, names.types.intern("dictionary"));
    /// let get = Op::Action(commute_model::SharedAction::new(Action {
    ///     object,
    ///     method: names.methods.intern("get"),
    ///     args: [1.into()].into_iter().collect(),
    ///     result: Some(2.into()),
    /// }));
    /// let (thread, location) = (names.threads.intern("T"), names.locations.intern(""));
    /// let event = |op| Event { thread, location, op };
    /// let mut replay = Replay::new(&library);
    /// assert_eq!(replay.step(&event(new), &names), None);
    /// let impossible = replay.step(&event(get), &names).unwrap();
    /// assert_eq!(
    ///     impossible.message,
    ///     "o.get(1)/2 is impossible: in state () it returns nil"
    /// );
    /// ```
    pub fn new(library: &'l Library) -> Replay<'l> {
        Replay {
            library,
            lives: BTreeMap::new(),
            replayed: 0,
            skipped: 0,
        }
    }

    /// An object of this type begins.
    pub fn begin(&mut self, object: ObjectId, kind: &str) {
        self.lives.remove(&object);
        let life = self.library.specification(kind).and_then(|specification| {
            let model = full_size(specification.model.as_deref()?)?;
            Some(Life {
                specification,
                states: Some(States::initial(model)),
                model,
                begun: false,
            })
        });
        if let Some(life) = life {
            self.lives.insert(object, life);
        }
    }

    /// Replays the next event; what is impossible about it. An object that did
    /// something impossible is not replayed any further.
    pub fn step(&mut self, event: &Event, names: &Names) -> Option<Impossible> {
        match &event.op {
            Op::New(object, kind) => {
                self.begin(*object, &names.types.name(*kind).to_string());
                None
            }
            Op::Drop(object) => {
                self.lives.remove(object);
                None
            }
            Op::Action(action) => self.action(action, names),
            _ => None,
        }
    }

    /// How many actions were replayed, and how many could not be.
    pub fn counts(&self) -> (u64, u64) {
        (self.replayed, self.skipped)
    }

    fn action(&mut self, action: &Action, names: &Names) -> Option<Impossible> {
        let life = self.lives.get_mut(&action.object);
        let Some((life, states)) = life.and_then(|life| {
            let states = life.states.take()?;
            Some((life, states))
        }) else {
            self.skipped += 1;
            return None;
        };
        let name = names.methods.name(action.method).to_string();
        let bound = life.specification.method(&name).and_then(|index| {
            let method = &life.specification.methods[index];
            Invocation::bind(index, method, action).ok()
        });
        let known = bound.filter(|bound| !bound.args().iter().any(Value::has_opaque));
        let Some(invocation) = known else {
            self.skipped += 1;
            return None;
        };
        let states = match std::mem::replace(&mut life.begun, true) {
            true => states,
            false => life.starts(states, invocation),
        };
        let recorded = match action.result {
            Some(_) => Recorded::Visibly(invocation.results()),
            None => Recorded::Nothing,
        };
        let after = states.after(&name, invocation.args(), recorded);
        if !after.is_empty() {
            self.replayed += 1;
            life.states = Some(after);
            return None;
        }
        let instead = states.results(&name, invocation.args()).into_iter();
        let instead = instead.map(|results| match &results[..] {
            [one] => one.clone(),
            _ => Value::tuple(results),
        });
        let instead: Vec<Value> = instead.collect();
        let returns = match &instead[..] {
            [] => "cannot happen".to_owned(),
            [one] => format!("returns {one}"),
            several => format!("returns one of {}", Value::tuple(several.to_vec())),
        };
        let state = states.values().swap_remove(0);
        let action = action.display(names);
        Some(Impossible {
            message: format!("{action} is impossible: in state {state} it {returns}"),
        })
    }
}

impl Life<'_> {
    /// Where an object can be at its first action. An integer may have been created
    /// with any value: one that the action mentions will do.
    fn starts(&self, states: States, invocation: Invocation<'_>) -> States {
        let mut starts = states.values();
        if !matches!(starts[..], [Value::Int(_)]) {
            return states;
        }
        let mentioned = invocation.args().iter().chain(invocation.results());
        starts.extend(mentioned.filter(|value| value.as_int().is_some()).cloned());
        States::of(self.model, starts)
    }
}

/// The model of this name with the size that real objects have; none where only the
/// program knows that size.
pub fn full_size(name: &str) -> Option<&'static dyn Model> {
    // As wide as all integers together: sums that wrap are recorded as exchanges.
    static ATOMIC: Atomic = Atomic::new(i64::MIN as i128, u64::MAX as i128);
    match name {
        "atomic" => Some(&ATOMIC),
        "barrier" | "bounded_queue" | "latch" | "semaphore" | "union_find" => None,
        _ => models::named(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(kind: &str, actions: &[(&str, &[Value], &[Value])]) -> (Vec<String>, (u64, u64)) {
        let library = Library::shipped();
        let mut names = Names::default();
        let object = names.objects.intern("o");
        let (thread, location) = (names.threads.intern("T"), names.locations.intern(""));
        let mut replay = Replay::new(&library);
        replay.begin(object, kind);
        let mut found = Vec::new();
        for (method, args, results) in actions {
            let op = Op::Action(commute_model::SharedAction::new(Action {
                object,
                method: names.methods.intern(method),
                args: args.iter().cloned().collect(),
                result: match results {
                    [] => None,
                    [one] => Some(one.clone()),
                    several => Some(Value::tuple(several.to_vec())),
                },
            }));
            let event = Event {
                thread,
                location,
                op,
            };
            found.extend(replay.step(&event, &names).map(|found| found.message));
        }
        (found, replay.counts())
    }

    #[test]
    fn what_a_map_can_do() {
        let int = Value::Int;
        let (found, counts) = run(
            "map",
            &[
                ("insert", &[int(1), int(2)], &[Value::Nil]),
                ("get", &[int(1)], &[int(2)]),
                ("len", &[], &[Value::Opaque]),
                ("or_insert", &[int(1), int(1)], &[int(2), false.into()]),
                ("get", &[int(1)], &[int(1)]),
                ("get", &[int(1)], &[int(1)]),
            ],
        );
        assert_eq!(
            found,
            ["o.get(1)/1 is impossible: in state ((1,2),) it returns 2"]
        );
        assert_eq!(counts, (4, 1));
    }

    #[test]
    fn an_integer_begins_somewhere() {
        let int = Value::Int;
        let (found, counts) = run(
            "atomic",
            &[
                ("fetch_add", &[int(1)], &[int(1000)]),
                ("load", &[], &[int(1001)]),
                ("store", &[int(-5)], &[]),
                ("cas_cur", &[int(-5), int(3)], &[true.into(), int(-5)]),
                ("load", &[], &[int(4)]),
            ],
        );
        assert_eq!(found, ["o.load()/4 is impossible: in state 3 it returns 3"]);
        assert_eq!(counts, (4, 0));
    }

    #[test]
    fn what_is_opaque_ends_the_replay_of_its_object() {
        let (found, counts) = run(
            "map",
            &[
                ("insert", &[Value::Opaque, Value::Int(1)], &[Value::Nil]),
                ("get", &[Value::Int(1)], &[Value::Int(7)]),
            ],
        );
        assert_eq!(found, [] as [String; 0]);
        assert_eq!(counts, (0, 2));
    }
}

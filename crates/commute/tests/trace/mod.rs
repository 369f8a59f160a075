//! Traces of tests that run again in a process that is recorded.

use std::collections::BTreeMap;
use std::process::Command;

use commute_model::{Event, Names, ObjectId, Op, Severity, Value};
use commute_spec::models::{Atomic, Channel, Model};
use commute_trace::{Options, TraceReader, Validator};

/// What a process did.
pub(crate) struct Trace {
    pub(crate) events: Vec<Event>,
    pub(crate) names: Names,
    /// Tests for a message.
    tests: String,
}

impl Trace {
    /// Of the tests of this binary whose names contain `tests`.
    pub(crate) fn of_tests(tests: &str) -> Trace {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("t.ctr");
        let output = Command::new(std::env::current_exe().unwrap())
            .arg(tests)
            .env("COMMUTE_TRACE", &file)
            .env_remove("COMMUTE_SOCKET")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{said}");
        assert!(!said.contains(" 0 passed"), "{said}");
        let file = std::fs::File::open(file).unwrap();
        let mut reader = TraceReader::from_reader(file, Options::default()).unwrap();
        let mut events = Vec::new();
        let mut batch = Vec::new();
        while reader.read_batch(&mut batch).unwrap() > 0 {
            events.append(&mut batch);
        }
        Trace {
            events,
            names: reader.names().clone(),
            tests: tests.into(),
        }
    }

    /// How many operations, as text, begin with `start` or have it after the name of
    /// an object.
    pub(crate) fn count(&self, start: &str) -> usize {
        let is = |event: &&Event| {
            let text = event.op.display(&self.names).to_string();
            text.starts_with(start) || text.contains(&format!(".{start}"))
        };
        self.events.iter().filter(is).count()
    }

    /// A program could have produced it.
    pub(crate) fn is_well_formed(&self) {
        let mut validator = Validator::new();
        let mut flaws = Vec::new();
        for (i, event) in self.events.iter().enumerate() {
            let index = i as u64 + 1;
            flaws.extend_from_slice(validator.step(event, index, index, &self.names));
        }
        flaws.extend_from_slice(validator.finish(&self.names));
        for flaw in &flaws {
            assert_eq!(flaw.severity, Severity::Note, "{}: {flaw:?}", self.tests);
        }
        let somewhere = |event: &&Event| {
            let place = self.names.locations.name(event.location).to_string();
            !place.is_empty() && !place.contains("tests/")
        };
        if let Some(event) = self.events.iter().find(somewhere) {
            panic!(
                "{}: not a place of the client: {}",
                self.tests,
                event.display(&self.names)
            );
        }
    }

    /// The sequential models give the results that were recorded.
    pub(crate) fn replays(&self) {
        let mut states: BTreeMap<ObjectId, (String, Option<Value>)> = BTreeMap::new();
        let atomic = Atomic::new(i64::MIN, i64::MAX);
        for event in &self.events {
            match &event.op {
                Op::New(object, kind) => {
                    let kind = self.names.types.name(*kind).to_string();
                    let state = (kind == "channel").then(|| Channel.initial());
                    states.insert(*object, (kind, state));
                }
                Op::Action(action) => {
                    let (kind, state) = states.get_mut(&action.object).expect("was created");
                    let model: &dyn Model = match kind.as_str() {
                        "atomic" => &atomic,
                        "channel" => &Channel,
                        _ => continue,
                    };
                    let method = self.names.methods.name(action.method).to_string();
                    // What an atomic holds at first is seen by the first who looks.
                    let before = match (&state, &action.result) {
                        (Some(state), _) => state.clone(),
                        (None, Some(Value::Tuple(results))) => results[1].clone(),
                        (None, Some(result)) => result.clone(),
                        (None, None) => Value::Int(0),
                    };
                    let outcomes = model.step(&before, &method, &action.args);
                    let outcome = outcomes.iter().find(|outcome| {
                        let result = match &outcome.results[..] {
                            [] => None,
                            [one] => Some(one.clone()),
                            several => Some(Value::tuple(several.iter().cloned())),
                        };
                        result == action.result
                    });
                    let Some(outcome) = outcome else {
                        let event = event.display(&self.names);
                        panic!("{}: {event} in {before} gives {outcomes:?}", self.tests);
                    };
                    *state = Some(outcome.state.clone());
                }
                _ => {}
            }
        }
    }
}

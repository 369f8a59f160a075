//! Programs that run again in a process that is recorded: a program could have
//! produced the trace, and every recorded result comes out again when the actions of
//! each object are replayed, one after the other, on a sequential model.

#![allow(dead_code, reason = "each binary looks at other things")]

use std::collections::BTreeMap;
use std::process::Command;

use commute_model::{Event, Names, Op, Severity, Value};
use commute_spec::Library;
use commute_spec::models::Model;
use commute_spec::replay::Replay;
use commute_trace::{Options, TraceReader, Validator};

/// What was recorded.
pub(crate) struct Recorded {
    /// How often each method occurs, and each operation on locks.
    pub(crate) counts: BTreeMap<String, usize>,
    /// How many actions were replayed, and how many could not be.
    pub(crate) replayed: (u64, u64),
    pub(crate) events: Vec<Event>,
    pub(crate) names: Names,
}

/// Runs `program` recorded, in another process, and as it is, in this one. To be
/// called at the beginning of `main`. In a process that somebody else records, or
/// checks, it is all that runs.
pub(crate) fn record(program: fn()) -> Recorded {
    let asked = ["COMMUTE_TRACE", "COMMUTE_SOCKET"];
    if asked.iter().any(|name| std::env::var_os(name).is_some()) {
        program();
        std::process::exit(0);
    }
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("t.ctr");
    let mut again = Command::new(std::env::current_exe().unwrap());
    let status = again.env("COMMUTE_TRACE", &file).status().unwrap();
    assert!(status.success());
    // Without an environment nothing is recorded, and everything works.
    program();
    let file = std::fs::File::open(file).unwrap();
    let mut reader = TraceReader::from_reader(file, Options::default()).unwrap();
    let library = Library::shipped();
    let mut recorded = Recorded {
        counts: BTreeMap::new(),
        replayed: (0, 0),
        events: Vec::new(),
        names: Names::default(),
    };
    let mut replay = Replay::new(&library);
    let mut validator = Validator::new();
    let mut flaws = Vec::new();
    let mut batch = Vec::new();
    while reader.read_batch(&mut batch).unwrap() > 0 {
        for event in batch.drain(..) {
            let names = reader.names();
            let index = recorded.events.len() as u64 + 1;
            flaws.extend_from_slice(validator.step(&event, index, index, names));
            assert_eq!(replay.step(&event, names), None, "event {index}");
            recorded.add(event, names);
        }
    }
    recorded.names = reader.names().clone();
    flaws.extend_from_slice(validator.finish(&recorded.names));
    flaws.retain(|flaw| flaw.severity != Severity::Note);
    assert!(flaws.is_empty(), "{flaws:#?}");
    recorded.replayed = replay.counts();
    recorded
}

impl Recorded {
    fn add(&mut self, event: Event, names: &Names) {
        let what = match &event.op {
            Op::Action(action) => names.methods.name(action.method).to_string(),
            op => {
                let text = op.display(names).to_string();
                text.split(['(', '@']).next().unwrap_or_default().to_owned()
            }
        };
        *self.counts.entry(what).or_default() += 1;
        let place = names.locations.name(event.location).to_string();
        // What std calls (a function by its path, `collect`) has std for a caller.
        let by_std = place.contains("library/core/src/");
        // As has what other crates make through their traits.
        let by_traits = ["serialised.rs", "rayon"].map(|name| place.contains(name));
        let by_std = by_std || by_traits.contains(&true);
        let here = place.is_empty() || place.contains("tests/") || by_std;
        assert!(here, "not a place of the client: {}", event.display(names));
        self.events.push(event);
    }

    /// Each of these occurs at least so often.
    pub(crate) fn has(&self, least: usize, methods: &[&str]) {
        for method in methods {
            let count = self.counts.get(*method).copied().unwrap_or(0);
            assert!(count >= least, "{method}: {:?}", self.counts);
        }
    }

    /// Every action could be replayed.
    pub(crate) fn is_complete(&self) {
        assert_eq!(self.replayed.1, 0, "{:?}", self.counts);
        assert!(self.replayed.0 > 0);
    }
}

/// Models whose size only the program knows.
impl Recorded {
    /// Replays the objects of this type on these models; how many actions that were.
    pub(crate) fn replay_as<M: Model>(&self, kind: &str, model: impl Fn() -> M) -> u64 {
        let mut objects = BTreeMap::new();
        let mut replayed = 0;
        for event in &self.events {
            match &event.op {
                Op::New(object, of) if self.names.types.name(*of).to_string() == kind => {
                    let model = model();
                    let state = model.initial();
                    objects.insert(*object, (model, state));
                }
                Op::Drop(object) => drop(objects.remove(object)),
                Op::Action(action) => {
                    let Some((model, state)) = objects.get_mut(&action.object) else {
                        continue;
                    };
                    let method = self.names.methods.name(action.method).to_string();
                    let outcomes = model.step(state, &method, &action.args);
                    let fits = |results: &[Value]| match (results, &action.result) {
                        ([], None) => true,
                        ([one], Some(result)) => one == result,
                        _ => false,
                    };
                    let outcome = outcomes.into_iter().find(|outcome| fits(&outcome.results));
                    let text = event.display(&self.names);
                    *state = outcome.unwrap_or_else(|| panic!("{text} in {state}")).state;
                    replayed += 1;
                }
                _ => {}
            }
        }
        replayed
    }
}

//! Traces of tests that run again in a process that is recorded.

#![allow(dead_code, reason = "each binary looks at other things")]

use std::process::Command;

use commute_model::{Event, Names, Severity};
use commute_spec::Library;
use commute_spec::replay::Replay;
use commute_trace::{Options, TraceReader, Validator};

/// What a process did.
pub(crate) struct Trace {
    pub(crate) events: Vec<Event>,
    pub(crate) names: Names,
    /// How many operations it did that are not among them.
    pub(crate) missed: u64,
    /// Tests for a message.
    tests: String,
}

impl Trace {
    /// Of the tests of this binary whose names contain `tests`.
    pub(crate) fn of_tests(tests: &str) -> Trace {
        Trace::of(tests, &[])
    }

    /// Of the one test of this name.
    pub(crate) fn of_test(test: &str) -> Trace {
        Trace::of(test, &["--exact"])
    }

    fn of(tests: &str, options: &[&str]) -> Trace {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("t.ctr");
        let output = Command::new(std::env::current_exe().unwrap())
            .arg(tests)
            .args(options)
            .env("COMMUTE_TRACE", &file)
            .env_remove("COMMUTE_SOCKET")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}{complaint}");
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
            missed: reader.notes().missed,
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

    /// All operations, as text.
    pub(crate) fn operations(&self) -> impl Iterator<Item = String> {
        let ops = self.events.iter().map(|event| &event.op);
        ops.map(|op| op.display(&self.names).to_string())
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

    /// Objects without a name are called after where the client made them.
    pub(crate) fn is_named_after_the_client(&self) {
        let names = &self.names;
        let locks = names.locks.ids().map(|id| names.locks.name(id).to_string());
        let objects = names
            .objects
            .ids()
            .map(|id| names.objects.name(id).to_string());
        let condvars = names
            .condvars
            .ids()
            .map(|id| names.condvars.name(id).to_string());
        for name in locks.chain(objects).chain(condvars) {
            assert!(!name.contains('@') || name.contains("tests/"), "{name}");
        }
    }

    /// The sequential models give the results that were recorded; for how many
    /// actions.
    pub(crate) fn replays(&self) -> u64 {
        let library = Library::shipped();
        let mut replay = Replay::new(&library);
        for event in &self.events {
            let impossible = replay.step(event, &self.names);
            assert_eq!(impossible, None, "{}", self.tests);
        }
        replay.counts().0
    }
}

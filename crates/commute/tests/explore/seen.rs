//! What was seen of a program, by the engine that runs every interleaving.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::rc::Rc;

use commute_explore::runtime::Test;
use commute_explore::{
    Dpor, Ending, Engine, Exhaustive, Extent, Knowledge, Limits, Outcomes, Run, Subject, Watch,
    explore_with,
};

/// What came of all runs.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Distinct outcomes.
    pub(crate) outcomes: u64,
    pub(crate) executions: u64,
    /// Outcomes that are deadlocks.
    pub(crate) deadlocks: u64,
    /// What panics said that are failures, and in how many outcomes.
    pub(crate) failures: BTreeMap<String, u64>,
    /// Why not everything was seen.
    pub(crate) because: Option<String>,
    pub(crate) restarts: u64,
    /// Runs that only taught what is what.
    pub(crate) learning: u64,
    pub(crate) is_weak: bool,
    pub(crate) leaks: u64,
    /// What people should know of the verdict.
    pub(crate) remarks: Vec<&'static str>,
}

impl Watch for Seen {
    fn ran(&mut self, run: &Run, is_new: bool, _known: &Knowledge) -> ControlFlow<()> {
        if let Ending::Trouble(trouble) = &run.ending {
            self.because = Some(format!("{trouble:?}"));
            return ControlFlow::Break(());
        }
        if is_new {
            self.deadlocks += u64::from(matches!(run.ending, Ending::Deadlock(_)));
            if let Some(failure) = &run.failure {
                let message = failure.message.split("\n  at ").next().unwrap_or_default();
                *self.failures.entry(message.to_owned()).or_default() += 1;
            }
        }
        ControlFlow::Continue(())
    }

    fn restarted(&mut self, _reason: &str) {
        *self = Seen {
            restarts: self.restarts + 1,
            ..Seen::default()
        };
    }
}

/// Runs every interleaving of `body`. Other engines have to see the same.
#[track_caller]
pub(crate) fn seen(body: impl Fn() + 'static) -> Seen {
    let body = Rc::new(body);
    let again = || {
        let body = Rc::clone(&body);
        move || body()
    };
    let all = seen_by(&mut Exhaustive::default(), again());
    let covers = &mut Outcomes {
        nodes: 0,
        ..Outcomes::default()
    };
    for engine in [
        &mut Outcomes::default() as &mut dyn Engine,
        covers,
        &mut Dpor,
    ] {
        let seen = seen_by(engine, again());
        let name = engine.name();
        assert_eq!(seen.because.is_some(), all.because.is_some(), "{name}");
        if all.because.is_none() {
            assert_eq!(seen.outcomes, all.outcomes, "{name}");
            assert_eq!(seen.deadlocks, all.deadlocks, "{name}");
            assert_eq!(seen.failures, all.failures, "{name}");
            if name == "outcomes" {
                assert_eq!(seen.executions, seen.outcomes, "one run each");
            }
        }
    }
    all
}

/// What the usual engine sees of `body`, which has too many interleavings for others.
pub(crate) fn seen_by_outcomes(body: impl Fn() + 'static) -> Seen {
    seen_by(&mut Outcomes::default(), body)
}

/// What an engine sees of `body`.
fn seen_by(engine: &mut dyn Engine, body: impl Fn() + 'static) -> Seen {
    let mut test = Test::new(body);
    let mut seen = Seen::default();
    let limits = Limits { steps: 100_000 };
    let mut subject = Subject::new(&mut test, limits);
    let extent = explore_with(engine, &mut subject, &mut seen);
    let counts = subject.counts();
    if let Extent::Some(reason) = extent {
        seen.because.get_or_insert(reason);
    }
    seen.outcomes = counts.outcomes;
    seen.executions = counts.executions;
    seen.learning = counts.learning;
    seen.is_weak = test.has_weak_orderings();
    seen.leaks = test.leaks();
    seen.remarks = test.remarks();
    seen
}

/// The number of outcomes of a program in which nothing goes wrong.
#[track_caller]
pub(crate) fn outcomes(body: impl Fn() + 'static) -> u64 {
    let seen = seen(body);
    assert_eq!(seen.because, None);
    assert_eq!((seen.deadlocks, &seen.failures), (0, &BTreeMap::new()));
    assert_eq!(seen.leaks, 0);
    seen.outcomes
}

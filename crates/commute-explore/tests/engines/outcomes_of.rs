//! What an engine saw of a program, in words that do not depend on the engine.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use commute_explore::{Counts, Engine, Extent, Knowledge, Limits, Run, Subject, Watch};

use crate::interpreted::{Interpreted, Source};

/// What every thread did and got, the states at the end, and how it ended.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Outcome {
    threads: Vec<Vec<String>>,
    states: Vec<String>,
    ending: String,
    failure: Option<String>,
}

impl Outcome {
    fn of(run: &Run, known: &Knowledge) -> Outcome {
        let mut threads = vec![Vec::new(); run.places.len()];
        // Places in the code have numbers in the order in which they were first seen,
        // which engines do not share: the versions of what mutexes protect are told
        // by whose step they are from.
        let version = |thread: usize, index: usize| format!("@{thread}.{index}");
        let mut places = std::collections::BTreeMap::new();
        for step in &run.steps {
            let (thread, index) = (step.thread.index(), threads[step.thread.index()].len());
            places.insert(step.node, version(thread, index));
            let operation = known.operation(step.op);
            let args = operation.args.iter().map(ToString::to_string);
            let mut args: Vec<String> = args.collect();
            let is_unlock = operation.method == "unlock";
            if is_unlock && args.len() == 2 {
                args[1] = version(thread, index);
            }
            let value = known.value(step.result).to_string();
            let value = match operation.method {
                "lock" => named(&value, &places),
                _ => value,
            };
            let object = operation.objects[0].0;
            threads[thread].push(format!("{object}.{}{args:?} {value}", operation.method));
        }
        let states = (0..known.objects()).map(|object| {
            let object = commute_explore::ObjectId(object as u32);
            let state = known.state(&run.world, object).to_string();
            match known.model(object).name() {
                "lock" => named(&state, &places),
                _ => state,
            }
        });
        Outcome {
            states: states.collect(),
            threads,
            ending: format!("{:?}", run.ending),
            failure: run.failure.as_ref().map(|f| format!("{f:?}")),
        }
    }

    pub(crate) fn is_deadlock(&self) -> bool {
        self.ending.starts_with("Deadlock")
    }

    pub(crate) fn fails(&self) -> bool {
        self.failure.is_some()
    }
}

/// The text of a lock with its version told by `places`.
fn named(
    value: &str,
    places: &std::collections::BTreeMap<commute_explore::NodeId, String>,
) -> String {
    // `(version, poisoned)` or `(writer, readers, version, poisoned)`: the version is
    // the part before the last.
    let inner = value.trim_start_matches('(').trim_end_matches(')');
    let mut parts: Vec<String> = inner.split(',').map(str::to_owned).collect();
    let last = parts.len().saturating_sub(2);
    if let Ok(node) = parts[last].trim().parse::<u32>() {
        let node = commute_explore::NodeId(node);
        parts[last] = places.get(&node).cloned().unwrap_or("?".to_owned());
    }
    parts.join(",")
}

/// What was seen.
pub(crate) struct Seen {
    pub(crate) outcomes: BTreeSet<Outcome>,
    pub(crate) counts: Counts,
    pub(crate) extent: Extent,
}

struct Collect {
    outcomes: BTreeSet<Outcome>,
    runs: usize,
    most: usize,
}

impl Watch for Collect {
    fn ran(&mut self, run: &Run, is_new: bool, known: &Knowledge) -> ControlFlow<()> {
        self.runs += 1;
        if is_new {
            self.outcomes.insert(Outcome::of(run, known));
        }
        ControlFlow::Continue(())
    }

    fn enough(&mut self) -> Option<String> {
        (self.runs >= self.most).then(|| "enough".to_owned())
    }
}

/// What the engine sees; none if that takes more than `most` runs.
pub(crate) fn explored(engine: &mut dyn Engine, source: &Source, most: usize) -> Option<Seen> {
    let mut program = Interpreted::new(source.clone());
    let mut subject = Subject::new(&mut program, Limits::default());
    let mut collect = Collect {
        outcomes: BTreeSet::new(),
        runs: 0,
        most,
    };
    let extent = engine.explore(&mut subject, &mut collect);
    if extent == Extent::Some("enough".to_owned()) {
        return None;
    }
    Some(Seen {
        outcomes: collect.outcomes,
        counts: subject.counts(),
        extent,
    })
}

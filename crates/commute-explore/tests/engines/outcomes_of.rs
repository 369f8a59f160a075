//! What an engine saw of a program, in words that do not depend on the engine.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use commute_explore::{
    Counts, Ending, Engine, Extent, Knowledge, Limits, Next, NodeId, ObjectId, Outcomes, Places,
    Program, Run, Subject, ThreadId, Watch, World,
};

use commute_model::Value;

use crate::interpreted::{Interpreted, Source};

/// What every thread did and got, the states at the end, and how it ended.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Outcome {
    threads: Vec<Vec<String>>,
    states: Vec<String>,
    /// The same, with what threads did in place of their names.
    nameless: Vec<String>,
    /// Who waits for ever.
    waiting: Vec<ThreadId>,
    /// A panic that no join has returned; of several, which comes first is no part of
    /// what can be told apart.
    fails: bool,
}

impl Outcome {
    fn of_run(run: &Run, known: &Knowledge) -> Outcome {
        let waiting = match &run.ending {
            Ending::Finished => Vec::new(),
            Ending::Deadlock(waiting) => waiting.clone(),
            other => panic!("{other:?} is no outcome"),
        };
        let fails = run.failure.is_some();
        Outcome::of(&run.places, &run.world, waiting, fails, known)
    }

    /// From where each thread is, and all states.
    pub(crate) fn of(
        places: &Places,
        world: &World,
        waiting: Vec<ThreadId>,
        fails: bool,
        known: &Knowledge,
    ) -> Outcome {
        let objects = (0..known.objects()).map(|object| ObjectId(object as u32));
        let states = objects.clone().map(|object| known.state(world, object));
        let nameless = objects.map(|object| {
            let state = known.state(world, object);
            let did = |thread: &Value| {
                let index = thread.as_int().and_then(|n| usize::try_from(n).ok());
                let place = index.and_then(|index| places[index]);
                Value::str(&format!("{:?}", history(place, known)))
            };
            let renamed = known.model(object).renamed(state, &did);
            renamed.unwrap_or_else(|| state.clone()).to_string()
        });
        Outcome {
            threads: places.iter().map(|place| history(*place, known)).collect(),
            states: states.map(ToString::to_string).collect(),
            nameless: nameless.collect(),
            waiting,
            fails,
        }
    }

    /// The same for all ways to exchange these threads, none of which is the first.
    pub(crate) fn up_to_exchange(&self, alike: std::ops::Range<usize>) -> Outcome {
        let mut outcome = self.clone();
        let there = outcome.threads.len();
        outcome.threads.resize(there.max(alike.end), Vec::new());
        outcome.threads[alike.clone()].sort();
        outcome.states = std::mem::take(&mut outcome.nameless);
        outcome.waiting.retain(|t| !alike.contains(&t.index()));
        outcome
    }

    pub(crate) fn is_deadlock(&self) -> bool {
        !self.waiting.is_empty()
    }

    pub(crate) fn fails(&self) -> bool {
        self.fails
    }
}

/// What a thread did on its way to a place.
fn history(place: Option<NodeId>, known: &Knowledge) -> Vec<String> {
    let mut history = Vec::new();
    let mut place = place;
    while let Some((before, result)) = place.and_then(|place| known.before(place)) {
        let Some(Next::Op(op)) = known.next(before) else {
            panic!("a place with something after it where nothing is done");
        };
        let operation = known.operation(*op);
        // Versions of what locks protect are the same in every process.
        let args = operation.args.iter().enumerate();
        let args: Vec<String> = args
            .map(|(n, arg)| match operation.me == Some(n as u8) {
                true => "me".to_owned(),
                false => arg.to_string(),
            })
            .collect();
        let value = known.value(result);
        let object = operation.objects[0].0;
        history.push(format!("{object}.{}{args:?} {value}", operation.method));
        place = Some(before);
    }
    history.reverse();
    history
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
            self.outcomes.insert(Outcome::of_run(run, known));
        }
        ControlFlow::Continue(())
    }

    fn enough(&mut self) -> Option<String> {
        (self.runs >= self.most).then(|| "enough".to_owned())
    }
}

/// One run for each outcome, with so many nodes of the graph.
pub(crate) fn with_nodes(nodes: usize) -> Outcomes {
    Outcomes {
        nodes,
        ..Outcomes::default()
    }
}

/// What the engine sees; none if that takes more than `most` runs.
pub(crate) fn explored(engine: &mut dyn Engine, source: &Source, most: usize) -> Option<Seen> {
    explored_program(engine, &mut Interpreted::new(source.clone()), most)
}

/// The same of any program.
pub(crate) fn explored_program(
    engine: &mut dyn Engine,
    program: &mut dyn Program,
    most: usize,
) -> Option<Seen> {
    let mut subject = Subject::new(program, Limits::default());
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

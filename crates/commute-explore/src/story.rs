//! A run, in words.

use std::collections::BTreeMap;

use commute_model::Value;

use crate::code::{Next, NodeId};
use crate::knowledge::Knowledge;
use crate::report::{Interruption, Story, Told, Waiting, Wrong};
use crate::run::{Ending, Run, Step};
use crate::words::{ObjectId, OpId, ResultId, ThreadId};
use crate::world::World;

/// How often another thread goes on than the one before.
pub(crate) fn switches(steps: &[Step]) -> usize {
    let pairs = steps.windows(2);
    pairs
        .filter(|pair| pair[0].thread != pair[1].thread)
        .count()
}

/// A run that went wrong.
pub fn story(run: &Run, wrong: Wrong, known: &mut Knowledge) -> Story {
    let mut steps: Vec<Told> = run.steps.iter().map(|step| told(step, known)).collect();
    for (place, interruption) in interruptions(run, known) {
        steps[place].interrupts = Some(interruption);
    }
    let number = numbers(run, known);
    for (step, told) in run.steps.iter().zip(&mut steps) {
        let objects = &known.operation(step.op).objects;
        told.number = objects.first().and_then(&number);
        told.other_number = objects.get(1).and_then(&number);
    }
    Story {
        wrong,
        switches: switches(&run.steps),
        steps,
        output: String::new(),
    }
}

/// Tells objects apart that were made in the same line: the number of each.
fn numbers(run: &Run, known: &Knowledge) -> impl Fn(&ObjectId) -> Option<u32> {
    // By the line, the objects in order.
    let mut lines: BTreeMap<String, Vec<ObjectId>> = BTreeMap::new();
    for object in { run.steps.iter() }.flat_map(|step| &known.operation(step.op).objects) {
        let name = known.object_name(*object);
        let line = name.rsplit_once(':').map(|(line, _)| line.to_owned());
        let objects = lines.entry(line.unwrap_or(name)).or_default();
        if !objects.contains(object) {
            objects.push(*object);
        }
    }
    let several = lines.into_values().filter(|all| all.len() > 1);
    let numbered = several.flat_map(|all| all.into_iter().zip(1..));
    let numbers: BTreeMap<ObjectId, u32> = numbered.collect();
    move |object| numbers.get(object).copied()
}

/// What is wrong with a run, if anything is.
pub(crate) fn wrong(run: &Run, known: &Knowledge) -> Option<Wrong> {
    if let Some(failure) = &run.failure {
        let (message, location) = said(&failure.message);
        let others = failure.others.iter().map(|(thread, message)| {
            let (message, location) = said(message);
            let at = location.map_or(String::new(), |at| format!(", at {at}"));
            format!(
                "{} panicked, too: {message}{at}",
                known.thread_name(*thread)
            )
        });
        return Some(Wrong::Panic {
            thread: known.thread_name(failure.thread),
            message,
            location,
            others: others.collect(),
        });
    }
    let Ending::Deadlock(threads) = &run.ending else {
        return None;
    };
    let waiting = threads.iter().map(|thread| waits(*thread, run, known));
    Some(Wrong::Deadlock {
        waiting: waiting.collect(),
    })
}

/// What a panic said, and where it was.
fn said(text: &str) -> (String, Option<String>) {
    match text.rsplit_once("\n  at ") {
        Some((message, location)) => (message.to_owned(), Some(location.to_owned())),
        None => (text.to_owned(), None),
    }
}

/// What a thread waits for at the end of a run.
///
/// # Panics
/// If it has nothing to do.
pub fn waits(thread: ThreadId, run: &Run, known: &Knowledge) -> Waiting {
    let node = run.places[thread.index()].expect("whoever waits was started");
    let Some(Next::Op(op)) = known.next(node) else {
        unreachable!("whoever waits has something to do");
    };
    let operation = known.operation(*op);
    let object = operation.objects[0];
    let state = known.state(&run.world, object);
    let owner = known.model(object).owner(state);
    let because = match owner {
        Some(owner) if owner == thread => Some("it has that itself".to_owned()),
        Some(owner) => Some(format!("{} has it", known.thread_name(owner))),
        None => None,
    };
    let is_of_object = peers(*op, known).is_empty();
    Waiting {
        thread: known.thread_name(thread),
        wants: does(*op, None, known),
        object: is_of_object.then(|| known.object_name(object)),
        number: numbers(run, known)(&object).filter(|_| is_of_object),
        location: known.location(node).map(ToString::to_string),
        because,
    }
}

/// A step, in words.
pub(crate) fn told(step: &Step, known: &Knowledge) -> Told {
    let operation = known.operation(step.op);
    let model = known.model(operation.objects[0]);
    let shown = model.shown(operation.method, &operation.args, known.value(step.result));
    let peers = peers(step.op, known);
    let names = || peers.iter().map(|thread| known.thread_name(*thread));
    Told {
        thread: known.thread_name(step.thread),
        object: known.object_name(operation.objects[0]),
        sort: model.name().to_owned(),
        method: operation.method.to_owned(),
        args: match peers.len() {
            0 | 1 => shown.args,
            _ => names().collect(),
        },
        result: shown.result,
        location: known.location(step.node).map(ToString::to_string),
        other: { operation.objects.get(1) }.map(|object| known.object_name(*object)),
        number: None,
        other_number: None,
        peer: { peers.len() == 1 }.then(|| names().collect()),
        interrupts: None,
    }
}

/// The threads that an operation starts or waits for.
fn peers(op: OpId, known: &Knowledge) -> Vec<ThreadId> {
    let operation = known.operation(op);
    let number = |arg: &Value| u32::try_from(arg.as_int()?).ok().map(ThreadId);
    match (operation.spawns, operation.method) {
        (Some(child), _) => vec![child],
        (None, "join") => operation.args.iter().filter_map(number).collect(),
        _ => Vec::new(),
    }
}

/// What is done, and what comes of it, in one line.
pub(crate) fn does(op: OpId, result: Option<ResultId>, known: &Knowledge) -> String {
    let step = Step {
        thread: ThreadId::MAIN,
        node: NodeId(u32::MAX),
        op,
        result: result.unwrap_or(ResultId::NONE),
    };
    let mut told = told(&step, known);
    told.result = told.result.filter(|_| result.is_some());
    told.line()
}

/// Steps at which a thread goes on although the one before could have, and why the
/// order matters.
fn interruptions(run: &Run, known: &mut Knowledge) -> Vec<(usize, Interruption)> {
    let steps = &run.steps;
    let mut world = World::default();
    let mut worlds = Vec::with_capacity(steps.len());
    for step in steps {
        worlds.push(world.clone());
        known.step(&mut world, step.op);
    }
    let mut found = Vec::new();
    for place in 1..steps.len() {
        let before = steps[place - 1].thread;
        if steps[place].thread == before {
            continue;
        }
        let later = steps[place..].iter().position(|step| step.thread == before);
        let Some(of) = later.map(|later| place + later) else {
            continue;
        };
        let by = (place..of).find(|by| !commute(&worlds[*by], steps[*by].op, steps[of].op, known));
        if let Some(by) = by {
            found.push((place, Interruption { by, of }));
        }
    }
    found
}

/// Whether it does not matter, in this world, which of two comes first.
pub(crate) fn commute(world: &World, a: OpId, b: OpId, known: &mut Knowledge) -> bool {
    let touches = |op: OpId, known: &Knowledge| known.operation(op).objects.clone();
    let (of_a, of_b) = (touches(a, known), touches(b, known));
    if !of_a.iter().any(|object| of_b.contains(object)) {
        return true;
    }
    let mut both = |first: OpId, second: OpId| {
        let mut world = world.clone();
        let one = known.step(&mut world, first)?;
        let other = known.step(&mut world, second)?;
        Some((one, other, world))
    };
    match (both(a, b), both(b, a)) {
        (Some((a1, b1, w1)), Some((b2, a2, w2))) => a1 == a2 && b1 == b2 && w1 == w2,
        (None, None) => true,
        _ => false,
    }
}

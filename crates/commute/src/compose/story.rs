//! A history without an explanation, in words.

use commute_compose::{Attacked, Journal, Setting, Violation};
use commute_explore::{
    Conflict, Interruption, Knowledge, Part, Run, Story, ThreadId, Told, Wrong, conflicts, story,
    waits,
};

use super::checked::Outcome;
use super::class::class;

/// What everything is called.
pub(super) struct Names {
    /// By case: where it begins, and the method.
    pub(super) cases: Vec<(Option<String>, String)>,
    /// Operations of the environment.
    pub(super) operations: Vec<String>,
    /// What is looked at in the end.
    pub(super) observers: Vec<String>,
}

/// The columns of the table.
const METHOD: &str = "method";
const ENVIRONMENT: &str = "environment";
const AFTERWARDS: &str = "afterwards";

/// Whether a thread is one of a check.
pub(super) fn is_column(thread: &str) -> bool {
    [METHOD, ENVIRONMENT, AFTERWARDS].contains(&thread)
}

/// What the threads of a check are called.
pub(super) fn thread_name(thread: u32, setting: &Setting) -> &'static str {
    match thread {
        0 => METHOD,
        _ if setting.as_operation(thread).is_some() => ENVIRONMENT,
        _ => AFTERWARDS,
    }
}

/// The story of a violation.
pub(super) fn tell(
    violation: &Violation,
    attacked: &Attacked,
    only_without: &[Vec<String>],
    names: &Names,
    known: &mut Knowledge,
) -> Story {
    let calls = Calls::of(violation, names);
    let mut told = story(&violation.run, wrong_of(violation, names), known);
    let (steps, places) = steps(&told.steps, &threads_of(&violation.run), calls);
    told.steps = steps;
    let found = pinched(&violation.run, known, &places);
    if !found.is_empty() {
        // That is more than that a step is interrupted.
        told.steps
            .iter_mut()
            .for_each(|told| told.interrupts = None);
    }
    let (name, repair) = class(&told.steps);
    if let Wrong::NotAtomic {
        help, conflicts, ..
    } = &mut told.wrong
    {
        *conflicts = found;
        help.push(format!("this is {name}: {repair}"));
        help.extend(assumption(only_without, attacked));
    }
    told.switches = told
        .steps
        .windows(2)
        .filter(|two| two[0].thread != two[1].thread)
        .count();
    told
}

/// What of the method and of the environment does not commute, at the places of the story.
fn pinched(run: &Run, known: &mut Knowledge, places: &[Option<usize>]) -> Vec<Conflict> {
    let named = |name: &str, known: &Knowledge| -> Vec<ThreadId> {
        let threads = run.steps.iter().map(|step| step.thread);
        threads
            .filter(|thread| known.thread_name(*thread) == name)
            .collect()
    };
    let (method, environment) = (named(METHOD, known), named(ENVIRONMENT, known));
    let found = conflicts(
        &run.steps,
        known,
        |thread| method.contains(&thread),
        |thread| environment.contains(&thread),
    );
    let part = |part: Part| {
        Some(Part {
            from: places[part.from]?,
            to: places[part.to]?,
            call: part.call,
        })
    };
    let placed = |conflict: Conflict| {
        Some(Conflict {
            first: part(conflict.first)?,
            second: part(conflict.second)?,
            rule: conflict.rule,
        })
    };
    found.into_iter().filter_map(placed).collect()
}

/// Calls of the method, of the environment, and of whoever looks, each in order.
struct Calls {
    method: Vec<(String, String)>,
    environment: Vec<(String, String)>,
    afterwards: Vec<(String, String)>,
}

impl Calls {
    fn of(violation: &Violation, names: &Names) -> Calls {
        let Journal {
            method,
            operations,
            observations,
        } = &violation.journal;
        let called = &names.cases[violation.case as usize].1;
        let made = violation.operations.iter();
        let made = made.map(|operation| names.operations[*operation as usize].clone());
        Calls {
            method: vec![(called.clone(), method.clone().unwrap_or_default())],
            environment: made.zip(operations.iter().cloned()).collect(),
            afterwards: { names.observers.iter().cloned() }
                .zip(observations.iter().cloned())
                .collect(),
        }
    }

    /// The next call of somebody, which begins.
    fn next(&mut self, thread: &str) -> Option<(String, String)> {
        let calls = match thread {
            METHOD => &mut self.method,
            ENVIRONMENT => &mut self.environment,
            _ => &mut self.afterwards,
        };
        (!calls.is_empty()).then(|| calls.remove(0))
    }
}

/// The steps that matter: where a call begins, it is told with what came of it. And the
/// place of each step among them, if it is there.
fn steps(all: &[Told], threads: &[ThreadId], mut calls: Calls) -> (Vec<Told>, Vec<Option<usize>>) {
    let mut steps = Vec::new();
    let mut places = vec![None; all.len()];
    for (index, (told, thread)) in all.iter().zip(threads).enumerate() {
        // How something is looked at in the end does not matter.
        let is_look = told.thread == AFTERWARDS && told.sort != "choice";
        if *thread == ThreadId::MAIN || is_look {
            continue;
        }
        let mut told = told.clone();
        told.location = told.location.filter(|at| !is_ours(at));
        if told.sort == "choice" {
            let Some((call, result)) = calls.next(&told.thread) else {
                continue;
            };
            let (name, arguments) = call.split_once('(').unwrap_or((&call, ")"));
            told.object = String::new();
            told.sort = "call".to_owned();
            told.method = name.to_owned();
            told.peer = Some(arguments.strip_suffix(')').unwrap_or(arguments).to_owned());
            told.result = (result != "()").then_some(result);
            told.location = None;
        }
        places[index] = Some(steps.len());
        steps.push(told);
    }
    for told in &mut steps {
        told.interrupts = told.interrupts.and_then(|Interruption { by, of }| {
            Some(Interruption {
                by: places[by]?,
                of: places[of]?,
            })
        });
    }
    (steps, places)
}

/// Whether a place is here, where others use collections: it tells nobody anything.
fn is_ours(location: &str) -> bool {
    let here = file!().strip_suffix("story.rs");
    here.is_some_and(|here| location.starts_with(here))
}

fn wrong_of(violation: &Violation, names: &Names) -> Wrong {
    let (from, method) = &names.cases[violation.case as usize];
    let calls: Vec<&str> = { violation.operations.iter() }
        .map(|operation| names.operations[*operation as usize].as_str())
        .collect();
    let mut why = Vec::new();
    if let Some(from) = from {
        why.push(format!("the object begins as {from} leaves it"));
    }
    for (gap, instead) in violation.gaps.clone().zip(&violation.instead) {
        let when = match (gap, calls.get(gap.wrapping_sub(1)), calls.get(gap)) {
            (0, _, Some(next)) => format!("before {next}"),
            (_, Some(last), Some(next)) => format!("between {last} and {next}"),
            (_, Some(last), None) => format!("after {last}"),
            _ => "alone".to_owned(),
        };
        why.push(match instead {
            None => format!("{method} {when}: somebody would wait for ever"),
            Some(instead) => {
                let differences = differences(&violation.journal, instead, method, &calls, names);
                format!("{method} {when}: {}", differences.join(", "))
            }
        });
    }
    if violation.instead.is_empty() {
        let text = "the calls overlap, and in no order of them does each return what it did";
        why.push(text.to_owned());
    }
    Wrong::NotAtomic {
        method: method.clone(),
        why,
        help: Vec::new(),
        conflicts: Vec::new(),
    }
}

/// What would have been otherwise.
fn differences(
    was: &Journal,
    instead: &Journal,
    method: &str,
    calls: &[&str],
    names: &Names,
) -> Vec<String> {
    let returns = |call: &str, text: &str, was: &str| format!("{call} returns {text}, not {was}");
    let mut differences = Vec::new();
    if let (Some(text), Some(was)) = (&instead.method, &was.method)
        && text != was
    {
        differences.push(returns(method, text, was));
    }
    let operations = instead.operations.iter().zip(&was.operations);
    for (call, (text, was)) in calls.iter().zip(operations) {
        if text != was {
            differences.push(returns(call, text, was));
        }
    }
    let observations = instead.observations.iter().zip(&was.observations);
    for (call, (text, was)) in names.observers.iter().zip(observations) {
        if text != was {
            differences.push(format!("afterwards {}", returns(call, text, was)));
        }
    }
    differences
}

/// In which environments it does not happen.
fn assumption(only_without: &[Vec<String>], attacked: &Attacked) -> Option<String> {
    let sets: Vec<String> = { only_without.iter() }
        .map(|set| {
            let names: Vec<String> = set.iter().map(|name| format!("`{name}`")).collect();
            names.join(" and ")
        })
        .collect();
    if sets.is_empty() {
        return None;
    }
    let histories = attacked.histories;
    Some(format!(
        "of {histories} histories, none goes wrong without {}: the method is atomic only if \
         nobody does that",
        sets.join(", or without ")
    ))
}

/// That nothing ever came to its end: what the method does if nobody else does anything.
pub(super) fn never_ends(
    (run, method): &(Run, ThreadId),
    attacked: &Attacked,
    names: &Names,
    known: &mut Knowledge,
) -> Story {
    let blocked = attacked.blocked;
    let wrong = Wrong::NeverEnds {
        why: vec![format!(
            "in each of the {blocked} histories that were tried, somebody waits for ever"
        )],
        waiting: vec![waits(*method, run, known)],
    };
    let calls = Calls {
        method: vec![(names.cases[0].1.clone(), "()".to_owned())],
        environment: Vec::new(),
        afterwards: Vec::new(),
    };
    let mut told = story(run, wrong, known);
    told.steps = steps(&told.steps, &threads_of(run), calls).0;
    told.switches = 0;
    told
}

fn threads_of(run: &Run) -> Vec<ThreadId> {
    run.steps.iter().map(|step| step.thread).collect()
}

/// For whoever is not told by the command.
pub(super) fn text(outcome: &Outcome, told: Option<&Story>, notes: &[String]) -> String {
    let mut text = match outcome {
        Outcome::Atomic => "atomic".to_owned(),
        Outcome::NotAtomic => "the method is not atomic".to_owned(),
        Outcome::Deadlock => "whatever others do, the method waits for ever".to_owned(),
        Outcome::Inconclusive(reason) => format!("inconclusive: {reason}"),
        Outcome::Untested => "not tested".to_owned(),
    };
    let Some(told) = told else {
        return text;
    };
    for step in &told.steps {
        text += &format!("\n  {:<11}  {}", step.thread, step.line());
    }
    if let Wrong::NotAtomic {
        why,
        help,
        conflicts,
        ..
    } = &told.wrong
    {
        let clashes = conflicts.iter().map(|conflict| conflict.text(&told.steps));
        let clashes: Vec<String> = clashes.collect();
        for line in why.iter().chain(&clashes).chain(help).chain(notes) {
            text += &format!("\n  = {}", line.replace('\n', "\n    "));
        }
    }
    text
}

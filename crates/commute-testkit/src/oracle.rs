//! Oracles: slow, and written from the definitions.
//!
//! Happens-before is the transitive closure of explicit edges, not vector
//! clocks; races are all pairs, compared by the raw formula. Nothing here is
//! shared with the detectors but the specification.

pub mod prediction;
mod serializability;
pub mod synchronisation;

use std::collections::BTreeSet;
use std::sync::Arc;

use commute_model::{Action, Code, Event, Id, LocationId, Names, Op, ThreadId};
use commute_spec::{CompiledSpecification, Invocation, Library, Specification};

pub use serializability::Transactions;
use synchronisation::{comes_after, is_meant};

/// `before[j]` holds the positions of all events that happen before event `j`.
pub fn happens_before(events: &[Event], names: &Names, library: &Library) -> Vec<BTreeSet<usize>> {
    let comes_after = comes_after(events, names, library);
    let mut before: Vec<BTreeSet<usize>> = Vec::new();
    for (j, direct) in comes_after.iter().enumerate() {
        let mut set = BTreeSet::new();
        for (i, earlier) in before.iter().enumerate() {
            if direct.contains(&i) || edge(events, i, j) {
                set.insert(i);
                set.extend(earlier);
            }
        }
        before.push(set);
    }
    before
}

/// All races: (code, earlier index, later index), indices counted from 1.
pub fn races(events: &[Event], names: &Names, library: &Library) -> BTreeSet<(Code, u64, u64)> {
    let before = happens_before(events, names, library);
    let types = object_types(events, names, library);
    let mut races = BTreeSet::new();
    for j in 0..events.len() {
        for i in 0..j {
            if events[i].thread == events[j].thread || before[j].contains(&i) {
                continue;
            }
            if let Some(code) = conflict(events, i, j, &types, names)
                && !is_no_race(events, i, j, &types, names)
            {
                races.insert((code, i as u64 + 1, j as u64 + 1));
            }
        }
    }
    races
}

/// Where an event is in the source code, or what stands for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Site {
    /// Its location.
    At(LocationId),
    /// If it has none: its thread, what it is about, and what it does to that.
    Nowhere(ThreadId, u32, u32),
}

/// The site of an access to a variable or an action on an object.
///
/// # Panics
/// If the event is neither.
pub fn site(event: &Event, names: &Names) -> Site {
    if !names.locations.name(event.location).is_empty() {
        return Site::At(event.location);
    }
    let (subject, operation) = match &event.op {
        Op::Read(x) => (x.0, 0),
        Op::Write(x) => (x.0, 1),
        Op::Free(x) => (x.0, 2),
        Op::Action(action) => (action.object.0, action.method.0),
        op => panic!("{} accesses nothing", op.display(names)),
    };
    Site::Nowhere(event.thread, subject, operation)
}

/// The pairs of sites of pairs of events, the lesser one first.
pub fn pairs_of_sites(
    pairs: &BTreeSet<(Code, u64, u64)>,
    events: &[Event],
    names: &Names,
) -> BTreeSet<(Code, Site, Site)> {
    let site = |index: u64| site(&events[index as usize - 1], names);
    let sites = |&(code, a, b): &(Code, u64, u64)| {
        let (a, b) = (site(a), site(b));
        (code, a.min(b), a.max(b))
    };
    pairs.iter().map(sites).collect()
}

/// Whether two events conflict: reads and writes of a variable that was not
/// allocated again in between, actions of one life of an object that do not
/// commute.
fn conflict(
    events: &[Event],
    i: usize,
    j: usize,
    types: &[Option<&Specification>],
    names: &Names,
) -> Option<Code> {
    let between = || events[i + 1..j].iter();
    let variable = |op: &Op| match op {
        Op::Read(x) => Some((*x, false)),
        Op::Write(x) | Op::Free(x) => Some((*x, true)),
        _ => None,
    };
    if let (Some((x, writes)), Some((y, writes_too))) =
        (variable(&events[i].op), variable(&events[j].op))
    {
        let again = between().any(|event| event.op == Op::Alloc(x));
        return (x == y && (writes || writes_too) && !again).then_some(Code::CM102);
    }
    if let (Op::Action(a), Op::Action(b)) = (&events[i].op, &events[j].op) {
        let dead = between().any(|event| match event.op {
            Op::New(o, _) | Op::Drop(o) => o == a.object,
            _ => false,
        });
        if a.object != b.object || dead {
            return None;
        }
        let specification = types[j]?;
        let commute = specification.commutes(
            invocation(specification, a, names),
            invocation(specification, b, names),
        );
        return (!commute).then_some(Code::CM101);
    }
    None
}

/// Whether two events that conflict are actions by which their type synchronises, or of
/// which one is a look that was not the last word.
fn is_no_race(
    events: &[Event],
    i: usize,
    j: usize,
    types: &[Option<&Specification>],
    names: &Names,
) -> bool {
    match (&events[i].op, &events[j].op, types[j]) {
        (Op::Action(a), Op::Action(b), Some(specification)) => {
            is_meant(events, (i, a), (j, b), specification, names)
        }
        _ => false,
    }
}

/// Whether the table of happens-before has an edge from event `i` to event `j`, library
/// actions apart.
fn edge(events: &[Event], i: usize, j: usize) -> bool {
    let (a, b) = (&events[i], &events[j]);
    if a.thread == b.thread {
        return true;
    }
    match (&a.op, &b.op) {
        (Op::Fork(u), _) if *u == b.thread => return true,
        (_, Op::Join(u)) if *u == a.thread => return true,
        // What a thread knows when it is forked a second time or joined
        // without an event of its own is what its forker knew.
        (Op::Fork(u), Op::Join(v)) if u == v => return true,
        _ => {}
    }
    match (released(&a.op), acquired(&b.op)) {
        (Some((l, shared)), Some((m, shared_too))) => l == m && !(shared && shared_too),
        _ => false,
    }
}

fn released(op: &Op) -> Option<(usize, bool)> {
    match op {
        Op::Release(l) | Op::Wait(_, l) => Some((l.index(), false)),
        Op::ReadRelease(l) => Some((l.index(), true)),
        _ => None,
    }
}

fn acquired(op: &Op) -> Option<(usize, bool)> {
    match op {
        Op::Acquire(l) | Op::Wake(_, l) => Some((l.index(), false)),
        Op::ReadAcquire(l) => Some((l.index(), true)),
        _ => None,
    }
}

/// Which life of its object an action belongs to: the last `new` or `drop`.
fn life(events: &[Event], position: usize, action: &Action) -> Option<usize> {
    events[..position].iter().rposition(|event| match event.op {
        Op::New(o, _) | Op::Drop(o) => o == action.object,
        _ => false,
    })
}

/// The specification of the object of each action.
fn object_types<'a>(
    events: &[Event],
    names: &Names,
    library: &'a Library,
) -> Vec<Option<&'a Specification>> {
    let specification = |j| library.specification(&type_name(events, names, j)?);
    (0..events.len()).map(specification).collect()
}

/// The same, for conflicts of blocks: actions that a rule counts from the parameter of their
/// type conflict by that rule alone.
fn counted_types(
    events: &[Event],
    names: &Names,
    library: &Library,
) -> Vec<Option<Arc<CompiledSpecification>>> {
    let specification = |j| library.counted(&type_name(events, names, j)?);
    (0..events.len()).map(specification).collect()
}

/// The type of the object of an action, with its argument if the trace records one.
fn type_name(events: &[Event], names: &Names, j: usize) -> Option<String> {
    let Op::Action(action) = &events[j].op else {
        return None;
    };
    events[..j].iter().rev().find_map(|event| match event.op {
        Op::New(o, t) if o == action.object => Some(names.types.name(t).to_string()),
        _ => None,
    })
}

fn invocation<'a>(
    specification: &Specification,
    action: &'a Action,
    names: &Names,
) -> Invocation<'a> {
    let name = names.methods.name(action.method).to_string();
    let method = specification.method(&name).expect("a known method");
    Invocation::bind(method, &specification.methods[method], action).expect("it fits")
}

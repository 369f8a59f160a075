//! Oracles: slow, and written from the definitions.
//!
//! Happens-before is the transitive closure of explicit edges, not vector
//! clocks; races are all pairs, compared by the raw formula. Nothing here is
//! shared with the detectors but the specification.

pub mod prediction;
mod serializability;

use std::collections::BTreeSet;

use commute_model::{Action, Code, Event, Id, Names, Op, Value};
use commute_spec::{Invocation, Library, Orders, Specification};

pub use serializability::Transactions;

/// `before[j]` holds the positions of all events that happen before event `j`.
pub fn happens_before(events: &[Event], names: &Names, library: &Library) -> Vec<BTreeSet<usize>> {
    let types = object_types(events, names, library);
    let mut before: Vec<BTreeSet<usize>> = Vec::new();
    for j in 0..events.len() {
        let mut set = BTreeSet::new();
        for (i, earlier) in before.iter().enumerate() {
            if edge(events, i, j, &types, names) {
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
            if let Some(code) = conflict(events, i, j, &types, names) {
                races.insert((code, i as u64 + 1, j as u64 + 1));
            }
        }
    }
    races
}

/// Whether two events conflict: reads and writes of a variable that was not
/// allocated again in between, actions of one life of an object that do not
/// commute. To send to a channel and to receive from it is no conflict, nor is a
/// look that found nothing if it was not the last word.
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
        let meant = is_meant(events, (i, a), (j, b), specification, names);
        return (!commute && !meant).then_some(Code::CM101);
    }
    None
}

/// Whether the table of happens-before has an edge from event `i` to event `j`.
fn edge(
    events: &[Event],
    i: usize,
    j: usize,
    types: &[Option<&Specification>],
    names: &Names,
) -> bool {
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
    if let (Some((l, shared)), Some((m, shared_too))) = (released(&a.op), acquired(&b.op))
        && l == m
        && !(shared && shared_too)
    {
        return true;
    }
    object_edge(events, i, j, types, names)
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

/// Order implied by atomic cells and channels.
fn object_edge(
    events: &[Event],
    i: usize,
    j: usize,
    types: &[Option<&Specification>],
    names: &Names,
) -> bool {
    let (Op::Action(a), Op::Action(b)) = (&events[i].op, &events[j].op) else {
        return false;
    };
    let born = |position: usize| life(events, position, a);
    if a.object != b.object || born(i) != born(j) {
        return false;
    }
    match types[j].and_then(|specification| specification.orders) {
        Some(Orders::Atomic) => true,
        Some(orders @ (Orders::Channel | Orders::Mpsc)) => {
            let of = |k: usize| match &events[k].op {
                Op::Action(c) if c.object == a.object && born(k) == born(i) => message(c, names),
                _ => Message::Other,
            };
            let count = |up_to: usize, kind: Message| (0..up_to).filter(|&k| of(k) == kind).count();
            match (of(i), of(j)) {
                (Message::Sent, Message::Received) => {
                    count(i, Message::Sent) == count(j, Message::Received)
                }
                (Message::Close, Message::SawClose) => true,
                _ => orders == Orders::Mpsc && ends(a, b, names),
            }
        }
        _ => false,
    }
}

/// Whether `b` is the end of what `a` used: nobody uses what was given up.
fn ends(a: &Action, b: &Action, names: &Names) -> bool {
    let name = |action: &Action| names.methods.name(action.method).to_string();
    match &name(b)[..] {
        "close" => ["recv", "try_recv"].contains(&&*name(a)),
        "disconnect" => name(a) == "send",
        _ => false,
    }
}

/// Whether two actions are what a channel is for: to send, to receive, and to look
/// again and again.
fn is_meant(
    events: &[Event],
    (i, a): (usize, &Action),
    (j, b): (usize, &Action),
    specification: &Specification,
    names: &Names,
) -> bool {
    if !matches!(specification.orders, Some(Orders::Channel | Orders::Mpsc)) {
        return false;
    }
    let is_disconnect = |c: &Action| names.methods.name(c.method).to_string() == "disconnect";
    let fills = |c: &Action| message(c, names) == Message::Sent || is_disconnect(c);
    match [message(a, names), message(b, names)] {
        [Message::Sent, Message::Received] | [Message::Received, Message::Sent] => true,
        [Message::Looked, _] if fills(b) => !is_last_word(events, i, names),
        [_, Message::Looked] if fills(a) => !is_last_word(events, j, names),
        _ => false,
    }
}

/// Whether nothing was received after a look that found nothing, but by looks of the
/// same thread that found nothing.
fn is_last_word(events: &[Event], look: usize, names: &Names) -> bool {
    let Op::Action(action) = &events[look].op else {
        return false;
    };
    let life = life(events, look, action);
    let later = events.iter().enumerate().skip(look + 1);
    let mut later = later.filter_map(|(k, event)| match &event.op {
        Op::Action(other) if other.object == action.object => {
            let same = self::life(events, k, other) == life;
            same.then_some((event.thread, message(other, names)))
        }
        _ => None,
    });
    later.all(|(thread, message)| match message {
        Message::Received | Message::SawClose => false,
        Message::Looked => thread == events[look].thread,
        Message::Sent | Message::Close | Message::Other => true,
    })
}

/// Which life of its object an action belongs to: the last `new` or `drop`.
fn life(events: &[Event], position: usize, action: &Action) -> Option<usize> {
    events[..position].iter().rposition(|event| match event.op {
        Op::New(o, _) | Op::Drop(o) => o == action.object,
        _ => false,
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Message {
    Sent,
    Received,
    Close,
    SawClose,
    /// It looked, and there was nothing.
    Looked,
    Other,
}

fn message(action: &Action, names: &Names) -> Message {
    let result = action.result.as_ref();
    match &names.methods.name(action.method).to_string()[..] {
        "send" if result == Some(&Value::Bool(true)) => Message::Sent,
        "recv" if result == Some(&Value::Nil) => Message::SawClose,
        "recv" => Message::Received,
        "try_recv" if result == Some(&Value::str("closed")) => Message::SawClose,
        "try_recv" if result == Some(&Value::str("empty")) => Message::Looked,
        "try_recv" => Message::Received,
        "close" if result == Some(&Value::Bool(true)) => Message::Close,
        "disconnect" => Message::Close,
        _ => Message::Other,
    }
}

/// The specification of the object of each action.
fn object_types<'a>(
    events: &[Event],
    names: &Names,
    library: &'a Library,
) -> Vec<Option<&'a Specification>> {
    let name_of = |j: usize| match &events[j].op {
        Op::Action(action) => events[..j].iter().rev().find_map(|event| match event.op {
            Op::New(o, t) if o == action.object => Some(names.types.name(t).to_string()),
            _ => None,
        }),
        _ => None,
    };
    (0..events.len())
        .map(|j| library.specification(&name_of(j)?))
        .collect()
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

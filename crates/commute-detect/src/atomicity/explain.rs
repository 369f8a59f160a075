//! An atomicity violation as a finding: the transactions of the cycle, and for
//! each edge the two events and why they conflict.

use commute_model::{
    BlockId, Certainty, Code, Event, EventRef, Finding, Level, LocationId, Names, Note, Op, Sink,
    ThreadId, Witness, WitnessKind,
};
use commute_spec::Invocation;

use super::blocks::OpenBlock;
use super::cycle::{Cycle, Edge, Occurrence, OrderedBy, Position, Transaction};
use crate::columns::{file_and_line, short, table};
use crate::objects::Objects;

/// A violation that becomes a finding.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) cycle: Option<Box<Cycle>>,
    /// How often these blocks were found.
    pub(super) count: u64,
    /// The event at which it was found.
    event: Occurrence,
    /// Where the transactions of the last cycle that was counted begin.
    latest: Vec<u64>,
    /// The transaction it is about, if that is a block.
    block: Option<OpenBlock>,
    thread: ThreadId,
    other: ThreadId,
    /// Found only when open blocks were closed at the end.
    at_end: bool,
}

/// What stands for a transaction in the source code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Site {
    Named(BlockId),
    At(LocationId),
}

impl Kept {
    pub(super) fn new(
        [thread, other]: [ThreadId; 2],
        cycle: Option<Box<Cycle>>,
        block: Option<OpenBlock>,
        (index, event): (u64, &Event),
        at_end: bool,
    ) -> Kept {
        Kept {
            cycle,
            count: 1,
            event: Occurrence::of(index, event),
            latest: Vec::new(),
            block,
            thread,
            other,
            at_end,
        }
    }

    /// The pair of places in the source code by which violations are grouped.
    pub(super) fn group(&self) -> (Site, Site) {
        let site = |block: Option<BlockId>, location| match block {
            Some(block) => Site::Named(block),
            None => Site::At(location),
        };
        let of = |transaction: &Transaction| site(transaction.block, transaction.first.1);
        let (a, b) = match &self.cycle {
            Some(cycle) => {
                let last = cycle.transactions.len() - 1;
                (of(&cycle.transactions[0]), of(&cycle.transactions[last]))
            }
            None => {
                let here = Site::At(self.event.location);
                let block = self.block.map(|open| site(open.block, open.begin.1));
                (block.unwrap_or(here), here)
            }
        };
        (a.min(b), a.max(b))
    }

    /// The same blocks were found again, perhaps through events that tell more
    /// than a lock does; whether the other cycle is kept instead.
    pub(super) fn again(&mut self, other: Kept) -> bool {
        let mut is_better = false;
        if let (Some(mine), Some(theirs)) = (&mut self.cycle, &other.cycle) {
            let firsts = theirs.firsts();
            if firsts == mine.firsts() {
                for (edge, other) in mine.edges.iter_mut().zip(&theirs.edges) {
                    edge.improve(other);
                }
                return false;
            }
            is_better = !mine.is_certain() && theirs.is_certain();
            // The same cycle through several events is one.
            let is_known = std::mem::replace(&mut self.latest, firsts.clone()) == firsts;
            if is_known && !is_better {
                return false;
            }
            self.count += u64::from(!is_known);
        } else {
            self.count += 1;
        }
        if is_better {
            *self = Kept {
                count: self.count,
                latest: std::mem::take(&mut self.latest),
                ..other
            };
        }
        is_better
    }

    /// A transaction ended; whether any of the cycle is still open.
    pub(super) fn ended(&mut self, thread: ThreadId, begin: Position, end: Position) -> bool {
        let Some(cycle) = &mut self.cycle else {
            return false;
        };
        for transaction in &mut cycle.transactions {
            if transaction.thread == thread && transaction.first == begin {
                transaction.last = end;
                transaction.ended = true;
            }
        }
        cycle.transactions.iter().any(|t| !t.ended)
    }
}

/// Why a violation is not certain that depends on an initial state.
const NOT_RECORDED: &str = "the trace does not record how many permits (or parties) an object \
    had at first: with another number than the least that is possible, the blocks may be atomic";

/// Hands the violations over as findings, in the order in which they were found.
/// `is_inferred`: those of which no cycle is known may depend on an initial state that the
/// trace does not record.
pub(super) fn finish(
    kept: &mut Vec<Kept>,
    is_inferred: bool,
    objects: &Objects,
    names: &Names,
    sink: &mut dyn Sink,
) {
    for kept in kept.drain(..) {
        let (mut finding, is_certain) = match &kept.cycle {
            Some(cycle) => (explained(&kept, cycle, objects, names), cycle.is_certain()),
            None => (bare(&kept, names), !is_inferred),
        };
        if !is_certain {
            finding.level = Level::Warning;
            finding.certainty = Certainty::Unconfirmed;
            finding.notes.push(Note::new("why", NOT_RECORDED));
            let help = "record the number in the name of the type: `new(s:semaphore(2))`";
            finding.notes.push(Note::new("help", help));
        }
        finding.fingerprint = blocks(&kept, names).join("\n");
        let help = "hold one lock for the whole block, or use one operation that does it all";
        finding.notes.push(Note::new("help", help));
        sink.finding(finding);
    }
}

/// The blocks that a violation is told by: their names, or after an `@` where they begin.
fn blocks(kept: &Kept, names: &Names) -> Vec<String> {
    let name = |block: Option<BlockId>, begin: LocationId| match block {
        Some(block) => names.blocks.name(block).to_string(),
        None => format!("@{}", names.locations.name(begin)),
    };
    let mut blocks: Vec<String> = Vec::new();
    if let Some(cycle) = &kept.cycle {
        let last = cycle.transactions.len() - 1;
        for (i, transaction) in cycle.transactions.iter().enumerate() {
            // Events in no block count where the cycle begins and ends: how many there are
            // between is another matter in every run.
            if !transaction.unary || i == 0 || i == last {
                blocks.push(name(transaction.block, transaction.first.1));
            }
        }
    }
    // Of one that is not explained, its block is known, and where the other one comes in.
    if kept.cycle.is_none() {
        blocks.extend(kept.block.map(|open| name(open.block, open.begin.1)));
        blocks.push(name(None, kept.event.location));
    }
    blocks.sort_unstable();
    blocks.dedup();
    blocks
}

/// A violation whose cycle is not known: what the closing event tells.
fn bare(kept: &Kept, names: &Names) -> Finding {
    let thread = names.threads.name(kept.thread);
    let other = names.threads.name(kept.other);
    let mut events = Vec::new();
    let mut label = format!("an event of {thread}");
    if let Some(open) = kept.block {
        label = format!(
            "{} of {thread}",
            block_label(open.block, open.begin.1, names)
        );
        let op = Op::Begin(open.block);
        events.push(EventRef {
            thread: thread.to_string(),
            index: open.begin.0,
            action: op.display(names).to_string(),
            location: names.locations.name(open.begin.1).to_string(),
        });
    }
    if !kept.at_end {
        events.push(event_ref(&kept.event, names));
    }
    let title = format!("atomicity violation: {label} cannot be separated from {other}");
    let mut finding = finding(title, events, kept.count);
    finding.notes.push(Note::new(
        "why",
        format!("what {other} did comes both after the beginning of the block and before its end"),
    ));
    finding.notes.push(Note::new(
        "cycle",
        "not known: the trace could not be read a second time",
    ));
    if kept.at_end {
        finding.notes.push(closing_note());
    }
    finding.witness = None;
    finding
}

fn closing_note() -> Note {
    let text = "the trace ends inside these blocks: found when they were closed there";
    Note::new("why", text)
}

fn explained(kept: &Kept, cycle: &Cycle, objects: &Objects, names: &Names) -> Finding {
    let mut occurrences: Vec<&Occurrence> = Vec::new();
    for edge in &cycle.edges {
        occurrences.extend([&edge.earlier, &edge.later]);
    }
    occurrences.sort_by_key(|occurrence| occurrence.index);
    occurrences.dedup_by_key(|occurrence| occurrence.index);
    let events = occurrences.iter().map(|o| event_ref(o, names)).collect();
    let mut finding = finding(title(cycle, names), events, kept.count);
    finding.witness = Some(Witness {
        kind: WitnessKind::Cycle,
        prefix: 0,
        steps: cycle
            .edges
            .iter()
            .flat_map(|edge| [edge.earlier.index, edge.later.index])
            .collect(),
    });
    finding
        .notes
        .push(Note::new(Note::COLUMNS, columns(cycle, names)));
    let after = |i: usize| (i + 1) % cycle.transactions.len();
    // The one that closed the cycle first: it is the one to look at.
    let last = cycle.edges.len() - 1;
    for i in [last].into_iter().chain(0..last) {
        let edge = &cycle.edges[i];
        let before = transaction_label(&cycle.transactions[i], names);
        let next = transaction_label(&cycle.transactions[after(i)], names);
        let why = conflict(edge, names);
        let text = format!("{before} comes before {next}: {why}");
        finding.notes.push(Note::new(Note::EDGE, text));
    }
    let condition = |edge: &Edge| condition(edge, objects, names);
    finding.condition = cycle.edges.iter().rev().find_map(condition);
    let open = cycle.transactions.iter().filter(|t| !t.ended).count();
    if open > 1 {
        finding.notes.push(closing_note());
    }
    finding
}

fn finding(title: String, events: Vec<EventRef>, count: u64) -> Finding {
    Finding {
        code: Code::CM111,
        level: Level::Error,
        certainty: Certainty::Observed,
        fingerprint: String::new(),
        title,
        object: None,
        witness: Some(Witness {
            kind: WitnessKind::Cycle,
            prefix: 0,
            steps: events.iter().map(|event| event.index).collect(),
        }),
        events,
        condition: None,
        count,
        replay: None,
        scene: None,
        notes: Vec::new(),
    }
}

fn title(cycle: &Cycle, names: &Names) -> String {
    // The block that was open when the cycle closed comes first.
    let of = |transaction: &Transaction| {
        let thread = short(names.threads.name(transaction.thread), 24);
        let block = block_label(transaction.block, transaction.first.1, names);
        match transaction.unary {
            true => format!("an event of {thread}"),
            false => format!("{block} of {thread}"),
        }
    };
    let mut order: Vec<&Transaction> = cycle.transactions.iter().collect();
    order.sort_by_key(|transaction| transaction.unary);
    let others = match order.len() - 1 {
        1 => of(order[1]),
        n => format!("{} and {} more", of(order[1]), n - 1),
    };
    format!(
        "atomicity violation: {} cannot be separated from {others}",
        of(order[0])
    )
}

fn block_label(block: Option<BlockId>, begin: LocationId, names: &Names) -> String {
    match block {
        Some(block) => format!("`{}`", short(names.blocks.name(block), 40)),
        None if names.locations.name(begin).is_empty() => "the block".to_owned(),
        None => format!("the block at {}", short(names.locations.name(begin), 40)),
    }
}

/// `transfer` of T1 (events 3 to 12)
fn transaction_label(transaction: &Transaction, names: &Names) -> String {
    let thread = short(names.threads.name(transaction.thread), 24);
    let (first, last) = (transaction.first.0, transaction.last.0);
    if transaction.unary {
        return format!("event {first} of {thread}");
    }
    let block = block_label(transaction.block, transaction.first.1, names);
    match transaction.ended {
        true => format!("{block} of {thread} (events {first} to {last})"),
        false => format!("{block} of {thread} (events {first} to the end)"),
    }
}

fn event_ref(occurrence: &Occurrence, names: &Names) -> EventRef {
    EventRef {
        thread: names.threads.name(occurrence.thread).to_string(),
        index: occurrence.index,
        action: occurrence.op.display(names).to_string(),
        location: names.locations.name(occurrence.location).to_string(),
    }
}

/// The two events of an edge, and why they cannot be swapped.
fn conflict(edge: &Edge, names: &Names) -> String {
    let (earlier, later) = (&edge.earlier, &edge.later);
    let text = |o: &Occurrence| format!("{} ({})", short(o.op.display(names), 60), o.index);
    let why = match (&earlier.op, &later.op) {
        _ if earlier.thread == later.thread => "the same thread".to_owned(),
        _ if edge.ordered_by != OrderedBy::Conflict => "the second waits for the first".to_owned(),
        (Op::Fork(_), _) => "a fork comes before all of its thread".to_owned(),
        (_, Op::Join(_)) => "a join comes after all of its thread".to_owned(),
        (Op::Release(l) | Op::Wait(_, l) | Op::ReadRelease(l), _) => {
            format!("the lock `{}` orders them", names.locks.name(*l))
        }
        (Op::Notify(c) | Op::NotifyAll(c), Op::Wake(..)) => {
            let condvar = names.condvars.name(*c);
            format!("the notification of `{condvar}` may be what ended the wait")
        }
        (Op::Action(_), Op::Action(_)) => "they do not commute".to_owned(),
        _ => "they do not commute: one of them writes".to_owned(),
    };
    format!("{}, then {}; {why}", text(earlier), text(later))
}

/// The condition that is false of the two actions of an edge, with its values.
fn condition(edge: &Edge, objects: &Objects, names: &Names) -> Option<String> {
    let (Op::Action(a), Op::Action(b)) = (&edge.earlier.op, &edge.later.op) else {
        return None;
    };
    if edge.earlier.thread == edge.later.thread || edge.ordered_by != OrderedBy::Conflict {
        return None;
    }
    let specification = &objects
        .at(edge.later.index)
        .compiled(a.object)?
        .specification;
    let method = |id| specification.method(&names.methods.name(id).to_string());
    let (m, n) = (method(a.method)?, method(b.method)?);
    let first = Invocation::bind(m, &specification.methods[m], a).ok()?;
    let second = Invocation::bind(n, &specification.methods[n], b).ok()?;
    Some(specification.explain_false(first, second))
}

/// The events that matter, a column for each thread, in the order of the trace.
fn columns(cycle: &Cycle, names: &Names) -> String {
    let mut rows: Vec<(u64, ThreadId, String)> = Vec::new();
    let place = |location| file_and_line(location, names);
    for transaction in cycle.transactions.iter().filter(|t| !t.unary) {
        let (first, last) = (transaction.first, transaction.last);
        let begin = short(Op::Begin(transaction.block).display(names), 40);
        rows.push((
            first.0,
            transaction.thread,
            format!("{begin} {}", place(first.1)),
        ));
        if transaction.ended {
            rows.push((last.0, transaction.thread, format!("end {}", place(last.1))));
        }
    }
    for occurrence in cycle.edges.iter().flat_map(|e| [&e.earlier, &e.later]) {
        if !rows.iter().any(|row| row.0 == occurrence.index) {
            let op = short(occurrence.op.display(names), 40);
            let text = format!("{op} {}", place(occurrence.location));
            rows.push((occurrence.index, occurrence.thread, text));
        }
    }
    rows.sort();
    let rows: Vec<_> = rows
        .into_iter()
        .map(|(index, thread, text)| (thread, format!("{index}: {}", text.trim_end())))
        .collect();
    table(&rows, names)
}

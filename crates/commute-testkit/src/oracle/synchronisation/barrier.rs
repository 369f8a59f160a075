//! The order that the rounds of a barrier imply.

use super::{Act, Edges, Life};

/// The numbers of parties that are possible before the trace.
///
/// A number greater than that of all arrivals does the same as any other such number, so
/// one of them stands for all.
fn parties(life: &Life<'_>) -> Vec<usize> {
    match life.argument {
        Some(n) => vec![usize::try_from(n).unwrap_or(usize::MAX).max(1)],
        None => (1..=arrivals(life).len() + 1).collect(),
    }
}

/// The arrivals: those of the life in trace order.
fn arrivals<'l, 'a>(life: &'l Life<'a>) -> Vec<&'l Act<'a>> {
    let arrives = |action: &&Act<'_>| is(life, action, "arrive");
    life.actions.iter().filter(arrives).collect()
}

fn is(life: &Life<'_>, action: &Act<'_>, method: &str) -> bool {
    life.specification.methods[action.invocation.method].name == method
}

/// Every leave comes after all arrivals that may be of its round.
pub(super) fn leaves(life: &Life<'_>, edges: &mut Edges) {
    let possible: Vec<usize> = { parties(life).into_iter() }
        .filter(|n| departures(life).all(|leave| leave.is_complete(*n)))
        .collect();
    for leave in departures(life) {
        let in_round = |i: usize| match leave.own {
            Some(own) if !possible.is_empty() => possible.iter().any(|n| i / n == own / n),
            _ => true,
        };
        for (i, arrival) in leave.arrivals.iter().enumerate() {
            if in_round(i) {
                edges[leave.position].insert(*arrival);
            }
        }
    }
}

/// A `leave`.
struct Departure {
    position: usize,
    /// The positions of the arrivals before it.
    arrivals: Vec<usize>,
    /// The number of the arrival that belongs to it.
    own: Option<usize>,
}

impl Departure {
    /// Whether the round of its arrival is complete with so many parties.
    fn is_complete(&self, parties: usize) -> bool {
        let end = |own: usize| (own / parties + 1).saturating_mul(parties);
        self.own.is_none_or(|own| end(own) <= self.arrivals.len())
    }
}

fn departures(life: &Life<'_>) -> impl Iterator<Item = Departure> {
    let leaves = (0..life.actions.len()).filter(|n| is(life, &life.actions[*n], "leave"));
    leaves.map(|n| {
        let earlier = life.actions[..n].iter();
        let arrivals = earlier.filter(|action| is(life, action, "arrive"));
        let arrivals: Vec<usize> = arrivals.map(|action| action.position).collect();
        let own = own_arrival(life, n);
        Departure {
            position: life.actions[n].position,
            own: own.and_then(|own| arrivals.iter().position(|arrival| *arrival == own)),
            arrivals,
        }
    })
}

/// The position of the arrival that belongs to the leave with this number among the
/// actions: the last one of its thread that it has not left yet.
fn own_arrival(life: &Life<'_>, leave: usize) -> Option<usize> {
    let thread = life.actions[leave].thread;
    let own = life.actions[..leave].iter().rev();
    let mut own = own.filter(|action| action.thread == thread);
    let last = own.find(|action| is(life, action, "arrive") || is(life, action, "leave"))?;
    is(life, last, "arrive").then_some(last.position)
}

/// Every arrival comes after those of earlier rounds, or after all earlier ones if the
/// number of parties is not recorded.
pub(super) fn rounds(life: &Life<'_>, edges: &mut Edges) {
    let arrivals = arrivals(life);
    for (later, arrival) in arrivals.iter().enumerate() {
        for (earlier, other) in arrivals[..later].iter().enumerate() {
            let recorded = life.argument.map(|_| parties(life)[0]);
            if recorded.is_none_or(|n| earlier / n < later / n) {
                edges[arrival.position].insert(other.position);
            }
        }
    }
}

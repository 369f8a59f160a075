//! The order that the rounds of a barrier imply.

use super::{Act, Edges, Life};

/// The numbers of parties that the trace allows at some moment.
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
    let mut possible = parties(life);
    for (n, leave) in life.actions.iter().enumerate() {
        if !is(life, leave, "leave") {
            continue;
        }
        let earlier = life.actions[..n].iter();
        let all = earlier.filter(|action| is(life, action, "arrive"));
        let all: Vec<usize> = all.map(|action| action.position).collect();
        let own = own_arrival(life, n);
        let own = own.and_then(|own| all.iter().position(|arrival| *arrival == own));
        let Some(own) = own else {
            edges[leave.position].extend(all);
            continue;
        };
        let is_complete = |n: &usize| (own / n + 1).saturating_mul(*n) <= all.len();
        possible.retain(is_complete);
        let in_round = |i: usize| possible.iter().any(|n| i / n == own / n);
        for (i, arrival) in all.iter().enumerate() {
            if possible.is_empty() || in_round(i) {
                edges[leave.position].insert(*arrival);
            }
        }
    }
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

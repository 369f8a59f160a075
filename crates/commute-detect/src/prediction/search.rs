//! Searching for an order of events: depth first, what came first in the trace
//! first, and no state twice.

use rustc_hash::FxHashSet;

use super::facts::{No, Touch};
use super::state::{State, Undo};
use super::window::Window;

/// What a search looks for.
pub(super) trait Goal {
    /// How many events of each thread may happen.
    fn most(&self) -> &[u32];

    /// Whether the events so far end in the goal.
    fn is_reached(&self, state: &State) -> bool;

    /// If all events up to [`most`](Goal::most) must happen: those that must come
    /// before this one.
    fn before(&self, no: No) -> Option<&[No]>;
}

/// How a search ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// The events in order.
    Order(Vec<No>),
    /// There is none.
    Nothing,
    /// It was given up.
    Budget,
}

/// An event that happened, and which others could have happened instead.
struct Step {
    no: No,
    undo: Undo,
    /// The events that are still to be tried in its place.
    rest: Vec<No>,
}

/// The events of a set in the order of the trace, if that is correct.
pub(super) fn in_trace_order(window: &Window<'_>, set: &[u32]) -> Option<Vec<No>> {
    let within = |no: &No| {
        let facts = &window.facts[*no as usize];
        facts.place < set[facts.thread as usize]
    };
    let order: Vec<No> = (0..window.facts.len() as No).filter(within).collect();
    let mut state = State::new(window);
    for &no in &order {
        if !state.allows(no, window) {
            return None;
        }
        state.apply(no, window);
    }
    Some(order)
}

/// Looks for an order of events that ends in the goal. Every state costs one of
/// `budget`, except on the straight way.
pub(super) fn search(window: &Window<'_>, goal: &impl Goal, budget: &mut usize) -> Found {
    let mut free = window.len;
    let mut state = State::new(window);
    let mut seen = FxHashSet::default();
    let mut steps: Vec<Step> = Vec::new();
    loop {
        if goal.is_reached(&state) {
            return Found::Order(steps.iter().map(|step| step.no).collect());
        }
        match (free, *budget) {
            (0, 0) => return Found::Budget,
            (0, _) => *budget -= 1,
            _ => free -= 1,
        }
        let mut rest = match seen.insert(state.fingerprint()) {
            true => choices(window, goal, &state),
            false => Vec::new(),
        };
        // Back to the last event in whose place another could come.
        let next = loop {
            if let Some(no) = rest.pop() {
                break no;
            }
            let Some(step) = steps.pop() else {
                return Found::Nothing;
            };
            state.undo(step.no, step.undo, window);
            rest = step.rest;
        };
        let undo = state.apply(next, window);
        steps.push(Step {
            no: next,
            undo,
            rest,
        });
    }
}

/// The events that can come next; the first in the trace is last.
fn choices(window: &Window<'_>, goal: &impl Goal, state: &State) -> Vec<No> {
    let most = goal.most();
    let next = { state.at.iter().zip(most).enumerate() }
        .filter(|(_, (at, most))| at < most)
        .map(|(thread, (&at, _))| window.threads[thread][at as usize]);
    let done = |no: &No| state.is_done(&window.facts[*no as usize]);
    let is_sensible = |no: No| match goal.before(no) {
        Some(before) => before.iter().all(done) && !is_dead_end(no, window, most, state),
        None => true,
    };
    let next = next.filter(|&no| state.allows(no, window) && is_sensible(no));
    let mut next: Vec<No> = next.collect();
    next.sort_unstable_by(|a, b| b.cmp(a));
    next
}

/// Whether an event that must happen, too, could not any more after this one.
fn is_dead_end(this: No, window: &Window<'_>, most: &[u32], state: &State) -> bool {
    let facts = &window.facts[this as usize];
    let due = |no: &No| {
        let facts = &window.facts[*no as usize];
        facts.place < most[facts.thread as usize] && !state.is_done(facts)
    };
    if facts.conflicts.iter().any(due) {
        return true;
    }
    match facts.touch {
        Touch::Write(x, _) => {
            let writer = state.writer(x);
            let sees = |read: &&No| matches!(window.facts[**read as usize].touch, Touch::Read(_, seen, _) if seen == writer);
            let reads = &window.variables[x as usize].reads;
            reads.iter().filter(sees).any(due)
        }
        Touch::Free(x, false) => {
            let uses = window.variables[x as usize].notice();
            let alive = |no: &No| {
                let mut lives = window.facts[*no as usize].lives();
                *no != this && lives.any(|life| life == (x, false))
            };
            uses.filter(alive).any(|no| due(&no))
        }
        _ => false,
    }
}

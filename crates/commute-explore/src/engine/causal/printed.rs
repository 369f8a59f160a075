//! Algorithm 6 as it is printed, to see what it leaves out: for the tables only, and no
//! engine that anybody can choose.
//!
//! An event is made to find another state that some event of the run has left: one seed
//! for each such state (expVals), whatever else is in it. For an invocation that is only
//! done if something is PO-after top(w) and SSH-before top(r), and then with top(r) before
//! one of those (Φ^nc, read as O_r < O_e). What was in the seed of a run is in the seeds
//! from it, and not asked again, else there would be no end.

use std::collections::{BTreeSet, VecDeque};

use super::account::{Account, Sees};
use super::case::{Case, Pivot, stepped};
use super::{Grain, Halt, Search};
use crate::engine::Extent;
use crate::knowledge::Knowledge;
use crate::subject::{Subject, Watch};
use crate::words::ThreadId;
use crate::world::StateId;

/// Explores by the rule as it is printed.
pub(crate) fn explore(subject: &mut Subject<'_>, watch: &mut dyn Watch) -> Extent {
    let mut search = Search::new(Grain::Memory);
    match search.by_the_rule(subject, watch) {
        Ok(()) => Extent::Everything,
        Err(Halt::Enough(reason)) => Extent::Some(reason),
        Err(Halt::Again) => Extent::Some("what commutes is not known".to_owned()),
    }
}

impl Search {
    fn by_the_rule(
        &mut self,
        subject: &mut Subject<'_>,
        watch: &mut dyn Watch,
    ) -> Result<(), Halt> {
        let mut seeds: VecDeque<Vec<ThreadId>> = VecDeque::from([Vec::new()]);
        while let Some(seed) = seeds.pop_front() {
            let run = self.run(&seed, subject, watch)?;
            let account = self.runs[run].clone();
            let known = &mut subject.known;
            let before = self.happens_before(&account, known);
            let mut case = Case::new(&account, known);
            for pivot in case.pivots(known) {
                let event = account.threads[pivot.thread].get(pivot.index);
                if event.is_none_or(|event| *event >= seed.len()) {
                    self.options((pivot, seed.len()), &before, &mut case, known, &mut seeds);
                }
            }
        }
        Ok(())
    }

    /// Of each event, those that are SSH-before it: by program order, by memory that is
    /// not an object's, and by invocations that do not commute.
    fn happens_before(&mut self, account: &Account, known: &mut Knowledge) -> Vec<Vec<bool>> {
        let mut before: Vec<Vec<bool>> = Vec::new();
        for (place, event) in account.events.iter().enumerate() {
            let mut mine = vec![false; account.events.len()];
            for (earlier, other) in account.events[..place].iter().enumerate() {
                let starts = account.starts.get(&event.thread) == Some(&earlier);
                let shared = { other.accesses.iter() }
                    .any(|a| event.accesses.iter().any(|b| a.object == b.object));
                let conflicts = shared
                    && match is_scoped(place, account, known) {
                        true => !self.dependence.independent(other.label, event.label, known),
                        false => other.sees[0] != Sees::Reads || event.sees[0] != Sees::Reads,
                    };
                if other.thread == event.thread || starts || conflicts {
                    mine[earlier] = true;
                    let theirs = before[earlier].iter().enumerate();
                    theirs.for_each(|(e, is_before)| mine[e] |= is_before);
                }
            }
            before.push(mine);
        }
        before
    }

    /// Seeds in which the event of the pivot finds another state.
    fn options(
        &mut self,
        (pivot, kept): (Pivot, usize),
        before: &[Vec<bool>],
        case: &mut Case<'_>,
        known: &mut Knowledge,
        seeds: &mut VecDeque<Vec<ThreadId>>,
    ) {
        let account = case.account;
        let event = account.threads[pivot.thread].get(pivot.index).copied();
        let object = known.operation(pivot.op).objects[0];
        let scoped = known.model(object).is_specified();
        let mut explored: BTreeSet<StateId> = BTreeSet::new();
        explored.extend(event.map(|event| account.events[event].accesses[0].found));
        let states = case.states(pivot.op, Grain::Memory, known);
        for writer in std::iter::once(None).chain((0..account.events.len()).map(Some)) {
            let left = match writer {
                None => StateId::INITIAL,
                Some(w) => match &account.events[w].accesses[..] {
                    [access, ..] if access.object == object && access.found != access.left => {
                        access.left
                    }
                    _ => continue,
                },
            };
            if explored.contains(&left) {
                continue;
            }
            let order = &mut case.constraints.order;
            let active = order.variable();
            if let (true, Some(event)) = (scoped, event) {
                // E: PO-after top(w), SSH-before top(r).
                let after = |e: &usize| match writer {
                    None => true,
                    Some(w) => account.events[*e].thread == account.events[w].thread && *e > w,
                };
                let between = (0..event).filter(|e| before[event][*e] && after(e));
                let between: Vec<usize> = between.collect();
                if between.is_empty() {
                    continue;
                }
                let not_yet = between.iter().map(|e| !case.constraints.there[*e]);
                let clause: Vec<_> = std::iter::once(!active).chain(not_yet).collect();
                case.constraints.order.add(clause);
            }
            for (world, lits) in states.iter().flatten() {
                let finds = world.state(object) == left
                    && stepped(pivot.node, pivot.op, world, known).is_some();
                if !finds {
                    let lits = lits.iter().map(|lit| !*lit);
                    let clause = std::iter::once(!active).chain(lits);
                    case.constraints.order.add(clause);
                }
            }
            let mut assumed = vec![active];
            assumed.extend(case.at(pivot, known));
            assumed.extend(&case.constraints.there[..kept]);
            if case.constraints.order.solve(&assumed) {
                let prefix = case.constraints.schedule();
                let threads = prefix.iter().map(|event| account.events[*event].thread);
                let mut seed: Vec<ThreadId> = threads.collect();
                seed.push(ThreadId(pivot.thread as u32));
                seeds.push_back(seed);
                explored.insert(left);
            }
            case.constraints.order.add([!active]);
        }
    }
}

/// Whether an event is in an invocation.
fn is_scoped(place: usize, account: &Account, known: &Knowledge) -> bool {
    known
        .model(account.events[place].accesses[0].object)
        .is_specified()
}

//! Endings: prefixes of a run after which nobody can go on.

use batsat::Lit;

use super::account::is_invocation;
use super::case::{Case, may_wait, stepped};
use super::{Halt, Search};
use crate::engine::rounds::goes_on;
use crate::subject::{Subject, Watch};
use crate::words::ThreadId;

impl Search {
    /// Runs every prefix after which nobody can go on, unless there was such a run; and
    /// all of the run with other states of memory at the end.
    pub(super) fn endings(
        &mut self,
        case: &mut Case<'_>,
        subject: &mut Subject<'_>,
        watch: &mut dyn Watch,
    ) -> Result<(), Halt> {
        let active = case.constraints.order.variable();
        for pivot in case.pivots(&subject.known) {
            let known = &mut subject.known;
            let leaves: Vec<Lit> = case.at(pivot, known).iter().map(|lit| !*lit).collect();
            let op = pivot.op;
            // A round that begins there may be in vain, whatever its first look finds.
            if known.begins_round(pivot.node) {
                continue;
            }
            if is_invocation(op, self.grain, known) && !may_wait(pivot.node, op, known) {
                let clause = [!active].into_iter().chain(leaves);
                case.constraints.order.add(clause);
                continue;
            }
            for (world, lits) in case.states(op, self.grain, known).iter().flatten() {
                if stepped(pivot.node, op, world, known).is_some() {
                    let lits = lits.iter().map(|lit| !*lit);
                    let clause = [!active].into_iter().chain(leaves.iter().copied());
                    case.constraints.order.add(clause.chain(lits));
                }
            }
        }
        let mut known_endings = 0;
        loop {
            while known_endings < self.ended.len() {
                self.is_known(self.ended[known_endings], active, case);
                known_endings += 1;
            }
            if !case.constraints.order.solve(&[active]) {
                break;
            }
            let prefix = case.constraints.schedule();
            let known = &mut subject.known;
            let (world, places) = case.simulate(&prefix, known);
            let mut threads = places.iter().flatten();
            if threads.any(|place| goes_on(*place, &world, known)) {
                case.exclude(active, &prefix);
                continue;
            }
            let threads = prefix
                .iter()
                .map(|event| case.account.events[*event].thread);
            let schedule: Vec<ThreadId> = threads.collect();
            self.run(&schedule, subject, watch)?;
        }
        case.constraints.order.add([!active]);
        Ok(())
    }

    /// Excludes the end of another run.
    fn is_known(&self, ended: usize, active: Lit, case: &mut Case<'_>) {
        let there = &self.runs[ended];
        let agreements = case.agreements(ended, there).to_vec();
        let counts = there.threads.iter().map(Vec::len);
        let counts: Vec<usize> = counts
            .chain(std::iter::repeat(0))
            .take(agreements.len())
            .collect();
        if there.threads.len() > agreements.len() || counts != agreements {
            return;
        }
        let mut clause = vec![!active];
        for (events, count) in case.account.threads.iter().zip(counts) {
            if let Some(next) = events.get(count) {
                clause.push(case.constraints.there[*next]);
            }
            if let Some(last) = count.checked_sub(1) {
                clause.push(!case.constraints.there[events[last]]);
            }
        }
        for object in case.account.overwritten() {
            let lasts = case.constraints.lasts(object, case.account);
            let others = lasts
                .iter()
                .filter(|(s, _)| *s != there.world.state(object));
            clause.extend(others.map(|(_, lit)| *lit));
        }
        case.constraints.order.add(clause);
    }
}

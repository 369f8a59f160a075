//! Seeds: prefixes of a run after which an event is something else (Algorithm 6).

use batsat::Lit;
use rustc_hash::FxHashMap;

use super::account::{Account, Key};
use super::case::{Case, Pivot, stepped};
use super::{Halt, Search};
use crate::knowledge::Knowledge;
use crate::subject::{Subject, Watch};
use crate::words::ThreadId;

/// What is covered at a pivot.
struct Covers {
    /// Of all clauses here.
    active: Lit,
    /// By what the event is: how far the runs agree in which it is that.
    agreed: FxHashMap<Key, Vec<Vec<usize>>>,
    /// When it is that.
    when: FxHashMap<Key, Vec<Vec<Lit>>>,
}

impl Search {
    /// Runs whatever follows from a run.
    pub(super) fn seeds(
        &mut self,
        run: usize,
        subject: &mut Subject<'_>,
        watch: &mut dyn Watch,
    ) -> Result<(), Halt> {
        if let Some(reason) = watch.enough() {
            return Err(Halt::Enough(reason));
        }
        let account = self.runs[run].clone();
        let mut case = Case::new(&account, &mut subject.known);
        for pivot in case.pivots(&subject.known) {
            self.others(pivot, &mut case, subject, watch)?;
        }
        self.endings(&mut case, subject, watch)
    }

    /// Runs every prefix after which the event of the pivot is something that no run
    /// has.
    fn others(
        &mut self,
        pivot: Pivot,
        case: &mut Case<'_>,
        subject: &mut Subject<'_>,
        watch: &mut dyn Watch,
    ) -> Result<(), Halt> {
        let active = case.constraints.order.variable();
        let mut assumed = vec![active];
        assumed.extend(case.at(pivot, &subject.known));
        case.skip_waiting(pivot, active, self.grain, &mut subject.known);
        let mut covers = Covers {
            active,
            agreed: FxHashMap::default(),
            when: FxHashMap::default(),
        };
        let mut covered = 0;
        loop {
            while covered < self.runs.len() {
                self.cover(covered, pivot, &mut covers, case, &mut subject.known);
                covered += 1;
            }
            if case.constraints.is_cut {
                self.gap = Some("an object has too many states".to_owned());
                break;
            }
            if !case.constraints.order.solve(&assumed) {
                break;
            }
            let prefix = case.constraints.schedule();
            let (world, _) = case.simulate(&prefix, &mut subject.known);
            if stepped(pivot.node, pivot.op, &world, &mut subject.known).is_none() {
                case.exclude(active, &prefix);
                continue;
            }
            let schedule = { prefix.iter() }.map(|event| case.account.events[*event].thread);
            let mut schedule: Vec<ThreadId> = schedule.collect();
            schedule.push(ThreadId(pivot.thread as u32));
            let new = self.run(&schedule, subject, watch)?;
            let known = &mut subject.known;
            let has_it = |run: &Account| {
                run.agreement(case.account, pivot.thread) >= pivot.index
                    && run.threads[pivot.thread].len() > pivot.index
            };
            if !self.runs[new..].iter().any(has_it) {
                // It has looked in vain, and now it is known that it would.
                if stepped(pivot.node, pivot.op, &world, known).is_some() {
                    self.gap = Some("a thread looks again and again in vain".to_owned());
                    case.exclude(active, &prefix);
                }
                case.skip_waiting(pivot, active, self.grain, known);
            }
        }
        case.constraints.order.add([!active]);
        Ok(())
    }

    /// Excludes what another run covers: prefixes that agree with it, after which the
    /// event is what it is there.
    fn cover(
        &mut self,
        other: usize,
        pivot: Pivot,
        covers: &mut Covers,
        case: &mut Case<'_>,
        known: &mut Knowledge,
    ) {
        let there = &self.runs[other];
        let mut agreements = case.agreements(other, there).to_vec();
        if agreements[pivot.thread] < pivot.index {
            return;
        }
        let events = there.threads.get(pivot.thread);
        let Some(event) = events.and_then(|events| events.get(pivot.index)) else {
            return;
        };
        let event = &there.events[*event];
        if event.node != pivot.node {
            return;
        }
        // Of two runs in which the event is the same, the one that agrees less covers
        // nothing more.
        agreements[pivot.thread] = 0;
        let before = covers.agreed.entry(event.key).or_default();
        let is_less = |most: &Vec<usize>| most.iter().zip(&agreements).all(|(m, a)| m >= a);
        if before.iter().any(is_less) {
            return;
        }
        before.push(agreements.clone());
        let mut clause = vec![!covers.active];
        for (thread, agreed) in agreements.iter().enumerate() {
            if let Some(next) = case.account.threads[thread].get(*agreed)
                && thread != pivot.thread
            {
                clause.push(case.constraints.there[*next]);
            }
        }
        let grain = self.grain;
        let same = covers
            .when
            .entry(event.key)
            .or_insert_with(|| case.same(event, there, pivot, grain, &mut self.dependence, known));
        for same in same.iter() {
            let differs = same.iter().map(|lit| !*lit);
            let clause = clause.iter().copied();
            case.constraints.order.add(clause.chain(differs));
        }
    }
}

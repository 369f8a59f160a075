//! The cases of a run: each event as something else, and each way to end early.

use batsat::Lit;
use rustc_hash::FxHashMap;

use super::account::{Account, Event, Key, Sees};
use super::constraints::Constraints;
use super::{Grain, Halt, Search};
use crate::code::{Next, NodeId};
use crate::engine::dependence::Dependence;
use crate::knowledge::Knowledge;
use crate::run::Places;
use crate::subject::{Subject, Watch};
use crate::words::{OpId, ResultId, ThreadId};
use crate::world::World;

/// A run that is looked at.
pub(super) struct Case<'a> {
    account: &'a Account,
    constraints: Constraints,
    /// How far each other run agrees, thread by thread.
    agreements: Vec<Vec<usize>>,
}

/// A thread has done so much of the run, and is about to do something.
#[derive(Clone, Copy, Debug)]
struct Pivot {
    thread: usize,
    index: usize,
    node: NodeId,
    op: OpId,
}

/// States of the memory that an operation uses, each with the literals that say so; for
/// an invocation one, that says nothing.
type States = Vec<(World, Vec<Lit>)>;

/// What is covered at a pivot.
struct Covers {
    /// Of all clauses here.
    active: Lit,
    states: States,
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
        let account = self.runs[run].clone();
        let mut case = Case {
            account: &account,
            constraints: Constraints::new(&account, &mut subject.known),
            agreements: Vec::new(),
        };
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
        assumed.extend(case.at(pivot));
        let states = case.states(pivot.op, self.grain, &subject.known);
        case.skip_waiting(pivot, active, &states, &mut subject.known);
        let mut covers = Covers {
            active,
            states,
            agreed: FxHashMap::default(),
            when: FxHashMap::default(),
        };
        let mut covered = 0;
        loop {
            while covered < self.runs.len() {
                self.cover(covered, pivot, &mut covers, case, &mut subject.known);
                covered += 1;
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
            let new = &self.runs[new];
            if new.agreement(case.account, pivot.thread) < pivot.index
                || new.threads[pivot.thread].len() <= pivot.index
            {
                // It has looked in vain, and now it is known that it would.
                if stepped(pivot.node, pivot.op, &world, known).is_some() {
                    self.gap = Some("a thread looks at several things again and again".to_owned());
                }
                case.skip_waiting(pivot, active, &covers.states, known);
                case.exclude(active, &prefix);
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
        if !covers.when.contains_key(&event.key) {
            let states = &covers.states;
            let same = case.same(event, there, pivot, states, &mut self.dependence, known);
            covers.when.insert(event.key, same);
        }
        for same in &covers.when[&event.key] {
            let differs = same.iter().map(|lit| !*lit);
            let clause = clause.iter().copied();
            case.constraints.order.add(clause.chain(differs));
        }
    }

    /// Runs every prefix after which nobody can go on, unless there was such a run; and
    /// all of the run with other states of memory at the end.
    fn endings(
        &mut self,
        case: &mut Case<'_>,
        subject: &mut Subject<'_>,
        watch: &mut dyn Watch,
    ) -> Result<(), Halt> {
        let active = case.constraints.order.variable();
        for pivot in case.pivots(&subject.known) {
            let known = &mut subject.known;
            let leaves: Vec<Lit> = case.at(pivot).iter().map(|lit| !*lit).collect();
            for (world, lits) in case.states(pivot.op, self.grain, known) {
                let goes_on = match lits.is_empty() {
                    true => !may_wait(pivot.node, pivot.op, known),
                    false => stepped(pivot.node, pivot.op, &world, known).is_some(),
                };
                if goes_on {
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
            let goes_on = threads.any(|place| match known.next(*place) {
                Some(Next::Op(op)) => stepped(*place, *op, &world, known).is_some(),
                _ => false,
            });
            if goes_on {
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

impl Case<'_> {
    /// Everything that a thread was about to do.
    fn pivots(&self, known: &Knowledge) -> Vec<Pivot> {
        let mut pivots = Vec::new();
        for (thread, events) in self.account.threads.iter().enumerate() {
            for (index, event) in events.iter().enumerate() {
                let event = &self.account.events[*event];
                pivots.push(Pivot {
                    thread,
                    index,
                    node: event.node,
                    op: event.label.op,
                });
            }
            if let Some(node) = self.account.places[thread]
                && let Some(Next::Op(op)) = known.next(node)
            {
                pivots.push(Pivot {
                    thread,
                    index: events.len(),
                    node,
                    op: *op,
                });
            }
        }
        pivots
    }

    /// That the thread of a pivot is just there.
    fn at(&self, pivot: Pivot) -> Vec<Lit> {
        let events = &self.account.threads[pivot.thread];
        let thread = ThreadId(pivot.thread as u32);
        let last = match pivot.index.checked_sub(1) {
            Some(last) => Some(&events[last]),
            None => self.account.starts.get(&thread),
        };
        let next = events.get(pivot.index);
        let last = last.map(|last| self.constraints.there[*last]);
        let next = next.map(|next| !self.constraints.there[*next]);
        last.into_iter().chain(next).collect()
    }

    fn agreements(&mut self, other: usize, there: &Account) -> &[usize] {
        if self.agreements.len() <= other {
            self.agreements.resize(other + 1, Vec::new());
        }
        let agreements = &mut self.agreements[other];
        if agreements.is_empty() {
            let threads = 0..self.account.threads.len();
            *agreements = threads.map(|t| self.account.agreement(there, t)).collect();
        }
        agreements
    }

    fn states(&mut self, op: OpId, grain: Grain, known: &Knowledge) -> States {
        let objects = known.operation(op).objects.clone();
        let invoked = objects.len() == 1 && known.model(objects[0]).is_specified();
        let mut states = vec![(World::default(), Vec::new())];
        if invoked && grain == Grain::Invocations {
            return states;
        }
        for object in objects {
            let lasts = self.constraints.lasts(object, self.account);
            let mut product = Vec::new();
            for (world, lits) in &states {
                for (state, lit) in &lasts {
                    let (mut world, mut lits) = (world.clone(), lits.clone());
                    world.set(object, *state);
                    lits.push(*lit);
                    product.push((world, lits));
                }
            }
            states = product;
        }
        states
    }

    /// When the event of the pivot is the one of another run: one of these is true.
    fn same(
        &self,
        event: &Event,
        there: &Account,
        pivot: Pivot,
        states: &States,
        dependence: &mut Dependence,
        known: &mut Knowledge,
    ) -> Vec<Vec<Lit>> {
        if event.sees[0] == Sees::Invocation {
            let place = |earlier: &usize| self.account.by_key.get(&there.events[*earlier].key);
            let after: Option<Vec<usize>> = event.after.iter().map(|e| place(e).copied()).collect();
            let Some(after) = after else {
                return Vec::new();
            };
            let mut same = Vec::new();
            for (place, earlier) in self.account.events.iter().enumerate() {
                let lit = self.constraints.there[place];
                if after.contains(&place) {
                    same.push(lit);
                } else if earlier.thread.index() != pivot.thread
                    && !dependence.independent(earlier.label, event.label, known)
                {
                    same.push(!lit);
                }
            }
            return vec![same];
        }
        let mut all = Vec::new();
        for (world, lits) in states {
            let mut seen = event.accesses.iter().zip(&event.sees);
            let same = seen.all(|(access, sees)| {
                *sees != Sees::Changes || world.state(access.object) == access.found
            });
            if same && stepped(pivot.node, pivot.op, world, known) == Some(event.label.result) {
                all.push(lits.clone());
            }
        }
        all
    }

    /// Leaves out the states of memory in which the event would have to wait.
    fn skip_waiting(&mut self, pivot: Pivot, active: Lit, states: &States, known: &mut Knowledge) {
        for (world, lits) in states.iter().filter(|(_, lits)| !lits.is_empty()) {
            if stepped(pivot.node, pivot.op, world, known).is_none() {
                let lits = lits.iter().map(|lit| !*lit);
                self.constraints
                    .order
                    .add([!active].into_iter().chain(lits));
            }
        }
    }

    /// Leaves out what has exactly these events.
    fn exclude(&mut self, active: Lit, prefix: &[usize]) {
        let there = self.constraints.there.iter().enumerate();
        let differs = there.map(|(event, lit)| match prefix.contains(&event) {
            true => !*lit,
            false => *lit,
        });
        let clause: Vec<Lit> = [!active].into_iter().chain(differs).collect();
        self.constraints.order.add(clause);
    }

    /// Where a prefix leads.
    fn simulate(&self, prefix: &[usize], known: &mut Knowledge) -> (World, Places) {
        let mut world = World::default();
        let mut places = Places::from_elem(None, self.account.threads.len());
        places[0] = Some(known.root(ThreadId::MAIN, None));
        for event in prefix {
            let event = &self.account.events[*event];
            assert_eq!(places[event.thread.index()], Some(event.node));
            let result = known.step(&mut world, event.label.op);
            assert_eq!(
                result,
                Some(event.label.result),
                "each event is what it was"
            );
            places[event.thread.index()] = Some(known.after(event.node, event.label.result));
            if let Some(child) = known.operation(event.label.op).spawns {
                places[child.index()] = Some(known.root(child, Some(event.node)));
            }
        }
        (world, places)
    }
}

/// What a step returns; nothing if it has to wait, or is known to be in vain.
fn stepped(node: NodeId, op: OpId, world: &World, known: &mut Knowledge) -> Option<ResultId> {
    let result = known.peek(world, op)?;
    let after = known.known_after(node, result);
    let next = after.and_then(|after| known.next(after));
    (!matches!(next, Some(Next::Spins(_)))).then_some(result)
}

/// Whether an invocation may have to wait, or to look again.
fn may_wait(node: NodeId, op: OpId, known: &Knowledge) -> bool {
    let operation = known.operation(op);
    known.model(operation.objects[0]).waits(operation.method) || known.may_spin(node)
}

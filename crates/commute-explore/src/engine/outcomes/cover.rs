//! The search for programs whose graph is too large: every tuple of histories that is
//! possible becomes part of some run.
//!
//! A tuple is *covered* if a run that was made has it as a part: a prefix for each
//! thread. If, for every run and each part of it, whatever can happen next is covered
//! together with that part, then everything is, by induction. So for each operation of
//! each run, and each other result that it can have with parts of what the others did
//! ([`Goal::Results`]), all parts with which it can have it are covered: one that is not
//! is run as far as it goes; what that run does not have of the others is cut into boxes
//! that do not overlap, and each is looked at in the same way.
//!
//! What remains are outcomes that are parts of others: deadlocks, and other states at the
//! end of the same histories ([`finals`]).
//!
//! No run is redundant: it is started for a tuple that no run has.

mod finals;
mod ours;
mod plain;
mod results;
mod settled;

use rustc_hash::{FxHashMap, FxHashSet};

use super::UNSURE;
use super::cone::Cone;
use super::covered::Covered;
use super::histories::{Event, Histories, History, Paths};
use super::relations::{Labelled, Relations};
use super::search::{Answer, Goal, search};
use super::session::{Session, Stop};
use super::ties::Ties;
use crate::code::{Next, NodeId};
use crate::words::{OpId, ResultId, ThreadId};
use crate::world::World;
use results::{KnownResults, Possible};

/// What a search may cost at first: points, times threads.
const BUDGET: usize = 2_000_000;

/// And what at last, if too many took too long.
const LEAST_BUDGET: usize = 20_000;

/// Makes the runs that are missing, if so many were looked at.
pub(super) fn cover(session: &mut Session<'_, '_>, looked_at: usize) -> Result<(), Stop> {
    // What is covered if threads are exchanged is covered, in whatever order they begin.
    session.subject.known.begin_in_any_order();
    if session.seen.ends.is_empty() {
        session.run(&[])?;
    }
    let mut cover = Cover {
        session,
        relations: Relations::default(),
        paths: Paths::default(),
        covered: Covered::default(),
        results: KnownResults::default(),
        orders: FxHashMap::default(),
        noted: 0,
        cut: FxHashSet::default(),
        budget: BUDGET,
    };
    cover.note();
    let mut next = looked_at;
    while next < cover.session.seen.ends.len() {
        let left = cover.session.seen.ends.len() - next;
        cover.session.watch.left(left, None);
        cover.find_share()?;
        if let Some((run, is_whole)) = cover.ours_of(next) {
            cover.process(&run, is_whole)?;
            cover.finals(&run)?;
        }
        next += 1;
        // Rounds that are in vain are looked at, too, and are not made again.
        let is_known = !cover.session.subject.known.has_spins();
        let looked_at = if is_known { next } else { 0 };
        cover.session.watch.looked_at(looked_at);
    }
    Ok(())
}

/// Where each thread is, if it did something.
type Ends = Vec<Option<NodeId>>;

struct Cover<'c, 's, 'p> {
    session: &'c mut Session<'s, 'p>,
    relations: Relations,
    paths: Paths,
    covered: Covered,
    results: KnownResults,
    /// How to come to places, with no more than others.
    orders: FxHashMap<(Ends, Ends), Option<Vec<ThreadId>>>,
    /// Runs that are in the index.
    noted: usize,
    /// Beginnings of runs of others that were looked at.
    cut: FxHashSet<Ends>,
    /// What a search may cost.
    budget: usize,
}

/// All tuples between two.
struct Tuples {
    least: Vec<usize>,
    most: Vec<usize>,
    /// How to come to one of them.
    schedule: Option<Vec<ThreadId>>,
}

impl Cover<'_, '_, '_> {
    fn histories(&mut self, end: usize) -> Histories {
        let known = &self.session.subject.known;
        Histories::new(known, &self.session.seen.ends[end], &mut self.paths)
    }

    /// Puts new runs into the index.
    fn note(&mut self) {
        while self.noted < self.session.seen.ends.len() {
            let run = self.histories(self.noted);
            self.covered.add(&self.session.subject.known, &run);
            self.noted += 1;
        }
        if self.covered.is_full() {
            self.session
                .doubt(|| "the runs are too many and too long to be remembered".to_owned());
        }
    }

    /// Covers what can happen next, after each part of a run. If it is not a whole one,
    /// what is in it may not be possible.
    fn process(&mut self, run: &Histories, is_whole: bool) -> Result<(), Stop> {
        let known = &self.session.subject.known;
        let mut ties = Ties::new(known, run, &run.lengths(), false);
        let kin = run.kin(known);
        for (thread, history) in run.threads.iter().enumerate() {
            if !history.exists() {
                continue;
            }
            let mut before = Cone::nothing(run.threads.len());
            for index in 0..=history.len() {
                self.session.go_on()?;
                let known = &self.session.subject.known;
                before.raise(run, thread, index);
                before.begin(run, thread);
                before.close(known, &mut self.relations, run, &mut ties);
                let node = history.nodes[index];
                let Some(Next::Op(op)) = known.next(node) else {
                    continue;
                };
                let (op, was) = (*op, history.events.get(index).map(|event| event.result));
                let operation = known.operation(op);
                let model = known.model(operation.objects[0]);
                if was.is_some() && model.returns_one(operation.method) {
                    continue;
                }
                let any = Labelled { op, result: None };
                let needs = ties.needs_of(known, &mut self.relations, thread, any);
                let mut cone = before.clone();
                cone.raise_all(run, &needs);
                cone.close(known, &mut self.relations, run, &mut ties);
                // A thread does not come past its own operation before that is done.
                if was.is_some() && cone.lengths[thread] > index {
                    cone.lengths[thread] = index;
                }
                if was.is_some()
                    && is_whole
                    && (is_alone(run, thread, &cone.lengths)
                        || self.is_settled(run, &ties, thread, index, any))
                {
                    continue;
                }
                for possible in self.results(run, &kin, thread, index, op, &cone.lengths) {
                    if Some(possible.result) != was && !self.spins(node, possible.result) {
                        self.cover(run, thread, index, op, &possible)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether that result only makes the thread look again.
    fn spins(&self, node: NodeId, result: ResultId) -> bool {
        let known = &self.session.subject.known;
        let after = known.known_after(node, result);
        let next = after.and_then(|after| known.next(after));
        matches!(next, Some(Next::Spins(_)))
    }

    fn search(&mut self, histories: &Histories, limit: &[usize], goal: Goal<'_>) -> Answer {
        let known = &mut self.session.subject.known;
        let answer = search(
            known,
            &mut self.relations,
            histories,
            limit,
            goal,
            self.budget,
        );
        if !answer.is_complete {
            // Where one takes too long, others do, too: what can be found soon is.
            self.budget = (self.budget / 2).max(LEAST_BUDGET);
            self.session.doubt(|| UNSURE.to_owned());
        }
        answer
    }

    /// Covers each part of the run together with another result of an operation, if that
    /// is possible.
    fn cover(
        &mut self,
        run: &Histories,
        thread: usize,
        index: usize,
        op: OpId,
        possible: &Possible,
    ) -> Result<(), Stop> {
        let result = possible.result;
        let known = &mut self.session.subject.known;
        let wanted = run.with(known, thread, index, Event { op, result });
        if self.is_left(thread, &wanted.threads[thread].nodes) {
            return Ok(());
        }
        let mut least = vec![0; run.threads.len()];
        least[thread] = index + 1;
        let mut open = vec![Tuples {
            least,
            most: wanted.lengths(),
            schedule: Some(possible.schedule.clone()),
        }];
        while let Some(mut next) = open.pop() {
            self.session.go_on()?;
            // Whoever is not started can do nothing, and nothing can depend on it.
            wanted.limit_to_started(&mut next.most);
            if next.least.iter().zip(&next.most).any(|(a, b)| a > b) {
                continue;
            }
            if self
                .covered
                .has(&self.session.subject.known, &wanted, &next.most)
            {
                continue;
            }
            let schedule = match next.schedule {
                Some(schedule) => schedule,
                None => match self.reach(&wanted, &next.least, &next.most) {
                    Some(schedule) => schedule,
                    None => continue,
                },
            };
            let (schedule, reached) = self.extend(&wanted, schedule, &next.most);
            if !self
                .covered
                .has(&self.session.subject.known, &wanted, &reached)
            {
                self.session.run(&schedule)?;
                self.note();
                // The other result was a look in vain.
                if self.spins(wanted.threads[thread].nodes[index], result) {
                    return Ok(());
                }
            }
            let Some(reached) =
                self.covered
                    .largest(&self.session.subject.known, &wanted, &reached, &next.most)
            else {
                self.session
                    .doubt(|| "a run did not come to where it was sent".to_owned());
                return Ok(());
            };
            split(&next.least, &next.most, &reached, &mut open);
        }
        Ok(())
    }

    /// How to come to a tuple between the two.
    fn reach(
        &mut self,
        wanted: &Histories,
        least: &[usize],
        most: &[usize],
    ) -> Option<Vec<ThreadId>> {
        let known = &self.session.subject.known;
        let mut ties = Ties::new(known, wanted, most, false);
        let mut cone = Cone::nothing(least.len());
        for (thread, length) in least.iter().enumerate() {
            if *length > 0 {
                cone.raise(wanted, thread, *length);
            }
        }
        if !cone.close(known, &mut self.relations, wanted, &mut ties) {
            return None;
        }
        let node = |(history, length): (&History, &usize)| {
            let some = history.exists() && *length > 0;
            some.then(|| history.nodes[*length])
        };
        let nodes =
            |lengths: &[usize]| -> Ends { wanted.threads.iter().zip(lengths).map(node).collect() };
        let key = (nodes(least), nodes(&cone.lengths));
        if let Some(known) = self.orders.get(&key) {
            return known.clone();
        }
        let mut answer = self.search(wanted, &cone.lengths, Goal::Reach(least));
        let order = answer.found.pop().map(|found| found.schedule);
        self.orders.insert(key, order.clone());
        order
    }

    /// Goes on as far as the histories say, and how far that is.
    fn extend(
        &mut self,
        wanted: &Histories,
        mut schedule: Vec<ThreadId>,
        most: &[usize],
    ) -> (Vec<ThreadId>, Vec<usize>) {
        let known = &mut self.session.subject.known;
        let mut reached = vec![0; most.len()];
        let mut world = World::default();
        for thread in &schedule {
            let history = &wanted.threads[thread.index()];
            let event = history.events[reached[thread.index()]];
            let result = known.step(&mut world, event.op);
            debug_assert_eq!(result, Some(event.result), "the schedule is possible");
            reached[thread.index()] += 1;
        }
        let mut moved = true;
        while moved {
            moved = false;
            for thread in 0..most.len() {
                let history = &wanted.threads[thread];
                let may_go = wanted.may_go(thread, &reached);
                while may_go && reached[thread] < most[thread] {
                    let event = history.events[reached[thread]];
                    if known.peek(&world, event.op) != Some(event.result) {
                        break;
                    }
                    known.step(&mut world, event.op);
                    reached[thread] += 1;
                    schedule.push(ThreadId(thread as u32));
                    moved = true;
                }
            }
        }
        (schedule, reached)
    }
}

/// Whether there is one order of these events only: each thread that has some was
/// started by the last event of another.
fn is_alone(run: &Histories, thread: usize, lengths: &[usize]) -> bool {
    let mut needed = run.before_start(thread);
    needed[thread] = lengths[thread];
    needed == lengths
}

/// The tuples between two that are not below a third, which is: boxes that do not
/// overlap.
fn split(least: &[usize], most: &[usize], reached: &[usize], boxes: &mut Vec<Tuples>) {
    let mut most = most.to_vec();
    for thread in 0..most.len() {
        if reached[thread] >= most[thread] {
            continue;
        }
        let mut least = least.to_vec();
        least[thread] = least[thread].max(reached[thread] + 1);
        boxes.push(Tuples {
            least,
            most: most.clone(),
            schedule: None,
        });
        most[thread] = reached[thread];
    }
}

//! The search for an order of events: each returns what its label says, or it is not
//! that event. A depth-first search over how far each thread has come.
//!
//! Three things keep it small.
//!
//! - Stubborn sets (Valmari): some event of a set has to come first, if what is asked
//!   for is to happen at all, and nothing that comes before it would be disturbed by its
//!   coming first. The set is closed under: of an event that is possible now, all events
//!   that cannot be moved behind it; of one that is not, all that it may need.
//!   For all ends to be found, the first event has to stay possible as well, so those
//!   that disturb it are in the set, too.
//! - Sleep sets (Godefroid): what was tried first is not tried after something that could
//!   as well have come later. Both need no more than that two labelled operations can be
//!   exchanged *where they are possible in this order*; they may disable each other.
//! - What two points of the search have in common ([`point`]).
//!
//! Cost: exponential in the number of threads in general (it is the question whether a
//! history is linearizable), hence the budget. Whoever runs out of it does not know.

mod point;

use smallvec::SmallVec;

use super::few::Few;
use super::histories::Histories;
use super::relations::{Labelled, Relations};
use super::ties::{Lasts, Ties};
use crate::knowledge::Knowledge;
use crate::words::{ObjectId, OpId, ResultId, ThreadId};
use crate::world::{StateId, World};
use point::Points;

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Goal<'a> {
    /// An order in which each thread comes at least that far.
    Reach(&'a [usize]),
    /// Everything that this operation can return to a thread that has come as far as it
    /// may.
    Results(usize, OpId),
    /// All points from which nothing is possible: where nobody goes on, with whatever
    /// result. Of those who may be exchanged, this names the first.
    Ends(&'a [usize]),
}

/// Something that was found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) schedule: Vec<ThreadId>,
    /// Of [`Goal::Results`].
    pub(super) result: Option<ResultId>,
    /// How far each thread has come.
    pub(super) positions: Vec<usize>,
    pub(super) world: World,
}

/// What came of a search.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) found: Vec<Found>,
    /// Whether there is nothing else.
    pub(super) is_complete: bool,
}

/// Looks for the goal, with so much of each history as `limit` says. It may look at so
/// many points times threads as `budget` says.
pub(super) fn search(
    known: &mut Knowledge,
    relations: &mut Relations,
    histories: &Histories,
    limit: &[usize],
    goal: Goal<'_>,
    budget: usize,
) -> Answer {
    let ties = Ties::new(known, histories, limit, matches!(goal, Goal::Ends(_)));
    let target = match goal {
        Goal::Results(thread, op) => {
            let label = Labelled { op, result: None };
            Some(ties.needs_of(known, relations, thread, label))
        }
        _ => None,
    };
    let mut search = Search {
        points: Points::new(known, histories, limit, goal),
        known,
        relations,
        histories,
        limit,
        goal,
        ties,
        target,
        positions: vec![0; limit.len()],
        world: World::default(),
        schedule: Vec::new(),
        found: Vec::new(),
        seen: 0,
    };
    let is_complete = search.run(budget / limit.len());
    Answer {
        found: search.found,
        is_complete,
    }
}

struct Search<'a> {
    /// Points that were seen.
    seen: usize,
    known: &'a mut Knowledge,
    relations: &'a mut Relations,
    histories: &'a Histories,
    limit: &'a [usize],
    goal: Goal<'a>,
    ties: Ties<'a>,
    /// What the operation that is asked for may need.
    target: Option<Lasts>,
    points: Points,
    positions: Vec<usize>,
    world: World,
    schedule: Vec<ThreadId>,
    found: Vec<Found>,
}

/// A point on the way.
struct Frame {
    /// How to go back to the point before.
    undo: SmallVec<[(ObjectId, StateId); 2]>,
    /// What was tried from here, or need not be.
    sleep: Few,
}

impl Search<'_> {
    /// Whether all of it was searched, or as much as was asked for.
    fn run(&mut self, most: usize) -> bool {
        let mut frames = vec![Frame {
            undo: SmallVec::new(),
            sleep: Few::default(),
        }];
        loop {
            if self.seen > most {
                return false;
            }
            // Once something was tried, this is another point, with one more that sleeps.
            let Some(frame) = frames.last_mut() else {
                return true;
            };
            match self.next(&frame.sleep) {
                Some(thread) => {
                    let sleep = self.sleep_after(thread, &frame.sleep);
                    frame.sleep.insert(thread);
                    let undo = self.forward(thread);
                    frames.push(Frame { undo, sleep });
                }
                None => {
                    if matches!(self.goal, Goal::Reach(_)) && !self.found.is_empty() {
                        return true;
                    }
                    let frame = frames.pop().expect("it is there");
                    if frames.is_empty() {
                        return true;
                    }
                    self.back(&frame.undo);
                }
            }
        }
    }

    /// Who still sleeps after the next event of a thread.
    fn sleep_after(&mut self, thread: usize, sleep: &Few) -> Few {
        let event = self.histories.threads[thread].events[self.positions[thread]];
        let mut after = Few::default();
        for other in sleep.iter() {
            let at = self.positions[other];
            let next = self.histories.threads[other].events[at];
            // Either nothing that this thread has left wakes it, or this event does not.
            let pins = self.ties.pins(self.known, self.relations, other, at);
            let stays = pins[thread] as usize <= self.positions[thread]
                || (self.relations).moves(self.known, event.labelled(), next.labelled());
            if stays {
                after.insert(other);
            }
        }
        after
    }

    /// Does the next event of a thread, which is possible.
    fn forward(&mut self, thread: usize) -> SmallVec<[(ObjectId, StateId); 2]> {
        let op = self.histories.threads[thread].events[self.positions[thread]].op;
        let objects = &self.known.operation(op).objects;
        let undo = { objects.iter() }.map(|object| (*object, self.world.state(*object)));
        let undo = undo.collect();
        self.known.step(&mut self.world, op);
        self.positions[thread] += 1;
        self.schedule.push(ThreadId(thread as u32));
        undo
    }

    fn back(&mut self, undo: &[(ObjectId, StateId)]) {
        for (object, state) in undo {
            self.world.set(*object, *state);
        }
        let thread = self.schedule.pop().expect("something was done");
        self.positions[thread.index()] -= 1;
    }

    fn may_go(&self, thread: usize) -> bool {
        self.histories.may_go(thread, &self.positions)
    }

    /// Whether the next event of a thread is possible.
    fn can(&mut self, thread: usize) -> bool {
        let index = self.positions[thread];
        if index >= self.limit[thread] || !self.may_go(thread) {
            return false;
        }
        let event = self.histories.threads[thread].events[index];
        self.known.peek(&self.world, event.op) == Some(event.result)
    }

    /// Who goes on from here; nobody if that leads nowhere new.
    fn next(&mut self, sleep: &Few) -> Option<usize> {
        match self.goal {
            Goal::Reach(goal) => {
                if self.positions.iter().zip(goal).all(|(at, to)| at >= to) {
                    self.find(None);
                    return None;
                }
            }
            Goal::Results(thread, op) => {
                if self.positions[thread] == self.limit[thread]
                    && self.may_go(thread)
                    && let Some(result) = self.known.peek(&self.world, op)
                    && !self.found.iter().any(|f| f.result == Some(result))
                {
                    self.find(Some(result));
                }
            }
            Goal::Ends(_) => {
                if (0..self.limit.len()).any(|thread| self.goes_elsewhere(thread)) {
                    return None;
                }
            }
        }
        let frozen = self.frozen(sleep);
        if let Goal::Reach(goal) = self.goal
            && frozen.iter().any(|t| self.positions[t] < goal[t])
        {
            return None;
        }
        if let Goal::Results(thread, _) = self.goal
            && frozen.contains(thread)
        {
            return None;
        }
        let is_new = self.points.is_new(
            self.known,
            self.histories,
            &self.positions,
            &self.world,
            sleep,
            &frozen,
        );
        if !is_new {
            return None;
        }
        self.seen += 1;
        let stubborn = self.stubborn();
        let next = stubborn.iter().find(|thread| {
            !sleep.contains(*thread) && self.can(*thread) && !self.is_like_a_sleeper(*thread, sleep)
        });
        if next.is_none()
            && matches!(self.goal, Goal::Ends(_))
            && !(0..self.limit.len()).any(|thread| self.can(thread))
        {
            self.find(None);
        }
        next
    }

    /// Whether a thread can never do its next event, and does something else instead.
    fn goes_elsewhere(&mut self, thread: usize) -> bool {
        let index = self.positions[thread];
        if index >= self.limit[thread] || !self.may_go(thread) || self.known.has_spins() {
            return false;
        }
        let event = self.histories.threads[thread].events[index];
        let result = self.known.peek(&self.world, event.op);
        let operation = self.known.operation(event.op);
        let model = self.known.model(operation.objects[0]);
        if result == Some(event.result) || model.waits(operation.method) {
            return false;
        }
        let needs = self.ties.needs(self.known, self.relations, thread, index);
        let mut needs = needs.iter().zip(&self.positions);
        needs.all(|(last, at)| *last as usize <= *at)
    }

    /// Whether somebody sleeps who has the same left to do.
    fn is_like_a_sleeper(&self, thread: usize, sleep: &Few) -> bool {
        let shape = |thread: usize| self.points.shape(thread, self.positions[thread]);
        match self.goal {
            Goal::Results(target, _) if target == thread => false,
            Goal::Results(target, _) => {
                let mut sleeping = sleep.iter().filter(|other| *other != target);
                sleeping.any(|other| shape(other) == shape(thread))
            }
            Goal::Reach(_) | Goal::Ends(_) => {
                sleep.iter().any(|other| shape(other) == shape(thread))
            }
        }
    }

    fn find(&mut self, result: Option<ResultId>) {
        self.found.push(Found {
            schedule: self.schedule.clone(),
            result,
            positions: self.positions.clone(),
            world: self.world.clone(),
        });
    }

    /// Threads that sleep and that nothing wakes up any more.
    fn frozen(&mut self, sleep: &Few) -> Few {
        let mut frozen = Few::default();
        if sleep.is_empty() || matches!(self.goal, Goal::Ends(_)) {
            return frozen;
        }
        for thread in sleep.iter() {
            frozen.insert(thread);
        }
        loop {
            let mut next = Few::default();
            let mut woken = false;
            for thread in frozen.iter() {
                let pins =
                    self.ties
                        .pins(self.known, self.relations, thread, self.positions[thread]);
                let wakes = |other: usize| {
                    !frozen.contains(other) && pins[other] as usize > self.positions[other]
                };
                if (0..self.limit.len()).any(wakes) {
                    woken = true;
                } else {
                    next.insert(thread);
                }
            }
            frozen = next;
            if !woken {
                return frozen;
            }
        }
    }

    /// The threads of a stubborn set: their next events, or what those wait for.
    fn stubborn(&mut self) -> Few {
        let mut best: Option<(usize, Few)> = None;
        for seed in self.seeds() {
            let set = self.closed(seed);
            let size = set.iter().filter(|thread| self.can(*thread)).count();
            // None at all: what is asked for cannot happen any more. Only at an end that
            // is not enough of a reason to stop.
            if size == 0 && !matches!(self.goal, Goal::Ends(_)) {
                return set;
            }
            if size > 0 && best.as_ref().is_none_or(|(least, _)| size < *least) {
                best = Some((size, set));
            }
        }
        best.map_or_else(Few::default, |(_, set)| set)
    }

    /// Sets of threads, one of which a stubborn set has to have all of.
    fn seeds(&mut self) -> SmallVec<[Few; 4]> {
        /// More are not worth the time.
        const FEW: usize = 4;
        let alone = |thread: usize| {
            let mut set = Few::default();
            set.insert(thread);
            set
        };
        match self.goal {
            Goal::Reach(goal) => {
                let short = |t: &usize| self.positions[*t] < goal[*t];
                let short = (0..self.limit.len()).filter(short);
                short.take(FEW).map(alone).collect()
            }
            Goal::Results(thread, _)
                if self.positions[thread] < self.limit[thread] || !self.may_go(thread) =>
            {
                SmallVec::from_iter([alone(thread)])
            }
            Goal::Results(thread, _) => {
                let mut set = alone(thread);
                let target = self.target.as_ref().expect("it is asked for");
                for (other, last) in target.iter().enumerate() {
                    if *last as usize > self.positions[other] {
                        set.insert(other);
                    }
                }
                SmallVec::from_iter([set])
            }
            Goal::Ends(_) => {
                let all = 0..self.limit.len();
                let can: SmallVec<[usize; 8]> = all.filter(|thread| self.can(*thread)).collect();
                can.into_iter().take(FEW).map(alone).collect()
            }
        }
    }

    fn closed(&mut self, seed: Few) -> Few {
        let mut open: SmallVec<[usize; 16]> = seed.iter().collect();
        let mut set = seed;
        while let Some(thread) = open.pop() {
            let index = self.positions[thread];
            if !self.may_go(thread) {
                // It waits for whoever starts it, for one who is like it, or for others to
                // end.
                let history = &self.histories.threads[thread];
                let for_whom = match self.histories.is_there(thread, &self.positions) {
                    true => history.follows.filter(|_| index == 0),
                    false => history.started.map(|(parent, _)| parent),
                };
                let awaited = self.histories.awaited(thread, &self.positions);
                for other in awaited.chain(for_whom) {
                    if set.insert(other) {
                        open.push(other);
                    }
                }
                continue;
            }
            if index >= self.limit[thread] {
                continue;
            }
            let lasts = if self.can(thread) {
                self.ties.pins(self.known, self.relations, thread, index)
            } else {
                self.ties.needs(self.known, self.relations, thread, index)
            };
            for (other, last) in lasts.iter().enumerate() {
                if *last as usize > self.positions[other] && set.insert(other) {
                    open.push(other);
                }
            }
        }
        set
    }
}

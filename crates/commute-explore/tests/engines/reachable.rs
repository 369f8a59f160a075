//! What a program can do, by plain reachability: every pair of where all threads are and
//! the states of all objects, each once. Far fewer than interleavings, and written
//! apart from everything that engines use to run and to search.

use std::collections::{BTreeSet, HashSet};

use commute_explore::{End, Knowledge, Next, NodeId, Places, Program, ThreadId, World};
use commute_model::Value;

use crate::interpreted::{Interpreted, Source};
use crate::outcomes_of::Outcome;

#[derive(Clone)]
struct Point {
    program: Interpreted,
    places: Places,
    world: World,
}

/// All outcomes; none if there are more than `most` points.
pub(crate) fn reachable(source: &Source, most: usize) -> Option<BTreeSet<Outcome>> {
    reachable_with(source, most, &|_| ())
}

/// The same of a program of which something is told before it starts.
pub(crate) fn reachable_with(
    source: &Source,
    most: usize,
    tell: &dyn Fn(&mut Knowledge),
) -> Option<BTreeSet<Outcome>> {
    let mut known = Knowledge::default();
    let mut start = Point {
        program: Interpreted::new(source.clone()),
        places: Places::new(),
        world: World::default(),
    };
    start.program.start(&mut known);
    tell(&mut known);
    let root = known.root(ThreadId::MAIN, None);
    start.arrive(ThreadId::MAIN, root, &mut known);
    let mut outcomes = BTreeSet::new();
    let mut seen: HashSet<(Places, World)> = HashSet::new();
    seen.insert((start.places.clone(), start.world.clone()));
    let mut open = vec![start];
    while let Some(point) = open.pop() {
        if seen.len() > most {
            return None;
        }
        let mut waiting = Vec::new();
        let mut is_last = true;
        for index in 0..point.places.len() {
            let thread = ThreadId(index as u32);
            let Some(node) = point.places[index] else {
                continue;
            };
            let Some(Next::Op(_)) = known.next(node) else {
                continue;
            };
            waiting.push(thread);
            let Some(after) = point.step(thread, node, &mut known) else {
                continue;
            };
            is_last &= point.is_vain(thread, &mut known);
            if seen.insert((after.places.clone(), after.world.clone())) {
                open.push(after);
            }
        }
        if is_last {
            let fails = point.fails(&known);
            let outcome = Outcome::of(&point.places, &point.world, waiting, fails, &known);
            outcomes.insert(outcome);
        }
    }
    Some(outcomes)
}

impl Point {
    fn arrive(&mut self, thread: ThreadId, node: NodeId, known: &mut Knowledge) {
        let index = thread.index();
        if self.places.len() <= index {
            self.places.resize(index + 1, None);
        }
        let next = self.program.next(thread, node, known).expect("no trouble");
        self.places[index] = match next {
            Next::Spins(back) => Some(back),
            _ => Some(node),
        };
        known.learn(node, next).expect("programs do not change");
    }

    /// Where a step leads; nowhere if it has to wait, or looked in vain.
    fn step(&self, thread: ThreadId, node: NodeId, known: &mut Knowledge) -> Option<Point> {
        let Some(Next::Op(op)) = known.next(node).cloned() else {
            return None;
        };
        let mut after = self.clone();
        let result = known.step(&mut after.world, op)?;
        after
            .program
            .step(thread, result, known)
            .expect("no trouble");
        let place = known.after(node, result);
        after.arrive(thread, place, known);
        if let Some(child) = known.operation(op).spawns {
            let root = known.root(child, Some(node));
            after.arrive(child, root, known);
        }
        let moved = after.places != self.places || after.world != self.world;
        moved.then_some(after)
    }

    /// Whether a thread that goes on alone comes back to where it is by looking again, and
    /// nothing is changed.
    fn is_vain(&self, thread: ThreadId, known: &mut Knowledge) -> bool {
        let mut at = self.clone();
        // Nobody looks at more in a round.
        for _ in 0..10 {
            let Some(node) = at.places[thread.index()] else {
                return false;
            };
            let Some(after) = at.step(thread, node, known) else {
                return false;
            };
            let place = after.places[thread.index()].expect("it was started");
            if known.depth(place) <= known.depth(node) {
                return after.places == self.places && after.world == self.world;
            }
            at = after;
        }
        false
    }

    /// Whether there was a panic that no join has returned.
    fn fails(&self, known: &Knowledge) -> bool {
        let mut joined = BTreeSet::new();
        for place in self.places.iter().flatten() {
            let mut place = *place;
            while let Some((before, _)) = known.before(place) {
                if let Some(Next::Op(op)) = known.next(before) {
                    let operation = known.operation(*op);
                    if operation.method == "join" {
                        joined.insert(operation.args[0].clone());
                    }
                }
                place = before;
            }
        }
        let panicked = |index: &usize| {
            let next = self.places[*index].and_then(|place| known.next(place));
            matches!(next, Some(Next::Ended(End::Panicked(_))))
                && !joined.contains(&Value::Int(*index as i128))
        };
        (0..self.places.len()).any(|index| panicked(&index))
    }
}

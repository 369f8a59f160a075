//! Which points of a search are the same, for all that can follow.
//!
//! - Two threads with the same events left, on the same objects, may be exchanged.
//! - A thread that sleeps and that nothing wakes up is as good as gone.
//! - Of the state of an object, only that counts which the events that are left can
//!   tell: nothing if there are none, and [`project`](crate::Model::project) says what
//!   if there are some.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use smallvec::SmallVec;

use super::Goal;
use crate::engine::outcomes::few::Few;
use crate::engine::outcomes::histories::{Event, Histories};
use crate::knowledge::Knowledge;
use crate::model::Label;
use crate::words::{ObjectId, OpId};
use crate::world::World;

/// Points that were seen.
pub(super) struct Points {
    /// What is left of each thread, by how far it has come, as a number.
    shapes: Vec<Vec<u32>>,
    /// The objects that what is left of a thread looks at, by how far it has come.
    looks: Vec<Vec<Few>>,
    /// By their numbers here.
    objects: Vec<ObjectId>,
    limit: Vec<usize>,
    /// Whose operation is asked for, and which.
    target: Option<(usize, OpId)>,
    /// What that looks at.
    target_looks: Few,
    /// Whether the states at the end count, all of them.
    keeps_states: bool,
    seen: FxHashSet<(u64, u64)>,
}

/// Whether an operation can tell states apart.
fn looks(known: &Knowledge, op: OpId) -> bool {
    let operation = known.operation(op);
    let model = known.model(operation.objects[0]);
    model.returns(operation.method) || model.waits(operation.method)
}

impl Points {
    pub(super) fn new(
        known: &Knowledge,
        histories: &Histories,
        limit: &[usize],
        goal: Goal<'_>,
    ) -> Points {
        let mut numbers: FxHashMap<(Event, bool, u32), u32> = FxHashMap::default();
        let shapes = limit.iter().enumerate().map(|(thread, limit)| {
            if let Goal::Ends(alike) = goal {
                // How far it has come counts, too, and who it is, unless it is like others.
                let before = histories.threads[..alike[thread]].iter();
                let first: usize = before.map(|history| history.len() + 1).sum();
                return (0..=*limit).map(|at| (first + at) as u32).collect();
            }
            let mut shapes = vec![0; limit + 1];
            for index in (0..*limit).rev() {
                let event = histories.threads[thread].events[index];
                let has_to = matches!(goal, Goal::Reach(goal) if index < goal[thread]);
                let key = (event, has_to, shapes[index + 1]);
                let next = numbers.len() as u32 + 1;
                shapes[index] = *numbers.entry(key).or_insert(next);
            }
            // Others wait for its beginning: it is not like those for whom nobody does.
            if histories.threads.iter().any(|h| h.follows == Some(thread)) {
                shapes[0] = u32::MAX - thread as u32;
            }
            shapes
        });
        let shapes = shapes.collect();
        let mut objects: Vec<ObjectId> = Vec::new();
        let mut add = |op: OpId, set: &mut Few| {
            for object in &known.operation(op).objects {
                let number = objects.iter().position(|o| o == object);
                let number = number.unwrap_or_else(|| {
                    objects.push(*object);
                    objects.len() - 1
                });
                set.insert(number);
            }
        };
        let mut all = Vec::new();
        let keeps_states = matches!(goal, Goal::Ends(_));
        for (thread, limit) in limit.iter().enumerate().filter(|_| !keeps_states) {
            let mut of_thread = vec![Few::default(); limit + 1];
            for index in (0..*limit).rev() {
                let op = histories.threads[thread].events[index].op;
                let mut set = of_thread[index + 1].clone();
                if looks(known, op) {
                    add(op, &mut set);
                }
                of_thread[index] = set;
            }
            all.push(of_thread);
        }
        let mut target_looks = Few::default();
        let target = match goal {
            Goal::Results(thread, op) => {
                add(op, &mut target_looks);
                Some((thread, op))
            }
            _ => None,
        };
        Points {
            shapes,
            looks: all,
            objects,
            limit: limit.to_vec(),
            target,
            target_looks,
            keeps_states,
            seen: FxHashSet::default(),
        }
    }

    /// What is left of a thread: the same number if it is the same.
    pub(super) fn shape(&self, thread: usize, at: usize) -> u32 {
        self.shapes[thread][at]
    }

    /// Whether nothing like this was seen.
    pub(super) fn is_new(
        &mut self,
        known: &Knowledge,
        histories: &Histories,
        positions: &[usize],
        world: &World,
        sleep: &Few,
        frozen: &Few,
    ) -> bool {
        let mut hashers = (FxHasher::with_seed(0), FxHasher::with_seed(0x9E37_79B9));
        let mut put = |value: u64| {
            hashers.0.write_u64(value);
            hashers.1.write_u64(value);
        };
        if self.keeps_states {
            // Who may be exchanged is there: threads that are started in a row are.
            let threads = positions.iter().enumerate().map(|(thread, at)| {
                let shape = u64::from(self.shapes[thread][*at]);
                shape << 1 | u64::from(sleep.contains(thread))
            });
            let mut threads: SmallVec<[u64; 16]> = threads.collect();
            threads.sort_unstable();
            for thread in threads {
                put(thread);
            }
            for state in world.states() {
                put(state.0.into());
            }
            return self.seen.insert((hashers.0.finish(), hashers.1.finish()));
        }
        let mut threads: SmallVec<[u64; 16]> = SmallVec::new();
        let mut used = self.target_looks.clone();
        for (thread, at) in positions.iter().enumerate() {
            let is_target = self.target.is_some_and(|(target, _)| target == thread);
            if frozen.contains(thread) || *at >= self.limit[thread] && !is_target {
                continue;
            }
            let is_started = histories.may_go(thread, positions);
            // Who is to be told from all others says so.
            let who = match (is_target, is_started) {
                (false, true) => u64::from(sleep.contains(thread)),
                (true, _) => 2 + u64::from(sleep.contains(thread)),
                (false, false) => thread as u64 + 4,
            };
            threads.push(u64::from(self.shapes[thread][*at]) << 32 | who);
            used.extend(&self.looks[thread][*at]);
        }
        threads.sort_unstable();
        put(threads.len() as u64);
        for thread in threads {
            put(thread);
        }
        for number in used.iter() {
            let object = self.objects[number];
            let model = known.model(object);
            let part = { model.projects() }
                .then(|| self.rest(known, histories, positions, frozen, object))
                .flatten()
                .and_then(|rest| model.project(known.state(world, object), &rest));
            match part {
                None => put(world.state(object).0.into()),
                Some(part) => {
                    let mut hasher = FxHasher::with_seed(number);
                    part.hash(&mut hasher);
                    put(hasher.finish());
                }
            }
        }
        self.seen.insert((hashers.0.finish(), hashers.1.finish()))
    }

    /// What is left to do with an object, if that is a matter of this object alone.
    fn rest<'k>(
        &self,
        known: &'k Knowledge,
        histories: &Histories,
        positions: &[usize],
        frozen: &Few,
        object: ObjectId,
    ) -> Option<Vec<Label<'k>>> {
        let mut rest = Vec::new();
        for (thread, at) in positions.iter().enumerate() {
            if frozen.contains(thread) {
                continue;
            }
            for event in &histories.threads[thread].events[*at..self.limit[thread]] {
                let objects = &known.operation(event.op).objects;
                if objects.contains(&object) {
                    if objects.len() > 1 {
                        return None;
                    }
                    rest.push(known.label(event.op, Some(event.result)));
                }
            }
        }
        if let Some((_, op)) = self.target
            && known.operation(op).objects.contains(&object)
        {
            rest.push(known.label(op, None));
        }
        Some(rest)
    }
}

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
use crate::engine::outcomes::histories::{Event, Histories};
use crate::engine::outcomes::threads::ThreadSet;
use crate::knowledge::Knowledge;
use crate::model::Label;
use crate::words::{ObjectId, OpId};
use crate::world::World;

/// Points that were seen.
pub(super) struct Points {
    /// What is left of each thread, by how far it has come, as a number.
    shapes: Vec<Vec<u32>>,
    limit: Vec<usize>,
    /// Whose operation is asked for, and which.
    target: Option<(usize, OpId)>,
    /// Whether the states at the end count, all of them.
    keeps_states: bool,
    seen: FxHashSet<(u64, u64)>,
}

impl Points {
    pub(super) fn new(histories: &Histories, limit: &[usize], goal: Goal<'_>) -> Points {
        let mut numbers: FxHashMap<(Event, bool, u32), u32> = FxHashMap::default();
        let shapes = limit.iter().enumerate().map(|(thread, limit)| {
            let mut shapes = vec![0; limit + 1];
            for index in (0..*limit).rev() {
                let event = histories.threads[thread].events[index];
                let has_to = matches!(goal, Goal::Reach(goal) if index < goal[thread]);
                let key = (event, has_to, shapes[index + 1]);
                let next = numbers.len() as u32 + 1;
                shapes[index] = *numbers.entry(key).or_insert(next);
            }
            shapes
        });
        Points {
            shapes: shapes.collect(),
            limit: limit.to_vec(),
            target: match goal {
                Goal::Results(thread, op) => Some((thread, op)),
                _ => None,
            },
            keeps_states: matches!(goal, Goal::Ends),
            seen: FxHashSet::default(),
        }
    }

    /// Whether nothing like this was seen.
    pub(super) fn is_new(
        &mut self,
        known: &Knowledge,
        histories: &Histories,
        positions: &[usize],
        world: &World,
        sleep: &ThreadSet,
        frozen: &ThreadSet,
    ) -> bool {
        let mut threads: SmallVec<[(u32, u32); 16]> = SmallVec::new();
        let mut used: SmallVec<[ObjectId; 16]> = SmallVec::new();
        for (thread, at) in positions.iter().enumerate() {
            let history = &histories.threads[thread];
            if frozen.contains(thread) {
                continue;
            }
            let is_target = self.target.is_some_and(|(target, _)| target == thread);
            let left = *at..self.limit[thread];
            if left.is_empty() && !is_target && !self.keeps_states {
                continue;
            }
            let is_started = { history.started }.is_none_or(|(p, i)| positions[p] > i);
            // Who is to be told from all others says so.
            let who = match (is_target, is_started, self.keeps_states) {
                (false, true, false) => u32::from(sleep.contains(thread)),
                (_, _, true) => 4 * thread as u32 + 2 + u32::from(sleep.contains(thread)),
                (true, _, _) => 2 + u32::from(sleep.contains(thread)),
                (_, false, _) => 4 * thread as u32 + 4,
            };
            threads.push((self.shapes[thread][*at], who));
            for event in &history.events[left] {
                used.extend_from_slice(&known.operation(event.op).objects);
            }
        }
        if let Some((_, op)) = self.target {
            used.extend_from_slice(&known.operation(op).objects);
        }
        threads.sort_unstable();
        used.sort_unstable();
        used.dedup();
        let mut hashers = (FxHasher::with_seed(0), FxHasher::with_seed(0x9E37_79B9));
        let mut put = |value: &dyn Fn(&mut FxHasher)| {
            value(&mut hashers.0);
            value(&mut hashers.1);
        };
        put(&|hasher| threads.hash(hasher));
        if self.keeps_states {
            put(&|hasher| world.hash(hasher));
        } else {
            for object in used {
                let state = known.state(world, object);
                let model = known.model(object);
                let part = { model.projects() }
                    .then(|| self.rest(known, histories, positions, frozen, object));
                let part = part.flatten().and_then(|rest| model.project(state, &rest));
                match part {
                    Some(part) => put(&|hasher| (object, 1, &part).hash(hasher)),
                    None => put(&|hasher| (object, 0, world.state(object)).hash(hasher)),
                }
            }
        }
        let key = (hashers.0.finish(), hashers.1.finish());
        self.seen.insert(key)
    }

    /// What is left to do with an object, if that is a matter of this object alone.
    fn rest<'k>(
        &self,
        known: &'k Knowledge,
        histories: &Histories,
        positions: &[usize],
        frozen: &ThreadSet,
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

//! What decided that the present block runs.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use crate::control::Arm;
use crate::flow::state::State;
use crate::flow::value::{Origins, Set, Source, add};
use crate::flow::walk::Walk;
use crate::suppression::Suppression;

/// How many decisions before an access are near.
const NEAR: usize = 3;

/// Stands for a branch: what decided that a function waited, once.
const WAITED: u32 = u32::MAX;

impl Walk<'_, '_> {
    /// What decided that the present block runs.
    pub(crate) fn decided(&self, state: &State) -> Origins {
        let mut origins = Origins::default();
        let mut last = None;
        for (decider, _) in self.deciders.all[self.spot.block as usize].iter() {
            if last.replace(decider) == Some(decider) {
                continue;
            }
            if let Some(on) = state.branches.get(decider) {
                origins.join(&on.deciding());
            }
        }
        if let Some(on) = self.tried(state) {
            origins.join(&on.deciding());
        }
        if let Some(on) = state.branches.get(&WAITED) {
            origins.join(&on.deciding());
        }
        origins.join(&self.given.deciding());
        origins
    }

    /// A wait outside of loops: what comes after it believes what led to it,
    /// though it may no longer be so.
    pub(crate) fn waits_once(&self, state: &mut State) {
        let decided = self.decided(state);
        state.branches.insert(WAITED, Rc::new(decided));
    }

    /// What was tried until it was right.
    fn tried<'s>(&self, state: &'s State) -> Option<&'s Origins> {
        if !self.world.applies(Suppression::Retry) {
            return None;
        }
        let branch = self.deciders.tried[self.spot.block as usize]?;
        state.branches.get(&branch).map(|origins| &**origins)
    }

    /// The branches that lead to the present block.
    pub(crate) fn when(&self) -> Arc<[Arm]> {
        self.deciders.all[self.spot.block as usize].clone()
    }

    /// The reads that made the last decisions before the present block.
    /// Decisions that no read made (`?`) are passed over.
    pub(crate) fn nearest(&self, state: &State) -> Set<u32> {
        let mut near = Set::new();
        let mut seen = BTreeSet::new();
        let mut todo = vec![(self.spot.block, NEAR)];
        let waited = state.branches.get(&WAITED).map(|origins| &**origins);
        let tried = self.tried(state).into_iter().chain([&self.given]);
        let tried = tried.chain(waited);
        for origin in tried.flat_map(Origins::iter) {
            if let Source::Access(number) = origin.source {
                add(&mut near, number);
            }
        }
        while let Some((block, left)) = todo.pop() {
            for (decider, _) in &self.deciders.direct[block as usize] {
                if !seen.insert(*decider) {
                    continue;
                }
                let before = near.len();
                let origins = state.branches.get(decider);
                for origin in origins.iter().flat_map(|origins| origins.iter()) {
                    if let Source::Access(number) = origin.source {
                        add(&mut near, number);
                    }
                }
                let left = left - usize::from(near.len() > before);
                if left > 0 {
                    todo.push((*decider, left));
                }
            }
        }
        near
    }

    /// The branches that every way to the present block passes.
    pub(crate) fn checks(&self) -> &[u32] {
        match self.world.applies(Suppression::Retry) {
            true => &self.deciders.checks[self.spot.block as usize],
            false => &[],
        }
    }
}

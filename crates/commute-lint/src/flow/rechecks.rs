//! What was looked at again before something is written.

use crate::flow::path::PathId;
use crate::flow::runners::variable;
use crate::flow::state::State;
use crate::flow::value::{Origins, Region, Set, Source, add, add_all};
use crate::flow::walk::Walk;
use crate::ir::Mode;

impl Walk<'_, '_> {
    /// What was checked on the way to the present block.
    pub(crate) fn checked(&self, state: &State, decided: &Origins) -> Origins {
        // What some way does not pass is no check.
        let mut checked = match self.checks().is_empty() {
            true => decided.clone(),
            false => Origins::default(),
        };
        for branch in self.checks() {
            if let Some(on) = state.branches.get(branch) {
                checked.join(on);
            }
        }
        checked
    }

    /// What was read in regions that last until now, and decides now.
    pub(crate) fn locked_checks(&self, state: &State, decided: &Origins) -> Set<PathId> {
        let mut paths = Set::new();
        for origin in self.checked(state, decided).iter() {
            if let Source::Access(number) = origin.source
                && let access = &self.accesses[number as usize]
                && let Some(region) = access.region
                && origin.held.binary_search(&region).is_ok()
                && state.held.binary_search(&region).is_ok()
            {
                add(&mut paths, access.path);
            }
        }
        paths
    }

    /// What was read under a lock that is still held, and decides now.
    pub(crate) fn rechecks(
        &self,
        state: &State,
        decided: &Origins,
        region: Option<Region>,
        written: PathId,
    ) -> Set<PathId> {
        let mut paths = Set::new();
        for origin in decided.iter() {
            let Source::Access(number) = origin.source else {
                continue;
            };
            let access = &self.accesses[number as usize];
            let single = |region: Region| self.regions[region.0 as usize].single;
            // What is written under a lock that is only read under, others
            // write at the same time.
            let open = access.region.is_some_and(single) && self.is_one(access.path, written);
            let locks = |held: &Region| {
                let lock = &self.regions[held.0 as usize];
                Some(*held) == region || !(lock.single || open && lock.mode == Mode::Shared)
            };
            let fresh = origin
                .held
                .iter()
                .any(|held| state.held.binary_search(held).is_ok() && locks(held));
            // The lock of what was read, or one that guards a mark beside it.
            let own = access
                .region
                .is_none_or(|region| single(region) || origin.held.binary_search(&region).is_ok());
            // What the caller has lent is locked as long as this runs, if it is.
            let lent = region.is_none() && access.region.is_none();
            if fresh && own || lent {
                add(&mut paths, access.path);
                add_all(&mut paths, &access.rechecks);
            }
        }
        paths
    }

    /// Whether two paths lead to one variable, as far as is known.
    fn is_one(&self, a: PathId, b: PathId) -> bool {
        let variable = |path: PathId| variable(self.world, self.id, path);
        a == b || variable(a).is_some_and(|one| variable(b).is_some_and(|two| one == two))
    }

    /// Regions of which a value was compared with the same variable under a
    /// lock that is still held: what was read in them is still so.
    pub(crate) fn validated(&self, state: &State) -> Set<Region> {
        let mut regions = Set::new();
        let when = self.when();
        let mut deciders: Vec<u32> = when.iter().map(|(decider, _)| *decider).collect();
        deciders.extend(self.checks());
        deciders.sort_unstable();
        deciders.dedup();
        for decider in deciders {
            let Some(on) = state.branches.get(&decider).filter(|on| on.len() > 1) else {
                continue;
            };
            let accesses = |fresh: bool| {
                on.iter().filter_map(move |origin| {
                    let held = origin
                        .held
                        .iter()
                        .any(|region| state.maybe.binary_search(region).is_ok());
                    match origin.source {
                        Source::Access(number) if held == fresh => {
                            Some(&self.accesses[number as usize])
                        }
                        _ => None,
                    }
                })
            };
            for now in accesses(true) {
                for then in accesses(false).filter(|then| then.path == now.path) {
                    if let Some(region) = then.region {
                        add(&mut regions, region);
                    }
                }
            }
        }
        regions
    }
}

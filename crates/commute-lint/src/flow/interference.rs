//! Who may come between the two accesses of a pair.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::flow::access::Access;
use crate::flow::keys::Key;
use crate::flow::pair::{Pair, overlap};
use crate::flow::runners::{Variable, act, held, variable};
use crate::flow::stale::Judge;
use crate::flow::value::{Region, Set};
use crate::ir::Mode;
use crate::suppression::Suppression;

/// More runs of one access are not looked at: they do the same.
const INSTANCES: usize = 12;

/// Who may come after the first access of a pair, by the access and the locks
/// that are held from then on. Many second accesses ask for the same.
pub(crate) type Rivals = FxHashMap<(u32, Set<Region>), Rc<[Run]>>;

/// A run of the first access.
pub(crate) struct Run {
    /// What of all that is done it is.
    instance: usize,
    /// What others may do after it that does not commute with it, and whether
    /// that is likely.
    others: Vec<(usize, bool)>,
    /// Whether another may run the same while this one does.
    several: bool,
    /// Whether a lock is held all the time, and not only read under: then it
    /// keeps another run out.
    locked: bool,
}

impl Judge<'_, '_> {
    /// Who may come between, and whether that is likely; nobody else if it is
    /// another run of the same pair.
    pub(crate) fn interference(
        &self,
        pair: &Pair<'_>,
        v1: &Variable,
        v2: &Variable,
        same: bool,
    ) -> Option<(Option<usize>, bool)> {
        let paths = &self.world.paths;
        let one = act(pair.first);
        let two = act(pair.second);
        let mut weak = None;
        for run in self.runs(pair, v1).iter() {
            for (number, likely) in &run.others {
                let other = &self.deeds.all[*number];
                if self
                    .deeds
                    .is_over(run.instance, || self.instances(pair.second), *number)
                {
                    continue;
                }
                if same && self.conflicts.commute(paths, &two, &other.act, false) {
                    continue;
                }
                if same && pair.origin.decides && self.conflicts.only_adds([&one, &two, &other.act])
                {
                    continue;
                }
                if *likely {
                    return Some((Some(*number), true));
                }
                weak.get_or_insert(*number);
            }
            // Two runs of the pair.
            if same
                && run.several
                && (!run.locked || !self.applies(Suppression::OuterLock))
                && !self.conflicts.commute(paths, &one, &two, true)
                && v1.overlaps(v2)
                && !self.only_refers(pair.first, v1, v2)
                && !self.is_latch(pair, v1, &two)
            {
                return Some((None, true));
            }
        }
        weak.map(|number| (Some(number), false))
    }

    fn runs(&self, pair: &Pair<'_>, v1: &Variable) -> Rc<[Run]> {
        let key = (pair.first_number, pair.origin.held.clone());
        if let Some(known) = pair.rivals.borrow().get(&key) {
            return known.clone();
        }
        let locked = held(
            self.world,
            pair.function,
            &pair.origin.held,
            &pair.followed.regions,
        );
        let instances = self.all_instances(&pair.followed.accesses, pair.first);
        let runs = instances.iter().map(|instance| {
            let mut locked = locked.clone();
            if self.applies(Suppression::OuterLock) {
                let callers = self.deeds.of_callers(*instance, pair.first.trail.len());
                locked.extend(callers);
            }
            let mut all = instances.iter();
            Run {
                instance: *instance,
                others: self.others(*instance, pair.first, v1, &locked),
                several: all.any(|another| self.deeds.may_interfere(*instance, *another)),
                locked: is_exclusive(&locked),
            }
        });
        let runs: Rc<[Run]> = runs.collect();
        pair.rivals.borrow_mut().insert(key, runs.clone());
        runs
    }

    /// What others may do after one run of an access, while these locks are
    /// held, that does not commute with it.
    fn others(
        &self,
        instance: usize,
        first: &Access,
        v1: &Variable,
        locked: &[(Key, Mode)],
    ) -> Vec<(usize, bool)> {
        let key = self.deeds.all[instance].variable.key;
        let one = act(first);
        let mut others = Vec::new();
        for number in self.deeds.writers.get(&key).into_iter().flatten() {
            let other = &self.deeds.all[*number];
            if !overlap(&other.variable.part, &v1.part)
                || !self.deeds.may_interfere(instance, *number)
                || self.only_refers(first, v1, &other.variable)
                || excluded(locked, &other.held) && self.applies(Suppression::OuterLock)
                || self
                    .conflicts
                    .commute(&self.world.paths, &one, &other.act, false)
            {
                continue;
            }
            // Two that hold other locks all the time have agreed upon
            // something.
            let agreed = is_exclusive(locked) && other.held.len() > 1 && is_exclusive(&other.held);
            let guessed = is_exclusive(locked) && self.deeds.runners[other.runner].guessed;
            let likely = !(agreed || guessed) || !self.applies(Suppression::Agreed);
            others.push((*number, likely));
        }
        others
    }

    /// Whether an access reads a reference, and another uses the object: that is
    /// still where it was.
    fn only_refers(&self, first: &Access, v1: &Variable, other: &Variable) -> bool {
        let refers = !v1.part.is_empty() && other.part.is_empty();
        refers && !first.writes && !self.world.program.guarded
    }

    /// What runners do at the place of an access, or of one that is alike.
    pub(crate) fn all_instances(&self, accesses: &[Access], access: &Access) -> Vec<usize> {
        let own = self.instances(access);
        if !own.is_empty() {
            return own;
        }
        accesses
            .iter()
            .filter(|other| {
                other.path == access.path
                    && other.region == access.region
                    && other.writes == access.writes
                    && other.reads == access.reads
            })
            .flat_map(|other| self.instances(other))
            .collect()
    }

    /// What runners do at the place of an access.
    pub(crate) fn instances(&self, access: &Access) -> Vec<usize> {
        let Some(place) = access.trail.first() else {
            return Vec::new();
        };
        let Some(numbers) = self.deeds.by_place.get(place) else {
            return Vec::new();
        };
        // Of Java only lines are known, and a line may use many variables.
        let guarded = self.world.program.guarded;
        let wanted = match guarded {
            true => None,
            false => variable(self.world, place.0, access.path),
        };
        numbers
            .iter()
            .copied()
            .filter(|number| {
                let done = &self.deeds.all[*number];
                done.trail.ends_with(&access.trail)
                    && (guarded || wanted.as_ref() == Some(&done.variable))
                    && done.act.writes == access.writes
                    && done.act.reads == access.reads
            })
            .take(INSTANCES)
            .collect()
    }
}

fn is_exclusive(held: &[(Key, Mode)]) -> bool {
    held.iter().any(|(_, mode)| *mode == Mode::Exclusive)
}

/// Whether a lock that is held all the time keeps the other out.
pub(crate) fn excluded(held: &[(Key, Mode)], other: &[(Key, Mode)]) -> bool {
    held.iter().any(|(key, mode)| {
        other.iter().any(|(other_key, other_mode)| {
            key == other_key && (*mode == Mode::Exclusive || *other_mode == Mode::Exclusive)
        })
    })
}

//! Two variables with locks of their own that others write in one region, while
//! here each has its own. The other's region as a whole then commutes with
//! neither, as one write would if it were one variable.

use crate::flow::access::Access;
use crate::flow::interference::excluded;
use crate::flow::keys::Key;
use crate::flow::pair::{Pair, overlap};
use crate::flow::runners::{Done, Variable, act, held, variable};
use crate::flow::stale::Judge;
use crate::flow::value::Source;
use crate::flow::walk::Followed;
use crate::ir::Mode;
use crate::suppression::Suppression;

impl Judge<'_, '_> {
    /// Whether others write in one region what is checked here and what is
    /// changed, both in plain sight, and the lock of the first is not taken
    /// again to change it.
    pub(crate) fn is_torn_off(&self, pair: &Pair<'_>, v1: &Variable, v2: &Variable) -> bool {
        if pair.is_seen() || pair.first.trail.len() > 2 || pair.second.trail.len() > 1 {
            return false;
        }
        let regions = &pair.followed.regions;
        let lock = self.world.paths.lock_of(pair.first.path);
        let mut held_again = pair.second.held.iter();
        if held_again.any(|region| Some(regions[region.0 as usize].lock) == lock) {
            return false;
        }
        // It sets the mark itself when it is done, because it was not there: it was
        // looked for only in order to be fast.
        let marks = pair.followed.accesses.iter().any(|access| {
            let inside = |region| access.held.binary_search(&region).is_ok();
            let mut origins = access.origins.iter();
            access.writes
                && pair.second.region.is_some_and(inside)
                && origins.any(|origin| origin.source == Source::Access(pair.first_number))
                && variable(self.world, pair.function, access.path).as_ref() == Some(v1)
        });
        if marks {
            return false;
        }
        let locked = held(self.world, pair.function, &pair.origin.held, regions);
        let (first, second) = ((pair.first, v1), (pair.second, v2));
        let other = self.written_in_one(pair.followed, first, second, &locked);
        other.is_some()
    }

    /// Whether who counted down to the end removes what was counted, while others
    /// may count it up again under the lock of that: `fetch_sub`, then `remove`.
    pub(crate) fn is_revived(&self, pair: &Pair<'_>) -> bool {
        let (first, second) = (pair.first, pair.second);
        let operation = first.operation.as_ref();
        let counts_down = operation.is_some_and(|operation| operation.method == "fetch_sub");
        let variable = |access: &Access| variable(self.world, pair.function, access.path);
        let (Some(v1), Some(v2)) = (variable(first), variable(second)) else {
            return false;
        };
        counts_down
            && pair.origin.decides
            && second.writes
            && v1.key != v2.key
            && self.is_torn_off(pair, &v1, &v2)
    }

    /// Who writes both in one region and may come between two accesses, with
    /// the locks that are held from the one to the other.
    pub(crate) fn written_in_one(
        &self,
        followed: &Followed,
        (first, v1): (&Access, &Variable),
        (second, v2): (&Access, &Variable),
        locked: &[(Key, Mode)],
    ) -> Option<(usize, usize)> {
        let deeds = self.deeds;
        let paths = &self.world.paths;
        let (one, two) = (act(first), act(second));
        let seconds = self.all_instances(&followed.accesses, second);
        for instance in self.all_instances(&followed.accesses, first) {
            let mut locked = locked.to_vec();
            locked.extend(deeds.of_callers(instance, first.trail.len()));
            let runner = deeds.all[instance].runner;
            let mine = seconds.iter().map(|number| &deeds.all[*number]);
            let mine = mine.filter(|done| done.runner == runner);
            let keys: Vec<Key> = mine.map(|done| done.variable.key).collect();
            let others = deeds.by_key.get(&deeds.all[instance].variable.key);
            for number in others.into_iter().flatten() {
                let other = &deeds.all[*number];
                if !other.act.writes
                    || !overlap(&other.variable.part, &v1.part)
                    || !deeds.may_interfere(instance, *number)
                    || deeds.is_over(instance, || seconds.clone(), *number)
                    || excluded(&locked, &other.held) && self.applies(Suppression::OuterLock)
                    || self.conflicts.commute(paths, &one, &other.act, false)
                {
                    continue;
                }
                let beside = keys.iter().filter_map(|key| deeds.by_key.get(key));
                let both = beside.flatten().find(|beside| {
                    let done = &deeds.all[**beside];
                    done.act.writes
                        && overlap(&done.variable.part, &v2.part)
                        && is_one_region(other, done)
                        && !self.conflicts.commute(paths, &two, &done.act, false)
                });
                if let Some(beside) = both {
                    return Some((*number, *beside));
                }
            }
        }
        None
    }
}

/// Whether one region that nobody shares holds both, and it is of the lock of
/// one of them: what another lock holds together may be a lot.
fn is_one_region(a: &Done, b: &Done) -> bool {
    let mut regions = a.within.iter().zip(&a.held);
    a.runner == b.runner
        && regions.any(|(region, (key, mode))| {
            *mode == Mode::Exclusive
                && (*key == a.variable.key || *key == b.variable.key)
                && b.within.binary_search(region).is_ok()
        })
}

//! High-level data races: what belongs together is read, or written, in two
//! regions.

use std::collections::BTreeMap;

use crate::flow::access::Access;
use crate::flow::keys::Key;
use crate::flow::order::Order;
use crate::flow::runners::{Variable, held, is_alone, variable};
use crate::flow::stale::{Judge, always, excluded, overlap};
use crate::flow::value::common;
use crate::flow::walk::Followed;
use crate::ir::{FunctionId, Mode, Site};
use crate::suppression::Suppression;
use crate::violation::{Confidence, Kind};

/// A torn pair.
pub(crate) struct Torn {
    pub(crate) kind: Kind,
    pub(crate) confidence: Confidence,
    pub(crate) first: usize,
    pub(crate) second: usize,
    pub(crate) variables: (Variable, Variable),
    /// The two accesses of another region.
    pub(crate) others: (usize, usize),
}

impl Judge<'_, '_> {
    pub(crate) fn torn(&self, function: FunctionId, followed: &Followed) -> Vec<Torn> {
        let mut found: BTreeMap<(Site, Site), Torn> = BTreeMap::new();
        for (first, second) in &followed.meets {
            self.pair(
                function,
                followed,
                (*first, *second),
                Kind::TornRead,
                &mut found,
            );
        }
        for (first, second) in &followed.decides {
            let before = found.len();
            self.pair(
                function,
                followed,
                (*first, *second),
                Kind::TornRead,
                &mut found,
            );
            if found.len() > before {
                let accesses = &followed.accesses;
                let place = |number: &u32| accesses[*number as usize].trail[0].1;
                if let Some(torn) = found.get_mut(&(place(first), place(second))) {
                    torn.confidence = Confidence::Low;
                }
            }
        }
        if self.options.torn_writes {
            let order = Order::of(self.world.program.function(function));
            let writes: Vec<u32> = (0..followed.accesses.len() as u32)
                .filter(|number| {
                    let access = &followed.accesses[*number as usize];
                    access.writes && access.region.is_some() && access.thread.is_none()
                })
                .collect();
            if writes.len() <= 60 {
                for first in &writes {
                    for second in &writes {
                        let spots = (
                            followed.spots[*first as usize],
                            followed.spots[*second as usize],
                        );
                        if first != second && order.may_follow(spots.0.0, spots.1.0) {
                            self.pair(
                                function,
                                followed,
                                (*first, *second),
                                Kind::TornWrite,
                                &mut found,
                            );
                        }
                    }
                }
            }
        }
        found.into_values().collect()
    }

    fn pair(
        &self,
        function: FunctionId,
        followed: &Followed,
        numbers: (u32, u32),
        kind: Kind,
        found: &mut BTreeMap<(Site, Site), Torn>,
    ) {
        let first = &followed.accesses[numbers.0 as usize];
        let second = &followed.accesses[numbers.1 as usize];
        if first.region == second.region || first.thread.is_some() || second.thread.is_some() {
            return;
        }
        let (Some(r1), Some(r2)) = (first.region, second.region) else {
            return;
        };
        // Both held at once: one inside of the other.
        if second.held.binary_search(&r1).is_ok() || first.held.binary_search(&r2).is_ok() {
            return;
        }
        let place = |access: &Access| access.trail[0].1;
        let key = (place(first), place(second));
        if found.contains_key(&key) || is_alone(self.world, function, first.path) {
            return;
        }
        let (Some(v1), Some(v2)) = (
            variable(self.world, function, first.path),
            variable(self.world, function, second.path),
        ) else {
            return;
        };
        let paths = &self.world.paths;
        let (one_object, one_variable) = match self.world.program.guarded {
            true => (
                paths.lock_of(first.path) == paths.lock_of(second.path),
                v1.key != v2.key || overlap(&v1.part, &v2.part),
            ),
            false => (
                paths.before(first.path) == paths.before(second.path),
                v1.overlaps(&v2),
            ),
        };
        if one_variable || self.options.receivers && !one_object {
            return;
        }
        // A region that has both is whole.
        if self.options.applies(Suppression::Whole)
            && (has(followed, first, &v2, kind, self, function)
                || has(followed, second, &v1, kind, self, function))
        {
            return;
        }
        let always = common(&first.held, &second.held);
        let locked = held(self.world, function, &always, &followed.regions);
        let Some((others, related)) = self.together(first, &v1, &v2, kind, &locked) else {
            return;
        };
        let confidence = match (kind, related) {
            (Kind::TornRead, _) => Confidence::High,
            (_, true) if plain(first) && plain(second) => Confidence::High,
            _ => Confidence::Low,
        };
        found.insert(
            key,
            Torn {
                kind,
                confidence,
                first: numbers.0 as usize,
                second: numbers.1 as usize,
                variables: (v1, v2),
                others,
            },
        );
    }

    /// A region of another that writes (or reads) both. Whether it is also
    /// known from writes that the two belong together.
    fn together(
        &self,
        first: &Access,
        v1: &Variable,
        v2: &Variable,
        kind: Kind,
        locked: &[(Key, Mode)],
    ) -> Option<((usize, usize), bool)> {
        let wanted = |act: &crate::flow::conflict::Act| match kind {
            Kind::TornRead => act.writes,
            _ => act.reads,
        };
        for instance in self.instances(first) {
            let mine = &self.deeds.all[instance];
            let mut locked = locked.to_vec();
            locked.extend(self.deeds.of_callers(instance, first.trail.len()));
            let key = mine.variable.key;
            let partner_key = if self.world.program.guarded {
                key
            } else {
                v2.key
            };
            let (Some(candidates), Some(partners)) = (
                self.deeds.by_key.get(&key),
                self.deeds.by_key.get(&partner_key),
            ) else {
                continue;
            };
            for a in candidates {
                let one = &self.deeds.all[*a];
                if !wanted(&one.act)
                    || !overlap(&one.variable.part, &v1.part)
                    || !self.deeds.may_interfere(instance, *a)
                    || excluded(&locked, &one.held) && self.applies(Suppression::OuterLock)
                {
                    continue;
                }
                let partner = partners.iter().find(|b| {
                    let two = &self.deeds.all[**b];
                    **b != *a
                        && wanted(&two.act)
                        && two.runner == one.runner
                        && two.region.is_some()
                        && two.region == one.region
                        && overlap(&two.variable.part, &v2.part)
                });
                if let Some(b) = partner {
                    let related = self.written_together((key, partner_key), v1, v2);
                    return Some(((*a, *b), related));
                }
            }
        }
        None
    }

    fn written_together(&self, keys: (Key, Key), v1: &Variable, v2: &Variable) -> bool {
        let by_key = &self.deeds.by_key;
        let (Some(all), Some(partners)) = (by_key.get(&keys.0), by_key.get(&keys.1)) else {
            return false;
        };
        all.iter().any(|a| {
            let one = &self.deeds.all[*a];
            one.act.writes
                && overlap(&one.variable.part, &v1.part)
                && partners.iter().any(|b| {
                    let two = &self.deeds.all[*b];
                    two.act.writes
                        && two.runner == one.runner
                        && two.region.is_some()
                        && two.region == one.region
                        && overlap(&two.variable.part, &v2.part)
                })
        })
    }
}

/// Whether the region of an access also reads (or writes) another variable,
/// whenever the access happens.
fn has(
    followed: &Followed,
    of: &Access,
    wanted: &Variable,
    kind: Kind,
    judge: &Judge<'_, '_>,
    function: FunctionId,
) -> bool {
    followed.accesses.iter().any(|access| {
        let alike = match kind {
            Kind::TornRead => access.reads,
            _ => access.writes,
        };
        alike
            && access.region == of.region
            && (!judge.options.paths || always(access, of))
            && variable(judge.world, function, access.path)
                .is_some_and(|variable| variable.overlaps(wanted))
    })
}

/// Whether an access is an assignment that one sees from the function.
fn plain(access: &Access) -> bool {
    access.operation.is_none() && access.name.is_empty() && access.trail.len() <= 2
}

//! High-level data races: what belongs together is read, or written, in two
//! regions.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::flow::access::Access;
use crate::flow::control;
use crate::flow::cover::always;
use crate::flow::interference::excluded;
use crate::flow::keys::Key;
use crate::flow::order::Lazy;
use crate::flow::pair::{is_shallow, overlap};
use crate::flow::path::{Hop, Hops, PathId};
use crate::flow::runners::{Variable, held, is_alone, variable};
use crate::flow::stale::Judge;
use crate::flow::value::{Source, common};
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

/// How the two values of a pair have to do with each other.
#[derive(Clone, Copy)]
enum Way {
    /// They meet in one expression or call.
    Met,
    /// The second decides what becomes of the first.
    Decided,
    /// They are written, the second whenever the first is.
    Written { whenever: bool },
}

/// Of two parts of what has these keys, whether anybody does both at once.
pub(crate) type Together = FxHashMap<((Key, Key), Hops, Hops, Kind), bool>;

impl Judge<'_, '_> {
    pub(crate) fn torn(
        &self,
        function: FunctionId,
        followed: &Followed,
        order: &Lazy<'_>,
    ) -> Vec<Torn> {
        let mut found: BTreeMap<(Site, Site), Torn> = BTreeMap::new();
        let mut look = |numbers: (u32, u32), way: Way| {
            let Some(torn) = self.pair(function, followed, numbers, way, order) else {
                return;
            };
            let (first, second) = (
                &followed.accesses[torn.first],
                &followed.accesses[torn.second],
            );
            let key = (region_site(followed, first), region_site(followed, second));
            // However many variables they have, two regions are torn apart once.
            let known = found.get(&key).map(|known| known.confidence);
            let better = known == Some(Confidence::Low) && torn.confidence == Confidence::High;
            if known.is_none() || better {
                found.insert(key, torn);
            }
        };
        for numbers in &followed.meets {
            look(*numbers, Way::Met);
        }
        for numbers in &followed.decides {
            look(*numbers, Way::Decided);
        }
        if !followed.writes.is_empty() {
            let deciders = control::deciders(self.world.program.function(function));
            let spot = |number: &u32| followed.spots[*number as usize];
            for first in &followed.writes {
                for second in &followed.writes {
                    let (from, to) = (spot(first), spot(second));
                    if first != second && order.get().may_follow(from, to) {
                        let whenever = deciders.all[from.0 as usize] == deciders.all[to.0 as usize];
                        look((*first, *second), Way::Written { whenever });
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
        way: Way,
        order: &Lazy<'_>,
    ) -> Option<Torn> {
        let kind = match way {
            Way::Met | Way::Decided => Kind::TornRead,
            Way::Written { .. } => Kind::TornWrite,
        };
        let first = &followed.accesses[numbers.0 as usize];
        let second = &followed.accesses[numbers.1 as usize];
        if !followed.are_apart(self.world, numbers) {
            return None;
        }
        if is_alone(self.world, function, first.path) {
            return None;
        }
        let (Some(v1), Some(v2)) = (
            variable(self.world, function, first.path),
            variable(self.world, function, second.path),
        ) else {
            return None;
        };
        let paths = &self.world.paths;
        let (one_object, one_variable) = match self.world.program.guarded {
            true => (
                paths.lock_of(first.path) == paths.lock_of(second.path),
                v1.key != v2.key || overlap(&v1.part, &v2.part),
            ),
            false => (
                self.is_one_object(first.path, second.path),
                v1.overlaps(&v2),
            ),
        };
        let apart = self.world.program.guarded && v1.key != v2.key;
        if apart && matches!(way, Way::Met) {
            let torn = self.read_apart(function, followed, numbers, (v1, v2))?;
            return Some(torn);
        }
        if one_variable || self.options.receivers && !one_object {
            return None;
        }
        // A region that has both is whole.
        if self.options.applies(Suppression::Whole)
            && (has(followed, first, &v2, kind, self, function)
                || has(followed, second, &v1, kind, self, function))
        {
            return None;
        }
        let always = common(&first.held, &second.held);
        let locked = held(self.world, function, &always, &followed.regions);
        let (others, related) = self.together((first, second), &v1, &v2, kind, &locked)?;
        let shallow = is_shallow(followed, first) && is_shallow(followed, second);
        let writes = |access: &Access| self.written_in(function, followed, access);
        // What a region writes only if it was not there is whole by itself: who
        // finds one of two without the other makes the other.
        let fills = |access: &Access| {
            !self.world.program.guarded && access.rechecks.binary_search(&access.path).is_ok()
        };
        let confident = match way {
            Way::Written { .. } if fills(first) && fills(second) => false,
            Way::Met => shallow,
            // Who reads and then only looks does so to know about what was read.
            Way::Decided => {
                shallow && writes(second).is_empty() && is_before(order, followed, numbers)
            }
            Way::Written { .. } if related && plain(first) && plain(second) => true,
            // One after the other, each by a region that does nothing else.
            // Or both are seen here, and who reads them computes with them.
            Way::Written { whenever } => {
                let alone = writes(first) == [v1.clone()] && writes(second) == [v2.clone()];
                let both = (v1.clone(), v2.clone());
                let computed = plain(first) && plain(second) && self.deeds.combined.contains(&both);
                shallow && whenever && (alone || computed)
            }
        };
        let confidence = match confident {
            true => Confidence::High,
            false => Confidence::Low,
        };
        Some(Torn {
            kind,
            confidence,
            first: numbers.0 as usize,
            second: numbers.1 as usize,
            variables: (v1, v2),
            others,
        })
    }

    /// Whether two places are in one object, or in objects that it has as
    /// fields. Of a collection's elements nobody knows which is which.
    fn is_one_object(&self, first: PathId, second: PathId) -> bool {
        let paths = &self.world.paths;
        // Who uses an object uses it where the reference is.
        let place = |path| match (paths.last(path), paths.before(path)) {
            (Some(Hop::Content), Some(before)) => before,
            _ => path,
        };
        let (first, second) = (place(first), place(second));
        let fields = |path| {
            let (_, hops) = paths.split(path);
            hops.iter().all(|hop| matches!(hop, Hop::Field(_)))
        };
        let together = || fields(first) && fields(second);
        paths.before(first) == paths.before(second)
            || paths.root_of(first) == paths.root_of(second) && together()
    }

    /// What each has a lock of its own is read one after the other, while who
    /// writes has taken both locks.
    fn read_apart(
        &self,
        function: FunctionId,
        followed: &Followed,
        numbers: (u32, u32),
        variables: (Variable, Variable),
    ) -> Option<Torn> {
        let first = &followed.accesses[numbers.0 as usize];
        let second = &followed.accesses[numbers.1 as usize];
        let paths = &self.world.paths;
        let locks = |access: &Access| {
            let region = &followed.regions[access.region?.0 as usize];
            (!region.single && region.trail.len() <= 2).then_some(())
        };
        locks(first)?;
        locks(second)?;
        let looked_up = second.key_origins.iter().any(|origin| match origin.source {
            Source::Access(number) => number == numbers.0,
            Source::Parameter(_) => false,
        });
        // Where the one says where to look in the other, that may be all.
        if looked_up || paths.root_of(first.path) != paths.root_of(second.path) {
            return None;
        }
        let always = common(&first.held, &second.held);
        let locked = held(self.world, function, &always, &followed.regions);
        let one = (first, &variables.0);
        let two = (second, &variables.1);
        let others = self.written_in_one(followed, one, two, &locked)?;
        Some(Torn {
            kind: Kind::TornRead,
            confidence: Confidence::High,
            first: numbers.0 as usize,
            second: numbers.1 as usize,
            variables,
            others,
        })
    }

    /// The variables that the region of an access writes.
    fn written_in(&self, function: FunctionId, followed: &Followed, of: &Access) -> Vec<Variable> {
        let inside = followed
            .accesses
            .iter()
            .filter(|access| access.region == of.region && access.writes);
        let mut all: Vec<Variable> = inside
            .filter_map(|access| variable(self.world, function, access.path))
            .collect();
        all.sort();
        all.dedup();
        all
    }

    /// A region of another that writes (or reads) both. Whether it is also
    /// known from writes that the two belong together.
    fn together(
        &self,
        (first, second): (&Access, &Access),
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
            let Some(candidates) = self.deeds.by_key.get(&key) else {
                continue;
            };
            if !self.is_done_together((key, partner_key), v1, v2, kind) {
                continue;
            }
            for a in candidates {
                let one = &self.deeds.all[*a];
                if !wanted(&one.act)
                    || !overlap(&one.variable.part, &v1.part)
                    || !self.deeds.may_interfere(instance, *a)
                    || self.deeds.is_over(instance, || self.instances(second), *a)
                    || excluded(&locked, &one.held) && self.applies(Suppression::OuterLock)
                {
                    continue;
                }
                let partner = self.in_region_of(*a, partner_key).find(|b| {
                    let two = &self.deeds.all[*b];
                    wanted(&two.act) && overlap(&two.variable.part, &v2.part)
                });
                if let Some(b) = partner {
                    let related = self.written_together((key, partner_key), v1, v2);
                    return Some(((*a, b), related));
                }
            }
        }
        None
    }

    /// What else is done with a lock or an object in the same region.
    fn in_region_of(&self, done: usize, key: Key) -> impl Iterator<Item = usize> {
        let one = &self.deeds.all[done];
        let region = one.region.map(|region| (one.runner, region));
        let inside = region.and_then(|region| self.deeds.by_region.get(&region));
        let inside = inside.into_iter().flatten().copied();
        inside.filter(move |number| *number != done && self.deeds.all[*number].variable.key == key)
    }

    /// Whether anybody at all writes (or reads) both in one region. Asked of the
    /// same two again and again, and mostly denied.
    fn is_done_together(&self, keys: (Key, Key), v1: &Variable, v2: &Variable, kind: Kind) -> bool {
        let wanted = |number: usize, of: &Variable| {
            let done = &self.deeds.all[number];
            let does = match kind {
                Kind::TornRead => done.act.writes,
                _ => done.act.reads,
            };
            does && overlap(&done.variable.part, &of.part)
        };
        let question = (keys, v1.part.clone(), v2.part.clone(), kind);
        let known = self.together.borrow().get(&question).copied();
        known.unwrap_or_else(|| {
            let mut all = self.deeds.by_key.get(&keys.0).into_iter().flatten();
            let answer =
                all.any(|a| wanted(*a, v1) && self.in_region_of(*a, keys.1).any(|b| wanted(b, v2)));
            self.together.borrow_mut().insert(question, answer);
            answer
        })
    }

    fn written_together(&self, keys: (Key, Key), v1: &Variable, v2: &Variable) -> bool {
        let mut all = self.deeds.by_key.get(&keys.0).into_iter().flatten();
        all.any(|a| {
            let one = &self.deeds.all[*a];
            one.act.writes
                && overlap(&one.variable.part, &v1.part)
                && self.in_region_of(*a, keys.1).any(|b| {
                    let two = &self.deeds.all[b];
                    two.act.writes && overlap(&two.variable.part, &v2.part)
                })
        })
    }
}

fn is_before(order: &Lazy<'_>, followed: &Followed, numbers: (u32, u32)) -> bool {
    let spot = |number: u32| followed.spots[number as usize];
    order.get().same_round(spot(numbers.0), spot(numbers.1))
}

/// Where the region of an access begins, or is called.
fn region_site(followed: &Followed, access: &Access) -> Site {
    let region = access.region.map(|region| region.0 as usize);
    let trail = region.map_or(&access.trail, |region| &followed.regions[region].trail);
    trail[0].1
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
    let mut inside = followed.accesses.iter().filter(|access| {
        let alike = match kind {
            Kind::TornRead => access.reads,
            _ => access.writes,
        };
        alike
            && access.region == of.region
            && variable(judge.world, function, access.path)
                .is_some_and(|variable| variable.overlaps(wanted))
    });
    match judge.options.paths {
        true => always(judge.world.program, inside, of),
        false => inside.next().is_some(),
    }
}

/// Whether an access is an assignment that one sees from the function.
fn plain(access: &Access) -> bool {
    access.operation.is_none() && access.name.is_empty() && access.trail.len() <= 2
}

//! Values that leave a region and come back in another: the judgement.
//!
//! A pair of accesses `a1 … a2` of one thread, in two regions, the second
//! depending on what the first read, is stale if another thread may do `w`
//! between them that commutes with neither: then no order of whole pairs gives
//! what happened. Two runs of the same pair are enough, if each one's second
//! access does not commute with the other's first.

use std::collections::BTreeMap;

use crate::flow::access::Access;
use crate::flow::conflict::Conflicts;
use crate::flow::order::Order;
use crate::flow::runners::{Deeds, Variable, act, held, is_alone, variable};
use crate::flow::value::{Origin, Source};
use crate::flow::walk::Followed;
use crate::flow::world::World;
use crate::ir::{FunctionId, Mode};
use crate::options::Options;
use crate::violation::{Confidence, Kind};

/// More runs of one access are not looked at: they do the same.
const INSTANCES: usize = 12;

/// A stale pair.
pub(crate) struct Stale {
    pub(crate) kind: Kind,
    pub(crate) confidence: Confidence,
    pub(crate) first: usize,
    pub(crate) second: usize,
    pub(crate) variable: Variable,
    /// The access of another that comes between; none if it is the same pair.
    pub(crate) other: Option<usize>,
}

pub(crate) struct Judge<'j, 'p> {
    pub(crate) world: &'j World<'p>,
    pub(crate) deeds: &'j Deeds,
    pub(crate) conflicts: &'j Conflicts,
    pub(crate) options: &'j Options,
}

/// A pair while it is judged.
struct Pair<'a> {
    function: FunctionId,
    first: &'a Access,
    first_number: u32,
    second: &'a Access,
    second_number: usize,
    origin: &'a Origin,
    followed: &'a Followed,
}

impl Judge<'_, '_> {
    /// All stale pairs of a function: of each pair of regions the best.
    pub(crate) fn stale(&self, function: FunctionId, followed: &Followed) -> Vec<Stale> {
        let mut best: BTreeMap<_, (u8, Stale)> = BTreeMap::new();
        for (second_number, second) in followed.accesses.iter().enumerate() {
            for origin in second.origins.iter() {
                let Source::Access(first_number) = origin.source else {
                    continue;
                };
                let first = &followed.accesses[first_number as usize];
                let pair = Pair {
                    function,
                    first,
                    first_number,
                    second,
                    second_number,
                    origin,
                    followed,
                };
                let Some((rank, kind, confidence, other)) = self.judge(&pair) else {
                    continue;
                };
                let Some(variable) = variable(self.world, function, first.path) else {
                    continue;
                };
                let place = |access: &Access| access.trail[0].1;
                let key = (place(first), place(second));
                let better = best.get(&key).is_none_or(|(known, _)| rank > *known);
                if better {
                    let stale = Stale {
                        kind,
                        confidence,
                        first: first_number as usize,
                        second: second_number,
                        variable,
                        other,
                    };
                    best.insert(key, (rank, stale));
                }
            }
        }
        best.into_values().map(|(_, stale)| stale).collect()
    }

    fn judge(&self, pair: &Pair<'_>) -> Option<(u8, Kind, Confidence, Option<usize>)> {
        let Pair {
            function,
            first,
            second,
            origin,
            ..
        } = pair;
        let first_region = first.region?;
        second.region?;
        if first.thread.is_some() || second.thread.is_some() || !first.reads {
            return None;
        }
        // Still in the same region, or in one that holds the first's lock.
        if origin.held.binary_search(&first_region).is_ok() {
            return None;
        }
        if is_alone(self.world, *function, first.path) {
            return None;
        }
        // What was taken out is nobody else's any more.
        let takes = first.operation.is_some() && first.writes;
        let atomic = first
            .operation
            .as_ref()
            .is_some_and(|operation| operation.spec == Some("atomic"));
        let overwrites = match &second.operation {
            None => !second.reads,
            Some(operation) => atomic && operation.method == "store",
        };
        let puts_back = !origin.decides && overwrites;
        if takes
            && !puts_back
            && first
                .operation
                .as_ref()
                .is_some_and(|operation| !operation.lends)
        {
            return None;
        }
        let operation = second.operation.as_ref();
        let atomics = [first, second].iter().all(|access| {
            let operation = access.operation.as_ref();
            operation.is_some_and(|operation| operation.spec == Some("atomic"))
        });
        if atomics && !self.options.atomics {
            return None;
        }
        let kind = match (second.writes, origin.decides) {
            (true, false) => Kind::StaleValue,
            (true, true) => Kind::StaleCheck,
            (false, _) => {
                if origin.decides || !self.options.reads {
                    return None;
                }
                Kind::StaleRead
            }
        };
        let v1 = variable(self.world, *function, first.path)?;
        let v2 = variable(self.world, *function, second.path)?;
        let paths = &self.world.paths;
        let same_lock = match self.world.program.guarded {
            true => paths.lock_of(first.path) == paths.lock_of(second.path),
            false => v1.key == v2.key,
        };
        if v1.key == v2.key && !same_lock && self.options.receivers {
            return None;
        }
        let same = v1.overlaps(&v2);
        if operation.is_some_and(|operation| operation.checks) {
            return None;
        }
        // Looked at again, in the region that writes.
        let again = |path: &crate::flow::path::PathId| {
            variable(self.world, *function, *path).is_some_and(|seen| seen.overlaps(&v1))
        };
        if second.rechecks.iter().any(again) {
            return None;
        }
        if second.validated.binary_search(&first_region).is_ok() {
            return None;
        }
        // `if map.insert(k, v).is_some()`: it noticed.
        let notices = second.tested && !second.unwrapped;
        if operation.is_some() && second.reads && second.writes && notices && same {
            return None;
        }
        if self.claims(pair, &v1) && !(kind == Kind::StaleValue && same) {
            return None;
        }
        if same && self.is_idle(pair, &v1) {
            return None;
        }
        let (other, likely) = self.interference(pair, &v1, &v2, same)?;
        let by_key = second
            .key_origins
            .iter()
            .any(|other| !other.decides && other.source == origin.source);
        let initialises = atomics
            && kind == Kind::StaleCheck
            && second.held.len() > 1
            && operation.is_some_and(|operation| operation.method == "store");
        let near = second.near.contains(&pair.first_number);
        let far = kind == Kind::StaleCheck && !(near && self.is_same_round(pair));
        let other_key = !first.key.is_empty()
            && !second.key.is_empty()
            && crate::flow::value::common(&first.key, &second.key).is_empty();
        let claimed = atomics && self.is_claimed(pair);
        let deep = first.trail.len() > 3 || second.trail.len() > 3;
        let (rank, confidence) = match (same, same_lock) {
            _ if deep || far || other_key || claimed || !likely => (1, Confidence::Low),
            _ if atomics && self.is_unchecked(pair) => (2, Confidence::Low),
            // A mark beside what a lock guards: the lock decides.
            _ if initialises => (2, Confidence::Low),
            (_, true) if kind == Kind::StaleRead && !(by_key && is_granted(second)) => {
                (3, Confidence::Low)
            }
            (true, _) if kind == Kind::StaleValue => (9, Confidence::High),
            (true, _) => (8, Confidence::High),
            (false, true) if kind == Kind::StaleRead => (6, Confidence::High),
            (false, true) if kind == Kind::StaleValue => (5, Confidence::Low),
            (false, true) => (4, Confidence::Low),
            (false, false) => (1, Confidence::Low),
        };
        if !same && !same_lock {
            if !self.options.other_objects {
                return None;
            }
            return Some((rank, Kind::OtherObject, confidence, other));
        }
        Some((rank, kind, confidence, other))
    }

    /// Whether the first region writes what it read, on the way to the second:
    /// it took a ticket, or set the mark it looked for. Then the value is its
    /// own.
    fn claims(&self, pair: &Pair<'_>, v1: &Variable) -> bool {
        pair.followed.accesses.iter().any(|access| {
            access.writes
                && access.thread.is_none()
                && access.region == pair.first.region
                && (always(access, pair.second) || always(access, pair.first))
                && variable(self.world, pair.function, access.path).as_ref() == Some(v1)
        })
    }

    /// Whether the second access may come in the same round of a loop as the
    /// first. What the last round saw does decide whether there is another,
    /// but nobody would expect it to hold still.
    fn is_same_round(&self, pair: &Pair<'_>) -> bool {
        let order = Order::of(self.world.program.function(pair.function));
        let spots = &pair.followed.spots;
        order.same_round(spots[pair.first_number as usize], spots[pair.second_number])
    }

    /// Whether the second operation does nothing where the first would have
    /// decided otherwise, and nothing else depends on that:
    /// `if set.contains(k) { set.remove(k); }`.
    fn is_idle(&self, pair: &Pair<'_>, v1: &Variable) -> bool {
        let (Some(check), Some(act)) = (&pair.first.operation, &pair.second.operation) else {
            return false;
        };
        let idle = match (check.method, act.method) {
            ("contains" | "contains_key", "remove") => true,
            ("contains", "insert") => act.spec == Some("set"),
            _ => false,
        };
        let unseen = !pair.second.tested && !pair.second.unwrapped;
        idle && pair.origin.decides
            && unseen
            && !pair.followed.returned.contains(&pair.first_number)
            && !self.matters(pair, v1)
    }

    /// Whether there is `unsafe` code beside: who makes locks and queues of
    /// atomics keeps an order that is not in the types.
    fn is_unchecked(&self, pair: &Pair<'_>) -> bool {
        let files = &self.world.program.unchecked;
        [pair.first, pair.second].iter().any(|access| {
            let place = access.trail.last();
            place.is_some_and(|(_, site)| files.contains(&site.file))
        })
    }

    /// Whether another atomic operation that decides and acts at once made the
    /// second access its own: what a lock does, made by hand.
    fn is_claimed(&self, pair: &Pair<'_>) -> bool {
        pair.second
            .origins
            .iter()
            .any(|origin| match origin.source {
                Source::Access(number) if number != pair.first_number => {
                    let access = &pair.followed.accesses[number as usize];
                    let operation = access.operation.as_ref();
                    access.reads
                        && access.writes
                        && operation.is_some_and(|operation| operation.atomic)
                }
                _ => false,
            })
    }

    /// What runners do at the place of an access, or of one that is alike.
    fn all_instances(&self, accesses: &[Access], access: &Access) -> Vec<usize> {
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

    /// Who may come between, and whether that is likely; nobody else if it is
    /// another run of the same pair.
    fn interference(
        &self,
        pair: &Pair<'_>,
        v1: &Variable,
        v2: &Variable,
        same: bool,
    ) -> Option<(Option<usize>, bool)> {
        let Pair {
            function,
            first,
            second,
            origin,
            followed,
            ..
        } = pair;
        let locked = held(self.world, *function, &origin.held, &followed.regions);
        let one = act(first);
        let two = act(second);
        let mut weak = None;
        let instances = self.all_instances(&followed.accesses, first);
        for instance in &instances {
            let done = &self.deeds.all[*instance];
            let mut locked = locked.clone();
            locked.extend(self.deeds.of_callers(*instance, first.trail.len()));
            let key = done.variable.key;
            let Some(candidates) = self.deeds.by_key.get(&key) else {
                continue;
            };
            for number in candidates {
                let other = &self.deeds.all[*number];
                if !other.act.writes || !overlap(&other.variable.part, &v1.part) {
                    continue;
                }
                if !self.deeds.may_interfere(*instance, *number) {
                    continue;
                }
                if excluded(&locked, &other.held) {
                    continue;
                }
                let paths = &self.world.paths;
                if self.conflicts.commute(paths, &one, &other.act, false) {
                    continue;
                }
                if same && self.conflicts.commute(paths, &two, &other.act, false) {
                    continue;
                }
                // Two that hold other locks all the time have agreed upon
                // something.
                let agreed =
                    is_exclusive(&locked) && other.held.len() > 1 && is_exclusive(&other.held);
                if agreed || is_exclusive(&locked) && self.deeds.runners[other.runner].guessed {
                    weak.get_or_insert(*number);
                } else {
                    return Some((Some(*number), true));
                }
            }
            // Two runs of the pair.
            let several = instances
                .iter()
                .any(|another| self.deeds.may_interfere(*instance, *another));
            let paths = &self.world.paths;
            if same
                && several
                && locked.is_empty()
                && !self.conflicts.commute(paths, &one, &two, true)
                && v1.overlaps(v2)
                && (!self.conflicts.is_constant(paths, &two) || self.matters(pair, v1))
            {
                return Some((None, true));
            }
        }
        weak.map(|number| (Some(number), false))
    }

    /// Whether the first access decides about more than the second: a mark
    /// that everybody sets to the same value may be set twice, if that is all.
    fn matters(&self, pair: &Pair<'_>, v1: &Variable) -> bool {
        let number = pair.first_number;
        let decides = |access: &&Access| {
            let mut origins = access.origins.iter();
            origins.any(|origin| origin.source == Source::Access(number))
        };
        let elsewhere = |access: &Access| {
            access.writes
                && access.region.is_some()
                && variable(self.world, pair.function, access.path)
                    .is_some_and(|variable| !variable.overlaps(v1))
        };
        let mut accesses = pair.followed.accesses.iter();
        pair.followed.acts.contains(&number)
            || accesses.any(|access| decides(&access) && elsewhere(access))
    }

    /// What runners do at the place of an access.
    pub(crate) fn instances(&self, access: &Access) -> Vec<usize> {
        let Some(place) = access.trail.first() else {
            return Vec::new();
        };
        let Some(numbers) = self.deeds.by_place.get(place) else {
            return Vec::new();
        };
        numbers
            .iter()
            .copied()
            .filter(|number| {
                let done = &self.deeds.all[*number];
                done.trail.ends_with(&access.trail)
                    && done.act.writes == access.writes
                    && done.act.reads == access.reads
            })
            .take(INSTANCES)
            .collect()
    }
}

fn is_exclusive(held: &[(crate::flow::keys::Key, Mode)]) -> bool {
    held.iter().any(|(_, mode)| *mode == Mode::Exclusive)
}

/// Whether an access takes it for granted that its key or index is there.
fn is_granted(access: &Access) -> bool {
    access.unwrapped
        || access.operation.is_none()
        || access.name.ends_with("::index")
        || access.name.ends_with("::index_mut")
}

/// Whether one happens whenever the other does, as far as the branches of
/// their function say.
pub(crate) fn always(access: &Access, of: &Access) -> bool {
    let function = |access: &Access| access.trail.last().map(|(function, _)| *function);
    match function(access) == function(of) {
        true => access.when.iter().all(|arm| of.when.contains(arm)),
        false => access.when.is_empty(),
    }
}

pub(crate) fn overlap<T: PartialEq>(a: &[T], b: &[T]) -> bool {
    let length = a.len().min(b.len());
    a[..length] == b[..length]
}

/// Whether a lock that is held all the time keeps the other out.
pub(crate) fn excluded(
    held: &[(crate::flow::keys::Key, Mode)],
    other: &[(crate::flow::keys::Key, Mode)],
) -> bool {
    held.iter().any(|(key, mode)| {
        other.iter().any(|(other_key, other_mode)| {
            key == other_key && (*mode == Mode::Exclusive || *other_mode == Mode::Exclusive)
        })
    })
}

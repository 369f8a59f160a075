//! Values that leave a region and come back in another: the judgement.
//!
//! A pair of accesses `a1 … a2` of one thread, in two regions, the second
//! depending on what the first read, is stale if another thread may do `w`
//! between them that commutes with neither: then no order of whole pairs gives
//! what happened. Two runs of the same pair are enough, if each one's second
//! access does not commute with the other's first.

use std::cell::RefCell;
use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::flow::access::Access;
use crate::flow::conflict::Conflicts;
use crate::flow::numbers::{given_out, is_addition};
use crate::flow::order::Lazy;
use crate::flow::pair::{
    Pair, adds, asks_otherwise, has_other_key, has_same_key, is, is_element, is_granted, is_length,
    is_loose, is_shallow, is_version, is_what_was_read, only_finds,
};
use crate::flow::path::{Hop, Root};
use crate::flow::runners::{Deeds, Variable, is_alone, variable};
use crate::flow::torn::Together;
use crate::flow::value::{Region, Source};
use crate::flow::walk::Followed;
use crate::flow::world::World;
use crate::ir::FunctionId;
use crate::options::Options;
use crate::suppression::Suppression;
use crate::violation::{Confidence, Kind};

/// A stale pair.
pub(crate) struct Stale {
    pub(crate) kind: Kind,
    pub(crate) confidence: Confidence,
    pub(crate) first: usize,
    pub(crate) second: usize,
    pub(crate) variable: Variable,
    /// What is written instead, if it is another variable.
    pub(crate) written: Option<Variable>,
    /// The access of another that comes between; none if it is the same pair.
    pub(crate) other: Option<usize>,
    /// Pairs of other functions' regions that meet in the same two places.
    pub(crate) also: Vec<(usize, usize)>,
}

pub(crate) struct Judge<'j, 'p> {
    pub(crate) world: &'j World<'p>,
    pub(crate) deeds: &'j Deeds,
    pub(crate) conflicts: &'j Conflicts,
    pub(crate) options: &'j Options,
    /// Which two are written (or read) in one region, as far as it was asked.
    pub(crate) together: RefCell<Together>,
}

impl Judge<'_, '_> {
    /// All stale pairs of a function: of each pair of places the best. The
    /// other regions that meet there are told with it.
    pub(crate) fn stale(
        &self,
        function: FunctionId,
        followed: &Followed,
        order: &Lazy<'_>,
    ) -> Vec<Stale> {
        let mut best: BTreeMap<_, (u8, _, Stale)> = BTreeMap::new();
        let mut meetings: BTreeMap<_, BTreeMap<_, (usize, usize)>> = BTreeMap::new();
        let rivals = RefCell::default();
        let mut writes: FxHashMap<Region, Vec<&Access>> = FxHashMap::default();
        for access in followed.accesses.iter().filter(|access| access.writes) {
            if let Some(region) = access.region {
                writes.entry(region).or_default().push(access);
            }
        }
        for (second_number, second) in followed.accesses.iter().enumerate() {
            let named = match is_addition(second) && !followed.given_out.is_empty() {
                true => given_out(followed, order.get(), second_number),
                false => Vec::new(),
            };
            let origins = second.origins.iter().map(|origin| (origin, false));
            for (origin, names) in origins.chain(named.iter().map(|origin| (origin, true))) {
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
                    writes: &writes,
                    order,
                    rivals: &rivals,
                };
                let Some((rank, kind, confidence, other)) = self.judge(&pair) else {
                    continue;
                };
                let kind = if names { Kind::StaleRead } else { kind };
                let Some(variable) = variable(self.world, function, first.path) else {
                    continue;
                };
                let written = crate::flow::runners::variable(self.world, function, second.path)
                    .filter(|written| !written.overlaps(&variable) && second.writes);
                let place = |access: &Access| access.trail[0].1;
                let home = |access: &Access| {
                    let region = access.region.map(|region| region.0 as usize);
                    let trail = region.map(|region| &followed.regions[region].trail);
                    trail.and_then(|trail| Some(trail.last()?.0))
                };
                let key = (place(first), place(second));
                let homes = (home(first), home(second));
                let numbers = (first_number as usize, second_number);
                let meeting = meetings.entry(key).or_default();
                meeting.entry(homes).or_insert(numbers);
                let better = best.get(&key).is_none_or(|(known, ..)| rank > *known);
                if better {
                    let stale = Stale {
                        kind,
                        confidence,
                        first: numbers.0,
                        second: numbers.1,
                        variable,
                        written,
                        other,
                        also: Vec::new(),
                    };
                    best.insert(key, (rank, homes, stale));
                }
            }
        }
        let told = best.into_iter().map(|(key, (_, homes, mut stale))| {
            let meeting = meetings.remove(&key).unwrap_or_default();
            let others = meeting.into_iter().filter(|(other, _)| *other != homes);
            stale.also = others.map(|(_, numbers)| numbers).collect();
            stale
        });
        told.collect()
    }

    pub(crate) fn applies(&self, suppression: Suppression) -> bool {
        self.options.applies(suppression)
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
        // To use what a `volatile` field refers to is not atomic. After another
        // read of the field it may be something else, or nothing.
        let loose = |access: &Access| !self.world.program.guarded && is_loose(pair, access);
        if loose(first) {
            return None;
        }
        // What was taken out is nobody else's any more.
        let takes = first.operation.is_some() && first.writes && self.applies(Suppression::Taken);
        let atomic = first
            .operation
            .as_ref()
            .is_some_and(|operation| operation.spec == Some("atomic"));
        let overwrites = match &second.operation {
            None => !second.reads,
            Some(operation) if atomic => operation.method == "store",
            // What was replaced comes back, or what was removed, over what has
            // got the key meanwhile: nothing was taken.
            Some(operation) => {
                let back = is(first, "remove") && has_same_key(first, second);
                operation.method == "insert" && (is(first, "insert") || back)
            }
        };
        let puts_back = !origin.decides && overwrites && !adds(pair);
        let revived = atomic && takes && self.is_revived(pair);
        if takes
            && !puts_back
            && !revived
            && first
                .operation
                .as_ref()
                .is_some_and(|operation| !operation.lends)
        {
            return None;
        }
        if self.applies(Suppression::Taken) && self.is_taken_out(pair) {
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
            (false, _) if !self.options.reads => return None,
            // What is read may still be written, or shown; but mostly it is not.
            (false, true) => Kind::StaleCheck,
            (false, false) => Kind::StaleRead,
        };
        // `for (i = 0; i < size; i++) list.get(i)`: it decides about an index.
        let bounds = !self.world.program.guarded && is_length(first) && is_element(second);
        let only_reads = !second.writes && origin.decides && !bounds;
        let v1 = variable(self.world, *function, first.path)?;
        let v2 = variable(self.world, *function, second.path)?;
        let paths = &self.world.paths;
        let same_lock = match self.world.program.guarded {
            true => paths.lock_of(first.path) == paths.lock_of(second.path),
            false => v1.overlaps(&v2) || self.is_one_monitor(pair),
        };
        if v1.key == v2.key && !same_lock && self.options.receivers {
            return None;
        }
        if self.options.receivers && self.is_another_object(pair) || is_what_was_read(pair) {
            return None;
        }
        let shallow = is_shallow(pair.followed, first) && is_shallow(pair.followed, second);
        let same = v1.overlaps(&v2);
        if loose(second) && !same {
            return None;
        }
        let once = pair.followed.regions[first_region.0 as usize].waits_once;
        let waited = first.region == second.region && (!self.world.program.guarded || once);
        if waited && !same && !self.world.program.guarded {
            return None;
        }
        if self.applies(Suppression::Decisive) && self.is_decisive(pair, &v1, only_reads) {
            return None;
        }
        // Looked at again, in the region that writes.
        let again = |path: &crate::flow::path::PathId| {
            let seen = variable(self.world, *function, *path).filter(|seen| seen.overlaps(&v1));
            let inside = |seen: Variable| seen.part.len() < v1.part.len();
            let there = seen.clone().is_some_and(inside) && only_finds(pair, *path);
            seen.is_some() && !(same && there) && !asks_otherwise(pair, *path)
        };
        // An old value is old, whatever was looked at again. Unless the two were
        // compared, which is not known of a function that was called.
        let own = second.trail.len() == 1;
        let old = kind == Kind::StaleValue && same && overwrites && own;
        // In another round it may be about something else.
        let later = kind == Kind::StaleCheck && !self.is_same_round(pair);
        let rechecked = second.rechecks.iter().any(again) && !old && !later;
        if rechecked && self.applies(Suppression::Recheck) {
            return None;
        }
        if second.validated.binary_search(&first_region).is_ok()
            && self.applies(Suppression::Validation)
        {
            return None;
        }
        // `if map.insert(k, v).is_some()`: it noticed.
        // Who waited once and gives an `Option` to the caller says so, too.
        let option = waited && self.world.program.guarded;
        let seen = second.tested || option && pair.is_seen();
        let by_key = second
            .key_origins
            .iter()
            .any(|other| !other.decides && other.source == origin.source);
        // A number finds whatever has that place by now: nothing is noticed.
        let named = operation.is_some_and(|operation| operation.spec.is_some());
        // That something was there does not say that it was what was read.
        let both = (pair.first_number, pair.second_number as u32);
        let replaces = kind == Kind::StaleValue && !by_key && is(second, "insert");
        let compared = !replaces || pair.followed.meets.contains(&both);
        let notices = seen
            && !second.unwrapped
            && (named || !by_key)
            && compared
            && self.applies(Suppression::Noticed);
        if operation.is_some() && second.reads && second.writes && notices && same {
            return None;
        }
        let overwritten = kind == Kind::StaleValue && same;
        let claim = self.applies(Suppression::Claim) && !(waited || revived || overwritten);
        if claim && self.claims(pair, &v1) {
            return None;
        }
        // It may have answered that it did not.
        let answers = claim && origin.decides && self.answers(pair, &v1);
        if same && self.is_idle(pair, &v1) && self.applies(Suppression::Idle) {
            return None;
        }
        if same && self.applies(Suppression::Undo) && self.is_undo(pair) {
            return None;
        }
        let (other, likely) = self.interference(pair, &v1, &v2, same)?;
        if self.comes_anyway(pair) {
            return None;
        }
        let initialises = self.applies(Suppression::Mark)
            && atomics
            && kind == Kind::StaleCheck
            && second.held.len() > 1
            && operation.is_some_and(|operation| operation.method == "store");
        // The same with a `volatile` field.
        let single = |access: &Access| {
            let region = access.region.map(|region| region.0 as usize);
            region.is_some_and(|region| pair.followed.regions[region].single)
        };
        let initialises = initialises
            || !self.world.program.guarded
                && self.applies(Suppression::Mark)
                && kind == Kind::StaleCheck
                && single(first)
                && first.operation.is_none()
                && !single(second);
        let near = second.near.contains(&pair.first_number);
        let far = kind == Kind::StaleCheck && !near && self.applies(Suppression::Far);
        let later = (later && !bounds || pair.is_next_round()) && self.applies(Suppression::Round);
        let marks = atomics || !self.world.program.guarded;
        let unchecked = marks && self.is_unchecked(pair) && self.applies(Suppression::Unchecked);
        let other_key = self.applies(Suppression::OtherKey) && has_other_key(first, second);
        let claimed = atomics && self.is_claimed(pair) && self.applies(Suppression::AtomicClaim);
        // What is not the variable that was checked is far away by itself.
        let depth = |access: &Access| match same {
            true => self.depth(access),
            false => access.trail.len(),
        };
        let deep = (depth(first) > 3 || depth(second) > 3) && self.applies(Suppression::Deep);
        let (rank, confidence) = match (same, same_lock) {
            _ if only_reads => (0, Confidence::Low),
            _ if deep || far || later || other_key || claimed || answers || !likely => {
                (1, Confidence::Low)
            }
            _ if unchecked => (2, Confidence::Low),
            // A mark beside what a lock guards: the lock decides.
            _ if initialises => (2, Confidence::Low),
            (_, true)
                if kind == Kind::StaleRead
                    && !(by_key && is_granted(second))
                    && !(same && is_length(first))
                    && self.applies(Suppression::Lookup) =>
            {
                (3, Confidence::Low)
            }
            (true, _) if kind == Kind::StaleValue => (9, Confidence::High),
            (true, _) => (8, Confidence::High),
            (false, true) if kind == Kind::StaleRead => (6, Confidence::High),
            (false, _) if !self.applies(Suppression::Elsewhere) => (5, Confidence::High),
            // One lock, and one sees both from here: they belong together.
            (false, true) if kind == Kind::StaleCheck && !self.belong(pair, &v1, &v2) => {
                (4, Confidence::Low)
            }
            // So it is for a version: it stands for whatever its lock guards.
            (false, true) if (shallow || is_version(pair)) && !self.writes_in_first(pair, &v1) => {
                (5, Confidence::High)
            }
            (false, true) => (4, Confidence::Low),
            // Others write both in one region: they belong together.
            (false, false)
                if kind == Kind::StaleCheck && shallow && self.is_torn_off(pair, &v1, &v2) =>
            {
                (4, Confidence::High)
            }
            (false, false)
                if kind == Kind::StaleCheck && shallow && self.removes_what_was_judged(pair) =>
            {
                (4, Confidence::High)
            }
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

    /// How many calls deep an access is. The closures of a function, and the
    /// body of one that is `async`, are its own text.
    fn depth(&self, access: &Access) -> usize {
        let name = |at: usize| {
            self.world
                .program
                .function(access.trail[at].0)
                .name
                .as_str()
        };
        let own = |at: &usize| {
            let rest = name(*at).strip_prefix(name(*at - 1));
            rest.is_some_and(|rest| rest.starts_with("::{closure#"))
        };
        access.trail.len() - (1..access.trail.len()).filter(own).count()
    }

    /// Whether a check has to do with what another region changes. A monitor is
    /// one for all that an object has; so either the region that changes
    /// something uses what was checked, too, or the one that checks has also
    /// looked at what is changed.
    fn belong(&self, pair: &Pair<'_>, v1: &Variable, v2: &Variable) -> bool {
        let uses = |of: &Access, wanted: &Variable, writes: bool| {
            pair.followed.accesses.iter().any(|access| {
                access.region == of.region
                    && (access.writes || !writes)
                    && variable(self.world, pair.function, access.path)
                        .is_some_and(|variable| variable.overlaps(wanted))
            })
        };
        self.world.program.guarded
            || uses(pair.second, v1, false)
            || uses(pair.first, v2, false) && !uses(pair.first, v2, true)
    }

    /// Whether the two accesses are to one field of two objects, as far as their
    /// names say: `this.count` and `this.parent.count`, or that of a new object
    /// that no region puts anywhere. Not of two that one object has: it may keep
    /// them in step.
    fn is_another_object(&self, pair: &Pair<'_>) -> bool {
        let paths = &self.world.paths;
        let place = |access: &Access| {
            let (root, mut hops) = paths.split(access.path);
            while !matches!(hops.last(), None | Some(Hop::Field(_))) {
                hops.pop();
            }
            (hops.pop(), root, hops)
        };
        let (first, second) = (place(pair.first), place(pair.second));
        let region = pair.second.region.map(|region| region.0 as usize);
        let single = region.is_some_and(|region| pair.followed.regions[region].single);
        !self.world.program.guarded
            && matches!(first.0, Some(Hop::Field(_)))
            && first.0 == second.0
            && first != second
            && (matches!(second.1, Root::New(_)) && single
                || first.1 == second.1
                    && (first.2.starts_with(&second.2) || second.2.starts_with(&first.2)))
    }

    /// Whether the two regions have one monitor, and are about one object.
    fn is_one_monitor(&self, pair: &Pair<'_>) -> bool {
        let lock = |access: &Access| {
            let region = access.region?;
            Some(pair.followed.regions[region.0 as usize].lock)
        };
        let root = |access: &Access| self.world.paths.root_of(access.path);
        lock(pair.first) == lock(pair.second) && root(pair.first) == root(pair.second)
    }

    /// Whether the first region writes what it read, on some way.
    fn writes_in_first(&self, pair: &Pair<'_>, v1: &Variable) -> bool {
        pair.writes_in_first()
            .any(|access| variable(self.world, pair.function, access.path).as_ref() == Some(v1))
    }

    /// Whether another atomic operation that decides and acts at once made the
    /// second access its own: what a lock does, made by hand.
    fn is_claimed(&self, pair: &Pair<'_>) -> bool {
        pair.second
            .origins
            .iter()
            .any(|origin| match origin.source {
                // What only becomes part of the value is nobody's claim.
                Source::Access(number) if number != pair.first_number && origin.decided => {
                    let access = &pair.followed.accesses[number as usize];
                    let operation = access.operation.as_ref();
                    access.reads
                        && access.writes
                        && operation.is_some_and(|operation| operation.atomic)
                }
                _ => false,
            })
    }
}

//! Operations that decide and act at once (`entry`, `compare_exchange`), after a
//! look in an earlier region: the look only saves time. Not so if the operation
//! makes sure that there is a value (`entry(key).or_insert(value)`, `putIfAbsent`)
//! and the function ignores which one, but returns what it saw or will see in
//! other regions: the look and the operation should have been one (COLT, Shacham
//! et al., OOPSLA 2011, Figure 12 (iv) to (vi)).
//!
//! Can be missed: a result that only depends on the look by a decision (`return
//! true`), and one that a caller of the function makes of both.

use crate::flow::access::Access;
use crate::flow::interference::excluded;
use crate::flow::pair::{Pair, has_other_key};
use crate::flow::runners::{Variable, held, variable};
use crate::flow::stale::Judge;
use crate::flow::value::Source;
use crate::flow::walk::Followed;

impl Judge<'_, '_> {
    /// Whether the second access decides and acts at once, or reads what such an
    /// operation has lent, and the function goes by that.
    pub(crate) fn is_decisive(&self, pair: &Pair<'_>, v1: &Variable, only_reads: bool) -> bool {
        if decides(pair.second) {
            return !makes_sure(pair.second)
                || is_used(pair.followed, pair.second_number as u32, self)
                || !self.goes_by_others(pair, v1);
        }
        let mut accesses = pair.followed.accesses.iter();
        only_reads && accesses.any(|lent| decides(lent) && is_lent(self, lent, pair.second))
    }

    /// Whether the function returns what it saw in the first region, or will see
    /// in a region after the second.
    fn goes_by_others(&self, pair: &Pair<'_>, v1: &Variable) -> bool {
        let mut given = pair.followed.given_out.iter();
        given.any(|(number, _)| {
            let access = &pair.followed.accesses[*number as usize];
            let same = variable(self.world, pair.function, access.path)
                .is_some_and(|variable| variable.overlaps(v1));
            same && (access.region == pair.first.region || self.looks_again(pair, *number, v1))
        })
    }

    /// Whether an access of a later region looks for what the second has made
    /// sure of, and another thread may have taken that away.
    fn looks_again(&self, pair: &Pair<'_>, number: u32, v1: &Variable) -> bool {
        let again = &pair.followed.accesses[number as usize];
        let spots = &pair.followed.spots;
        let (from, to) = (spots[pair.second_number], spots[number as usize]);
        again.region.is_some()
            && again.region != pair.second.region
            && !has_other_key(pair.second, again)
            && pair.order.get().same_round(from, to)
            && self.is_taken_away(pair, v1)
    }

    /// Whether another thread may take away or replace what an operation that
    /// decides and acts at once has made sure of.
    fn is_taken_away(&self, pair: &Pair<'_>, v1: &Variable) -> bool {
        let instances = self.all_instances(&pair.followed.accesses, pair.second);
        let regions = &pair.followed.regions;
        let locked = held(self.world, pair.function, &pair.origin.held, regions);
        let writers = self.deeds.writers.get(&v1.key);
        let mut others = writers.into_iter().flatten().copied();
        others.any(|other| {
            let done = &self.deeds.all[other];
            let operation = done.act.operation.as_ref();
            !operation.is_some_and(|operation| operation.checks)
                && done.variable.overlaps(v1)
                && !excluded(&locked, &done.held)
                && { instances.iter() }.any(|own| self.deeds.may_interfere(*own, other))
        })
    }
}

fn decides(access: &Access) -> bool {
    let operation = access.operation.as_ref();
    operation.is_some_and(|operation| operation.checks)
}

/// Whether an operation makes sure that there is a value: `or_insert`, and
/// `entry` that is not looked into. Of one that compares or removes, for example
/// `replace(key, old, new)`, the result may be of no interest.
fn makes_sure(access: &Access) -> bool {
    let operation = access.operation.as_ref();
    operation.is_some_and(|operation| match operation.method {
        "or_insert" => true,
        "entry" => operation.lends,
        _ => false,
    })
}

/// Whether an access uses what an operation of the same region has lent.
fn is_lent(judge: &Judge<'_, '_>, lent: &Access, access: &Access) -> bool {
    let operation = lent.operation.as_ref();
    operation.is_some_and(|operation| operation.lends)
        && access.operation.is_none()
        && access.region == lent.region
        && judge.world.paths.is_inside(access.path, lent.path)
}

/// Whether the result of an operation is looked at, returned, or used by another
/// access.
fn is_used(followed: &Followed, number: u32, judge: &Judge<'_, '_>) -> bool {
    let operation = &followed.accesses[number as usize];
    let depends = |access: &Access| {
        let mut origins = access.origins.iter().chain(access.object.iter());
        origins.any(|origin| origin.source == Source::Access(number))
    };
    let mut others = followed.accesses.iter();
    operation.tested
        || operation.unwrapped
        || followed.returned.contains(&number)
        || followed.acts.contains(&number)
        || others.any(|access| depends(access) || is_lent(judge, operation, access))
}

//! Pairs that look stale, and what makes them harmless.

use std::cell::OnceCell;

use crate::flow::access::Access;
use crate::flow::conflict::Act;
use crate::flow::control;
use crate::flow::pair::Pair;
use crate::flow::runners::{Variable, variable};
use crate::flow::stale::Judge;
use crate::flow::value::Source;
use crate::suppression::Suppression;

impl Judge<'_, '_> {
    /// Whether the second access may come in the same round of a loop as the
    /// first. What the last round saw does decide whether there is another,
    /// but nobody would expect it to hold still.
    pub(crate) fn is_same_round(&self, pair: &Pair<'_>) -> bool {
        let spots = &pair.followed.spots;
        pair.order
            .get()
            .same_round(spots[pair.first_number as usize], spots[pair.second_number])
    }

    /// Whether the second access comes whatever the first has read: compilers
    /// write `finally` several times, once for each way that leads there.
    pub(crate) fn comes_anyway(&self, pair: &Pair<'_>) -> bool {
        let Pair {
            followed, second, ..
        } = pair;
        if self.world.program.guarded || !pair.origin.decides {
            return false;
        }
        let same = |(number, access): (usize, &Access)| {
            let same = access.trail == second.trail
                && (access.path, access.writes, access.reads)
                    == (second.path, second.writes, second.reads)
                && access.operation == second.operation
                && access.value == second.value
                && is_unconditional(access);
            same.then_some(followed.spots[number].0)
        };
        let mut blocks: Vec<u32> = (followed.accesses.iter().enumerate())
            .filter_map(same)
            .collect();
        blocks.sort_unstable();
        blocks.dedup();
        let (from, _) = followed.spots[pair.first_number as usize];
        blocks.len() > 1 && pair.order.get().always_passes(from, &blocks)
    }

    /// Whether the second operation does nothing where the first would have
    /// decided otherwise, and nothing else depends on that:
    /// `if set.contains(k) { set.remove(k); }`.
    pub(crate) fn is_idle(&self, pair: &Pair<'_>, v1: &Variable) -> bool {
        let (Some(check), Some(act)) = (&pair.first.operation, &pair.second.operation) else {
            return false;
        };
        let idle = match (check.method, act.method) {
            ("contains" | "contains_key", "remove") => true,
            ("contains", "insert") => act.spec == Some("set"),
            // It compares, too.
            ("load", "fetch_max" | "fetch_min") => true,
            _ => false,
        };
        let unseen = !pair.is_seen() && !pair.second.unwrapped;
        idle && pair.origin.decides
            && unseen
            && !pair.followed.returned.contains(&pair.first_number)
            && !self.matters(pair, v1)
    }

    /// Whether the second operation takes back what the function itself added
    /// after the first, and does so whenever it was added: how many there were
    /// before mattered to the addition only.
    pub(crate) fn is_undo(&self, pair: &Pair<'_>) -> bool {
        let Some(back) = added(pair.second) else {
            return false;
        };
        let spots = &pair.followed.spots;
        let second = spots[pair.second_number];
        let order = pair.order.get();
        let body = self.world.program.function(pair.function);
        let deciders = OnceCell::new();
        let together = |one: u32, other: u32| {
            let all = &deciders.get_or_init(|| control::deciders(body)).all;
            one == other || all[one as usize] == all[other as usize]
        };
        let mut accesses = pair.followed.accesses.iter().enumerate();
        accesses.any(|(number, access)| {
            let mut origins = access.origins.iter();
            added(access).is_some_and(|forth| forth != back)
                && access.thread.is_none()
                && access.path == pair.second.path
                && !access.value.is_empty()
                && access.value == pair.second.value
                // It is behind the first, and exactly where the second is.
                && origins.any(|origin| origin.source == Source::Access(pair.first_number))
                && is_unconditional(access)
                && is_unconditional(pair.second)
                && order.same_round(spots[number], second)
                && together(spots[number].0, second.0)
        })
    }

    /// Whether there is `unsafe` code beside: who makes locks and queues of
    /// atomics keeps an order that is not in the types.
    pub(crate) fn is_unchecked(&self, pair: &Pair<'_>) -> bool {
        let files = &self.world.program.unchecked;
        [pair.first, pair.second].iter().any(|access| {
            let place = access.trail.last();
            place.is_some_and(|(_, site)| files.contains(&site.file))
        })
    }

    /// Whether the second access sets a mark that everybody sets to the same
    /// value, and that is all.
    pub(crate) fn is_latch(&self, pair: &Pair<'_>, v1: &Variable, second: &Act) -> bool {
        self.applies(Suppression::Latch)
            && self.conflicts.is_constant(&self.world.paths, second)
            && !self.matters(pair, v1)
    }

    /// Whether the first access decides about more than the second.
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
}

/// Whether an atomic is made larger by the operation, or smaller.
fn added(access: &Access) -> Option<bool> {
    let operation = access.operation.as_ref();
    let operation = operation.filter(|operation| operation.spec == Some("atomic"))?;
    match operation.method {
        "fetch_add" => Some(true),
        "fetch_sub" => Some(false),
        _ => None,
    }
}

/// Whether an access happens whenever its line in the function runs.
fn is_unconditional(access: &Access) -> bool {
    access.trail.len() == 1 || access.when.is_empty()
}

//! What no judgement will ask for is forgotten as soon as a function has been
//! followed. A caller sees all that its callees do: the accesses of all
//! functions of a large program are millions, and few of them are of a pair.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::flow::access::Access;
use crate::flow::elements::{finds, removes};
use crate::flow::numbers::is_addition;
use crate::flow::path::PathId;
use crate::flow::runners::{is_another, variable};
use crate::flow::value::{Origins, Region, Set, Source};
use crate::flow::walk::Followed;
use crate::flow::world::World;
use crate::ir::FunctionId;

/// Among more writes of a function no torn pairs are looked for.
const MOST: usize = 60;

/// What is left of the numbers of something: for each old number the new one.
struct Numbers(Vec<Option<u32>>);

impl Numbers {
    fn of(kept: impl Iterator<Item = bool>) -> Numbers {
        let mut next = 0..;
        Numbers(
            kept.map(|kept| kept.then(|| next.next()).flatten())
                .collect(),
        )
    }

    fn of_old(&self, old: u32) -> Option<u32> {
        self.0[old as usize]
    }

    fn pair(&self, (a, b): (u32, u32)) -> Option<(u32, u32)> {
        Some((self.of_old(a)?, self.of_old(b)?))
    }

    /// Of a list that has one item for each old number, those that are left.
    fn left<T>(&self, all: &mut Vec<T>) {
        let mut numbers = self.0.iter();
        all.retain(|_| numbers.next().is_some_and(Option::is_some));
        all.shrink_to_fit();
    }

    fn regions(&self, regions: &Set<Region>) -> Set<Region> {
        let new = |region: &Region| self.of_old(region.0).map(Region);
        regions.iter().filter_map(new).collect()
    }
}

impl Followed {
    pub(crate) fn forget(&mut self, world: &World<'_>, id: FunctionId) {
        self.own_regions = (self.regions.iter())
            .filter(|region| region.trail.len() == 1)
            .count();
        if !world.program.guarded && world.options.forget {
            self.forget_inside();
        }
        self.writes = self.torn_writes(world);
        if !world.options.forget {
            return;
        }
        let asked = self.asked(world, id);
        let is_done = |access: &Access| {
            world.is_root(id)
                && access.region.is_some()
                && !is_another(world, access, &self.regions)
        };
        let kept = self.accesses.iter().map(|access| {
            let is_asked = |region: Region| asked.contains(&region);
            access.region.is_some_and(is_asked) || is_done(access)
        });
        let numbers = Numbers::of(kept);
        self.renumber(&numbers);
    }

    /// Where whole methods are regions, most of what an access depends on was
    /// read in the same one: no pair.
    fn forget_inside(&mut self) {
        let regions: Vec<Option<Region>> = self.accesses.iter().map(|a| a.region).collect();
        for access in &mut self.accesses {
            access.origins.retain(|origin| match origin.source {
                Source::Access(number) => {
                    let left = |region| origin.held.binary_search(&region).is_err();
                    regions[number as usize].is_some_and(left)
                }
                Source::Parameter(_) => false,
            });
        }
    }

    /// The writes that a torn pair may be of.
    fn torn_writes(&self, world: &World<'_>) -> Vec<u32> {
        let is_write =
            |access: &Access| access.writes && access.region.is_some() && access.thread.is_none();
        let writes: Vec<u32> = (0..self.accesses.len() as u32)
            .filter(|number| is_write(&self.accesses[*number as usize]))
            .collect();
        if writes.len() > MOST || !world.options.torn_writes {
            return Vec::new();
        }
        let torn = |first: u32| {
            let mut others = writes.iter();
            others.any(|second| {
                self.are_apart(world, (first, *second)) || self.are_apart(world, (*second, first))
            })
        };
        writes
            .iter()
            .copied()
            .filter(|first| torn(*first))
            .collect()
    }

    /// Whether the regions of two accesses may be what tears a pair apart.
    pub(crate) fn are_apart(&self, world: &World<'_>, numbers: (u32, u32)) -> bool {
        let first = &self.accesses[numbers.0 as usize];
        let second = &self.accesses[numbers.1 as usize];
        if first.region == second.region || first.thread.is_some() || second.thread.is_some() {
            return false;
        }
        let (Some(r1), Some(r2)) = (first.region, second.region) else {
            return false;
        };
        // Each has its own lock, or is `volatile`: they are no pair.
        let single = |region: Region| self.regions[region.0 as usize].single;
        if !world.program.guarded && (single(r1) || single(r2)) {
            return false;
        }
        // Both held at once: one inside of the other.
        if second.held.binary_search(&r1).is_ok() || first.held.binary_search(&r2).is_ok() {
            return false;
        }
        // Both by one call: a pair of the function that is called.
        // Of Java only lines are known, and a line has many calls.
        let spots = (numbers.0 as usize, numbers.1 as usize);
        let one_call = world.program.guarded || self.spots[spots.0] == self.spots[spots.1];
        let one_place = first.trail[0].1 == second.trail[0].1;
        !(one_place && first.trail.len() > 1 && one_call)
    }

    /// The regions of all that may be a pair. What else is in them may excuse it.
    fn asked(&self, world: &World<'_>, id: FunctionId) -> BTreeSet<Region> {
        let mut asked = BTreeSet::new();
        let mut ask = |numbers: [u32; 2]| {
            let accesses = numbers.map(|number| &self.accesses[number as usize]);
            let named = |access: &&Access| {
                access.region.is_some() && variable(world, id, access.path).is_some()
            };
            if accesses.iter().all(named) {
                asked.extend(accesses.iter().filter_map(|access| access.region));
            }
        };
        for (second, access) in self.accesses.iter().enumerate() {
            for origin in access.origins.iter() {
                if let Source::Access(first) = origin.source {
                    ask([first, second as u32]);
                }
            }
        }
        for numbers in self.meets.iter().chain(&self.decides) {
            if self.are_apart(world, *numbers) {
                ask([numbers.0, numbers.1]);
            }
        }
        for (first, _) in &self.given_out {
            for (second, access) in self.accesses.iter().enumerate() {
                if is_addition(access) && access.path == self.accesses[*first as usize].path {
                    ask([*first, second as u32]);
                }
            }
        }
        // What a function returns that made sure of it before.
        let sure = |access: &Access| { access.operation.as_ref() }.is_some_and(|o| o.checks);
        for (second, access) in self.accesses.iter().enumerate().filter(|(_, a)| sure(a)) {
            for (given, _) in &self.given_out {
                let path = self.accesses[*given as usize].path;
                if path == access.path || world.paths.is_inside(path, access.path) {
                    ask([*given, second as u32]);
                }
            }
        }
        // Who removes what was looked into is asked who found it.
        let looked_into = |removed: &Access| {
            removed.origins.iter().any(|origin| match origin.source {
                Source::Access(first) => {
                    let first = self.accesses[first as usize].path;
                    world.paths.is_inside(first, removed.path)
                }
                Source::Parameter(_) => false,
            })
        };
        let mut removed: FxHashMap<PathId, u32> = FxHashMap::default();
        for (number, access) in self.accesses.iter().enumerate() {
            if removes(access) && looked_into(access) {
                removed.insert(access.path, number as u32);
            }
        }
        for (first, found) in self.accesses.iter().enumerate().filter(|(_, a)| finds(a)) {
            if let Some(second) = removed.get(&found.path) {
                ask([first as u32, *second]);
            }
        }
        for write in &self.writes {
            ask([*write, *write]);
        }
        if !world.program.guarded {
            self.ask_copies(&mut asked);
        }
        asked
    }

    /// Of code that a compiler has written several times (`finally`), one copy is
    /// excused by the others.
    fn ask_copies(&self, asked: &mut BTreeSet<Region>) {
        let is_asked = |access: &&Access| access.region.is_some_and(|r| asked.contains(&r));
        let place = |access: &Access| (access.path, access.trail.clone());
        let places: FxHashSet<_> = { self.accesses.iter() }
            .filter(is_asked)
            .map(place)
            .collect();
        let copies = self.accesses.iter();
        let copies = copies.filter(|access| places.contains(&place(access)));
        asked.extend(copies.filter_map(|access| access.region));
    }

    /// Accesses that have no new number are forgotten, and regions that are of
    /// no other.
    fn renumber(&mut self, numbers: &Numbers) {
        numbers.left(&mut self.accesses);
        numbers.left(&mut self.spots);
        let mut used = vec![false; self.regions.len()];
        for access in &self.accesses {
            let origins = access.origins.iter().chain(access.key_origins.iter());
            let origins = origins.chain(access.object.iter());
            let origins = origins.filter(|origin| match origin.source {
                Source::Access(old) => numbers.of_old(old).is_some(),
                Source::Parameter(_) => false,
            });
            let held = origins.flat_map(|origin| &origin.held);
            for region in held.chain(&access.held).chain(&access.region) {
                used[region.0 as usize] = true;
            }
        }
        let regions = Numbers::of(used.into_iter());
        regions.left(&mut self.regions);
        // What is equal is shared.
        let mut known: FxHashMap<Origins, Origins> = FxHashMap::default();
        let mut renumbered = |origins: &Origins| {
            let new =
                || origins.renumbered(|old| numbers.of_old(old), |held| regions.regions(held));
            known.entry(origins.clone()).or_insert_with(new).clone()
        };
        for access in &mut self.accesses {
            access.origins = renumbered(&access.origins);
            access.key_origins = renumbered(&access.key_origins);
            access.object = renumbered(&access.object);
            let near = access.near.iter();
            access.near = near.filter_map(|near| numbers.of_old(*near)).collect();
            access.region = access
                .region
                .and_then(|region| regions.of_old(region.0))
                .map(Region);
            access.held = regions.regions(&access.held);
            access.validated = regions.regions(&access.validated);
        }
        let pairs = |pairs: &BTreeSet<(u32, u32)>| -> BTreeSet<(u32, u32)> {
            pairs
                .iter()
                .filter_map(|pair| numbers.pair(*pair))
                .collect()
        };
        let each = |all: &BTreeSet<u32>| -> BTreeSet<u32> {
            all.iter().filter_map(|old| numbers.of_old(*old)).collect()
        };
        self.meets = pairs(&self.meets);
        self.decides = pairs(&self.decides);
        self.acts = each(&self.acts);
        self.returned = each(&self.returned);
        let given_out = self.given_out.iter();
        self.given_out = given_out
            .filter_map(|(old, spot)| Some((numbers.of_old(*old)?, *spot)))
            .collect();
        let writes = self.writes.iter();
        self.writes = writes.filter_map(|old| numbers.of_old(*old)).collect();
        let ways = std::mem::take(&mut self.ways).into_iter();
        let ways = ways.filter_map(|(old, way)| Some((numbers.of_old(old)?, way)));
        self.ways = ways.collect();
    }
}

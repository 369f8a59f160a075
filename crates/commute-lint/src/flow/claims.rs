//! What a region makes its own, nobody else changes behind its back.

use crate::flow::access::Access;
use crate::flow::cover::always;
use crate::flow::elements::removes;
use crate::flow::pair::Pair;
use crate::flow::path::PathId;
use crate::flow::runners::{Variable, variable};
use crate::flow::stale::Judge;
use crate::flow::value::Source;
use crate::flow::walk::Walk;

impl Walk<'_, '_> {
    /// Notes which reads found what an access removes: they say where it is, or
    /// looked into it before.
    pub(crate) fn take_out(&mut self, number: u32) {
        let access = &self.accesses[number as usize];
        let Some(region) = access.region.filter(|_| removes(access)) else {
            return;
        };
        let (path, origins) = (access.path, access.origins.clone());
        for origin in origins.iter() {
            if let Source::Access(read) = origin.source
                && origin.held.binary_search(&region).is_ok()
            {
                let read = &mut self.accesses[read as usize];
                read.taken |= !origin.decides || self.world.paths.is_inside(read.path, path);
            }
        }
    }
}

impl Judge<'_, '_> {
    /// Whether the first region writes what it read, on the way to the second:
    /// it took a ticket, or set the mark it looked for. Then the value is its
    /// own.
    pub(crate) fn claims(&self, pair: &Pair<'_>, v1: &Variable) -> bool {
        let written = || {
            pair.writes_in_first().filter(|access| {
                access.thread.is_none()
                    && variable(self.world, pair.function, access.path).as_ref() == Some(v1)
            })
        };
        let program = self.world.program;
        [pair.first, pair.second]
            .iter()
            .any(|of| always(program, written(), of))
    }

    /// Whether the first region took out what it had found, and the second
    /// depends on what that was: `let key = map.keys().next(); map.remove(&key)`
    /// takes as much as `map.pop_first()`.
    pub(crate) fn is_taken_out(&self, pair: &Pair<'_>) -> bool {
        let mut origins = pair.second.origins.iter();
        pair.first.taken
            && origins.any(|origin| match origin.source {
                Source::Access(number) => {
                    let access = &pair.followed.accesses[number as usize];
                    access.region == pair.first.region && removes(access)
                }
                Source::Parameter(_) => false,
            })
    }

    /// Whether a function that was called looked, wrote if it found what it
    /// looked for, and of that only answers whether it did: `if self.claim(id)`.
    pub(crate) fn answers(&self, pair: &Pair<'_>, v1: &Variable) -> bool {
        let first = pair.first;
        let Some((called, _)) = first.trail.get(1) else {
            return false;
        };
        let functions = |access: &Access| {
            let trail = access.trail.iter();
            trail.map(|(function, _)| *function).collect::<Vec<_>>()
        };
        let there = functions(first);
        let writes = pair.writes_in_first().any(|access| {
            let here = functions(access);
            // What is compared by a function of its own is read there.
            let decided = match here == there {
                true => first.when.iter().all(|arm| access.when.contains(arm)),
                false => here.len() > 1 && there.starts_with(&here),
            };
            access.thread.is_none()
                && decided
                && variable(self.world, pair.function, access.path)
                    .is_some_and(|written| written.overlaps(v1))
        });
        writes
            && self.world.summary(*called).is_some_and(|summary| {
                let looked = |path: &PathId| {
                    let seen = variable(self.world, *called, *path);
                    seen.is_some_and(|seen| seen.key == v1.key && seen.part.starts_with(&v1.part))
                };
                !summary.given.iter().any(looked)
            })
    }
}

//! What a region makes its own, nobody else changes behind its back.

use crate::flow::access::Access;
use crate::flow::pair::{Pair, always};
use crate::flow::runners::{Variable, variable};
use crate::flow::stale::Judge;
use crate::flow::value::Source;

impl Judge<'_, '_> {
    /// Whether the first region writes what it read, on the way to the second:
    /// it took a ticket, or set the mark it looked for. Then the value is its
    /// own.
    pub(crate) fn claims(&self, pair: &Pair<'_>, v1: &Variable) -> bool {
        pair.writes_in_first().any(|access| {
            access.thread.is_none()
                && (always(access, pair.second) || always(access, pair.first))
                && variable(self.world, pair.function, access.path).as_ref() == Some(v1)
        })
    }

    /// Whether a function that was called looked, wrote if it found what it
    /// looked for, and only answers whether it did: `if self.claim(id)`.
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
                let result = summary.result.all_origins();
                let mut read = result
                    .iter()
                    .filter(|origin| matches!(origin.source, Source::Access(_)));
                read.all(|origin| origin.decides)
            })
    }
}

//! What was found in a collection is judged by what is in it, and then removed
//! from the collection by its key. The collection was free in between: others
//! may use what is removed, or it is another one that has got the key.

use crate::flow::access::Access;
use crate::flow::pair::{Pair, has_same_key};
use crate::flow::path::PathId;
use crate::flow::stale::Judge;

impl Judge<'_, '_> {
    /// Whether the second access removes by its key what the first has looked
    /// into, and does not look whether it is still the same.
    pub(crate) fn removes_what_was_judged(&self, pair: &Pair<'_>) -> bool {
        let (first, second) = (pair.first, pair.second);
        let paths = &self.world.paths;
        let mut accesses = pair.followed.accesses.iter();
        let seen_again =
            |path: &PathId| *path == second.path || paths.is_inside(*path, second.path);
        let kept = |region| first.held.binary_search(&region).is_ok();
        removes(second)
            && paths.is_inside(first.path, second.path)
            && !second.region.is_some_and(kept)
            && !second.rechecks.iter().any(seen_again)
            && accesses.any(|found| {
                finds(found)
                    && found.path == second.path
                    && found.region != second.region
                    && has_same_key(found, second)
            })
    }
}

/// Whether an access finds an element by its key.
pub(crate) fn finds(access: &Access) -> bool {
    is(access, &["get", "entry"])
}

/// Whether an access removes an element by its key.
pub(crate) fn removes(access: &Access) -> bool {
    is(access, &["remove"])
}

fn is(access: &Access, methods: &[&str]) -> bool {
    let operation = access.operation.as_ref();
    operation.is_some_and(|operation| methods.contains(&operation.method))
}

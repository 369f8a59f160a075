//! What was found in a collection is judged by what is in it, and then removed
//! from the collection by its key. The collection was free in between: others
//! may use what is removed, or it is another one that has got the key.

use crate::flow::access::Access;
use crate::flow::path::PathId;
use crate::flow::stale::{Judge, Pair, has_same_key};

impl Judge<'_, '_> {
    /// Whether the second access removes by its key what the first has looked
    /// into, and does not look whether it is still the same.
    pub(crate) fn removes_what_was_judged(&self, pair: &Pair<'_>) -> bool {
        let (first, second) = (pair.first, pair.second);
        let paths = &self.world.paths;
        let is = |access: &Access, methods: &[&str]| {
            let operation = access.operation.as_ref();
            operation.is_some_and(|operation| methods.contains(&operation.method))
        };
        let mut accesses = pair.followed.accesses.iter();
        let seen_again =
            |path: &PathId| *path == second.path || paths.is_inside(*path, second.path);
        let kept = |region| first.held.binary_search(&region).is_ok();
        is(second, &["remove"])
            && paths.is_inside(first.path, second.path)
            && !second.region.is_some_and(kept)
            && !second.rechecks.iter().any(seen_again)
            && accesses.any(|found| {
                let looks_up = is(found, &["get", "entry"]) && found.path == second.path;
                looks_up && found.region != second.region && has_same_key(found, second)
            })
    }
}

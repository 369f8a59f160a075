//! rayon: what it runs in parallel.

use crate::ir::Effect;
use crate::rust::text::Path;

/// What a function of rayon that is given closures does, if it runs them at the
/// same time. `scope` and `install` run theirs once and wait; what is spawned
/// in a scope is spawned as anywhere.
pub(super) fn effect(path: &Path) -> Option<Effect> {
    let is_ours = |path: &str| path.starts_with("rayon::") || path.starts_with("rayon_core::");
    let often = if is_ours(&path.of_trait) {
        // Iterators, and sorting of slices.
        true
    } else if is_ours(&path.plain) {
        match path.name.as_str() {
            "join" | "join_context" => false,
            "broadcast" | "spawn_broadcast" => true,
            _ => return None,
        }
    } else {
        return None;
    };
    Some(Effect::Parallel { often })
}

//! What a process makes and gives away: others may have it then.

use std::collections::BTreeSet;

use crate::flow::path::{Hop, PathId, Root};
use crate::flow::value::Value;
use crate::flow::walk::Followed;
use crate::flow::world::World;
use crate::ir::FunctionId;

/// What a process puts into structures of the program, or returns.
pub(crate) fn published(
    world: &World<'_>,
    root: FunctionId,
    followed: &Followed,
) -> BTreeSet<PathId> {
    let stored = followed.stored.iter();
    let mut all: BTreeSet<PathId> = stored
        .filter(|(_, field)| {
            let class = &world.program.fields[field.index()].class;
            !class.starts_with(['{', '('])
        })
        .map(|(path, _)| *path)
        .collect();
    if let Some(summary) = world.summary(root) {
        add_targets(&summary.result, &mut all);
    }
    all
}

fn add_targets(value: &Value, all: &mut BTreeSet<PathId>) {
    all.extend(&value.points);
    for part in value.fields.values() {
        add_targets(part, all);
    }
}

/// Whether a path begins with one of these.
pub(crate) fn is_published(world: &World<'_>, published: &BTreeSet<PathId>, path: PathId) -> bool {
    let mut at = Some(path);
    std::iter::from_fn(|| {
        let path = at?;
        at = world.paths.before(path);
        Some(path)
    })
    .any(|path| published.contains(&path))
}

/// Whether a path begins with what a closure caught that is put into a
/// structure as well.
pub(crate) fn is_caught_elsewhere(
    world: &World<'_>,
    followed: &Followed,
    published: &BTreeSet<PathId>,
    path: PathId,
) -> bool {
    let (root, hops) = world.paths.split(path);
    let (Root::Local(_), Some(Hop::Field(caught))) = (root, hops.first()) else {
        return false;
    };
    let mut stored = followed.stored.iter();
    stored.any(|(path, field)| field == caught && published.contains(path))
}

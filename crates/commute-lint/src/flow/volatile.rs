//! Memory that others may change although no guard leads to it, as in Java; and
//! fields of which each access is atomic by itself (`volatile`).

use crate::flow::memory::Noted;
use crate::flow::path::{Hop, PathId, Root};
use crate::flow::state::State;
use crate::flow::value::{Region, Source, Value, add};
use crate::flow::walk::Walk;
use crate::ir::Mode;

impl Walk<'_, '_> {
    /// What is known to be at a place, or where it is.
    pub(crate) fn stored_at(
        &mut self,
        state: &State,
        paths: &[PathId],
        known: Option<Box<Value>>,
    ) -> Value {
        if let Some(known) = known {
            return *known;
        }
        let mut value = Value::default();
        for path in paths {
            match state.cells.get(path) {
                Some(cell) => value.join(cell),
                None => add(&mut value.points, *path),
            }
        }
        value
    }

    /// What is at a place that is read. An older read of it, under a lock that
    /// was given up since, is no part of that any more.
    pub(crate) fn loaded(
        &mut self,
        state: &State,
        paths: &[PathId],
        known: Option<Box<Value>>,
    ) -> Value {
        let mut value = self.stored_at(state, paths, known);
        if !self.world.program.guarded {
            let accesses = &self.accesses;
            value.origins.retain(|origin| match origin.source {
                Source::Access(number) => {
                    let held = |region| state.held.binary_search(region).is_ok();
                    !paths.contains(&accesses[number as usize].path) || origin.held.iter().any(held)
                }
                Source::Parameter(_) => true,
            });
        }
        value
    }

    /// Where a call uses an object: where references are all there is to a
    /// variable, the object is not the variable.
    pub(crate) fn used_at(&mut self, object: PathId) -> PathId {
        match self.world.program.guarded {
            true => object,
            false => self.world.paths.hop(object, Hop::Content),
        }
    }

    /// The region that an access without a lock is, if its field is such a one.
    pub(crate) fn single(&mut self, part: u32, noted: &Noted<'_>) -> Option<Region> {
        let paths = &self.world.paths;
        let place = match (paths.last(noted.path), paths.before(noted.path)) {
            (Some(Hop::Content), Some(before)) => before,
            _ => noted.path,
        };
        let Some(Hop::Field(field)) = paths.last(place) else {
            return None;
        };
        let private = matches!(
            paths.root_of(noted.path),
            Root::Local(_) | Root::Constant(_) | Root::New(_)
        );
        if private || !self.world.program.volatile.contains(&field) {
            return None;
        }
        let mode = match noted.writes {
            true => Mode::Exclusive,
            false => Mode::Shared,
        };
        Some(self.region(500 + part, place, mode, true))
    }
}

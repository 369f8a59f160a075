//! Fields of which each access is atomic by itself: `volatile` of Java.

use crate::flow::memory::Noted;
use crate::flow::path::{Hop, Root};
use crate::flow::value::Region;
use crate::flow::walk::Walk;
use crate::ir::Mode;

impl Walk<'_, '_> {
    /// The region that an access without a lock is, if its field is such a one.
    pub(crate) fn single(&mut self, part: u32, noted: &Noted<'_>) -> Option<Region> {
        let paths = &self.world.paths;
        let Some(Hop::Field(field)) = paths.last(noted.path) else {
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
        Some(self.region(500 + part, noted.path, mode, true))
    }
}

//! Moments of histories.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::FxHasher;
use smallvec::SmallVec;

use crate::journal::TextId;
use crate::moves::Whole;
use crate::names::Used;
use crate::trail::Trail;
use crate::walk::Crew;
use crate::worlds::WorldId;

/// A moment at which the environment may do something.
#[derive(Clone)]
pub(crate) struct Point {
    pub(crate) case: u32,
    /// Where the method is.
    pub(crate) method: Crew,
    pub(crate) world: WorldId,
    /// What the environment did, in order, and what that returned.
    pub(crate) operations: Operations,
    pub(crate) returned: SmallVec<[TextId; 4]>,
    /// So many of them came before the end of the method.
    pub(crate) in_time: usize,
    /// So many of them came before the last step of the method.
    pub(crate) before_last: usize,
    /// If the method has said by which step it takes effect: so many came before that.
    pub(crate) effect: Option<usize>,
    pub(crate) trail: Trail,
    /// The objects that were used so far.
    pub(crate) used: Used,
}

/// Operations of the environment.
pub(crate) type Operations = SmallVec<[u32; 4]>;

impl Point {
    /// Somebody has done something as a whole.
    pub(crate) fn after(&mut self, whole: &Whole, world: WorldId) {
        self.world = world;
        self.trail = self.trail.and(Rc::clone(&whole.steps));
    }

    /// The same for points from which the same can follow. What came before the last step
    /// need not be in it: whatever comes between that and the word that it took effect may
    /// as well come after the word.
    pub(crate) fn fingerprint(&self) -> u128 {
        let half = |seed: usize| {
            let mut hasher = FxHasher::with_seed(seed);
            (self.case, self.in_time, self.effect, self.world).hash(&mut hasher);
            (&self.operations, &self.returned, &self.method).hash(&mut hasher);
            u128::from(hasher.finish())
        };
        half(0) << 64 | half(0x9E37_79B9)
    }
}

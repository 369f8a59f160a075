//! Actions that are prepared before their turn, so that waiting for memory is
//! shared.

use std::ops::Range;

use commute_model::ObjectId;
use commute_spec::Invocation;

use crate::rd2::Point;

/// Actions that were prepared before their turn.
#[derive(Default)]
pub(crate) struct Ahead<'e> {
    /// The invocation and its range in `points`; none if it was not prepared.
    pub(crate) actions: Vec<Option<(Invocation<'e>, Range<usize>)>>,
    pub(crate) objects: Vec<ObjectId>,
    pub(crate) points: Vec<Point<'e>>,
}

impl<'e> Ahead<'e> {
    #[inline]
    pub(crate) fn ready(&self, place: usize) -> Option<Ready<'e, '_>> {
        let (invocation, range) = self.actions.get(place)?.as_ref()?;
        Some(Ready {
            invocation: *invocation,
            touched: &self.points[range.clone()],
        })
    }
}

/// A prepared action.
#[derive(Clone, Copy)]
pub(crate) struct Ready<'e, 'p> {
    pub(crate) invocation: Invocation<'e>,
    pub(crate) touched: &'p [Point<'e>],
}

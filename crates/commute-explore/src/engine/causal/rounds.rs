//! Rounds in which a thread looked at several things in vain.
//!
//! Their steps are taken out of the run, but what others did between two looks is
//! something that can happen: the next look may find something else then. So the run up to
//! just before the last look is kept, with the round that has begun.

use crate::run::{Ending, Moment, Places, Run, Step};
use crate::world::World;

/// What a run began and took back.
#[derive(Default)]
pub(super) struct Rounds {
    pub(super) begun: Vec<Run>,
    /// The moment before: steps, and where everything was.
    before: Option<(Vec<Step>, Places, World)>,
}

impl Rounds {
    /// The run has come to a moment.
    pub(super) fn notice(&mut self, moment: &Moment<'_>) {
        self.compare(moment.steps);
        let steps = moment.steps.to_vec();
        self.before = Some((steps, moment.places.clone(), moment.world.clone()));
    }

    /// The run is over.
    pub(super) fn end(&mut self, run: &Run) {
        self.compare(&run.steps);
    }

    /// Keeps what was there before the last step, if that step took more than itself back.
    fn compare(&mut self, steps: &[Step]) {
        let Some((before, places, world)) = self.before.take() else {
            return;
        };
        if steps.len() >= before.len() {
            return;
        }
        self.begun.push(Run {
            steps: before,
            places,
            world,
            ending: Ending::Abandoned,
            failure: None,
        });
    }
}

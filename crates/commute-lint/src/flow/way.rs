//! The way of a value through a function: which variables hold it, and where it
//! decides.

use crate::flow::value::{Origins, Source};
use crate::flow::walk::Walk;
use crate::ir::Place;

/// One line of the way.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Step {
    /// A variable of this name gets it.
    Named(String),
    /// A branch depends on it.
    Decides,
}

/// More lines of one value are not kept.
const KEPT: usize = 12;

impl Walk<'_, '_> {
    /// A variable that has a name gets a value.
    pub(crate) fn step_to(&mut self, to: &Place, origins: &Origins) {
        let variable = self.function.locals.get(to.local.index());
        if let Some(name) = variable.and_then(|variable| variable.name.clone()) {
            self.step(Step::Named(name), origins);
        }
    }

    pub(crate) fn step(&mut self, step: Step, origins: &Origins) {
        for origin in origins.iter().filter(|origin| !origin.decides) {
            let Source::Access(number) = origin.source else {
                continue;
            };
            let way = self.ways.entry(number).or_default();
            if way.len() < KEPT {
                way.insert((self.site, step.clone()));
            }
        }
    }
}

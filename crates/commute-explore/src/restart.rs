//! Explorations that begin anew.
//!
//! Seldom, a run shows that two names are names of one object, or that a loop that
//! seemed to wait for something does not. Then the search was wrong, and begins again.
//! What it has seen is kept, in the names of now, if the engine can go on from there;
//! otherwise, and if it was results that were wrong, it is forgotten.

use std::ops::ControlFlow;

use crate::engine::{Engine, Extent};
use crate::knowledge::Knowledge;
use crate::program::Trouble;
use crate::run::{Ending, Run};
use crate::settings::Shard;
use crate::subject::{Anew, Subject, Watch};

/// As often as there may be something new to learn of names, in a test that anybody
/// would write.
const MOST: usize = 1_000;

/// Sees that an exploration stops as soon as it has to begin anew.
struct Stop<'a> {
    watch: &'a mut dyn Watch,
    because: Option<String>,
}

impl Watch for Stop<'_> {
    fn ran(&mut self, run: &Run, is_new: bool, known: &Knowledge) -> ControlFlow<()> {
        if let Ending::Trouble(Trouble::Restart(reason)) = &run.ending {
            self.because = Some(reason.clone());
            return ControlFlow::Break(());
        }
        self.watch.ran(run, is_new, known)
    }

    fn shard(&mut self) -> Option<Shard> {
        self.watch.shard()
    }

    fn looked_at(&mut self, runs: usize) {
        self.watch.looked_at(runs);
    }

    fn left(&mut self, queue: usize, share: Option<f64>) {
        self.watch.left(queue, share);
    }

    fn enough(&mut self) -> Option<String> {
        match &self.because {
            Some(reason) => Some(reason.clone()),
            None => self.watch.enough(),
        }
    }
}

/// Explores a program with an engine, again if it has to be.
pub fn explore_with(
    engine: &mut dyn Engine,
    subject: &mut Subject<'_>,
    watch: &mut dyn Watch,
) -> Extent {
    for _ in 0..MOST {
        let mut stop = Stop {
            watch,
            because: None,
        };
        let extent = engine.explore(subject, &mut stop);
        match subject.begin_anew(&mut || engine.renamed()) {
            None => return extent,
            Some(Anew::Renamed) => watch.renamed(&mut subject.known),
            Some(Anew::Forgotten(reason)) => watch.restarted(&reason),
        }
    }
    let reason = "the test names its objects differently in every run";
    Extent::Some(reason.to_owned())
}

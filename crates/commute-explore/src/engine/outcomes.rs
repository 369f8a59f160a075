//! `outcomes`: one run for each outcome.
//!
//! An outcome is what every thread saw, and the states at the end. What a thread does
//! next depends on what it saw alone, so two runs with the same outcome cannot be told
//! apart, and one of them is enough.
//!
//! Claims: complete, and no run is redundant, as long as nothing is called unknown.
//! Where: [`graph`] searches the places of all threads together with the states of all
//! objects, in the models, and runs the program where it comes upon code that nobody has
//! seen, and once for each end.
//!
//! Cost: the number of such nodes, which is small for most tests and grows as two to the
//! power of the number of threads if they do not disturb each other; so it is bounded.

mod graph;
mod session;

use super::{Engine, Extent};
use crate::subject::{Subject, Watch};
use session::{Session, Stop};

/// One run for each outcome.
#[derive(Clone, Copy, Debug)]
pub struct Outcomes {
    /// So many nodes are remembered by the search of the graph.
    pub nodes: usize,
}

impl Default for Outcomes {
    fn default() -> Outcomes {
        Outcomes { nodes: 200_000 }
    }
}

impl Engine for Outcomes {
    fn name(&self) -> &'static str {
        "outcomes"
    }

    fn explore(&mut self, subject: &mut Subject<'_>, watch: &mut dyn Watch) -> Extent {
        let mut session = Session::new(subject, watch);
        let done = graph::search(&mut session, self.nodes);
        let doubt = session.doubt.take();
        match (done, doubt) {
            (Err(Stop(reason)), _) => Extent::Some(reason),
            (Ok(_), Some(doubt)) => Extent::Some(doubt),
            (Ok(graph::Searched::Everything), None) => Extent::Everything,
            (Ok(graph::Searched::Part), None) => {
                let reason = format!("more than {} nodes of the graph were seen", self.nodes);
                Extent::Some(reason)
            }
        }
    }
}

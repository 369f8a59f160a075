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
//! [`cover`] takes over then. It looks, for each run, at what else could have happened,
//! and its cost is the number of outcomes times that of searches for orders of
//! operations, which is small if threads do not disturb each other.

mod cone;
mod cover;
mod covered;
mod few;
mod graph;
mod histories;
mod partition;
mod relations;
mod search;
mod session;
mod share;
mod ties;

use super::{Engine, Extent};
use crate::settings::{Before, Shard};
use crate::subject::{Subject, Watch};
use graph::Searched;
pub use session::Seen;
use session::{Session, Stop};

/// Why a search that was given up may have missed something.
const UNSURE: &str = "a search for an order of operations took too long";

/// How much larger the graph may be where everything else has failed.
const MORE: usize = 20;

/// One run for each outcome.
#[derive(Clone, Debug)]
pub struct Outcomes {
    /// So many nodes are remembered by the search of the graph.
    pub nodes: usize,
    /// So many are searched by every shard.
    pub shared_nodes: usize,
    /// Only this part is explored.
    pub shard: Option<Shard>,
    /// This was done before.
    pub before: Before,
    /// What was seen before things got other names.
    pub seen: Seen,
}

impl Default for Outcomes {
    fn default() -> Outcomes {
        Outcomes {
            nodes: 200_000,
            shared_nodes: 1_000,
            shard: None,
            before: Before::default(),
            seen: Seen::default(),
        }
    }
}

impl Engine for Outcomes {
    fn name(&self) -> &'static str {
        "outcomes"
    }

    fn explore(&mut self, subject: &mut Subject<'_>, watch: &mut dyn Watch) -> Extent {
        subject.known.begin_in_order();
        let mut session = Session::new(subject, watch);
        session.share.shard = self.shard;
        session.seen = std::mem::take(&mut self.seen).if_renamed();
        let done = self.search(&mut session);
        let elsewhere = session.elsewhere();
        let division = session.share.partition.as_ref();
        session.subject.division = division.map(|p| p.digest(&session.subject.known));
        session.subject.leave(elsewhere);
        self.seen = session.seen;
        match (done, session.doubt) {
            (Err(Stop(reason)), _) => Extent::Some(reason),
            (Ok(()), Some(doubt)) => Extent::Some(doubt),
            (Ok(()), None) => Extent::Everything,
        }
    }

    fn renamed(&mut self) -> bool {
        self.seen.is_renamed = true;
        true
    }
}

impl Outcomes {
    fn search(&mut self, session: &mut Session<'_, '_>) -> Result<(), Stop> {
        // If the exploration begins anew, things were looked at with wrong names.
        let looked_at = std::mem::take(&mut self.before.looked_at);
        while let Some(run) = self.before.runs.get(session.seen.again) {
            session.run_again(run)?;
            session.seen.again += 1;
        }
        if graph::search(session, self.nodes, self.shared_nodes)? == Searched::Everything
            || session.doubt.is_some()
        {
            return Ok(());
        }
        cover::cover(session, looked_at)?;
        // All may have been seen, and be hard to prove; then a large graph is better than
        // no proof. Whatever was seen is not run again.
        session.subject.known.begin_in_order();
        if let Some(unsure) = session.doubt.take_if(|doubt| doubt == UNSURE)
            && graph::search(session, self.nodes.saturating_mul(MORE), self.shared_nodes)?
                == Searched::Part
        {
            session.doubt.get_or_insert(unsure);
        }
        Ok(())
    }
}

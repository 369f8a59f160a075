//! `mcr`: maximal causality reduction (Huang, *Stateless model checking concurrent
//! programs with maximal causality reduction*, PLDI 2015), as chapter 4.4.1 of the thesis
//! states it (Figure 4.6).
//!
//! Everything is memory: an operation reads the state of its object, and writes it if it
//! changes it. Two runs are the same if every operation that changes something found the
//! same state, every other one returned the same, and no matter in which order.
//!
//! Claims: every outcome is seen; no two runs are the same in that sense.
//!
//! Deviations: objects are whole, not fields and locks of their own; a lock is a state.
//! The paper takes one seed for each read and value, which loses outcomes; ours go on
//! until everything is covered, and look for deadlocks ([`super::causal`]).
//!
//! Cost: a question to a solver for each event of each run, and each of those may be
//! hard; a clause for every other run in each. Gaps: none known.

use super::causal::{Grain, explore};
use super::{Engine, Extent};
use crate::subject::{Subject, Watch};

/// Maximal causality reduction.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mcr;

impl Engine for Mcr {
    fn name(&self) -> &'static str {
        "mcr"
    }

    fn explore(&mut self, subject: &mut Subject<'_>, watch: &mut dyn Watch) -> Extent {
        explore(Grain::Memory, subject, watch)
    }
}

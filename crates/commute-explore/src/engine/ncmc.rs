//! `ncmc`: non-commutativity model checking (thesis, chapter 4: Algorithms 4 to 6 over
//! the constraints of maximal causality reduction).
//!
//! An invocation of an object with a specification is one event. One that changes the
//! object is known by the changes before it that it does not commute with (the NC
//! relation of Definition 4.3.10); one that changes nothing by what it returned, as the
//! reads of maximal causality reduction are known by their values. Plain memory is as in
//! `mcr`. Algorithm 4 is the loop of [`super::causal`], Algorithm 5 makes the semantic
//! execution graph out of a run (`account.rs` there), Algorithm 6 the seeds (`seeds.rs`).
//!
//! Claims: every outcome is seen; no two runs are SC-equivalent (Definition 4.3.11), nor
//! do two differ only in where an invocation stands that returns the same at both places.
//!
//! Deviations. Algorithm 6 skips an option if nothing is PO-after top(w) and SSH-before
//! top(r), and loses executions by that: with `contains(1)` and `add(1)` in two threads,
//! the run in which `contains` returns true. Ours skips what a run covers. Φ^nc, which is
//! printed with O_e < O_r and meant with O_r < O_e, asks for a seed that is not
//! equivalent to the run at hand; ours asks for one that is equivalent to no run at all.
//! Algorithm 6 also takes one seed for each read and value (expVals), whatever else is in
//! it: which other events are there matters, and ours asks for all of them.
//!
//! Cost and gaps: as `mcr`; besides, an object whose changes lead to very many states that
//! an invocation can tell apart is too much for the constraints, and then it says so.

use super::causal::{Grain, explore};
use super::{Engine, Extent};
use crate::subject::{Subject, Watch};

/// Non-commutativity model checking.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ncmc;

impl Engine for Ncmc {
    fn name(&self) -> &'static str {
        "ncmc"
    }

    fn explore(&mut self, subject: &mut Subject<'_>, watch: &mut dyn Watch) -> Extent {
        explore(Grain::Invocations, subject, watch)
    }
}

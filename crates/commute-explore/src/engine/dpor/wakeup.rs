//! Wakeup trees: runs that are left to do, as trees of steps.

use crate::engine::dependence::{Dependence, Label};
use crate::knowledge::Knowledge;
use crate::words::ThreadId;

/// A step that is to be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Planned {
    pub(super) thread: ThreadId,
    pub(super) label: Label,
}

impl Planned {
    /// Whether a run that begins with it is, up to independent steps, one that begins
    /// with `sequence` (a weak initial, WI in the paper).
    pub(super) fn is_weak_initial(
        self,
        sequence: &[Planned],
        dependence: &mut Dependence,
        known: &mut Knowledge,
    ) -> bool {
        for step in sequence {
            if step.thread == self.thread {
                return true;
            }
            if !dependence.independent(self.label, step.label, known) {
                return false;
            }
        }
        true
    }
}

/// A step, and what may follow. Nothing: whatever one likes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Branch {
    pub(super) first: Planned,
    pub(super) then: Vec<Branch>,
}

impl Branch {
    pub(super) fn leaf(first: Planned) -> Branch {
        Branch {
            first,
            then: Vec::new(),
        }
    }
}

/// Makes sure that one of the runs of the tree, or what it goes on with, is up to
/// independent steps one that begins with `sequence`.
pub(super) fn insert(
    branches: &mut Vec<Branch>,
    mut sequence: Vec<Planned>,
    dependence: &mut Dependence,
    known: &mut Knowledge,
) {
    let mut branches = branches;
    loop {
        let first = branches
            .iter()
            .position(|b| b.first.is_weak_initial(&sequence, dependence, known));
        let Some(first) = first else {
            let mut steps = sequence.into_iter().rev();
            let Some(last) = steps.next() else { return };
            let chain = steps.fold(Branch::leaf(last), |then, first| Branch {
                first,
                then: vec![then],
            });
            branches.push(chain);
            return;
        };
        let branch = &mut branches[first];
        if branch.then.is_empty() {
            return;
        }
        let done = sequence
            .iter()
            .position(|s| s.thread == branch.first.thread);
        if let Some(done) = done {
            sequence.remove(done);
        }
        branches = &mut branch.then;
    }
}

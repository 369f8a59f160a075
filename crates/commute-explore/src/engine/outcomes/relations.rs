//! Which labelled operations have to do with each other, in any state: what the models
//! say, asked once.

use rustc_hash::FxHashMap;

use crate::knowledge::Knowledge;
use crate::words::{OpId, ResultId};

/// An operation and its result; without one, whatever it may be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Labelled {
    pub(super) op: OpId,
    pub(super) result: Option<ResultId>,
}

/// What was asked.
#[derive(Debug, Default)]
pub(super) struct Relations {
    moves: FxHashMap<(Labelled, Labelled), bool>,
    affects: FxHashMap<(Labelled, Labelled), bool>,
    disturbs: FxHashMap<(Labelled, Labelled), bool>,
}

/// How the objects of two operations lie.
enum Meeting {
    Apart,
    OneObject,
    /// One of them has two objects.
    Complicated,
}

fn meeting(known: &Knowledge, a: OpId, b: OpId) -> Meeting {
    let (a, b) = (&known.operation(a).objects, &known.operation(b).objects);
    if !a.iter().any(|object| b.contains(object)) {
        return Meeting::Apart;
    }
    if a.len() == 1 && b.len() == 1 {
        Meeting::OneObject
    } else {
        Meeting::Complicated
    }
}

fn only_reads(known: &Knowledge, x: Labelled) -> bool {
    x.result
        .is_some_and(|result| known.only_reads(x.op, result))
}

impl Relations {
    /// Whether `first; second` can always be turned into `second; first`.
    pub(super) fn moves(&mut self, known: &Knowledge, first: Labelled, second: Labelled) -> bool {
        *{ self.moves.entry((first, second)) }.or_insert_with(|| {
            match meeting(known, first.op, second.op) {
                Meeting::Apart => true,
                Meeting::Complicated => only_reads(known, first) && only_reads(known, second),
                Meeting::OneObject => {
                    let model = known.model(known.operation(first.op).objects[0]);
                    model.moves(
                        known.label(first.op, first.result),
                        known.label(second.op, second.result),
                    )
                }
            }
        })
    }

    /// Whether `after` may need `before`.
    pub(super) fn affects(&mut self, known: &Knowledge, before: Labelled, after: Labelled) -> bool {
        *{ self.affects.entry((before, after)) }.or_insert_with(|| {
            match meeting(known, before.op, after.op) {
                Meeting::Apart => false,
                Meeting::Complicated => !only_reads(known, before),
                Meeting::OneObject => {
                    let model = known.model(known.operation(before.op).objects[0]);
                    model.affects(
                        known.label(before.op, before.result),
                        known.label(after.op, after.result),
                    )
                }
            }
        })
    }

    /// Whether `first` may make `other` impossible.
    pub(super) fn disturbs(&mut self, known: &Knowledge, first: Labelled, other: Labelled) -> bool {
        *{ self.disturbs.entry((first, other)) }.or_insert_with(|| {
            match meeting(known, first.op, other.op) {
                Meeting::Apart => false,
                Meeting::Complicated => !only_reads(known, first),
                Meeting::OneObject => {
                    let model = known.model(known.operation(first.op).objects[0]);
                    model.disturbs(
                        known.label(first.op, first.result),
                        known.label(other.op, other.result),
                    )
                }
            }
        })
    }

    /// Whether it changes nothing.
    pub(super) fn only_reads(&self, known: &Knowledge, x: Labelled) -> bool {
        only_reads(known, x)
    }
}

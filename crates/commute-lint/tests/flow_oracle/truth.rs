//! When a write is stale.

use std::collections::{BTreeMap, BTreeSet};

use crate::machine::{Lines, Machine, Variable};
use crate::taint::{ARGUMENT, ARGUMENT_IMPLICIT, DATA, DATA_OWN, IMPLICIT, Taint};

/// How certain it is that a write is a stale one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Grade {
    /// It does not depend on the read, but on the result of an operation that
    /// got what was read and returned what was there before.
    Argument,
    /// It depends on the read, but something speaks for it: it was decided
    /// anew, the first region claimed the variable, the value went through
    /// shared memory, a lock was held all along, or what the other did commutes.
    Excused,
    /// Which value is written was chosen by a branch on what was read, before
    /// the second region.
    Implicit,
    /// As [`Grade::Data`] or [`Grade::Control`], but on the way the value was in memory of a
    /// region that wrote and read it.
    Own,
    /// A branch on what was read decided that it is written.
    Control,
    /// What is written was computed from what was read.
    Data,
}

/// A stale write: which variable, where its value was read and where it was
/// written, with the calls that led there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Pair {
    pub(crate) variable: Variable,
    pub(crate) read: Lines,
    pub(crate) write: Lines,
    /// Where the regions begin.
    pub(crate) regions: (Lines, Lines),
    /// Whether a look at the variable under another lock that is still held
    /// decided it.
    pub(crate) outside: bool,
    /// Whether it was read by an operation that also writes.
    pub(crate) updates: bool,
    /// Whether it was written by an operation that also reads: its result says
    /// what was there.
    pub(crate) tells: bool,
}

/// All that were seen.
#[derive(Default)]
pub(crate) struct Truth {
    /// What the regions that begin in a place wrote in some run.
    pub(crate) claims: BTreeSet<(Lines, Variable)>,
    /// Where the regions that begin in a place read a variable in some run.
    pub(crate) reads: BTreeMap<(Lines, Variable), BTreeSet<Lines>>,
    pub(crate) pairs: BTreeMap<Pair, BTreeSet<Grade>>,
}

/// A write that is about to be done.
pub(crate) struct Write<'w> {
    pub(crate) thread: usize,
    pub(crate) variable: Variable,
    pub(crate) region: usize,
    /// What the value depends on.
    pub(crate) taint: &'w Taint,
    /// Whether the operation itself looks before it writes.
    pub(crate) checks: bool,
    /// Whether it adds to what is there.
    pub(crate) adds: bool,
    pub(crate) lines: Lines,
}

impl Truth {
    /// Compares a write with all reads it depends on.
    pub(crate) fn look(&mut self, machine: &Machine, write: &Write<'_>) {
        let thread = &machine.threads[write.thread];
        let lines = thread.regions[write.region].lines.clone();
        self.claims.insert((lines, write.variable));
        for read in &thread.reads {
            let region = thread.regions[read.region].lines.clone();
            let places = self.reads.entry((region, read.variable)).or_default();
            places.insert(read.lines.clone());
        }
        let written = machine.cells.get(&write.variable);
        let changed = written.map_or(0, |cell| cell.written[1 - write.thread]);
        let replaced = written.map_or(0, |cell| cell.replaced[1 - write.thread]);
        let mut control = Taint::default();
        let mut decided_anew = write.checks;
        let mut outside = false;
        for taint in machine.control(write.thread) {
            control.add(taint);
            outside |= taint.reads().any(|read| {
                let read = &thread.reads[read];
                let mut regions = thread.regions.iter();
                read.variable == write.variable
                    && regions.any(|region| !region.released && region.acquired < read.time)
            });
            decided_anew |= taint.reads().any(|read| {
                let read = &thread.reads[read];
                read.variable == write.variable && read.region == write.region
            });
        }
        let mut reads: BTreeSet<usize> = write.taint.reads().collect();
        reads.extend(control.reads());
        for id in reads {
            let read = &thread.reads[id];
            let first = &thread.regions[read.region];
            let stale = read.variable == write.variable
                && read.region != write.region
                && first.released
                && changed > read.time;
            if !stale {
                continue;
            }
            let held = thread
                .regions
                .iter()
                .any(|region| !region.released && region.acquired < read.time);
            let claimed = first.wrote.contains(&write.variable);
            let (value, decision) = (write.taint.ways(id), control.ways(id));
            // Additions change places: the other's may as well come afterwards.
            let commutes = write.adds && replaced < read.time;
            let grade = if (value | decision) & !(ARGUMENT | ARGUMENT_IMPLICIT) == 0 {
                Grade::Argument
            } else if held || decided_anew || commutes {
                Grade::Excused
            } else if value & DATA != 0 {
                Grade::Data
            } else if decision & DATA != 0 && !claimed {
                Grade::Control
            } else if value & DATA_OWN != 0 || decision & DATA_OWN != 0 && !claimed {
                Grade::Own
            } else if (value | decision) & IMPLICIT != 0 && !claimed {
                Grade::Implicit
            } else {
                Grade::Excused
            };
            let pair = Pair {
                variable: write.variable,
                read: read.lines.clone(),
                write: write.lines.clone(),
                regions: (
                    first.lines.clone(),
                    thread.regions[write.region].lines.clone(),
                ),
                outside,
                updates: read.updates,
                tells: write.adds,
            };
            self.pairs.entry(pair).or_default().insert(grade);
        }
    }
}

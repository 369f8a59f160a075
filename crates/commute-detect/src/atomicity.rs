//! The pass that finds atomicity violations (CM111): transactions that cannot
//! be put one after the other without swapping events that conflict.
//!
//! The outermost atomic blocks are transactions, and so is every event outside
//! of any. [`aerodrome`] decides at the speed of reading; [`velodrome`] also
//! knows the cycle, so a caller who can read a trace twice runs it only when
//! there is something to explain.

mod aerodrome;
mod aerodrome_basic;
mod algorithm;
mod blocks;
mod cycle;
mod explain;
mod running;
mod stages;
mod touches;
mod velodrome;

use std::sync::Arc;

use commute_model::{Event, Names, ObjectId, Op, Sink, ThreadId, TypeId, VariableId};
use commute_spec::Library;
use rustc_hash::FxHashMap;

use crate::ill_formed::{IllFormed, Impossible};
use crate::objects::Objects;
use crate::order::InitialStates;
use crate::pass::{EventError, Pass};
use crate::slots::Slots;
use aerodrome::AeroDrome;
use aerodrome_basic::AeroDromeBasic;
use algorithm::{Algorithm, Violation};
pub use algorithm::{Method, Report};
pub use blocks::Select;
use blocks::{Blocks, Ended};
use explain::{Kept, Site};
use stages::Stages;
use touches::Touches;
use velodrome::Velodrome;

/// How many events are looked up in advance.
const AHEAD: usize = 128;
/// More violations of different blocks than this are only counted.
const MOST_KEPT: usize = 10_000;

/// Finds atomicity violations.
#[derive(Clone, Debug)]
pub struct Atomicity {
    checker: Checker,
    state: State,
}

#[derive(Clone, Debug)]
enum Checker {
    AeroDrome(Box<Running<AeroDrome>>),
    AeroDromeBasic(Box<Running<AeroDromeBasic>>),
    Velodrome(Box<Running<Velodrome>>),
}

/// An algorithm and what it has stamped.
#[derive(Clone, Debug)]
struct Running<A: Algorithm> {
    algorithm: A,
    /// Its threads are slots.
    touches: Touches<A::Stamp>,
    slots: Slots,
}

/// What does not depend on the algorithm.
#[derive(Clone, Debug)]
struct State {
    objects: Objects,
    blocks: Blocks,
    index: u64,
    kept: Vec<Kept>,
    groups: FxHashMap<(Site, Site), usize>,
    /// Those of the violations that are kept with an open transaction.
    unfinished: Vec<usize>,
    /// Violations of blocks that were not kept.
    dropped: u64,
    /// Every violation's event and thread, and whether it was found only when
    /// blocks were closed at the end: for tests.
    reports: Option<Vec<Report>>,
    ill_formed: Option<IllFormed>,
    stages: Stages,
    fail_fast: bool,
    /// The last event after which violations are looked for.
    until: u64,
    /// Whether the last events were skipped.
    skipped: bool,
    /// Whether the algorithm has given up.
    exhausted: bool,
    finished: bool,
    /// See [`Atomicity::is_late`].
    is_late: bool,
    /// Whether the order of some actions depends on an initial state that is inferred.
    is_inferred: bool,
    unexplained: Option<u64>,
}

impl Atomicity {
    /// Decides by `method`; types come from `library`. `select` says which
    /// blocks count, all if it is missing.
    pub fn new(library: Arc<Library>, method: Method, select: Option<Select>) -> Atomicity {
        let checker = match method {
            Method::AeroDrome => Checker::AeroDrome(Box::new(Running::new(AeroDrome::default()))),
            Method::AeroDromeBasic => {
                Checker::AeroDromeBasic(Box::new(Running::new(AeroDromeBasic::default())))
            }
            Method::Velodrome => Checker::Velodrome(Box::new(Running::new(Velodrome::default()))),
        };
        let state = State {
            objects: Objects::counting(library),
            blocks: Blocks::new(select),
            index: 0,
            kept: Vec::new(),
            groups: FxHashMap::default(),
            unfinished: Vec::new(),
            dropped: 0,
            reports: None,
            ill_formed: None,
            stages: Stages::default(),
            fail_fast: false,
            until: u64::MAX,
            skipped: false,
            exhausted: false,
            finished: false,
            is_late: false,
            is_inferred: false,
            unexplained: None,
        };
        Atomicity { checker, state }
    }

    /// The same, but the first violation ends the analysis.
    pub fn fail_fast(mut self) -> Atomicity {
        self.state.fail_fast = true;
        self
    }

    /// The same for a second look: nothing is looked for after event `until`, and
    /// the search for cycles takes at most so many steps.
    pub fn second_look(mut self, until: u64, steps: u64) -> Atomicity {
        self.state.until = until;
        if let Checker::Velodrome(running) = &mut self.checker {
            running.algorithm.limit(steps);
        }
        self
    }

    /// Uses these initial states where the trace does not record them.
    pub fn set_initial_states(&mut self, states: &Arc<InitialStates>) {
        self.state.objects.set_initial_states(states);
    }

    /// Whether violations may be wrong because the trace tells too late of an initial
    /// state that it does not record: it has to be read again. Known when the pass has
    /// finished.
    pub fn is_late(&self) -> bool {
        self.state.is_late
    }

    /// The same, but every violation is also kept one by one: for tests.
    pub fn keep_reports(mut self) -> Atomicity {
        self.state.reports = Some(Vec::new());
        self
    }

    /// The violations found so far, if they are kept.
    pub fn reports(&self) -> &[Report] {
        self.state.reports.as_deref().unwrap_or_default()
    }

    /// The same with clocks that tell fewer threads apart: for tests.
    pub fn keep_apart(mut self, slots: usize) -> Atomicity {
        let slots = Slots::by_number(slots);
        match &mut self.checker {
            Checker::AeroDrome(running) => running.slots = slots,
            Checker::AeroDromeBasic(running) => running.slots = slots,
            Checker::Velodrome(running) => running.slots = slots,
        }
        self
    }

    /// Forgets nothing of the objects that there are.
    #[cfg(test)]
    pub(crate) fn keep_all(&mut self) {
        match &mut self.checker {
            Checker::AeroDrome(running) => running.touches.keep_all(),
            Checker::AeroDromeBasic(running) => running.touches.keep_all(),
            Checker::Velodrome(running) => running.touches.keep_all(),
        }
    }

    /// The slots of the threads.
    #[cfg(test)]
    pub(crate) fn slots(&self) -> &Slots {
        match &self.checker {
            Checker::AeroDrome(running) => &running.slots,
            Checker::AeroDromeBasic(running) => &running.slots,
            Checker::Velodrome(running) => &running.slots,
        }
    }

    /// How many keys of objects are remembered.
    #[cfg(test)]
    pub(crate) fn keys(&self) -> usize {
        match &self.checker {
            Checker::AeroDrome(running) => running.touches.keys(),
            Checker::AeroDromeBasic(running) => running.touches.keys(),
            Checker::Velodrome(running) => running.touches.keys(),
        }
    }

    /// How many events were taken.
    pub fn events(&self) -> u64 {
        self.state.index
    }

    /// Whether any violation was found.
    pub fn found(&self) -> bool {
        !self.state.kept.is_empty()
    }

    /// Whether no further event makes a difference.
    pub fn is_over(&self) -> bool {
        self.state.is_done() && self.state.unfinished.is_empty()
    }

    /// Whether it gave up, because the search for cycles took too long. What was
    /// found until then is true.
    pub fn is_exhausted(&self) -> bool {
        self.state.exhausted
    }

    /// Whether there was any block that counts.
    pub fn has_blocks(&self) -> bool {
        self.state.blocks.any()
    }

    /// The objects.
    pub fn objects(&self) -> &Objects {
        &self.state.objects
    }

    /// Takes events without looking for violations, for those who come in the
    /// middle of a trace. Events that are not understood are passed over.
    pub fn skip(&mut self, events: &[Event], names: &Names) {
        for event in events {
            let state = &mut self.state;
            match &mut self.checker {
                Checker::AeroDrome(running) => running.skip(state, event, names),
                Checker::AeroDromeBasic(running) => running.skip(state, event, names),
                Checker::Velodrome(running) => running.skip(state, event, names),
            }
        }
    }

    /// The event at which the last violation was found without its cycle: up to
    /// there a trace has to be read again to explain and count them. Known when
    /// the pass has finished.
    pub fn unexplained(&self) -> Option<u64> {
        self.state.unexplained
    }

    /// Violations that are in no finding, because there were too many different
    /// ones.
    pub fn dropped(&self) -> u64 {
        self.state.dropped
    }

    /// What shows that the trace is not well-formed, if something does.
    pub fn ill_formed(&self, names: &Names) -> Option<(u64, String)> {
        let found = self.state.ill_formed?;
        Some((found.index, found.describe(names)))
    }

    /// Declares an object before the first event, as `new` does in a trace.
    ///
    /// # Errors
    /// If the type is not known.
    pub fn declare(
        &mut self,
        object: ObjectId,
        type_id: TypeId,
        names: &Names,
    ) -> Result<(), EventError> {
        let declared = self.state.objects.declare(object, type_id, 0, names);
        declared.map_err(|misfit| misfit.at(0))
    }

    /// The clock of a thread as the papers print it: `aerodrome-basic` only.
    pub fn clock_of(&self, t: ThreadId, threads: usize) -> Option<String> {
        match &self.checker {
            Checker::AeroDromeBasic(running) => {
                Some(format!("{:threads$}", running.algorithm.clock(t.0)))
            }
            _ => None,
        }
    }

    /// The clock of the last write as the papers print it: `aerodrome-basic`
    /// only.
    pub fn clock_of_write(&mut self, x: VariableId, threads: usize) -> Option<String> {
        match &mut self.checker {
            Checker::AeroDromeBasic(running) => {
                Some(format!("{:threads$}", running.touches.written(x)?))
            }
            _ => None,
        }
    }
}

impl Pass for Atomicity {
    fn steps(&mut self, events: &[Event], names: &Names) -> Result<(), EventError> {
        let state = &mut self.state;
        match &mut self.checker {
            Checker::AeroDrome(running) => running.steps(state, events, names),
            Checker::AeroDromeBasic(running) => running.steps(state, events, names),
            Checker::Velodrome(running) => running.steps(state, events, names),
        }
    }

    fn finish(&mut self, names: &Names, sink: &mut dyn Sink) {
        let state = &mut self.state;
        match &mut self.checker {
            Checker::AeroDrome(running) => running.close(state),
            Checker::AeroDromeBasic(running) => running.close(state),
            Checker::Velodrome(running) => running.close(state),
        }
        let is_inferred = state.is_inferred;
        explain::finish(&mut state.kept, is_inferred, &state.objects, names, sink);
    }
}

impl State {
    /// Whether nothing more is looked for.
    #[inline]
    fn is_done(&self) -> bool {
        self.index >= self.until || (self.fail_fast && !self.kept.is_empty()) || self.exhausted
    }

    /// The next event is one of thread `t`.
    #[inline]
    fn run(&mut self, t: ThreadId) {
        if !self.stages.is_running(t)
            && let Some(what) = self.stages.run(t)
        {
            self.note(what);
        }
    }

    /// Notes that the current event is one that no program has.
    #[cold]
    fn note(&mut self, what: Impossible) {
        let index = self.index;
        self.ill_formed.get_or_insert(IllFormed { index, what });
    }

    /// Takes an event without the algorithm.
    fn skip(&mut self, t: u32, event: &Event, names: &Names) {
        self.index += 1;
        self.skipped = true;
        match event.op {
            Op::Begin(block) => {
                let begin = (self.index, event.location);
                self.blocks.begin(t, block, begin, names);
            }
            Op::End(_) => match self.blocks.end(t) {
                Ended::Outermost => self.ended(t, event),
                Ended::Other | Ended::Nothing => {}
            },
            Op::New(object, type_id) => {
                // What is not known was an error when it was first seen.
                let _ = self.objects.declare(object, type_id, self.index, names);
            }
            Op::Drop(object) => self.objects.forget(object),
            _ => {}
        }
    }

    /// Groups the violations found at `event`.
    #[cold]
    fn take(&mut self, found: &mut Vec<Violation>, slots: &Slots, event: &Event, at_end: bool) {
        for violation in found.drain(..) {
            let thread = slots.user(violation.slot, u32::MAX);
            let other = violation.other.thread(slots);
            if violation.cycle.is_none() {
                self.unexplained = Some(self.index);
            }
            if let Some(reports) = &mut self.reports {
                let edges = violation.cycle.as_ref().map(|cycle| cycle.edges.iter());
                reports.push(Report {
                    index: self.index,
                    thread,
                    at_end,
                    cycle: edges
                        .map(|edges| edges.map(|e| (e.earlier.index, e.later.index)).collect()),
                });
            }
            let block = self.blocks.outermost(violation.slot);
            let parties = [thread, other];
            let kept = Kept::new(parties, violation.cycle, block, (self.index, event), at_end);
            let group = kept.group();
            match self.groups.get(&group) {
                Some(&place) => {
                    if self.kept[place].again(kept) {
                        self.unfinished.push(place);
                    }
                }
                None if self.kept.len() < MOST_KEPT => {
                    self.groups.insert(group, self.kept.len());
                    if kept.cycle.is_some() {
                        self.unfinished.push(self.kept.len());
                    }
                    self.kept.push(kept);
                }
                None => self.dropped += 1,
            }
        }
    }

    /// The transaction of this thread ended: cycles it is on may want to know.
    #[inline]
    fn ended(&mut self, t: u32, event: &Event) {
        if !self.unfinished.is_empty() {
            let block = self.blocks.outermost(t);
            let begin = block.expect("it was open").begin;
            let end = (self.index, event.location);
            let kept = &mut self.kept;
            self.unfinished
                .retain(|&place| kept[place].ended(event.thread, begin, end));
        }
    }
}

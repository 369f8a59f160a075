//! One algorithm at work: events with threads become events with slots.

use commute_model::{Event, Names, Op, ThreadId};

use super::algorithm::Algorithm;
use super::blocks::Ended;
use super::touches::Touches;
use super::{AHEAD, Running, State};
use crate::ill_formed::Impossible;
use crate::objects::Misfit;
use crate::pass::EventError;
use crate::slots::{Given, SLOTS_KEPT_APART, Slots};

impl<A: Algorithm> Running<A> {
    pub(super) fn new(algorithm: A) -> Running<A> {
        Running {
            algorithm,
            touches: Touches::default(),
            slots: Slots::by_number(SLOTS_KEPT_APART),
        }
    }

    pub(super) fn steps(
        &mut self,
        state: &mut State,
        events: &[Event],
        names: &Names,
    ) -> Result<(), EventError> {
        let first = state.index + 1;
        for (i, chunk) in events.chunks(AHEAD).enumerate() {
            if self.touches.is_large() {
                let variables = chunk.iter().filter_map(|event| match event.op {
                    Op::Read(x) | Op::Write(x) => Some(x),
                    _ => None,
                });
                std::hint::black_box(self.touches.prefetch(variables));
            }
            for (j, event) in chunk.iter().enumerate() {
                if state.is_done() {
                    let t = self.pass_over(state, event);
                    state.skip(t, event, names);
                    continue;
                }
                if state.skipped {
                    self.resume(state);
                }
                state.index += 1;
                if let Err(misfit) = self.event(state, event, names) {
                    state.index -= 1;
                    return Err(misfit.at(i * AHEAD + j));
                }
            }
            self.algorithm.rest(&mut self.touches);
            if let Some(excess) = self.slots.excess() {
                return Err(excess.error(first));
            }
        }
        Ok(())
    }

    #[inline]
    fn event(&mut self, state: &mut State, event: &Event, names: &Names) -> Result<(), Misfit> {
        let index = state.index;
        state.run(event.thread);
        let t = match self.slots.running(event.thread) {
            Some(slot) => slot,
            None => self.start(event.thread, index),
        };
        let Running {
            algorithm,
            touches,
            slots,
        } = self;
        if let Op::Begin(block) = event.op {
            let begin = (index, event.location);
            if state.blocks.begin(t, block, begin, names) {
                algorithm.begin(t, index, event);
            }
            if !algorithm.found().is_empty() {
                state.take(algorithm.found(), slots, event, false);
            }
            return Ok(());
        }
        let mut ended = Ended::Other;
        match event.op {
            // Nothing that could be in any order.
            Op::Dummy | Op::Branch => return Ok(()),
            Op::End(_) => {
                ended = state.blocks.end(t);
                if ended == Ended::Nothing {
                    state.note(Impossible::EndOfNothing(event.thread));
                }
                if ended != Ended::Outermost {
                    return Ok(());
                }
            }
            _ => {}
        }
        algorithm.event(t, index, event);
        match &event.op {
            Op::Read(x) => touches.read(t, *x, algorithm),
            Op::Write(x) | Op::Free(x) => touches.write(t, *x, algorithm),
            Op::Alloc(x) => touches.forget_variable(*x),
            Op::Acquire(l) => touches.acquire(t, *l, false, algorithm),
            Op::ReadAcquire(l) => touches.acquire(t, *l, true, algorithm),
            Op::Release(l) => touches.release(t, *l, false, algorithm),
            Op::ReadRelease(l) => touches.release(t, *l, true, algorithm),
            Op::Wait(c, l) => {
                touches.release(t, *l, false, algorithm);
                touches.wait(t, *c);
            }
            Op::Wake(c, l) => {
                touches.acquire(t, *l, false, algorithm);
                touches.wake(t, *c, algorithm);
            }
            Op::Notify(c) | Op::NotifyAll(c) => touches.notify(t, *c, algorithm),
            Op::Fork(u) => {
                if let Some(what) = state.stages.fork(*u) {
                    state.note(what);
                }
                if *u != event.thread {
                    let child = give(algorithm, slots, *u, (event.thread, t), state);
                    algorithm.fork(t, child);
                }
            }
            Op::Join(u) if *u != event.thread => {
                state.stages.join(*u);
                match slots.last(*u) {
                    Some(slot) if slots.is_last_user(*u, slot) => {
                        algorithm.join(t, slot);
                        slots.join(*u, event.thread);
                    }
                    Some(_) => algorithm.join_past(t, *u),
                    None => {}
                }
            }
            Op::Action(action) => {
                let (invocation, object) = state.objects.bind(action, names)?;
                let alive = object.is_alive();
                touches.act(t, object, invocation, action, algorithm);
                if !alive {
                    state.note(Impossible::AfterDrop(action.object));
                }
            }
            Op::New(object, type_id) => {
                state.objects.declare(*object, *type_id, index, names)?;
                touches.forget_object(*object);
            }
            Op::Drop(object) => {
                state.objects.forget(*object);
                touches.forget_object(*object);
            }
            Op::End(_) if ended == Ended::Outermost => {
                algorithm.end(t, touches);
                state.ended(t, event);
            }
            _ => {}
        }
        algorithm.done(t);
        if !algorithm.found().is_empty() {
            state.take(algorithm.found(), slots, event, false);
            state.exhausted = algorithm.is_exhausted();
        }
        Ok(())
    }

    /// Gives a slot to a thread that no thread forked, or that was joined.
    #[cold]
    fn start(&mut self, t: ThreadId, index: u64) -> u32 {
        let before = self.slots.last(t);
        let given = self.slots.give(t, None, index, |_, _| false);
        if let Given::New(slot) = given {
            self.slots.name(slot, 0, t);
            if before.is_some() {
                self.algorithm.resume(slot, t);
            }
        }
        given.slot()
    }

    /// The slot of the thread of an event in which no violation is looked for.
    fn pass_over(&mut self, state: &mut State, event: &Event) -> u32 {
        let t = match self.slots.running(event.thread) {
            Some(slot) => slot,
            None => self.start(event.thread, state.index + 1),
        };
        match event.op {
            Op::Fork(u) if u != event.thread => {
                // Nothing is known of any slot, or nothing will be asked.
                let is_free = self.algorithm.is_unused() || state.is_done();
                let is_known = |free: u32, _| is_free && state.blocks.is_idle(free);
                let slots = &mut self.slots;
                match slots.give(u, Some(event.thread), state.index + 1, is_known) {
                    Given::Kept(_) => {}
                    Given::New(slot) => slots.name(slot, 0, u),
                    Given::TakenOver(slot, _) => {
                        state.blocks.clear(slot);
                        slots.name(slot, 0, u);
                    }
                }
            }
            Op::Join(u) if u != event.thread => self.slots.join(u, event.thread),
            _ => {}
        }
        t
    }

    /// Takes an event without looking for violations: afterwards it is known which
    /// threads wait, and how many permits there are.
    pub(super) fn skip(&mut self, state: &mut State, event: &Event, names: &Names) {
        let t = self.pass_over(state, event);
        state.skip(t, event, names);
        match &event.op {
            Op::Wait(c, _) => self.touches.wait(t, *c),
            Op::Wake(c, _) => self.touches.forget_wait(t, *c),
            Op::New(object, _) | Op::Drop(object) => self.touches.forget_object(*object),
            Op::Action(action) => {
                if let Ok((invocation, object)) = state.objects.bind(action, names) {
                    self.touches.skip(t, object, action.object, invocation);
                }
            }
            _ => {}
        }
    }

    /// The trace is over: every open block ends.
    pub(super) fn close(&mut self, state: &mut State) {
        state.is_late = self.touches.is_late();
        state.is_inferred = self.touches.is_inferred();
        if std::mem::replace(&mut state.finished, true) || state.is_done() {
            return;
        }
        for (thread, t) in self.open(state) {
            let begin = state.blocks.outermost(t).expect("it is open").begin;
            let event = Event {
                thread,
                location: begin.1,
                op: Op::End(None),
            };
            self.algorithm.end(t, &mut self.touches);
            state.take(self.algorithm.found(), &self.slots, &event, true);
        }
    }

    /// Goes on after events were skipped: blocks that were begun in between are
    /// open.
    #[cold]
    fn resume(&mut self, state: &mut State) {
        state.skipped = false;
        for (thread, t) in self.open(state) {
            let open = state.blocks.outermost(t).expect("it is open");
            let begin = Event {
                thread,
                location: open.begin.1,
                op: Op::Begin(open.block),
            };
            self.algorithm.begin(t, open.begin.0, &begin);
        }
    }

    /// The threads with an open block, and their slots, in the order of the threads.
    fn open(&self, state: &State) -> Vec<(ThreadId, u32)> {
        let slots = state.blocks.open().into_iter();
        let threads = slots.map(|slot| (self.slots.user(slot, u32::MAX), slot));
        let mut threads: Vec<(ThreadId, u32)> = threads.collect();
        threads.sort_unstable();
        threads
    }
}

/// Gives a slot to `u`, which is forked by the thread `parent` with the slot `t`.
fn give(
    algorithm: &mut impl Algorithm,
    slots: &mut Slots,
    u: ThreadId,
    (parent, t): (ThreadId, u32),
    state: &mut State,
) -> u32 {
    let before = slots.last(u);
    let is_known =
        |free: u32, is_own: bool| algorithm.is_known(t, free, is_own) && state.blocks.is_idle(free);
    let given = slots.give(u, Some(parent), state.index, is_known);
    match given {
        Given::Kept(slot) => return slot,
        Given::New(slot) => slots.name(slot, 0, u),
        Given::TakenOver(slot, last) => {
            state.blocks.clear(slot);
            let start = algorithm.take_over(t, slot, last);
            slots.name(slot, start, u);
        }
    }
    if before.is_some() {
        algorithm.resume(given.slot(), u);
    }
    given.slot()
}

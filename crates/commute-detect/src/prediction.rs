//! Prediction: races and order violations that did not happen.
//!
//! While the trace streams by, accesses are paired that nothing keeps in order
//! except locks and luck ([`cone`]). Each such candidate is then certified: a
//! reordering of the recorded events is constructed ([`certify`]) in which it
//! happens, and checked against the definition by code that shares nothing with
//! the search ([`validate`]).
//!
//! A *correct reordering* has a prefix of every thread, begins threads after
//! their fork and joins them after their end, uses locks well, and gives every
//! event the outcome that it had. A *predicted race* is a correct reordering
//! after which two events that do not commute are both next; an *order
//! violation* is one that has the later of the two, after which the earlier one
//! is next. An event is *next* if it is the next of its thread and can execute,
//! perhaps with another outcome: an acquisition only if it would get the lock.

mod access;
mod actions;
mod argument;
mod attempt;
mod candidates;
mod certify;
mod condvars;
mod cone;
mod dependences;
mod explain;
mod facts;
mod held;
mod history;
mod indices;
mod kept;
mod legal;
mod links;
mod namesakes;
mod observed;
mod opaque;
mod options;
mod permits;
mod recent;
pub mod references;
mod requirements;
mod saturate;
mod search;
mod sections;
mod slice;
mod sliced;
mod state;
mod threads;
mod unclear;
mod uses;
mod validate;
mod variables;
mod window;
mod words;

use std::sync::Arc;

use commute_model::{
    CondvarId, Event, LockId, Names, ObjectId, Op, Sink, ThreadId, TypeId, VariableId,
};
use commute_spec::Library;
use smallvec::SmallVec;

use crate::objects::{Misfit, Objects};
use crate::pass::{EventError, Pass};
use crate::slots::Slots;
use access::{Access, Candidate, Subject};
use actions::Actions;
use candidates::Candidates;
use condvars::Condvars;
use cone::Cones;
use explain::Explain;
use held::Held;
use namesakes::{Namesakes, Used};
use observed::{Observed, Watch};
use permits::PermitChange;
use recent::Recent;
use threads::Threads;
use uses::Uses;
use variables::Variables;
use window::Context;

pub use candidates::{Predicted, Reason};
pub use certify::Kind as PredictedKind;
pub use legal::Legal;
pub use options::Options;

/// The pass.
#[derive(Clone, Debug)]
pub struct Prediction {
    options: Options,
    objects: Objects,
    index: u64,
    cones: Cones,
    held: Held,
    threads: Threads,
    variables: Variables,
    condvars: Condvars,
    actions: Actions,
    namesakes: Namesakes,
    uses: Uses,
    recent: Recent,
    candidates: Candidates,
    /// Candidates of the current event.
    found: Vec<Candidate>,
    watch: Watch,
}

impl Prediction {
    /// A prediction about a trace; types come from `library`.
    pub fn new(library: Arc<Library>, options: Options) -> Prediction {
        let replay = options.legal == Legal::Replay;
        // Twice the window: a candidate may have to wait for a section to end.
        let recent = Recent::new(options.window.saturating_mul(2).max(16), replay);
        Prediction {
            objects: Objects::new(library),
            index: 0,
            cones: Cones::default(),
            held: Held::default(),
            threads: Threads::default(),
            variables: Variables::default(),
            condvars: Condvars::default(),
            actions: Actions::default(),
            namesakes: Namesakes::default(),
            uses: Uses::default(),
            recent,
            candidates: Candidates::default(),
            found: Vec::new(),
            watch: Watch::default(),
            options,
        }
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
        let declared = self.objects.declare(object, type_id, 0, names);
        declared.map_err(|misfit| misfit.at(0))
    }

    /// The same with clocks that tell fewer threads apart: for tests.
    pub fn keep_apart(mut self, slots: usize) -> Prediction {
        self.cones.slots = Slots::by_number(slots);
        self
    }

    /// The slots of the threads.
    #[cfg(test)]
    pub(crate) fn slots(&self) -> &Slots {
        &self.cones.slots
    }

    /// How many keys of objects are remembered.
    #[cfg(test)]
    pub(crate) fn keys(&self) -> usize {
        self.actions.keys()
    }

    /// How many events were taken.
    pub fn events(&self) -> u64 {
        self.index
    }

    /// The objects of the trace.
    pub fn objects(&self) -> &Objects {
        &self.objects
    }

    /// Whether something certain was found.
    pub fn found(&self) -> bool {
        self.candidates.found() || !self.watch.observed.is_empty()
    }

    /// Candidates that were not looked at, because there were too many different places or
    /// because the earlier access was forgotten.
    pub fn dropped(&self) -> u64 {
        self.candidates.dropped() + self.watch.dropped
    }

    /// What was predicted, when the pass has finished.
    pub fn predicted(&self) -> &[Predicted] {
        self.candidates.predicted()
    }

    fn event(&mut self, event: &Event, names: &Names) -> Result<(), Misfit> {
        let index = self.index + 1;
        let thread = event.thread;
        let t = ThreadId(self.cones.start(thread, index));
        match &event.op {
            Op::Read(x) => {
                let access = self.access((t, event), index, access::READ);
                self.variable(*x, access);
            }
            Op::Write(x) => {
                let access = self.access((t, event), index, access::WRITE);
                self.variable(*x, access);
            }
            Op::Free(x) => {
                let access = self.access((t, event), index, access::FREE);
                self.namesakes.set_freed(*x, true, names);
                self.free_lock_or_condvar(*x, access);
                self.variable(*x, access);
            }
            Op::Acquire(l) => {
                self.use_lock((t, event), *l, names);
                self.threads.acquire(t, *l, false, index, &mut self.held);
            }
            Op::ReadAcquire(l) => {
                self.use_lock((t, event), *l, names);
                self.threads.acquire(t, *l, true, index, &mut self.held);
            }
            Op::Release(l) => {
                self.use_lock((t, event), *l, names);
                self.threads.release(t, *l, false, &mut self.held);
            }
            Op::ReadRelease(l) => {
                self.use_lock((t, event), *l, names);
                self.threads.release(t, *l, true, &mut self.held);
            }
            Op::Wait(c, m) => {
                self.condvar((t, event), *c, &[Used::Condvar(*c), Used::Lock(*m)], names);
                self.threads.wait(t, *m, &mut self.held);
            }
            Op::Wake(c, m) => {
                self.use_freed((t, event), &[Used::Condvar(*c), Used::Lock(*m)], names);
                self.threads.wake(t, *m, index, &mut self.held);
            }
            Op::Notify(c) | Op::NotifyAll(c) => {
                self.condvar((t, event), *c, &[Used::Condvar(*c)], names);
            }
            Op::Fork(u) if *u != thread => {
                self.cones.count(t.0);
                let threads = &self.threads;
                let is_idle = |slot| threads.is_idle(slot);
                self.cones.fork((thread, t.0), *u, index, is_idle);
            }
            Op::Join(u) if *u != thread => {
                self.cones.join((thread, t.0), *u);
            }
            Op::Alloc(x) => {
                self.cones.count(t.0);
                self.variables.allocate(*x, self.cones.stamp(t.0));
                self.namesakes.set_freed(*x, false, names);
            }
            Op::New(object, type_id) => {
                self.objects.declare(*object, *type_id, index, names)?;
                self.cones.count(t.0);
                self.actions.make(*object, self.cones.stamp(t.0));
                self.watch.begin(*object, self.objects.at(index));
                let argument =
                    { self.objects.get(*object) }.and_then(|object| object.initial.argument);
                self.recent
                    .change_permits(index, *object, PermitChange::New(argument));
            }
            Op::Drop(object) => {
                self.objects.forget(*object);
                self.cones.count(t.0);
                self.actions.drop(*object, t.0, &mut self.cones);
            }
            Op::Action(action) => {
                let access = self.access((t, event), index, 0);
                let (invocation, object) = self.objects.bind(action, names)?;
                let (compiled, messages) = (object.compiled.clone(), object.messages);
                let argument = object.initial.argument;
                let kind = actions::kind(&compiled.specification, invocation);
                let access = access.with_kind(kind);
                let state = (&mut self.cones, &mut self.held);
                let (options, found) = (&self.options, &mut self.found);
                let target = (&*compiled, invocation, argument);
                self.actions
                    .forget_messages(action.object, messages, index, options.window);
                let acted =
                    { &mut self.actions }.act(action, target, access, state, options, found);
                if self.watch.follows(action.object)
                    && self
                        .watch
                        .is_too_late(action, self.objects.at(index), names)
                    && let Some(last) = acted.order
                {
                    self.watch.add(Subject::Object(action.object), last, access);
                }
                if argument.is_some()
                    && let Some(change) = PermitChange::of(&compiled.specification, invocation)
                {
                    self.recent.change_permits(index, action.object, change);
                }
                if !acted.after.is_empty() {
                    self.recent.require(index, acted.after);
                }
            }
            _ => {}
        }
        self.cones.count(t.0);
        self.cones.tick(t.0);
        if self.cones.has_learned(t.0) {
            self.threads.learn(t);
        }
        self.index = index;
        self.recent.push(event, index, &self.objects, names);
        if !self.found.is_empty() {
            for candidate in &mut self.found {
                candidate.earlier = self.cones.named(candidate.earlier);
                candidate.later = self.cones.named(candidate.later);
            }
            self.candidates.add(&mut self.found, names);
        }
        Ok(())
    }

    #[inline]
    fn access(&mut self, (t, event): (ThreadId, &Event), index: u64, kind: u32) -> Access {
        let count = self.cones.count(t.0);
        self.threads.access(t, (event, count), index, kind)
    }

    #[inline]
    fn variable(&mut self, x: VariableId, access: Access) {
        let state = (&mut self.cones, &mut self.held);
        self.variables.access(
            x,
            access,
            state,
            &self.options,
            &mut self.found,
            &mut self.watch,
        );
    }

    /// A wait or a notification, which uses these.
    fn condvar(
        &mut self,
        (t, event): (ThreadId, &Event),
        c: CondvarId,
        used: &[Used],
        names: &Names,
    ) {
        let access = self.access((t, event), self.index + 1, uses::kind(&event.op));
        let state = (&self.cones, &mut self.held);
        self.condvars
            .races(c, access, &self.options, state, &mut self.found);
        self.use_freed((t, event), used, names);
        self.condvars
            .access(c, access, &self.options, &self.cones, &mut self.found);
        self.threads.synchronise(t);
    }

    #[inline]
    fn use_lock(&mut self, (t, event): (ThreadId, &Event), l: LockId, names: &Names) {
        if !self.namesakes.is_quiet(l) {
            self.use_freed((t, event), &[Used::Lock(l)], names);
        }
    }

    /// The current event uses these, which may have been freed.
    #[cold]
    fn use_freed(&mut self, (t, event): (ThreadId, &Event), used: &[Used], names: &Names) {
        let freed = used.iter().filter_map(|&used| {
            let x = self.namesakes.freed(used, names)?;
            Some((x, used.into()))
        });
        let freed: SmallVec<[_; 2]> = freed.collect();
        if freed.is_empty() {
            return;
        }
        let access = self.access((t, event), self.index + 1, uses::kind(&event.op));
        let state = (&mut self.cones, &mut self.held);
        let (options, found, watch) = (&self.options, &mut self.found, &mut self.watch);
        { &self.variables }.use_freed(&freed, access, state, options, found, watch);
    }

    /// The current event frees the lock and the condition variable of this name, if
    /// there are any.
    fn free_lock_or_condvar(&mut self, x: VariableId, access: Access) {
        let freed = self.namesakes.of(x);
        if freed.is_empty() {
            return;
        }
        let Prediction {
            uses,
            recent,
            namesakes,
            cones,
            held,
            options,
            found,
            ..
        } = self;
        uses.catch_up(recent, namesakes, (cones, held), options);
        for used in freed {
            uses.pair(used, access, (cones, held), options, found);
        }
    }

    /// If the trace ends with a wait that nobody notifies any more.
    fn watch_last(&mut self) {
        let Some(event) = self.recent.get(self.index) else {
            return;
        };
        if let Op::Wait(c, _) = event.op
            && let Some((notify, wait)) = self.condvars.too_late(c, self.index)
        {
            self.watch.add(Subject::Condvar(c), notify, wait);
        }
    }

    /// Certifies the candidates that are due.
    fn certify(&mut self, names: &Names, all: bool) {
        let Prediction {
            candidates,
            recent,
            objects,
            options,
            threads,
            namesakes,
            cones,
            ..
        } = self;
        let slots = &cones.slots;
        let depth = |t: u32| {
            let slot = slots.last(ThreadId(t));
            let slot = slot.filter(|slot| slots.is_last_user(ThreadId(t), *slot));
            slot.map_or(0, |slot| threads.depth(slot))
        };
        let context = Context {
            names,
            objects,
            namesakes,
            legal: options.legal,
            lax: options.lax,
        };
        candidates.certify(recent, &context, options, (self.index, all), depth);
    }
}

/// Candidates are looked at after so many events.
const CHUNK: usize = 64;

impl Pass for Prediction {
    fn steps(&mut self, events: &[Event], names: &Names) -> Result<(), EventError> {
        let first = self.index + 1;
        for (i, chunk) in events.chunks(CHUNK).enumerate() {
            if self.variables.is_large() {
                let slots = &self.cones.slots;
                let accesses = chunk.iter().filter_map(|event| match event.op {
                    Op::Read(x) | Op::Write(x) => Some((slots.running(event.thread)?, x)),
                    _ => None,
                });
                std::hint::black_box(self.variables.prefetch(accesses));
            }
            for (j, event) in chunk.iter().enumerate() {
                if let Err(misfit) = self.event(event, names) {
                    return Err(misfit.at(i * CHUNK + j));
                }
            }
            if !self.candidates.is_idle() {
                self.certify(names, false);
            }
            let Prediction {
                cones,
                variables,
                actions,
                ..
            } = self;
            cones.collect(|show| {
                variables.for_each(show);
                actions.for_each(show);
            });
            if let Some(excess) = cones.slots.excess() {
                return Err(excess.error(first));
            }
        }
        Ok(())
    }

    fn finish(&mut self, names: &Names, sink: &mut dyn Sink) {
        self.certify(names, true);
        self.watch_last();
        let explain = Explain {
            names,
            objects: &self.objects,
            held: &self.held,
            namesakes: &self.namesakes,
            recent: &self.recent,
            options: &self.options,
            events: self.index,
        };
        let observed = self.watch.observed.iter().map(|observed| Observed {
            first: self.cones.named(observed.first),
            second: self.cones.named(observed.second),
            ..*observed
        });
        let observed: Vec<Observed> = observed.collect();
        explain.finish(self.candidates.predicted(), &observed, sink);
    }
}

//! One reference analysis, event by event.

use std::fmt;
use std::sync::Arc;

use commute_model::{Event, Names, ObjectId, Op, SharedAction, ThreadId, TypeId};
use commute_spec::Library;

use super::accesses::Access;
use super::ccs::ShadowWords;
use super::edc::{Edc, ReleaseClocks};
use super::happens_before::Unordered;
use super::places::{PlaceId, Places, Touch, Touched};
use super::threads::{Section, Threads};
use super::wdc::Wdc;
use super::{Candidate, Pair, Reference, Ticks};
use crate::objects::{Misfit, Objects};
use crate::pass::EventError;

/// What the analyses differ in.
pub(super) trait Algorithm: fmt::Debug + Send {
    /// One that knows the same.
    fn copy(&self) -> Box<dyn Algorithm>;

    /// The current event touches points.
    fn touch(
        &mut self,
        access: &Access,
        touched: &Touched,
        threads: &mut Threads,
        found: &mut Vec<Pair>,
    );

    /// A section of `t` begins.
    fn acquired(&mut self, _t: ThreadId, _section: &Section, _threads: &mut Threads) {}

    /// A section of `t` ends; `t` does not hold it any more.
    fn released(
        &mut self,
        t: ThreadId,
        section: &Section,
        threads: &mut Threads,
        found: &mut Vec<Pair>,
    );

    /// Nobody will touch the place again.
    fn forget(&mut self, place: PlaceId);

    /// The trace is over.
    fn finish(&mut self, _threads: &Threads, _found: &mut Vec<Pair>) {}

    /// The pairs of thread `t` that are not decided yet.
    fn candidates(&self, _t: ThreadId) -> Vec<Candidate> {
        Vec::new()
    }

    /// How often order was assumed because it could not be told any more.
    fn assumed(&self) -> u64 {
        0
    }
}

impl Clone for Box<dyn Algorithm> {
    fn clone(&self) -> Box<dyn Algorithm> {
        self.copy()
    }
}

/// A reference analysis of a trace that comes event by event.
#[derive(Clone, Debug)]
pub struct Analysis {
    algorithm: Box<dyn Algorithm>,
    ticks: Ticks,
    objects: Objects,
    places: Places,
    threads: Threads,
    index: u64,
    found: Vec<Pair>,
}

impl Analysis {
    /// No event yet; types come from `library`.
    pub fn new(reference: Reference, library: Arc<Library>) -> Analysis {
        let algorithm: Box<dyn Algorithm> = match reference {
            Reference::HappensBefore => Box::new(Unordered::default()),
            Reference::Wdc => Box::new(Wdc::default()),
            Reference::Edc => Box::new(Edc::new(ReleaseClocks::default())),
            Reference::Ccs(bounds) => Box::new(Edc::new(ShadowWords::new(bounds))),
        };
        Analysis {
            algorithm,
            ticks: Ticks::default(),
            objects: Objects::new(library),
            places: Places::default(),
            threads: Threads::default(),
            index: 0,
            found: Vec::new(),
        }
    }

    /// The same with clocks that advance at other events: for figures.
    pub fn with_ticks(mut self, ticks: Ticks) -> Analysis {
        self.ticks = ticks;
        self
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
        self.objects.assume(object);
        declared.map_err(|misfit| misfit.at(0))
    }

    /// Takes the next event.
    ///
    /// # Errors
    /// If it cannot be understood: an object of unknown type, an action that
    /// does not fit its method. It does not count as an event.
    pub fn step(&mut self, event: &Event, names: &Names) -> Result<(), EventError> {
        self.index += 1;
        let taken = self.event(event, names);
        taken.map_err(|misfit| {
            self.index -= 1;
            misfit.at(0)
        })
    }

    /// The pairs found so far.
    pub fn found(&self) -> &[Pair] {
        &self.found
    }

    /// The trace is over: the pairs, in the order found.
    pub fn finish(mut self) -> Vec<Pair> {
        self.algorithm.finish(&self.threads, &mut self.found);
        self.found
    }

    /// The clock of `t` as the thesis prints it: `⟨5,4⟩`, threads in the order
    /// of `names`.
    pub fn clock(&self, t: ThreadId, names: &Names) -> String {
        self.threads.display(t, names)
    }

    /// The pairs whose later event is of `t` and that are not decided yet.
    pub fn candidates(&self, t: ThreadId) -> Vec<Candidate> {
        self.algorithm.candidates(t)
    }

    /// How often order was assumed because bounded memory could not tell any
    /// more. If never, the result is that of unbounded memory.
    pub fn assumed(&self) -> u64 {
        self.algorithm.assumed()
    }

    fn event(&mut self, event: &Event, names: &Names) -> Result<(), Misfit> {
        let t = event.thread;
        self.threads.epoch(t);
        if self.ticks == Ticks::PerEvent {
            self.threads.clocks.tick(t);
        }
        match &event.op {
            Op::Read(x) => self.touch(t, |places| places.variable(*x, Touch::Read)),
            Op::Write(x) => self.touch(t, |places| places.variable(*x, Touch::Write)),
            Op::Free(x) => self.touch(t, |places| places.variable(*x, Touch::Free)),
            Op::Notify(c) | Op::NotifyAll(c) => {
                self.touch(t, |places| places.condvar(*c, Touch::Notify));
            }
            Op::Wait(c, lock) => {
                self.touch(t, |places| places.condvar(*c, Touch::Wait));
                let section = self.threads.give_up(t, *lock);
                self.released(t, section);
            }
            Op::Wake(c, lock) => {
                let section = self.threads.take_back(t, *lock);
                self.acquired(t, section);
                self.touch(t, |places| places.condvar(*c, Touch::Wake));
            }
            Op::Acquire(lock) => {
                let section = self.threads.acquire(t, *lock, true);
                self.acquired(t, section);
            }
            Op::ReadAcquire(lock) => {
                let section = self.threads.acquire(t, *lock, false);
                self.acquired(t, section);
            }
            Op::Release(lock) => {
                let section = self.threads.release(t, *lock, true);
                self.released(t, section);
            }
            Op::ReadRelease(lock) => {
                let section = self.threads.release(t, *lock, false);
                self.released(t, section);
            }
            Op::Fork(u) => self.threads.fork(t, *u),
            Op::Join(u) => self.threads.join(t, *u),
            Op::Alloc(x) => {
                let place = self.places.forget_variable(*x);
                place.into_iter().for_each(|p| self.algorithm.forget(p));
            }
            Op::New(object, type_id) => {
                self.objects.declare(*object, *type_id, self.index, names)?;
                self.forget_object(*object);
            }
            Op::Drop(object) => {
                self.objects.forget(*object);
                self.forget_object(*object);
            }
            Op::Action(action) => self.action(t, action, names)?,
            Op::Begin(_) | Op::End(_) | Op::Dummy | Op::Branch => {}
        }
        Ok(())
    }

    fn touch(&mut self, t: ThreadId, touched: impl FnOnce(&mut Places) -> Touched) {
        let touched = touched(&mut self.places);
        let access = Access {
            thread: t,
            index: self.index,
            epoch: self.threads.epoch(t),
            held: self.threads.held(t),
        };
        let (threads, found) = (&mut self.threads, &mut self.found);
        self.algorithm.touch(&access, &touched, threads, found);
    }

    fn acquired(&mut self, t: ThreadId, section: Option<Section>) {
        if let Some(section) = section {
            self.algorithm.acquired(t, &section, &mut self.threads);
        }
    }

    fn released(&mut self, t: ThreadId, section: Option<Section>) {
        if let Some(section) = section {
            let (threads, found) = (&mut self.threads, &mut self.found);
            self.algorithm.released(t, &section, threads, found);
            if self.ticks == Ticks::PerRelease {
                self.threads.clocks.tick(t);
            }
        }
    }

    fn action(&mut self, t: ThreadId, action: &SharedAction, names: &Names) -> Result<(), Misfit> {
        let (invocation, object) = self.objects.bind(action, names)?;
        let orders = object.orders();
        if orders {
            object.before(t, invocation, &mut self.threads.clocks);
        }
        let compiled = object.compiled.clone();
        self.touch(t, |places| places.action(compiled, invocation, action));
        if orders && let Some(object) = self.objects.get_mut(action.object) {
            object.after(t, invocation, &mut self.threads.clocks);
        }
        Ok(())
    }

    fn forget_object(&mut self, object: ObjectId) {
        for place in self.places.forget_object(object) {
            self.algorithm.forget(place);
        }
    }
}

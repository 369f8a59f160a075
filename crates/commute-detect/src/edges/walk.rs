//! The table of happens-before, for whatever wants to know who comes after whom.

use std::sync::Arc;

use commute_model::{Event, Id, LockId, Names, ObjectId, Op, ThreadId, TypeId};
use commute_spec::{Library, OrderRule, Orders, Specification};

use super::EdgeKind;
use crate::objects::{Misfit, Object, Objects};
use crate::order::{InitialStates, Knowledge, Order};

/// Hears of every event, and of what it learns.
pub(super) trait Recorder: Knowledge + Default {
    /// The next event is one of `t`.
    fn begin(&mut self, t: ThreadId);

    /// Why the event learns what it learns from now on.
    fn because_of(&mut self, kind: EdgeKind);

    /// The event of `t` comes after all events of `u`.
    fn learn_all(&mut self, t: ThreadId, u: ThreadId);
}

/// Goes through a trace and tells a recorder who learns what.
#[derive(Clone, Debug)]
pub(super) struct Walk<R: Recorder> {
    pub(super) recorder: R,
    objects: Objects,
    /// What actions on each object order, by its number.
    orders: Vec<Order<R::Known>>,
    locks: Vec<Lock<R::Known>>,
    /// Forks of each thread that its next event comes after.
    forks: Vec<R::Known>,
    /// The threads of which there are such forks.
    forked: Vec<bool>,
    not_understood: Option<(u64, String)>,
}

#[derive(Clone, Debug, Default)]
struct Lock<K> {
    released: K,
    readers: K,
    /// The thread that has learned all of this, and need not again.
    known_to: Option<ThreadId>,
}

impl<R: Recorder> Walk<R> {
    pub(super) fn new(library: Arc<Library>) -> Walk<R> {
        Walk {
            recorder: R::default(),
            objects: Objects::new(library),
            orders: Vec::new(),
            locks: Vec::new(),
            forks: Vec::new(),
            forked: Vec::new(),
            not_understood: None,
        }
    }

    pub(super) fn set_initial_states(&mut self, states: &Arc<InitialStates>) {
        self.objects.set_initial_states(states);
    }

    pub(super) fn not_understood(&self) -> Option<&(u64, String)> {
        self.not_understood.as_ref()
    }

    pub(super) fn declare(&mut self, object: ObjectId, type_id: TypeId, names: &Names) {
        let declared = self.try_declare(object, type_id, 0, names);
        self.understood(declared, 0);
    }

    pub(super) fn step(&mut self, event: &Event, index: u64, names: &Names) {
        let t = event.thread;
        self.recorder.begin(t);
        if self.forked.get(t.index()) == Some(&true) {
            self.recorder.because_of(EdgeKind::Fork);
            self.recorder.learn(t, &self.forks[t.index()]);
            self.forks[t.index()] = R::Known::default();
            self.forked[t.index()] = false;
        }
        match event.op {
            Op::Acquire(l) | Op::Wake(_, l) => self.acquire(t, l, true),
            Op::ReadAcquire(l) => self.acquire(t, l, false),
            Op::Release(l) | Op::Wait(_, l) => self.release(t, l),
            Op::ReadRelease(l) => self.release_shared(t, l),
            Op::Fork(u) => self.fork(t, u),
            Op::Join(u) => self.join(t, u),
            Op::New(object, type_id) => {
                let declared = self.try_declare(object, type_id, index, names);
                self.understood(declared, index);
            }
            Op::Drop(object) => self.forget(object),
            Op::Action(_) => {
                let done = self.action(event, names);
                self.understood(done, index);
            }
            _ => {}
        }
    }

    fn understood(&mut self, result: Result<(), Misfit>, index: u64) {
        if let Err(misfit) = result {
            let message = || misfit.at(0).message;
            self.not_understood
                .get_or_insert_with(|| (index, message()));
        }
    }

    fn try_declare(
        &mut self,
        o: ObjectId,
        type_id: TypeId,
        index: u64,
        names: &Names,
    ) -> Result<(), Misfit> {
        // Whatever had this name before is gone, also if this cannot be understood.
        self.forget(o);
        self.objects.declare(o, type_id, index, names)?;
        let order = new_order(&self.objects, o);
        if o.index() >= self.orders.len() && !order.is_none() {
            self.orders.resize_with(o.index() + 1, Order::none);
        }
        if let Some(known) = self.orders.get_mut(o.index()) {
            *known = order;
        }
        Ok(())
    }

    fn forget(&mut self, object: ObjectId) {
        if let Some(order) = self.orders.get_mut(object.index()) {
            *order = new_order(&self.objects, object);
        }
    }

    fn action(&mut self, event: &Event, names: &Names) -> Result<(), Misfit> {
        let Op::Action(action) = &event.op else {
            return Ok(());
        };
        let (invocation, object) = self.objects.bind(action, names)?;
        let specification = &object.compiled.specification;
        let Some(order) = self.orders.get_mut(action.object.index()) else {
            return Ok(());
        };
        self.recorder.because_of(kind(specification));
        let t = event.thread;
        order.before(t, invocation, specification, &mut self.recorder);
        order.after(t, invocation, specification, &mut self.recorder);
        Ok(())
    }

    fn lock(&mut self, l: LockId) -> &mut Lock<R::Known> {
        if l.index() >= self.locks.len() {
            self.locks.resize_with(l.index() + 1, Lock::default);
        }
        &mut self.locks[l.index()]
    }

    fn acquire(&mut self, t: ThreadId, l: LockId, exclusive: bool) {
        self.recorder.because_of(EdgeKind::Lock);
        self.lock(l);
        let lock = &mut self.locks[l.index()];
        if lock.known_to == Some(t) {
            return;
        }
        self.recorder.learn(t, &lock.released);
        if exclusive {
            self.recorder.learn(t, &lock.readers);
            lock.known_to = Some(t);
        }
    }

    fn release(&mut self, t: ThreadId, l: LockId) {
        self.lock(l);
        let lock = &mut self.locks[l.index()];
        self.recorder.replace(t, &mut lock.released);
        lock.readers = R::Known::default();
        lock.known_to = None;
    }

    fn release_shared(&mut self, t: ThreadId, l: LockId) {
        self.lock(l);
        let lock = &mut self.locks[l.index()];
        self.recorder.publish(t, &mut lock.readers);
        lock.known_to = None;
    }

    fn fork(&mut self, t: ThreadId, u: ThreadId) {
        if t == u {
            return;
        }
        if u.index() >= self.forks.len() {
            self.forks.resize_with(u.index() + 1, R::Known::default);
            self.forked.resize(u.index() + 1, false);
        }
        self.recorder.publish(t, &mut self.forks[u.index()]);
        self.forked[u.index()] = true;
    }

    fn join(&mut self, t: ThreadId, u: ThreadId) {
        if t == u {
            return;
        }
        self.recorder.because_of(EdgeKind::Join);
        self.recorder.learn_all(t, u);
        // Nothing happened in it since it was forked: what comes before it is the fork.
        if self.forked.get(u.index()) == Some(&true) {
            self.recorder.learn(t, &self.forks[u.index()]);
        }
    }
}

/// The order of an unused object.
fn new_order<K: Clone + Default + std::fmt::Debug>(objects: &Objects, o: ObjectId) -> Order<K> {
    { objects.get(o) }.map_or_else(Order::none, Object::new_order)
}

/// What orders threads at an object of this type.
fn kind(specification: &Specification) -> EdgeKind {
    match &specification.orders[..] {
        [Orders::Atomic, ..] => EdgeKind::Atomic,
        [Orders::Barrier, ..] => EdgeKind::Barrier,
        _ if specification.rules().any(OrderRule::is_keyed) => EdgeKind::Channel,
        _ => EdgeKind::Synchronisation,
    }
}

//! Which events conflict, for all algorithms alike: the last touches of every
//! access point, lock and thread, each with a stamp of the algorithm's.
//!
//! Plain variables are registers: `r(x)` touches a point R, `w(x)` a point W,
//! which conflicts with R and itself. Actions touch the points of their type's
//! specification; pairs outside ECL are compared by their formula. Actions that the `orders`
//! of a type relate conflict, too. A release comes before the acquisitions that follow it, a
//! shared one before the exclusive ones. A notification comes before the ends of the waits during which it
//! came.
//!
//! Deviations from Algorithm 1: one map from threads to stamps per access point
//! stands for W_x, lastWThr_x and R_{t,x}. A touch that covers an earlier one
//! replaces it, and so does one that comes after it in the same class: who comes
//! after the new one comes after the old one too. Keys of objects are forgotten when
//! everything up to their last touches is over.

use commute_model::{Action, CondvarId, Id, LockId, ObjectId, VariableId};
use commute_spec::Invocation;

use super::cycle::OrderedBy;
use crate::objects::Object;
use condvars::Condvars;
use objects::Objects;
use variables::Variables;

mod condvars;
mod objects;
mod variables;

/// What an algorithm makes of the order of events.
pub(super) trait Order {
    /// What is remembered of an event.
    type Stamp: Clone + std::fmt::Debug;

    /// The current event, of thread `t`, comes after one that `u` stamped.
    fn after(&mut self, t: u32, u: u32, stamp: &Self::Stamp);

    /// Says why the current event comes after those that follow: it conflicts with them,
    /// unless it is said otherwise.
    fn ordered_by(&mut self, _by: OrderedBy) {}

    /// The stamp of the current event, of thread `t`.
    fn stamp(&mut self, t: u32) -> Self::Stamp;

    /// Whether thread `t` is known to come after everything up to an event that
    /// `u` stamped, whatever comes later.
    fn knows(&self, _t: u32, _u: u32, _stamp: &Self::Stamp) -> bool {
        false
    }

    /// Whether to come after an event with this stamp can never close a cycle any
    /// more: everything up to it is over.
    fn is_over(&self, _stamp: &Self::Stamp) -> bool {
        false
    }
}

/// The last touch of a point by a thread.
#[derive(Clone, Debug)]
struct Touch<S> {
    thread: u32,
    stamp: S,
}

/// Everything that later events can conflict with.
#[derive(Clone, Debug)]
pub(super) struct Touches<S> {
    variables: Variables<S>,
    locks: Vec<Lock<S>>,
    condvars: Condvars<S>,
    objects: Objects<S>,
}

#[derive(Clone, Debug)]
struct Lock<S> {
    exclusive: Option<Touch<S>>,
    /// Since the last exclusive release, in the order of the threads.
    shared: Vec<Touch<S>>,
}

impl<S> Default for Touches<S> {
    fn default() -> Touches<S> {
        Touches {
            variables: Variables::default(),
            locks: Vec::new(),
            condvars: Condvars::default(),
            objects: Objects::default(),
        }
    }
}

impl<S: Clone + std::fmt::Debug> Touches<S> {
    /// `r(x)` by `t`.
    #[inline(always)]
    pub(super) fn read(&mut self, t: u32, x: VariableId, order: &mut impl Order<Stamp = S>) {
        self.variables.read(t, x, order);
    }

    /// `w(x)` by `t`.
    #[inline(always)]
    pub(super) fn write(&mut self, t: u32, x: VariableId, order: &mut impl Order<Stamp = S>) {
        self.variables.write(t, x, order);
    }

    /// `alloc(x)`: a new variable of the same name.
    pub(super) fn forget_variable(&mut self, x: VariableId) {
        self.variables.forget(x);
    }

    /// `acq(l)`, or `racq(l)` if shared, by `t`.
    pub(super) fn acquire(
        &mut self,
        t: u32,
        l: LockId,
        shared: bool,
        order: &mut impl Order<Stamp = S>,
    ) {
        let lock = self.lock(l);
        if let Some(release) = &lock.exclusive {
            order.after(t, release.thread, &release.stamp);
        }
        if !shared {
            for release in &lock.shared {
                order.after(t, release.thread, &release.stamp);
            }
        }
    }

    /// `rel(l)`, or `rrel(l)` if shared, by `t`.
    pub(super) fn release(
        &mut self,
        t: u32,
        l: LockId,
        shared: bool,
        order: &mut impl Order<Stamp = S>,
    ) {
        let lock = self.lock(l);
        let stamp = order.stamp(t);
        if shared {
            record(&mut lock.shared, t, stamp, order);
        } else {
            lock.shared.clear();
            lock.exclusive = Some(Touch { thread: t, stamp });
        }
    }

    /// `wait(c,l)` by `t` begins. The lock is released by [`release`](Touches::release).
    pub(super) fn wait(&mut self, t: u32, c: CondvarId) {
        self.condvars.wait(t, c);
    }

    /// `notify(c)` or `notify_all(c)` by `t`.
    pub(super) fn notify(&mut self, t: u32, c: CondvarId, order: &mut impl Order<Stamp = S>) {
        self.condvars.notify(t, c, order);
    }

    /// `wake(c,l)` by `t`: its wait ends. The lock is acquired by
    /// [`acquire`](Touches::acquire).
    pub(super) fn wake(&mut self, t: u32, c: CondvarId, order: &mut impl Order<Stamp = S>) {
        self.condvars.wake(t, c, order);
    }

    /// `wake(c,l)` by `t`, if what comes before is not asked for.
    pub(super) fn forget_wait(&mut self, t: u32, c: CondvarId) {
        self.condvars.forget(t, c);
    }

    /// An action by `t` on an object of this type.
    #[inline(always)]
    pub(super) fn act(
        &mut self,
        t: u32,
        target: &Object,
        invocation: Invocation<'_>,
        action: &Action,
        order: &mut impl Order<Stamp = S>,
    ) {
        self.objects.act(t, target, invocation, action, order);
    }

    /// Counts an action for the rules of its type, without adding conflicts.
    pub(super) fn skip(&mut self, t: u32, target: &Object, o: ObjectId, action: Invocation<'_>) {
        self.objects.skip(t, target, o, action);
    }

    /// `new(o)` or `drop(o)`: a new life, with which the old one has nothing to
    /// do.
    pub(super) fn forget_object(&mut self, o: ObjectId) {
        self.objects.forget(o);
    }

    /// Whether an action came after another because too little was known of the initial
    /// state of its object.
    pub(super) fn is_late(&self) -> bool {
        self.objects.is_late()
    }

    /// Whether the order of some actions depends on an initial state that the trace does
    /// not record.
    pub(super) fn is_inferred(&self) -> bool {
        self.objects.is_inferred()
    }

    /// Forgets nothing of the objects that there are.
    #[cfg(test)]
    pub(super) fn keep_all(&mut self) {
        self.objects.keep_all();
    }

    /// How many keys of objects are kept.
    #[cfg(test)]
    pub(super) fn keys(&self) -> usize {
        self.objects.keys()
    }

    /// Calls `visit` with every stamp.
    pub(super) fn for_each(&mut self, mut visit: impl FnMut(&mut S)) {
        self.variables.for_each(&mut visit);
        for lock in &mut self.locks {
            let touches = lock.exclusive.iter_mut().chain(&mut lock.shared);
            touches.for_each(|touch| visit(&mut touch.stamp));
        }
        self.condvars.for_each(&mut visit);
        self.objects.for_each(&mut visit);
    }

    /// The stamp of the last write of `x`.
    pub(super) fn written(&mut self, x: VariableId) -> Option<&S> {
        self.variables.written(x)
    }

    /// Brings the variables into the cache, all at once: misses that do not
    /// depend on each other overlap. The result means nothing.
    #[inline(always)]
    pub(super) fn prefetch(&self, variables: impl Iterator<Item = VariableId>) -> usize {
        self.variables.prefetch(variables)
    }

    /// Whether there are so many variables that looking them up in advance pays.
    pub(super) fn is_large(&self) -> bool {
        self.variables.is_large()
    }

    fn lock(&mut self, l: LockId) -> &mut Lock<S> {
        let place = l.index();
        if place >= self.locks.len() {
            self.locks.resize_with(place + 1, || Lock {
                exclusive: None,
                shared: Vec::new(),
            });
        }
        &mut self.locks[place]
    }
}

/// Adds the touch of `t` to a list that is in the order of the threads. Those
/// that it comes after are not needed any more.
fn record<S>(touches: &mut Vec<Touch<S>>, t: u32, stamp: S, order: &impl Order<Stamp = S>) {
    // Where all threads are, each is at its own place.
    if let Some(touch) = touches.get_mut(t as usize)
        && touch.thread == t
    {
        touch.stamp = stamp;
        return;
    }
    if let Ok(place) = touches.binary_search_by_key(&t, |touch| touch.thread) {
        touches[place].stamp = stamp;
        return;
    }
    touches.retain(|touch| !order.knows(t, touch.thread, &touch.stamp));
    let place = touches.partition_point(|touch| touch.thread < t);
    touches.insert(place, Touch { thread: t, stamp });
}

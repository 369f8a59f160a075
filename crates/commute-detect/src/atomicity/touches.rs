//! Which events conflict, for all algorithms alike: the last touches of every
//! access point, lock and thread, each with a stamp of the algorithm's.
//!
//! Plain variables are registers: `r(x)` touches a point R, `w(x)` a point W,
//! which conflicts with R and itself. Actions touch the points of their type's
//! specification; pairs outside ECL are compared by their formula. A release
//! comes before the acquisitions that follow it, a shared one before the
//! exclusive ones.
//!
//! Deviations from Algorithm 1: one map from threads to stamps per access point
//! stands for W_x, lastWThr_x and R_{t,x}. A touch that covers an earlier one
//! replaces it: who comes after the new one comes after the old one too.

use commute_model::{Action, Id, LockId, ObjectId, VariableId};
use commute_spec::{CompiledSpecification, Invocation};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::keyed::{Keyed, Place};

/// What an algorithm makes of the order of events.
pub(super) trait Order {
    /// What is remembered of an event.
    type Stamp: Clone + PartialEq;

    /// The current event, of thread `t`, comes after one that `u` stamped.
    fn after(&mut self, t: u32, u: u32, stamp: &Self::Stamp);

    /// The stamp of the current event, of thread `t`.
    fn stamp(&mut self, t: u32) -> Self::Stamp;

    /// A copy of the stamp is kept.
    fn hold(&mut self, _stamp: &Self::Stamp) {}

    /// Brings what belongs to a stamp into the cache. The result means nothing.
    fn prefetch(&self, _stamp: &Self::Stamp) -> usize {
        0
    }

    /// A copy that was kept is gone.
    fn release(&mut self, _stamp: Self::Stamp) {}
}

/// The last touch of a point by a thread.
#[derive(Clone, Debug)]
pub(super) struct Touch<S> {
    thread: u32,
    stamp: S,
}

/// Everything that later events can conflict with.
#[derive(Debug)]
pub(super) struct Touches<S> {
    /// Pieces of [`PIECE`] variables each, which never move.
    variables: Vec<Box<[Variable<S>]>>,
    locks: Vec<Lock<S>>,
    objects: Vec<Object<S>>,
    /// The points of the current action.
    touched: Vec<(u16, Option<Place>)>,
}

/// Variables per piece of memory.
const PIECE: usize = 1 << 12;

#[derive(Clone, Debug)]
struct Variable<S> {
    write: Option<Touch<S>>,
    /// Since the last write, in the order of the threads.
    reads: SmallVec<[Touch<S>; 1]>,
}

#[derive(Debug)]
struct Lock<S> {
    exclusive: Option<Touch<S>>,
    /// Since the last exclusive release, in the order of the threads.
    shared: Vec<Touch<S>>,
}

#[derive(Debug)]
struct Object<S> {
    points: Keyed<Points<S>>,
    /// Actions of methods that are compared one by one.
    listed: Vec<Listed<S>>,
    /// Where in `listed` an action is.
    places: FxHashMap<Action, usize>,
}

/// Touches of points that are kept together, with the class of each.
type Points<S> = SmallVec<[(u16, Touch<S>); 2]>;

#[derive(Debug)]
struct Listed<S> {
    method: usize,
    action: Action,
    touches: Vec<Touch<S>>,
}

impl<S> Default for Touches<S> {
    fn default() -> Touches<S> {
        Touches {
            variables: Vec::new(),
            locks: Vec::new(),
            objects: Vec::new(),
            touched: Vec::new(),
        }
    }
}

impl<S: Clone + PartialEq> Touches<S> {
    /// `r(x)` by `t`.
    #[inline]
    pub(super) fn read<O: Order<Stamp = S>>(&mut self, t: u32, x: VariableId, order: &mut O) {
        let variable = self.variable(x);
        if let Some(write) = &variable.write {
            order.after(t, write.thread, &write.stamp);
        }
        let stamp = order.stamp(t);
        match &mut variable.reads[..] {
            [read] if read.thread == t => read.set(stamp, order),
            _ => record(&mut variable.reads, t, stamp, order),
        }
    }

    /// `w(x)` by `t`.
    #[inline]
    pub(super) fn write<O: Order<Stamp = S>>(&mut self, t: u32, x: VariableId, order: &mut O) {
        let variable = self.variable(x);
        if let Some(write) = &variable.write {
            order.after(t, write.thread, &write.stamp);
        }
        for read in &variable.reads {
            order.after(t, read.thread, &read.stamp);
        }
        let stamp = order.stamp(t);
        for read in variable.reads.drain(..) {
            order.release(read.stamp);
        }
        replace(&mut variable.write, t, stamp, order);
    }

    /// `alloc(x)`: a new variable of the same name.
    pub(super) fn forget_variable<O: Order<Stamp = S>>(&mut self, x: VariableId, order: &mut O) {
        let variable = self.variable(x);
        let touches = variable.write.take().into_iter();
        for touch in touches.chain(variable.reads.drain(..)) {
            order.release(touch.stamp);
        }
    }

    /// `acq(l)`, or `racq(l)` if shared, by `t`.
    pub(super) fn acquire<O: Order<Stamp = S>>(
        &mut self,
        t: u32,
        l: LockId,
        shared: bool,
        order: &mut O,
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
    pub(super) fn release<O: Order<Stamp = S>>(
        &mut self,
        t: u32,
        l: LockId,
        shared: bool,
        order: &mut O,
    ) {
        let lock = self.lock(l);
        let stamp = order.stamp(t);
        if shared {
            record(&mut lock.shared, t, stamp, order);
        } else {
            for release in lock.shared.drain(..) {
                order.release(release.stamp);
            }
            replace(&mut lock.exclusive, t, stamp, order);
        }
    }

    /// An action by `t` on an object of this type.
    #[inline]
    pub(super) fn act<O: Order<Stamp = S>>(
        &mut self,
        t: u32,
        compiled: &CompiledSpecification,
        invocation: Invocation<'_>,
        action: &Action,
        order: &mut O,
    ) {
        let place = action.object.index();
        if place >= self.objects.len() {
            self.objects.resize_with(place + 1, Object::default);
        }
        let object = &mut self.objects[place];
        let (points, classes) = (compiled.points(), compiled.points().classes());
        self.touched.clear();
        points.touch_each(invocation, |class, key| {
            let conflicts = &classes[usize::from(class)].conflicts;
            let place = key.map(|key| match object.points.find(key) {
                Ok(place) => place,
                Err(missing) => object.points.insert(key, missing),
            });
            match place {
                Some(place) => after_all(t, object.points.at(place), conflicts, order),
                None => {
                    for other in conflicts {
                        if let Some(touches) = object.points.known_class(*other) {
                            after_all(t, touches, conflicts, order);
                        }
                    }
                }
            }
            self.touched.push((class, place));
        });
        let listed = points.linear().iter();
        let listed = { listed }.any(|&(a, b)| a == invocation.method || b == invocation.method);
        if listed {
            object.after_listed(t, compiled, invocation, order);
        }
        let stamp = order.stamp(t);
        for &(class, place) in &self.touched {
            let covers = &classes[usize::from(class)].covers;
            match place {
                Some(place) => {
                    let touches = object.points.at(place);
                    cover(touches, covers, class, t, order);
                    record_class(touches, class, t, stamp.clone(), order);
                }
                None => {
                    for other in covers {
                        let touches = object.points.class(*other);
                        cover(touches, covers, class, t, order);
                    }
                    let touches = object.points.class(class);
                    record_class(touches, class, t, stamp.clone(), order);
                }
            }
        }
        if listed {
            object.list(t, invocation.method, action, stamp, order);
        }
    }

    /// `new(o)` or `drop(o)`: a new life, with which the old one has nothing to
    /// do.
    pub(super) fn forget_object<O: Order<Stamp = S>>(&mut self, o: ObjectId, order: &mut O) {
        let Some(object) = self.objects.get_mut(o.index()) else {
            return;
        };
        let mut old = std::mem::take(object);
        for points in old.points.all() {
            for (_, touch) in points.drain(..) {
                order.release(touch.stamp);
            }
        }
        for touch in old.listed.into_iter().flat_map(|listed| listed.touches) {
            order.release(touch.stamp);
        }
    }

    /// Calls `visit` with every stamp.
    pub(super) fn for_each(&mut self, mut visit: impl FnMut(&mut S)) {
        for variable in self.variables.iter_mut().flat_map(|piece| piece.iter_mut()) {
            let touches = variable.write.iter_mut().chain(&mut variable.reads);
            touches.for_each(|touch| visit(&mut touch.stamp));
        }
        for lock in &mut self.locks {
            let touches = lock.exclusive.iter_mut().chain(&mut lock.shared);
            touches.for_each(|touch| visit(&mut touch.stamp));
        }
        for object in &mut self.objects {
            let points = object.points.all().flatten();
            points.for_each(|(_, touch)| visit(&mut touch.stamp));
            let listed = object.listed.iter_mut().flat_map(|l| &mut l.touches);
            listed.for_each(|touch| visit(&mut touch.stamp));
        }
    }

    /// The stamp of the last write of `x`.
    pub(super) fn written(&mut self, x: VariableId) -> Option<&S> {
        self.variable(x).write.as_ref().map(|touch| &touch.stamp)
    }

    /// Brings the variables and their stamps into the cache, all at once: misses
    /// that do not depend on each other overlap. The result means nothing.
    #[inline]
    pub(super) fn prefetch<O: Order<Stamp = S>>(
        &self,
        variables: impl Iterator<Item = VariableId> + Clone,
        order: &O,
    ) -> usize {
        let known = variables.filter_map(|x| {
            self.variables
                .get(x.index() / PIECE)?
                .get(x.index() % PIECE)
        });
        let lengths = known.clone().map(|variable| variable.reads.len());
        let stamps = known.filter_map(|variable| variable.reads.first());
        let sum = lengths.fold(0, |sum, length| sum ^ length);
        stamps.fold(sum, |sum, read| sum ^ order.prefetch(&read.stamp))
    }

    /// Whether there are so many variables that looking them up in advance pays.
    pub(super) fn is_large(&self) -> bool {
        self.variables.len() > 4
    }

    #[inline(always)]
    fn variable(&mut self, x: VariableId) -> &mut Variable<S> {
        let (piece, place) = (x.index() / PIECE, x.index() % PIECE);
        if piece >= self.variables.len() {
            self.grow(piece);
        }
        &mut self.variables[piece][place]
    }

    #[cold]
    fn grow(&mut self, piece: usize) {
        let unused = Variable {
            write: None,
            reads: SmallVec::new(),
        };
        let new = || vec![unused.clone(); PIECE].into_boxed_slice();
        self.variables.resize_with(piece + 1, new);
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

impl<S: PartialEq> Touch<S> {
    /// The same thread touched the point again.
    #[inline(always)]
    fn set(&mut self, stamp: S, order: &mut impl Order<Stamp = S>) {
        if self.stamp != stamp {
            order.hold(&stamp);
            order.release(std::mem::replace(&mut self.stamp, stamp));
        }
    }
}

/// The only touch that counts is now that of `t`.
#[inline(always)]
fn replace<S: PartialEq>(
    touch: &mut Option<Touch<S>>,
    t: u32,
    stamp: S,
    order: &mut impl Order<Stamp = S>,
) {
    match touch {
        Some(touch) => {
            touch.thread = t;
            touch.set(stamp, order);
        }
        None => {
            order.hold(&stamp);
            *touch = Some(Touch { thread: t, stamp });
        }
    }
}

/// Adds the touch of `t` to a list that is in the order of the threads.
fn record<S, L, O>(touches: &mut L, t: u32, stamp: S, order: &mut O)
where
    S: PartialEq,
    L: std::ops::DerefMut<Target = [Touch<S>]> + Insert<Touch<S>>,
    O: Order<Stamp = S>,
{
    // Where all threads are, each is at its own place.
    if let Some(touch) = touches.get_mut(t as usize)
        && touch.thread == t
    {
        touch.set(stamp, order);
        return;
    }
    match touches.binary_search_by_key(&t, |touch| touch.thread) {
        Ok(place) => touches[place].set(stamp, order),
        Err(place) => {
            order.hold(&stamp);
            touches.insert(place, Touch { thread: t, stamp });
        }
    }
}

/// What `Vec` and `SmallVec` have in common.
trait Insert<T> {
    fn insert(&mut self, place: usize, element: T);
}

impl<T> Insert<T> for Vec<T> {
    fn insert(&mut self, place: usize, element: T) {
        Vec::insert(self, place, element);
    }
}

impl<T> Insert<T> for SmallVec<[T; 1]> {
    fn insert(&mut self, place: usize, element: T) {
        SmallVec::insert(self, place, element);
    }
}

/// The current event of `t` comes after all touches of these classes.
#[inline]
fn after_all<O: Order>(t: u32, touches: &Points<O::Stamp>, classes: &[u16], order: &mut O) {
    for (class, touch) in touches {
        if classes.contains(class) {
            order.after(t, touch.thread, &touch.stamp);
        }
    }
}

/// Forgets the touches of classes that are covered by the touch of `class` by
/// `t`, which is about to be recorded.
#[inline]
fn cover<O: Order>(
    touches: &mut Points<O::Stamp>,
    covers: &[u16],
    class: u16,
    t: u32,
    order: &mut O,
) {
    let mut i = 0;
    while let Some((other, touch)) = touches.get(i) {
        let own = *other == class && touch.thread == t;
        if covers.contains(other) && !own {
            order.release(touches.swap_remove(i).1.stamp);
        } else {
            i += 1;
        }
    }
}

#[inline]
fn record_class<O: Order>(
    touches: &mut Points<O::Stamp>,
    class: u16,
    t: u32,
    stamp: O::Stamp,
    order: &mut O,
) {
    let same = |(c, touch): &&mut (u16, Touch<O::Stamp>)| *c == class && touch.thread == t;
    match touches.iter_mut().find(same) {
        Some((_, touch)) => touch.set(stamp, order),
        None => {
            order.hold(&stamp);
            touches.push((class, Touch { thread: t, stamp }));
        }
    }
}

impl<S> Default for Object<S> {
    fn default() -> Object<S> {
        Object {
            points: Keyed::default(),
            listed: Vec::new(),
            places: FxHashMap::default(),
        }
    }
}

impl<S: Clone + PartialEq> Object<S> {
    /// The current event of `t` comes after the listed actions with which it
    /// does not commute.
    fn after_listed<O: Order<Stamp = S>>(
        &mut self,
        t: u32,
        compiled: &CompiledSpecification,
        invocation: Invocation<'_>,
        order: &mut O,
    ) {
        let (linear, mine) = (compiled.points().linear(), invocation.method);
        let partner = |other: usize| linear.contains(&(other.min(mine), other.max(mine)));
        let specification = &compiled.specification;
        for earlier in self.listed.iter().filter(|listed| partner(listed.method)) {
            let declared = &specification.methods[earlier.method];
            if let Ok(other) = Invocation::bind(earlier.method, declared, &earlier.action)
                && !specification.commutes(other, invocation)
            {
                for touch in &earlier.touches {
                    order.after(t, touch.thread, &touch.stamp);
                }
            }
        }
    }

    fn list<O: Order<Stamp = S>>(
        &mut self,
        t: u32,
        method: usize,
        action: &Action,
        stamp: S,
        order: &mut O,
    ) {
        let place = *self.places.entry(action.clone()).or_insert_with(|| {
            self.listed.push(Listed {
                method,
                action: action.clone(),
                touches: Vec::new(),
            });
            self.listed.len() - 1
        });
        record(&mut self.listed[place].touches, t, stamp, order);
    }
}

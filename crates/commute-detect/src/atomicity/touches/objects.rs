//! Objects with a specification, and who touched their access points last.

use std::marker::PhantomData;

use commute_model::{Action, Id, ObjectId, ThreadId};
use commute_spec::{CompiledSpecification, Invocation};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Order, Touch, record};
use crate::atomicity::cycle::OrderedBy;
use crate::keyed::{Keyed, Place};
use crate::objects::Object as Target;
use crate::order::{Knowledge, Order as Synchronisation};

#[derive(Clone, Debug)]
pub(super) struct Objects<S> {
    objects: Vec<Object<S>>,
    /// The points of the current action.
    touched: Vec<(u16, Option<Place>)>,
    /// Whether an object that is gone was late.
    is_late: bool,
    /// Whether an action came after another because of an initial state that the trace
    /// does not record.
    is_inferred: bool,
}

#[derive(Clone, Debug)]
struct Object<S> {
    points: Keyed<Points<S>>,
    /// Actions of methods that are compared one by one.
    listed: Vec<Listed<S>>,
    /// Where in `listed` an action is.
    places: FxHashMap<Action, usize>,
    /// What the `orders` of the type say of its actions.
    synchronisation: Option<Box<Synchronisation<Published<S>>>>,
}

/// Actions that others come after, of each thread the last.
#[derive(Clone, Debug)]
struct Published<S>(SmallVec<[Touch<S>; 1]>);

impl<S> Default for Published<S> {
    fn default() -> Published<S> {
        Published(SmallVec::new())
    }
}

/// The conflicts of the current action by the `orders` of its type.
struct Conflicts<'a, O> {
    order: &'a mut O,
    /// Whether those that are learned now depend on an inferred initial state.
    is_inferred: bool,
    /// Whether some did.
    has_inferred: bool,
}

impl<O: Order> Knowledge for Conflicts<'_, O>
where
    O::Stamp: std::fmt::Debug,
{
    type Known = Published<O::Stamp>;

    fn learn(&mut self, t: ThreadId, known: &Published<O::Stamp>) {
        for touch in &known.0 {
            self.order.after(t.0, touch.thread, &touch.stamp);
            self.has_inferred |= self.is_inferred;
        }
    }

    fn publish(&mut self, t: ThreadId, known: &mut Published<O::Stamp>) {
        let own = Touch {
            thread: t.0,
            stamp: self.order.stamp(t.0),
        };
        match known.0.iter_mut().find(|touch| touch.thread == t.0) {
            Some(touch) => *touch = own,
            None => known.0.push(own),
        }
    }

    /// Actions on an atomic conflict only if they do not commute.
    fn replace(&mut self, _: ThreadId, _: &mut Published<O::Stamp>) {}

    fn by_rule(&mut self, is_inferred: bool) {
        self.is_inferred = is_inferred;
        self.order.ordered_by(if is_inferred {
            OrderedBy::InferredState
        } else {
            OrderedBy::Rule
        });
    }
}

/// An action that no later one comes after.
struct Skipped<S>(PhantomData<S>);

impl<S: Clone + std::fmt::Debug> Knowledge for Skipped<S> {
    type Known = Published<S>;

    fn learn(&mut self, _: ThreadId, _: &Published<S>) {}

    fn publish(&mut self, _: ThreadId, _: &mut Published<S>) {}

    fn replace(&mut self, _: ThreadId, _: &mut Published<S>) {}
}

/// Touches of points that are kept together, with the class of each.
type Points<S> = SmallVec<[(u16, Touch<S>); 2]>;

#[derive(Clone, Debug)]
struct Listed<S> {
    method: usize,
    action: Action,
    touches: Vec<Touch<S>>,
}

impl<S> Default for Objects<S> {
    fn default() -> Objects<S> {
        Objects {
            objects: Vec::new(),
            touched: Vec::new(),
            is_late: false,
            is_inferred: false,
        }
    }
}

impl<S: Clone + std::fmt::Debug> Objects<S> {
    #[inline]
    pub(super) fn act<O: Order<Stamp = S>>(
        &mut self,
        t: u32,
        target: &Target,
        invocation: Invocation<'_>,
        action: &Action,
        order: &mut O,
    ) {
        let compiled = &*target.compiled;
        let place = action.object.index();
        if place >= self.objects.len() {
            self.objects.resize_with(place + 1, Object::default);
        }
        let object = &mut self.objects[place];
        if object.points.is_due() {
            let is_over = |(_, touch): &(u16, Touch<S>)| order.is_over(&touch.stamp);
            object.points.retain(|touches| !touches.iter().all(is_over));
        }
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
        let specification = &compiled.specification;
        let synchronises = !specification.orders.is_empty();
        let thread = ThreadId(t);
        let mut conflicts = Conflicts {
            order,
            is_inferred: false,
            has_inferred: false,
        };
        if synchronises {
            let fresh = || Box::new(target.new_order());
            let rules = object.synchronisation.get_or_insert_with(fresh);
            rules.before(thread, invocation, specification, &mut conflicts);
            conflicts.order.ordered_by(OrderedBy::Conflict);
        }
        let stamp = conflicts.order.stamp(t);
        if synchronises && let Some(rules) = &mut object.synchronisation {
            rules.after(thread, invocation, specification, &mut conflicts);
            self.is_inferred |= conflicts.has_inferred;
        }
        for &(class, place) in &self.touched {
            let covers = &classes[usize::from(class)].covers;
            match place {
                Some(place) => {
                    let touches = object.points.at(place);
                    cover(touches, covers, class, t);
                    record_class(touches, class, t, stamp.clone(), order);
                }
                None => {
                    for other in covers {
                        let touches = object.points.class(*other);
                        cover(touches, covers, class, t);
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

    /// Counts an action for the rules of its type, without adding conflicts.
    pub(super) fn skip(&mut self, t: u32, target: &Target, o: ObjectId, action: Invocation<'_>) {
        let specification = &target.compiled.specification;
        if specification.orders.is_empty() {
            return;
        }
        if o.index() >= self.objects.len() {
            self.objects.resize_with(o.index() + 1, Object::default);
        }
        let fresh = || Box::new(target.new_order());
        let object = &mut self.objects[o.index()];
        let rules = object.synchronisation.get_or_insert_with(fresh);
        let mut skipped = Skipped(PhantomData);
        rules.before(ThreadId(t), action, specification, &mut skipped);
        rules.after(ThreadId(t), action, specification, &mut skipped);
    }

    pub(super) fn forget(&mut self, o: ObjectId) {
        if let Some(object) = self.objects.get_mut(o.index()) {
            self.is_late |= object.is_late();
            *object = Object::default();
        }
    }

    pub(super) fn is_late(&self) -> bool {
        self.is_late || self.objects.iter().any(Object::is_late)
    }

    pub(super) fn is_inferred(&self) -> bool {
        self.is_inferred
    }

    /// Forgets nothing of the objects that there are.
    #[cfg(test)]
    pub(super) fn keep_all(&mut self) {
        let objects = self.objects.iter_mut();
        objects.for_each(|object| object.points.keep_all());
    }

    /// How many keys of all objects are kept.
    #[cfg(test)]
    pub(super) fn keys(&self) -> usize {
        self.objects.iter().map(|object| object.points.len()).sum()
    }

    pub(super) fn for_each(&mut self, visit: &mut impl FnMut(&mut S)) {
        for object in &mut self.objects {
            let points = object.points.all().flatten();
            points.for_each(|(_, touch)| visit(&mut touch.stamp));
            let listed = object.listed.iter_mut().flat_map(|l| &mut l.touches);
            listed.for_each(|touch| visit(&mut touch.stamp));
            if let Some(rules) = &mut object.synchronisation {
                rules.for_each(&mut |known| {
                    let touches = known.0.iter_mut();
                    touches.for_each(|touch| visit(&mut touch.stamp));
                });
            }
        }
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
fn cover<S>(touches: &mut Points<S>, covers: &[u16], class: u16, t: u32) {
    let mut i = 0;
    while let Some((other, touch)) = touches.get(i) {
        let own = *other == class && touch.thread == t;
        if covers.contains(other) && !own {
            touches.swap_remove(i);
        } else {
            i += 1;
        }
    }
}

/// Records the touch of `class` by `t`, instead of those it comes after.
#[inline]
fn record_class<O: Order>(
    touches: &mut Points<O::Stamp>,
    class: u16,
    t: u32,
    stamp: O::Stamp,
    order: &O,
) {
    let mut new = Some(Touch { thread: t, stamp });
    touches.retain(|(other, touch)| {
        let stale =
            *other == class && (touch.thread == t || order.knows(t, touch.thread, &touch.stamp));
        if stale && let Some(new) = new.take() {
            *touch = new;
            return true;
        }
        !stale
    });
    touches.extend(new.map(|touch| (class, touch)));
}

impl<S> Default for Object<S> {
    fn default() -> Object<S> {
        Object {
            points: Keyed::default(),
            listed: Vec::new(),
            places: FxHashMap::default(),
            synchronisation: None,
        }
    }
}

impl<S: Clone + std::fmt::Debug> Object<S> {
    fn is_late(&self) -> bool {
        { self.synchronisation.as_ref() }.is_some_and(|rules| rules.is_late())
    }

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

//! Library objects: who acted on them, and what an action needs.

use commute_model::{Id, ObjectId, SharedAction, ThreadId};
use commute_spec::{CompiledSpecification, Invocation, Specification};
use smallvec::SmallVec;

use super::access::{Access, Candidate, Subject};
use super::certify::Kind;
use super::cone::{Cones, Stamp};
use super::held::Held;
use super::kept::{Kept, record};
use super::legal::{Legal, model};
use super::opaque::is_unclear;
use super::options::Options;
use super::requirements::{Required, Requirements, has_order_only_rule};
use super::unclear::Unclear;
use crate::keyed::{Keyed, Place};
use crate::messages::Messages;
use crate::order::{Earlier as EarlierAction, Initial, Order, Relation, relation};

/// All objects.
#[derive(Clone, Debug, Default)]
pub(super) struct Actions {
    objects: Vec<Object>,
    /// Earlier actions that conflict with the current one.
    conflicts: Vec<Earlier>,
    /// The points of the current action.
    touched: Vec<(u16, Option<Place>)>,
}

#[derive(Clone, Debug, Default)]
struct Object {
    made: Option<Stamp>,
    /// The last action of every thread.
    last: Vec<Stamp>,
    points: Keyed<Points>,
    /// Actions of methods that are compared one by one.
    listed: Vec<(SharedAction, Earlier)>,
    /// What the `orders` of its type say of its actions.
    order: Option<Box<Order<Requirements>>>,
    /// Whether anything was opaque.
    is_opaque: bool,
    /// If something was opaque that is not a message.
    unclear: Option<Box<Unclear>>,
}

/// What an action has to do with earlier ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Acted {
    /// The last one of another thread with which it has an order-only conflict.
    pub(super) order: Option<Access>,
    /// The events of other threads that it comes after by the `orders` of its type.
    pub(super) after: SmallVec<[u64; 2]>,
}

/// Actions that touched a point, with the class of each.
pub(super) type Points = SmallVec<[(u16, Earlier); 2]>;

/// An action that later ones may conflict with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Earlier {
    pub(super) access: Access,
    pub(super) stamp: Stamp,
}

impl Kept for (u16, Earlier) {
    fn access(&self) -> &Access {
        &self.1.access
    }

    fn access_mut(&mut self) -> &mut Access {
        &mut self.1.access
    }

    #[inline]
    fn class(&self) -> u16 {
        self.0
    }
}

impl Earlier {
    pub(super) fn method(&self) -> usize {
        method(self.access.kind())
    }

    pub(super) fn mutates(&self) -> bool {
        self.access.kind() & 1 == 1
    }
}

/// The method of an action of this kind.
pub(super) fn method(kind: u32) -> usize {
    (kind >> 2) as usize
}

/// The kind of an action: its method, whether it looked and found nothing, and whether it
/// may change its object.
pub(super) fn kind(specification: &Specification, action: Invocation<'_>) -> u32 {
    let earlier = EarlierAction::of(specification, action);
    kind_of(action.method, earlier.found_nothing, earlier.changed)
}

/// As [`kind`].
pub(super) fn kind_of(method: usize, found_nothing: bool, mutates: bool) -> u32 {
    (method as u32) << 2 | u32::from(found_nothing) << 1 | u32::from(mutates)
}

impl Actions {
    /// The current event is an action.
    pub(super) fn act(
        &mut self,
        action: &SharedAction,
        (compiled, invocation, argument): (&CompiledSpecification, Invocation<'_>, Option<u64>),
        new: Access,
        (cones, held): (&mut Cones, &mut Held),
        options: &Options,
        out: &mut Vec<Candidate>,
    ) -> Acted {
        let o = action.object;
        let object = self.object(o);
        if let Some(made) = &object.made {
            cones.learn(new.thread, made);
        }
        object.is_opaque |= invocation.has_opaque();
        if object.is_opaque && is_unclear(&compiled.specification, invocation) {
            object.unclear.get_or_insert_default();
        }
        self.find_conflicts(o, compiled, invocation, new.thread);
        let specification = &compiled.specification;
        let mut pair = |kind, earlier: &Earlier, order_only| {
            out.push(Candidate {
                kind,
                subject: Subject::Object(o),
                earlier: earlier.access,
                later: new,
                order_only,
            });
        };
        let is_order = |earlier: &Earlier| {
            let pair = specification.pair(earlier.method(), invocation.method);
            pair.0.order
        };
        let others = || self.conflicts.iter().map(|other| &other.access);
        let is_outdated = |earlier: &Earlier| earlier.access.is_outdated(&new, options, others);
        for earlier in &self.conflicts {
            let action = EarlierAction {
                method: earlier.method(),
                changed: earlier.mutates(),
                found_nothing: earlier.access.kind() >> 1 & 1 == 1,
            };
            let meant = relation(specification, action, invocation) != Relation::Other;
            if !meant && earlier.access.may_race(&new, cones, held) && !is_outdated(earlier) {
                pair(Kind::Race, earlier, is_order(earlier));
            }
        }
        let mutates = new.kind() & 1 == 1;
        let object = &self.objects[o.index()];
        let is_known = object.made.is_some() && !object.is_opaque;
        let is_model_asked = options.legal == Legal::Replay && is_known;
        let replayed = is_model_asked && model(specification).is_some();
        for earlier in &self.conflicts {
            let order = is_order(earlier);
            let exempt = replayed || (order && (mutates || options.lax));
            if !exempt && (earlier.mutates() || options.legal == Legal::Order) {
                cones.learn(new.thread, &earlier.stamp);
            }
        }
        let object = &mut self.objects[o.index()];
        let thread = ThreadId(new.thread);
        let mut synchronisation = (!specification.orders.is_empty()).then(|| {
            let initial = Initial::new(argument, None);
            let fresh = || Box::new(Order::new(specification, &initial));
            object.order.take().unwrap_or_else(fresh)
        });
        let ignored = replayed || options.lax && has_order_only_rule(specification);
        let applies = !ignored;
        let mut required = Required::new(cones, new.index(), applies);
        if let Some(order) = &mut synchronisation {
            order.before(thread, invocation, specification, &mut required);
        }
        let mut after = required.after;
        if let Some(unclear) = &mut object.unclear {
            unclear.act((compiled, invocation), new, cones, options);
        }
        for earlier in &self.conflicts {
            let order = is_order(earlier);
            let is_asked = order || options.all_orders;
            if is_asked && earlier.access.may_follow(&new, cones) && !is_outdated(earlier) {
                pair(Kind::Order, earlier, order);
            }
        }
        let last = { self.conflicts.iter() }.filter(|earlier| is_order(earlier));
        let order = last.map(|earlier| earlier.access).max_by_key(Access::index);
        if let Some(mut order) = synchronisation {
            let mut required = Required::new(cones, new.index(), applies);
            order.after(thread, invocation, specification, &mut required);
            after.extend(required.after);
            self.objects[o.index()].order = Some(order);
        }
        let stamp = cones.stamp(new.thread);
        self.record(
            action,
            compiled,
            invocation.method,
            Earlier { access: new, stamp },
            options,
        );
        Acted { order, after }
    }

    fn find_conflicts(
        &mut self,
        o: ObjectId,
        compiled: &CompiledSpecification,
        invocation: Invocation<'_>,
        t: u32,
    ) {
        let Actions {
            objects,
            conflicts,
            touched,
        } = self;
        let object = &mut objects[o.index()];
        conflicts.clear();
        touched.clear();
        let (points, classes) = (compiled.points(), compiled.points().classes());
        let mut add = |touches: &Points, against: &[u16]| {
            let found = touches.iter().filter(|(class, _)| against.contains(class));
            let others = found.filter(|(_, earlier)| earlier.access.thread != t);
            conflicts.extend(others.map(|(_, earlier)| *earlier));
        };
        points.touch_each(invocation, |class, key| {
            let against = &classes[usize::from(class)].conflicts;
            let place = key.map(|key| match object.points.find(key) {
                Ok(place) => place,
                Err(missing) => object.points.insert(key, missing),
            });
            match place {
                Some(place) => add(object.points.at(place), against),
                None => {
                    for other in against {
                        if let Some(touches) = object.points.known_class(*other) {
                            add(touches, against);
                        }
                    }
                }
            }
            touched.push((class, place));
        });
        let linear = points.linear();
        for (other, earlier) in &object.listed {
            let (a, b) = (earlier.method(), invocation.method);
            if earlier.access.thread == t || !linear.contains(&(a.min(b), a.max(b))) {
                continue;
            }
            let declared = &compiled.specification.methods[a];
            if let Ok(other) = Invocation::bind(a, declared, other)
                && !compiled.specification.commutes(other, invocation)
            {
                conflicts.push(*earlier);
            }
        }
        // Through several points it is still one.
        if conflicts.len() > 1 {
            conflicts.sort_unstable_by_key(|earlier| earlier.access.index());
            conflicts.dedup_by(|next, kept| {
                let is_same = next.access.index() == kept.access.index();
                if is_same && kept.access.is_forgotten() {
                    *kept = *next;
                }
                is_same
            });
        }
    }

    fn record(
        &mut self,
        action: &SharedAction,
        compiled: &CompiledSpecification,
        method: usize,
        new: Earlier,
        options: &Options,
    ) {
        let object = &mut self.objects[action.object.index()];
        for &(class, place) in &self.touched {
            let touches = match place {
                Some(place) => object.points.at(place),
                None => object.points.class(class),
            };
            record(touches, (class, new), options);
        }
        let mut linear = compiled.points().linear().iter();
        if linear.any(|&(a, b)| a == method || b == method) {
            object.listed.push((action.clone(), new));
        }
        match { object.last.iter_mut() }.find(|stamp| stamp.thread == new.stamp.thread) {
            Some(stamp) => *stamp = new.stamp,
            None => object.last.push(new.stamp),
        }
    }

    /// Forgets messages that passed through a channel long ago, from time to time. They
    /// are remembered for what their receives need, and cones need not be complete: a
    /// witness has everything that comes before its window.
    pub(super) fn forget_messages(
        &mut self,
        o: ObjectId,
        messages: Messages,
        index: u64,
        window: usize,
    ) {
        if let Some(object) = self.objects.get_mut(o.index())
            && object.points.is_due()
        {
            let is_recent = |earlier: &Earlier| earlier.access.index() + window as u64 >= index;
            object.points.retain(|touches| {
                let mut touches = touches.iter();
                touches.any(|(class, earlier)| !messages.has(*class) || is_recent(earlier))
            });
        }
    }

    /// How many keys of all objects are kept.
    #[cfg(test)]
    pub(super) fn keys(&self) -> usize {
        self.objects.iter().map(|object| object.points.len()).sum()
    }

    /// `new(o)`: a new object of the same name.
    pub(super) fn make(&mut self, o: ObjectId, stamp: Stamp) {
        *self.object(o) = Object {
            made: Some(stamp),
            ..Object::default()
        };
    }

    /// `drop(o)` by thread `t` comes after everything that was done with it.
    pub(super) fn drop(&mut self, o: ObjectId, t: u32, cones: &mut Cones) {
        let object = std::mem::take(self.object(o));
        for stamp in object.last.iter().chain(&object.made) {
            cones.learn(t, stamp);
        }
    }

    fn object(&mut self, o: ObjectId) -> &mut Object {
        if o.index() >= self.objects.len() {
            self.objects.resize_with(o.index() + 1, Object::default);
        }
        &mut self.objects[o.index()]
    }

    /// Calls `show` with every stamp.
    pub(super) fn for_each(&mut self, show: &mut dyn FnMut(&Stamp)) {
        for object in &mut self.objects {
            object.made.iter().chain(&object.last).for_each(&mut *show);
            if let Some(order) = &mut object.order {
                order.for_each(&mut |known| {
                    known.0.iter().for_each(|required| show(&required.stamp));
                });
            }
            let points = object.points.all().flatten();
            points.for_each(|(_, earlier)| show(&earlier.stamp));
            if let Some(unclear) = &mut object.unclear {
                unclear.for_each(show);
            }
            object
                .listed
                .iter()
                .for_each(|(_, earlier)| show(&earlier.stamp));
        }
    }
}

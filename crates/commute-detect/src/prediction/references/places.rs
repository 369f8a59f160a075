//! Which events conflict, and whether a value flows between them.
//!
//! A *place* is what accesses have to share in order to conflict: one life of a
//! plain variable, a condition variable, one key of one life of an object. What
//! an access does to a place is its *touch*.
//!
//! | touches | conflict |
//! |---|---|
//! | read or write against write | communicating |
//! | free against read, write, free | order-only |
//! | wait against notify | order-only |
//! | notify before wake | communicating, but no pair that is reported |
//! | actions that do not commute | as the specification marks the two methods |
//!
//! Actions touch their access points, each together with the method, because
//! whether a conflict is order-only is a matter of methods. Pairs outside ECL
//! have no access points; there an action is a point of its own, compared by the
//! formula.
//!
//! Cost: constant per event, linear in the object's actions for pairs outside
//! ECL.

use std::sync::Arc;

use commute_model::{CondvarId, Id, ObjectId, SharedAction, Value, VariableId};
use commute_spec::{AccessPoints, CompiledSpecification, Invocation};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

/// The number of a place; none is used twice.
pub(super) type PlaceId = u64;

/// What an access does to a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Touch {
    Read,
    Write,
    Free,
    Wait,
    Notify,
    Wake,
    /// An access point, whose key is the place's.
    Point {
        method: usize,
        class: u16,
    },
    /// An action that is compared by the formula.
    Action {
        method: usize,
        action: SharedAction,
    },
}

/// Two touches that do not commute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Conflict {
    /// Whether a value flows, or would change: not so in order-only conflicts.
    pub(super) communicates: bool,
    /// Whether the two events are a pair to report.
    pub(super) counts: bool,
}

impl Conflict {
    const COMMUNICATING: Conflict = Conflict {
        communicates: true,
        counts: true,
    };
    const ORDER_ONLY: Conflict = Conflict {
        communicates: false,
        counts: true,
    };
    const WAKES: Conflict = Conflict {
        communicates: true,
        counts: false,
    };
}

/// What one event touches.
#[derive(Clone, Debug, Default)]
pub(super) struct Touched {
    pub(super) points: SmallVec<[(PlaceId, Touch); 2]>,
    /// The object of an action, as one place, and whether the action may change
    /// it.
    pub(super) object: Option<(PlaceId, bool)>,
    compiled: Option<Arc<CompiledSpecification>>,
}

impl Touched {
    /// How an earlier touch of a place conflicts with a touch of this event.
    pub(super) fn conflict(&self, earlier: &Touch, later: &Touch) -> Option<Conflict> {
        match (earlier, later) {
            (Touch::Read, Touch::Read) => None,
            (Touch::Read | Touch::Write, Touch::Read | Touch::Write) => {
                Some(Conflict::COMMUNICATING)
            }
            (Touch::Free, Touch::Read | Touch::Write | Touch::Free)
            | (Touch::Read | Touch::Write, Touch::Free)
            | (Touch::Wait, Touch::Notify)
            | (Touch::Notify, Touch::Wait) => Some(Conflict::ORDER_ONLY),
            (Touch::Notify, Touch::Wake) => Some(Conflict::WAKES),
            _ => self.actions(earlier, later),
        }
    }

    fn actions(&self, earlier: &Touch, later: &Touch) -> Option<Conflict> {
        let compiled = self.compiled.as_ref()?;
        let specification = &compiled.specification;
        let (a, b) = match (earlier, later) {
            (
                Touch::Point { method: a, class },
                Touch::Point {
                    method: b,
                    class: other,
                },
            ) if compiled.points().conflict(*class, *other) => (*a, *b),
            (
                Touch::Action {
                    method: a,
                    action: first,
                },
                Touch::Action {
                    method: b,
                    action: second,
                },
            ) => {
                let methods = &specification.methods;
                let first = Invocation::bind(*a, &methods[*a], first).ok()?;
                let second = Invocation::bind(*b, &methods[*b], second).ok()?;
                let linear = compiled.points().linear();
                let listed = linear.contains(&((*a).min(*b), (*a).max(*b)));
                if !listed || specification.commutes(first, second) {
                    return None;
                }
                (*a, *b)
            }
            _ => return None,
        };
        let order_only = specification.pair(a, b).0.order;
        Some(match order_only {
            true => Conflict::ORDER_ONLY,
            false => Conflict::COMMUNICATING,
        })
    }
}

/// The places of a trace.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    variables: Vec<Option<PlaceId>>,
    condvars: Vec<Option<PlaceId>>,
    objects: Vec<ObjectPlaces>,
    made: PlaceId,
}

#[derive(Clone, Debug, Default)]
struct ObjectPlaces {
    /// For the points without a key.
    whole: Option<PlaceId>,
    /// For the actions that are compared by the formula.
    listed: Option<PlaceId>,
    keys: FxHashMap<Value, PlaceId>,
}

impl Places {
    /// `r(x)`, `w(x)` or `free(x)`.
    pub(super) fn variable(&mut self, x: VariableId, touch: Touch) -> Touched {
        let place = number(at(&mut self.variables, x.index()), &mut self.made);
        Touched::of(place, touch)
    }

    /// A wait, wake or notify.
    pub(super) fn condvar(&mut self, c: CondvarId, touch: Touch) -> Touched {
        let place = number(at(&mut self.condvars, c.index()), &mut self.made);
        Touched::of(place, touch)
    }

    /// An action on an object of this type.
    pub(super) fn action(
        &mut self,
        compiled: Arc<CompiledSpecification>,
        invocation: Invocation<'_>,
        action: &SharedAction,
    ) -> Touched {
        let method = invocation.method;
        let places = at(&mut self.objects, action.object.index());
        let made = &mut self.made;
        let whole = number(&mut places.whole, made);
        let mut touched = Touched {
            object: Some((whole, compiled.specification.mutates(invocation))),
            ..Touched::default()
        };
        compiled.points().touch_each(invocation, |class, key| {
            let place = match key {
                None => whole,
                Some(key) => places.key(key, made),
            };
            touched.points.push((place, Touch::Point { method, class }));
        });
        if is_listed(compiled.points(), method) {
            let action = action.clone();
            let place = number(&mut places.listed, made);
            touched
                .points
                .push((place, Touch::Action { method, action }));
        }
        touched.compiled = Some(compiled);
        touched
    }

    /// `alloc(x)`: what is called `x` from now on is another variable. The place
    /// that nobody will touch again.
    pub(super) fn forget_variable(&mut self, x: VariableId) -> Option<PlaceId> {
        at(&mut self.variables, x.index()).take()
    }

    /// `new(o)` or `drop(o)`: the same for an object.
    pub(super) fn forget_object(&mut self, o: ObjectId) -> Vec<PlaceId> {
        let places = std::mem::take(at(&mut self.objects, o.index()));
        // order: whoever is told forgets them one by one, in any order.
        let keys = places.keys.into_values();
        keys.chain(places.whole).chain(places.listed).collect()
    }
}

impl Touched {
    fn of(place: PlaceId, touch: Touch) -> Touched {
        Touched {
            points: smallvec![(place, touch)],
            ..Touched::default()
        }
    }
}

impl ObjectPlaces {
    fn key(&mut self, key: &Value, made: &mut PlaceId) -> PlaceId {
        if let Some(known) = self.keys.get(key) {
            return *known;
        }
        *made += 1;
        self.keys.insert(key.clone(), *made);
        *made
    }
}

/// Whether some pair of this method is compared by the formula.
fn is_listed(points: &AccessPoints, method: usize) -> bool {
    let mut linear = points.linear().iter();
    linear.any(|&(a, b)| a == method || b == method)
}

fn at<T: Default>(items: &mut Vec<T>, index: usize) -> &mut T {
    if index >= items.len() {
        items.resize_with(index + 1, T::default);
    }
    &mut items[index]
}

fn number(place: &mut Option<PlaceId>, made: &mut PlaceId) -> PlaceId {
    *place.get_or_insert_with(|| {
        *made += 1;
        *made
    })
}

//! Which earlier actions of a window an action does not commute with.
//!
//! They are found by the points that both touch, so that the cost is that of what is
//! found, not of all that came before. And not all of them are wanted: if an action
//! needs `c`, and `c` does not commute with an earlier `b` of the same point, then
//! `b` comes before `c` and `c` before the action, with `b` as necessary as it is for
//! `c`. So `b` is hidden behind `c`, and a long row of calls that all depend on each
//! other is a chain and not its square.
//!
//! Of an opaque key nobody knows which it is, so such an action is told of those with
//! any key, and all later ones are told of it. Where these are many, it is made a
//! *stop*: it is taken to need everything before it, and everything after it to need
//! it. So the cost of an action stays bounded, and what is lost are reorderings.

use commute_model::{SharedAction, Value};
use commute_spec::{CompiledSpecification, Invocation, Specification};
use smallvec::SmallVec;

use super::facts::No;
use super::legal::Legal;
use super::opaque::{Key, may_swap, touched};
use super::window::Context;
use crate::keyed::Keyed;

/// The actions of one object.
#[derive(Debug, Default)]
pub(super) struct Dependences {
    points: Keyed<Point>,
    /// Actions of methods that are compared one by one.
    listed: Vec<(SharedAction, Done)>,
    /// If a key was opaque.
    any_key: Option<Box<AnyKey>>,
    stop: Option<No>,
}

/// Touches of points with keys, whatever these are.
#[derive(Debug, Default)]
struct AnyKey {
    opaque: Point,
    known: Point,
    /// Opaque messages, by what they look like. They hide nothing: who may be another
    /// message need not be this one.
    messages: Vec<(Value, Point)>,
}

/// Of more actions than this, one is told by a stop.
const MOST: usize = 64;

/// An action of the window.
#[derive(Clone, Copy, Debug)]
struct Done {
    no: No,
    method: usize,
    /// Whether it may change the object.
    mutates: bool,
    /// Whether it changes the object for certain, and so does not need what it has an
    /// order-only conflict with.
    exempt: bool,
}

/// The actions that touched a point, by class.
#[derive(Debug, Default)]
struct Point {
    seen: Touches,
    /// Those behind others, by the method of these.
    hidden: SmallVec<[(usize, Touches); 1]>,
}

type Touches = Vec<(u16, Done)>;

/// An earlier action with which one does not commute.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Dependence {
    pub(super) no: No,
    /// Whether the later one is in a witness only if the earlier one is.
    pub(super) needs: bool,
}

impl Dependences {
    /// The next action: what it depends on.
    pub(super) fn act(
        &mut self,
        no: No,
        (action, invocation): (&SharedAction, Invocation<'_>),
        compiled: &CompiledSpecification,
        context: &Context<'_>,
    ) -> Vec<Dependence> {
        let specification = &compiled.specification;
        let (points, classes) = (compiled.points(), compiled.points().classes());
        let new = Done {
            no,
            method: invocation.method,
            mutates: specification.may_mutate(invocation),
            exempt: specification.surely_mutates(invocation),
        };
        let touched = touched(compiled, invocation);
        let is_open = |(_, key): &(u16, Key<'_>)| matches!(key, Key::Any | Key::Message(_));
        if touched.iter().any(is_open) {
            self.expect_any_key();
        }
        let mut found = Vec::new();
        let mut add =
            |earlier: &Done| found.extend(dependence(specification, earlier, new, context));
        let mut many = 0;
        for &(class, key) in &touched {
            let against = &classes[usize::from(class)].conflicts;
            match key {
                Key::Is(key) => self.at(key).each(against, new, specification, &mut add),
                Key::None => {
                    for other in against {
                        if let Some(point) = self.points.known_class(*other) {
                            point.each(against, new, specification, &mut add);
                        }
                    }
                }
                Key::Any | Key::Message(_) => {}
            }
            if let Some(touches) = &self.any_key {
                for point in touches.that_may_be(key) {
                    point.each(against, new, specification, &mut |earlier| {
                        many += 1;
                        add(earlier);
                    });
                }
            }
        }
        let linear = points.linear();
        for (other, earlier) in &self.listed {
            let (a, b) = (earlier.method, invocation.method);
            if linear.contains(&(a.min(b), a.max(b)))
                && let Ok(other) = Invocation::bind(a, &specification.methods[a], other)
                && !may_swap(specification, other, invocation)
            {
                add(earlier);
            }
        }
        if many > MOST {
            return self.stop(no);
        }
        found.extend(self.stop.map(|no| Dependence { no, needs: true }));
        // Through several points it is still one.
        found.sort_unstable();
        found.dedup();
        self.record(action, &touched, new, compiled, context.legal);
        found
    }

    fn at(&mut self, key: &Value) -> &mut Point {
        let place = match self.points.find(key) {
            Ok(place) => place,
            Err(missing) => self.points.insert(key, missing),
        };
        self.points.at(place)
    }

    /// The next action touches points of a key that nobody knows.
    fn expect_any_key(&mut self) {
        if self.any_key.is_none() {
            let mut touches = AnyKey::default();
            for point in self.points.keyed() {
                touches.known.seen.extend(&point.seen);
                touches.known.hidden.extend(point.hidden.iter().cloned());
            }
            self.any_key = Some(Box::new(touches));
        }
    }

    /// The next action is a stop: what it needs.
    fn stop(&mut self, no: No) -> Vec<Dependence> {
        let Dependences {
            mut points,
            listed,
            any_key,
            stop,
        } = std::mem::take(self);
        let any_key = any_key.unwrap_or_default();
        let points = points.all().map(|point| &*point);
        let messages = any_key.messages.iter().map(|(_, point)| point);
        let points = { points.chain(messages) }.chain([&any_key.opaque, &any_key.known]);
        let done = points.flat_map(|point| point.seen.iter().map(|(_, done)| done.no));
        let listed = listed.iter().map(|(_, done)| done.no);
        let mut needed: Vec<No> = done.chain(listed).chain(stop).collect();
        needed.sort_unstable();
        needed.dedup();
        self.stop = Some(no);
        let needed = needed.into_iter();
        needed.map(|no| Dependence { no, needs: true }).collect()
    }

    fn record(
        &mut self,
        action: &SharedAction,
        touched: &[(u16, Key<'_>)],
        new: Done,
        compiled: &CompiledSpecification,
        legal: Legal,
    ) {
        let specification = &compiled.specification;
        let (points, classes) = (compiled.points(), compiled.points().classes());
        // What comes later needs it, if it does not commute with it.
        let is_needed = new.mutates || legal == Legal::Order;
        for &(class, key) in touched {
            let covers = match is_needed {
                true => &classes[usize::from(class)].covers[..],
                false => &[],
            };
            match (key, &mut self.any_key) {
                (Key::Any, Some(touches)) => {
                    touches.known.hide(covers, new, specification);
                    touches.opaque.hide(covers, new, specification);
                    touches.opaque.seen.push((class, new));
                }
                (Key::Is(_), Some(touches)) => touches.known.seen.push((class, new)),
                (Key::Message(message), Some(touches)) => {
                    touches.message(message).seen.push((class, new));
                }
                _ => {}
            }
            match key {
                Key::Is(key) => {
                    let point = self.at(key);
                    point.hide(covers, new, specification);
                    point.seen.push((class, new));
                }
                Key::None => {
                    for other in covers {
                        { self.points.class(*other) }.hide(covers, new, specification);
                    }
                    self.points.class(class).seen.push((class, new));
                }
                Key::Any | Key::Message(_) => {}
            }
        }
        let mut linear = points.linear().iter();
        if linear.any(|&(a, b)| a == new.method || b == new.method) {
            self.listed.push((action.clone(), new));
        }
    }
}

impl AnyKey {
    /// Those of the points with this key that are not found by the key.
    fn that_may_be<'a>(&'a self, key: Key<'a>) -> impl Iterator<Item = &'a Point> {
        let opaque = (key != Key::None).then_some(&self.opaque);
        let known = matches!(key, Key::Any | Key::Message(_)).then_some(&self.known);
        let messages = self.messages.iter().filter(move |(message, _)| match key {
            Key::None => false,
            Key::Any => true,
            Key::Is(key) => message.may_be(key),
            // Those that look the same are others.
            Key::Message(own) => message != own && message.may_be(own),
        });
        let messages = messages.map(|(_, point)| point);
        opaque.into_iter().chain(known).chain(messages)
    }

    fn message(&mut self, look: &Value) -> &mut Point {
        let place = { self.messages.iter() }.position(|(message, _)| message == look);
        let place = place.unwrap_or_else(|| {
            self.messages.push((look.clone(), Point::default()));
            self.messages.len() - 1
        });
        &mut self.messages[place].1
    }
}

impl Point {
    /// Calls `add` with the actions of these classes that `new` must be told of.
    fn each(
        &self,
        against: &[u16],
        new: Done,
        specification: &Specification,
        add: &mut impl FnMut(&Done),
    ) {
        // Who need not have what is in front must be told of what is behind.
        let is_order = |method: usize| specification.pair(method, new.method).0.order;
        let hidden = { self.hidden.iter() }.filter(|(method, _)| is_order(*method));
        let all = self.seen.iter().chain(hidden.flat_map(|(_, done)| done));
        let found = all.filter(|(class, _)| against.contains(class));
        found.for_each(|(_, earlier)| add(earlier));
    }

    /// Whoever conflicts with an action of one of these classes conflicts with `new`.
    fn hide(&mut self, classes: &[u16], new: Done, specification: &Specification) {
        let Point { seen, hidden } = self;
        let is_behind = |(class, earlier): &(u16, Done)| {
            let is_order = specification.pair(earlier.method, new.method).0.order;
            classes.contains(class) && !is_order
        };
        if !seen.iter().any(is_behind) {
            return;
        }
        let place = { hidden.iter() }.position(|(method, _)| *method == new.method);
        let place = place.unwrap_or_else(|| {
            hidden.push((new.method, Vec::new()));
            hidden.len() - 1
        });
        let behind = &mut hidden[place].1;
        seen.retain(|done| {
            let is_behind = is_behind(done);
            behind.extend(is_behind.then_some(*done));
            !is_behind
        });
    }
}

/// How an action depends on an earlier one with which it does not commute.
fn dependence(
    specification: &Specification,
    earlier: &Done,
    later: Done,
    context: &Context<'_>,
) -> Option<Dependence> {
    let order = specification.pair(earlier.method, later.method).0.order;
    if order && context.lax {
        return None;
    }
    let exempt = order && later.exempt;
    Some(Dependence {
        no: earlier.no,
        needs: !exempt && (context.legal == Legal::Order || earlier.mutates),
    })
}

#[cfg(test)]
mod tests;

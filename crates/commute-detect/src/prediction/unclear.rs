//! What the actions of an object need, if something opaque was done with it.
//!
//! An opaque value may be equal to anything, so an action may need more than what it
//! conflicts with. What is remembered for that begins with the first action that
//! makes it necessary; that such an action may need earlier ones too is left to the
//! certification, for which cones need not be complete.

use commute_spec::{CompiledSpecification, Invocation};

use super::access::Access;
use super::actions::{Earlier, Points, kind_of};
use super::cone::{Cones, Stamp};
use super::kept::record;
use super::legal::Legal;
use super::opaque::{Key, touched};
use super::options::Options;
use crate::keyed::Keyed;

/// Who touched what, by the points that an action may touch.
#[derive(Clone, Debug, Default)]
pub(super) struct Unclear {
    points: Keyed<Points>,
    /// Points whose key is opaque.
    opaque: Points,
    /// Points whose key is not, by class alone.
    known: Points,
}

impl Unclear {
    /// The next action: its thread learns what it needs.
    pub(super) fn act(
        &mut self,
        (compiled, invocation): (&CompiledSpecification, Invocation<'_>),
        access: Access,
        cones: &mut Cones,
        options: &Options,
    ) {
        let (specification, points) = (&compiled.specification, compiled.points());
        let touched = touched(compiled, invocation);
        let exempt = specification.surely_mutates(invocation);
        let t = access.thread;
        let mut learn = |touches: &Points, against: &[u16]| {
            for (class, earlier) in touches {
                let order = specification
                    .pair(earlier.method(), invocation.method)
                    .0
                    .order;
                let is_needed = earlier.mutates() || options.legal == Legal::Order;
                if against.contains(class) && is_needed && !(order && (exempt || options.lax)) {
                    cones.learn(t, &earlier.stamp);
                }
            }
        };
        for (class, key) in &touched {
            let against = &points.classes()[usize::from(*class)].conflicts;
            match key {
                Key::None => {
                    let others = against.iter().filter_map(|c| self.points.known_class(*c));
                    others.for_each(|touches| learn(touches, against));
                }
                Key::Is(key) => {
                    if let Ok(place) = self.points.find(key) {
                        learn(self.points.at(place), against);
                    }
                    learn(&self.opaque, against);
                }
                Key::Any => {
                    learn(&self.opaque, against);
                    learn(&self.known, against);
                }
                // Its own `send` is learnt of elsewhere.
                Key::Message(_) => {}
            }
        }
        let mutates = specification.may_mutate(invocation);
        let new = Earlier {
            access: access.with_kind(kind_of(invocation.method, false, mutates)),
            stamp: cones.stamp(t),
        };
        for (class, key) in touched {
            match key {
                Key::None => record(self.points.class(class), (class, new), options),
                Key::Is(key) => {
                    let place = match self.points.find(key) {
                        Ok(place) => place,
                        Err(missing) => self.points.insert(key, missing),
                    };
                    record(self.points.at(place), (class, new), options);
                    record(&mut self.known, (class, new), options);
                }
                Key::Any => record(&mut self.opaque, (class, new), options),
                Key::Message(_) => {}
            }
        }
    }

    /// Calls `show` with every stamp.
    pub(super) fn for_each(&mut self, show: &mut dyn FnMut(&Stamp)) {
        let points = { self.points.all() }.chain([&mut self.opaque, &mut self.known]);
        { points.flatten() }.for_each(|(_, earlier)| show(&earlier.stamp));
    }
}

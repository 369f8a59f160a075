//! Order violations that did happen: a use of what is freed, an action with a
//! result that its object could not return any more, a wait that nobody will
//! end. A witness, checked as a trace, shows them.

use commute_model::{Action, Names, ObjectId, Value};
use rustc_hash::FxHashMap;

use super::access::{Access, Subject};
use super::legal::{Call, replayed};
use crate::objects::Objects;

/// Two events in the wrong order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Observed {
    pub(super) subject: Subject,
    /// The free, the close, the notification.
    pub(super) first: Access,
    /// What came too late.
    pub(super) second: Access,
}

/// What is observed.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// The states that objects with order-only conflicts may be in.
    states: FxHashMap<ObjectId, Vec<Value>>,
    pub(super) observed: Vec<Observed>,
}

/// So many are told apart.
const MOST: usize = 1_000;
/// An object whose state is larger is not followed.
const LARGEST: usize = 64;

impl Watch {
    /// `new(o)`: what an object does is known from its beginning on.
    pub(super) fn begin(&mut self, o: ObjectId, objects: &Objects) {
        self.states.remove(&o);
        let Some(object) = objects.get(o) else {
            return;
        };
        let mut pairs = object.compiled.specification.pairs();
        if pairs.any(|(_, _, condition)| condition.order)
            && let Some(model) = replayed(objects, o)
        {
            self.states.insert(o, vec![model.initial()]);
        }
    }

    /// Whether the object is followed.
    #[inline]
    pub(super) fn follows(&self, o: ObjectId) -> bool {
        !self.states.is_empty() && self.states.contains_key(&o)
    }

    /// Whether an action is one that its object cannot do any more.
    pub(super) fn is_impossible(
        &mut self,
        action: &Action,
        objects: &Objects,
        names: &Names,
    ) -> bool {
        let o = action.object;
        let Some(possible) = self.states.get_mut(&o) else {
            return false;
        };
        let (Some(model), Some(call)) = (replayed(objects, o), Call::new(action, objects, names))
        else {
            return false;
        };
        *possible = call.replay(model, possible);
        let impossible = possible.is_empty();
        let large = |value: &Value| matches!(value, Value::Tuple(parts) if parts.len() > LARGEST);
        if impossible || possible.len() > LARGEST || possible.iter().any(large) {
            self.states.remove(&o);
        }
        impossible
    }

    /// Adds two events that came in the wrong order.
    pub(super) fn add(&mut self, subject: Subject, first: Access, second: Access) {
        let places = |o: &Observed| (o.first.location, o.second.location, o.subject);
        let new = Observed {
            subject,
            first,
            second,
        };
        let known = self.observed.iter().any(|old| places(old) == places(&new));
        if !known && self.observed.len() < MOST {
            self.observed.push(new);
        }
    }
}

//! Order violations that did happen: a use of what is freed, an action with a
//! result that its object could have returned before, and cannot any more, a wait
//! that nobody will end. A witness, checked as a trace, shows them.

use commute_model::{Action, LocationId, Names, ObjectId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

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
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    /// Objects with order-only conflicts.
    states: FxHashMap<ObjectId, Followed>,
    pub(super) observed: Vec<Observed>,
    /// The places of those.
    known: FxHashSet<(LocationId, LocationId, Subject)>,
    pub(super) dropped: u64,
}

/// An object that is followed.
#[derive(Clone, Debug)]
struct Followed {
    /// The states it may be in.
    now: Vec<Value>,
    /// Those it could have been in, had its last change not come yet.
    before: Vec<Value>,
}

/// So many are told apart.
const MOST: usize = 10_000;
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
            let followed = Followed {
                now: vec![model.initial()],
                before: Vec::new(),
            };
            self.states.insert(o, followed);
        }
    }

    /// Whether the object is followed.
    #[inline]
    pub(super) fn follows(&self, o: ObjectId) -> bool {
        !self.states.is_empty() && self.states.contains_key(&o)
    }

    /// Whether an action is one that its object could have done before its last
    /// change, and cannot do any more.
    pub(super) fn is_too_late(
        &mut self,
        action: &Action,
        objects: &Objects,
        names: &Names,
    ) -> bool {
        let o = action.object;
        let Some(followed) = self.states.get_mut(&o) else {
            return false;
        };
        let (Some(model), Some(call)) = (replayed(objects, o), Call::new(action, objects, names))
        else {
            return false;
        };
        let after = call.replay(model, &followed.now);
        let large = |value: &Value| matches!(value, Value::Tuple(parts) if parts.len() > LARGEST);
        if after.is_empty() || after.len() > LARGEST || after.iter().any(large) {
            let could = !call.replay(model, &followed.before).is_empty();
            self.states.remove(&o);
            return after.is_empty() && could;
        }
        if after != followed.now {
            followed.before = std::mem::replace(&mut followed.now, after);
        }
        false
    }

    /// Adds two events that came in the wrong order.
    pub(super) fn add(&mut self, subject: Subject, first: Access, second: Access) {
        let places = (first.location, second.location, subject);
        if self.known.contains(&places) {
            return;
        }
        if self.observed.len() >= MOST {
            self.dropped += 1;
            return;
        }
        self.known.insert(places);
        self.observed.push(Observed {
            subject,
            first,
            second,
        });
    }
}

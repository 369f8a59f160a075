//! Order violations that did happen: a use of what is freed, an action with a
//! result that its object could have returned before, and cannot any more, a wait
//! that nobody will end. A witness, checked as a trace, shows them.

use commute_model::{Action, LocationId, Names, ObjectId};
use commute_spec::states::States;
use rustc_hash::{FxHashMap, FxHashSet};

use super::access::{Access, Subject};
use super::legal::{Call, bind, replayed};
use super::opaque;
use crate::objects::ObjectsAt;

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
    now: States,
    /// Those it could have been in, had its last change not come yet.
    before: Option<States>,
}

/// So many are told apart.
const MOST: usize = 10_000;
/// An object of which a step copies more is not followed.
const LARGEST: usize = 64;

/// Whether something about an action is opaque that is not a message.
fn is_unclear(action: &Action, objects: ObjectsAt<'_>, names: &Names) -> bool {
    let bound = bind(action, objects, names);
    bound.is_none_or(|(specification, invocation)| opaque::is_unclear(specification, invocation))
}

impl Watch {
    /// `new(o)`: what an object does is known from its beginning on.
    pub(super) fn begin(&mut self, o: ObjectId, objects: ObjectsAt<'_>) {
        self.states.remove(&o);
        let Some(compiled) = objects.compiled(o) else {
            return;
        };
        let mut pairs = compiled.specification.pairs();
        if pairs.any(|(_, _, condition)| condition.order)
            && let Some(model) = replayed(objects, o)
        {
            let followed = Followed {
                now: States::initial(model),
                before: None,
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
        objects: ObjectsAt<'_>,
        names: &Names,
    ) -> bool {
        let o = action.object;
        let Some(followed) = self.states.get_mut(&o) else {
            return false;
        };
        let Some(call) = Call::new(action, objects, names) else {
            return false;
        };
        // The model would take what is opaque for one value, always the same.
        if is_unclear(action, objects, names) {
            self.states.remove(&o);
            return false;
        }
        let after = call.replay(&followed.now);
        if after.is_empty() || after.cost() > LARGEST {
            let before = followed.before.as_ref();
            let could = before.is_some_and(|before| !call.replay(before).is_empty());
            self.states.remove(&o);
            return after.is_empty() && could;
        }
        if after != followed.now {
            followed.before = Some(std::mem::replace(&mut followed.now, after));
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

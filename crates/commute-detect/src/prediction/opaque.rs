//! Actions in which something is opaque: what such an action needs.
//!
//! An opaque value is equal to nothing in a conflict. But what an action needs, to
//! return what it did, must be there whatever the value was, so here it may be equal
//! to anything. A message on its way through a channel is something else: it is
//! received once, and its `send` is known by its place among those that look the
//! same. So it is equal to the message of its own `send`, and neither to `nil` nor to
//! other messages that look like it.

use commute_model::Value;
use commute_spec::{CompiledSpecification, Invocation, Matching, MayKey, OrderRule, Specification};
use smallvec::SmallVec;

/// Whether two actions may come in either order, whatever was where they are opaque.
/// That a message is received after it was sent is another matter.
pub(super) fn may_swap(
    specification: &Specification,
    first: Invocation<'_>,
    second: Invocation<'_>,
) -> bool {
    if !first.has_opaque() && !second.has_opaque() {
        return specification.commutes(first, second);
    }
    if may_be_a_message(specification, first, second) {
        return specification.surely_commutes(first, second);
    }
    // Two messages that look the same are two.
    let first = Shown::new(specification, first, "?first");
    let second = Shown::new(specification, second, "?second");
    specification.surely_commutes(first.invocation(), second.invocation())
}

/// An invocation with another value in place of its message, if that is all that is
/// opaque: something that is equal to nothing that can be in a trace.
struct Shown {
    method: usize,
    args: Vec<Value>,
    results: Vec<Value>,
}

impl Shown {
    fn new(specification: &Specification, invocation: Invocation<'_>, name: &str) -> Shown {
        let mut shown = Shown {
            method: invocation.method,
            args: invocation.args().to_vec(),
            results: invocation.results().to_vec(),
        };
        if let Some((end, message)) = message(specification, invocation)
            && message.has_opaque()
            && !is_unclear(specification, invocation)
        {
            let slots = match end {
                End::Sends => &mut shown.args,
                End::Receives => &mut shown.results,
            };
            slots[0] = Value::symbol(name);
        }
        shown
    }

    fn invocation(&self) -> Invocation<'_> {
        Invocation::new(self.method, &self.args, &self.results)
    }
}

/// Whether something is opaque that is not a message.
pub(super) fn is_unclear(specification: &Specification, invocation: Invocation<'_>) -> bool {
    let slots = invocation.args().iter().chain(invocation.results());
    let mut opaque = slots.filter(|value| value.has_opaque());
    let Some(first) = opaque.next() else {
        return false;
    };
    let message = message(specification, invocation).map(|(_, message)| message);
    opaque.next().is_some() || !message.is_some_and(|message| std::ptr::eq(message, first))
}

/// Whether one was sent and the other received, and they do not look the same, but
/// may be.
fn may_be_a_message(
    specification: &Specification,
    first: Invocation<'_>,
    second: Invocation<'_>,
) -> bool {
    match (
        message(specification, first),
        message(specification, second),
    ) {
        (Some((end, one)), Some((other_end, other))) => {
            end != other_end && one != other && one.may_be(other)
        }
        _ => false,
    }
}

/// The key of a point that an action touches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Key<'a> {
    None,
    Is(&'a Value),
    /// It is opaque.
    Any,
    /// It is a message that looks like this, which is opaque.
    Message(&'a Value),
}

pub(super) type Touched<'a> = SmallVec<[(u16, Key<'a>); 4]>;

/// The points that decide what an action needs.
pub(super) fn touched<'a>(
    compiled: &CompiledSpecification,
    invocation: Invocation<'a>,
) -> Touched<'a> {
    let (specification, points) = (&compiled.specification, compiled.points());
    let mut touched = SmallVec::new();
    if is_unclear(specification, invocation) {
        points.may_touch(invocation, |class, key| {
            let key = match key {
                MayKey::None => Key::None,
                MayKey::Is(key) => Key::Is(key),
                MayKey::Any => Key::Any,
            };
            touched.push((class, key));
        });
    } else if let Some((_, message)) = message(specification, invocation)
        && message.has_opaque()
    {
        let name = "?message";
        let shown = Shown::new(specification, invocation, name);
        points.touch_each(shown.invocation(), |class, key| {
            // The other slots are no keys.
            if key.is_none_or(|key| *key == Value::symbol(name)) {
                touched.push((class, key.map_or(Key::None, |_| Key::Message(message))));
            }
        });
    } else {
        points.touch_each(invocation, |class, key| {
            touched.push((class, key.map_or(Key::None, Key::Is)));
        });
    }
    touched
}

#[derive(Clone, Copy, PartialEq)]
enum End {
    Sends,
    Receives,
}

/// The message of an action of a channel or a queue, and what is done with it.
fn message<'a>(
    specification: &Specification,
    invocation: Invocation<'a>,
) -> Option<(End, &'a Value)> {
    let is_of_messages = |rule: &&OrderRule| {
        let one_by_one = matches!(rule.matching, Matching::Fifo | Matching::Counting(_));
        one_by_one && rule.after.iter().all(|pattern| pattern.key.len() == 1)
    };
    let rule = specification.rules().find(is_of_messages)?;
    let method = invocation.method;
    match (rule.has_before(method), rule.has_after(method)) {
        (true, false) => {
            let pattern = rule
                .before
                .iter()
                .find(|pattern| pattern.method == method)?;
            Some((End::Sends, invocation.slot(pattern.key[0])))
        }
        (false, true) if specification.takes(method) => {
            let pattern = rule
                .after
                .iter()
                .find(|pattern| pattern.matches(invocation))?;
            Some((End::Receives, invocation.slot(pattern.key[0])))
        }
        _ => None,
    }
}

//! Points of a channel that need not be remembered.
//!
//! A `send` and the receive of an equal message do not commute, so both touch a point
//! with the message as its key. But what is sent and what receives it is how threads
//! meet, never a race ([`Relation::Synchronisation`](crate::order::Relation)). So races need not
//! remember such points, and memory does not grow with the number of messages.

use commute_model::Value;
use commute_spec::{AccessPoints, Comparison, Formula, OrderRule, Specification, Term};

/// Classes of points of a type that only a `send` and a receive meet at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Messages {
    /// A bit for each; classes beyond the last bit are remembered.
    classes: u64,
}

impl Messages {
    pub(crate) fn of(specification: &Specification, points: &AccessPoints) -> Messages {
        let methods = |class: u16| {
            let touches = move |method: &usize| {
                let mut touches = points.touches(*method).iter();
                touches.any(|touch| touch.class == class)
            };
            (0..specification.methods.len()).filter(touches)
        };
        let mut classes = 0;
        for rule in specification.rules().filter(|rule| is_about_messages(rule)) {
            let sends = |class: u16| methods(class).all(|method| rule.has_before(method));
            let takes = |method| rule.has_after(method) && specification.takes(method);
            let receives = |class: u16| methods(class).all(takes);
            for (number, class) in (0..64).zip(points.classes()) {
                let meets = |other: &u16| {
                    sends(number) && receives(*other) || receives(number) && sends(*other)
                };
                if class.keyed && class.conflicts.iter().all(meets) {
                    classes |= 1 << number;
                }
            }
        }
        Messages { classes }
    }

    /// Whether the point of this class with this key is one of them. What says that
    /// there is no message may be a message, too; such a point is remembered.
    #[inline]
    pub(crate) fn meet_at(self, class: u16, key: &Value) -> bool {
        self.has(class) && !is_no_message(key)
    }

    /// Whether the class is one of them.
    #[inline]
    pub(crate) fn has(self, class: u16) -> bool {
        class < 64 && self.classes >> class & 1 == 1
    }
}

/// Whether the actions after the rule receive every value that is a message.
fn is_about_messages(rule: &OrderRule) -> bool {
    rule.is_keyed()
        && rule.after.iter().all(|pattern| match &pattern.guard {
            None => true,
            Some(Formula::And(parts)) => parts.iter().all(excludes_no_message),
            Some(part) => excludes_no_message(part),
        })
}

fn excludes_no_message(part: &Formula) -> bool {
    match part {
        Formula::Compare(Comparison::Ne, Term::Slot(..), Term::Value(value)) => {
            is_no_message(value)
        }
        _ => false,
    }
}

fn is_no_message(key: &Value) -> bool {
    match key {
        Value::Nil => true,
        Value::Str(text) | Value::Symbol(text) => text == "empty" || text == "closed",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use commute_spec::Library;

    use super::*;

    #[test]
    fn messages_meet_at_points_of_channels_only() {
        let library = Library::shipped();
        for name in library.names() {
            let compiled = library.get(name).expect("shipped");
            let messages = Messages::of(&compiled.specification, compiled.points());
            let keyed = compiled
                .points()
                .classes()
                .iter()
                .filter(|class| class.keyed);
            let expected = match name {
                "channel" | "mpsc" => keyed.count() as u32,
                _ => 0,
            };
            assert_eq!(messages.classes.count_ones(), expected, "{name}");
        }
    }
}

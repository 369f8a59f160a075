//! Calls of a lock by what they need and do.

use commute_model::Value;

use super::super::parts;
use crate::model::Label;

/// What came of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Free before, held afterwards; whether it is known not to be poisoned.
    Take { sound: bool },
    /// The same for one reader among others.
    Share { sound: bool },
    /// It was not free.
    NotFree,
    /// Somebody held it, not as a reader.
    Held,
    /// Given back; whether that may change the poison.
    Give { poisons: bool },
    /// The same by a reader.
    Unshare,
    /// Whether it is poisoned was asked for; whether it is known not to be.
    Ask { sound: bool },
    /// Not poisoned afterwards.
    Clear,
    /// Something rare: it has to do with everything.
    Other,
}

/// What the call may be: more than one kind if its result is not known.
pub(super) fn kinds(label: Label<'_>) -> impl Iterator<Item = Kind> + Clone {
    let sound = label.result.is_some_and(|result| match result {
        Value::Bool(poisoned) => !poisoned,
        found => parts(found).get(1) == Some(&Value::Bool(false)),
    });
    let failed = label.result.map(|result| *result == Value::Nil);
    let (take, share) = (Kind::Take { sound }, Kind::Share { sound });
    let (first, second) = match (label.method, failed) {
        ("lock", _) | ("try_lock", Some(false)) => (take, None),
        ("read", _) | ("try_read", Some(false)) => (share, None),
        ("try_lock", Some(true)) => (Kind::NotFree, None),
        ("try_read", Some(true)) => (Kind::Held, None),
        ("try_lock", None) => (take, Some(Kind::NotFree)),
        ("try_read", None) => (share, Some(Kind::Held)),
        ("unlock", _) => {
            let poisons = label.args.len() > 2;
            (Kind::Give { poisons }, None)
        }
        ("unread", _) => (Kind::Unshare, None),
        ("is_poisoned", _) => (Kind::Ask { sound }, None),
        ("clear_poison", _) => (Kind::Clear, None),
        _ => (Kind::Other, None),
    };
    std::iter::once(first).chain(second)
}

/// The version that whoever took it has found.
pub(super) fn found<'a>(label: Label<'a>) -> Option<&'a Value> {
    match label.method {
        "lock" | "try_lock" | "read" | "try_read" => parts(label.result?).first(),
        _ => None,
    }
}

/// The version that whoever gave it back has left.
pub(super) fn left<'a>(label: Label<'a>) -> Option<&'a Value> {
    match label.method {
        "unlock" => label.args.get(1),
        _ => None,
    }
}

impl Kind {
    /// Whether `self; second` is never possible, or can always be turned round. The two
    /// are of different threads.
    pub(super) fn moves(self, second: Kind) -> bool {
        use Kind::{Ask, Clear, Give, Held, NotFree, Other, Share, Take, Unshare};
        match (self, second) {
            (Other, _) | (_, Other) => false,
            // Whoever has it finds out that others do not.
            (Take { .. }, NotFree | Held) | (Share { .. }, NotFree) => false,
            // It is taken because it was given back, or is not free until then.
            (Give { .. }, Take { .. } | Share { .. }) => false,
            (Unshare, Take { .. }) => false,
            (NotFree, Give { .. } | Unshare) | (Held, Give { .. }) => false,
            // What is found out about the poison.
            (Take { sound } | Share { sound } | Ask { sound }, Clear) => sound,
            (Clear, Take { .. } | Share { .. } | Ask { .. }) => false,
            (Give { poisons }, Ask { .. } | Clear) => !poisons,
            (Ask { .. } | Clear, Give { poisons }) => !poisons,
            _ => true,
        }
    }

    /// Whether there is a state in which both are possible, but not `other` afterwards.
    pub(super) fn disturbs(self, other: Kind) -> bool {
        use Kind::{Ask, Clear, Give, Held, NotFree, Other, Share, Take, Unshare};
        match (self, other) {
            (Other, _) | (_, Other) => true,
            (Take { .. }, Take { .. } | Share { .. }) => true,
            (Share { .. }, Take { .. }) => true,
            (Give { .. }, NotFree | Held) | (Unshare, NotFree) => true,
            (Clear, Take { .. } | Share { .. } | Ask { .. }) => true,
            (Give { poisons }, Ask { .. }) => poisons,
            _ => false,
        }
    }
}

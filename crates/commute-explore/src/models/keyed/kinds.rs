//! What calls have to do with each other, if they are of one key.

use commute_model::Value;

use super::Keyed;
use crate::model::{Label, Model};

/// The key that a call is of; none if it is of all.
pub(super) fn key_of(label: Label<'_>) -> Option<&Value> {
    match label.method {
        "contains_key" | "look" | "insert" | "try_insert" | "remove" => label.args.first(),
        "len" | "is_empty" | "len_at_once" | "is_empty_at_once" | "next" | "next_mut" => None,
        _ => label.args.get(1),
    }
}

/// How a call gets at its key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// It changes nothing.
    Reads,
    /// It changes nothing, and was told that somebody is there.
    FindsLocked,
    /// A guard of one who looks comes, if one who is not alone is not in the way.
    Looks,
    /// A guard goes, maybe one of somebody who was alone.
    Releases,
    /// It is of all keys, or changes something, or has to be alone.
    Whole,
}

pub(super) fn class(model: &Keyed, label: Label<'_>) -> Class {
    match label.result {
        // It has to be alone, even if it changes nothing.
        _ if matches!(label.method, "insert" | "try_insert") => Class::Whole,
        Some(result) if *result == Keyed::locked() => Class::FindsLocked,
        Some(result) if model.only_reads(label.method, label.args, result) => Class::Reads,
        Some(_) if matches!(label.method, "get" | "try_get") => Class::Looks,
        _ if label.method == "release" && label.args.len() == 2 => Class::Releases,
        _ => Class::Whole,
    }
}

impl Class {
    /// Whether the other can come first, with the same results and the same end, if it
    /// can come second.
    pub(super) fn moves(self, other: Class) -> bool {
        use Class::{FindsLocked, Looks, Reads, Releases};
        matches!(
            (self, other),
            (Reads | FindsLocked, Reads | FindsLocked)
                | (Looks | Reads, Looks | Reads | Releases)
                | (Releases, Releases)
        )
    }

    /// Whether the other may not be possible any more after this, with its result.
    pub(super) fn disturbs(self, other: Class) -> bool {
        use Class::{FindsLocked, Looks, Reads, Releases, Whole};
        !matches!(
            (self, other),
            (Reads | FindsLocked, _)
                | (Looks, Looks | Reads | Releases)
                | (Releases, Looks | Reads | Releases | Whole)
        )
    }
}

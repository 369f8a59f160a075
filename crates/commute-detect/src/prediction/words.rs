//! What reports call things, and what is done to them.

use super::access::{self, Subject};
use super::namesakes::{Namesakes, Used};

/// The word of a trace for an access of this kind, which is no action.
pub(super) fn operation(kind: u32) -> &'static str {
    match kind {
        access::READ => "r",
        access::WRITE => "w",
        access::WAIT => "wait",
        access::WAKE => "wake",
        access::NOTIFY => "notify",
        access::NOTIFY_ALL => "notify_all",
        access::ACQUIRE => "acq",
        access::RELEASE => "rel",
        access::READ_ACQUIRE => "racq",
        access::READ_RELEASE => "rrel",
        _ => "free",
    }
}

/// What happens to a lock or a condition variable by a use of this kind.
pub(super) fn used(subject: Subject, kind: u32) -> &'static str {
    match (subject, kind) {
        (Subject::Condvar(_), access::WAIT) => "waited for",
        (Subject::Condvar(_), access::WAKE) => "still waited for",
        (_, access::WAIT) => "released by a wait",
        (_, access::WAKE) => "acquired by a wake",
        (_, access::NOTIFY | access::NOTIFY_ALL) => "notified",
        (_, access::ACQUIRE) => "acquired",
        (_, access::RELEASE) => "released",
        (_, access::READ_ACQUIRE) => "acquired for reading",
        (_, access::READ_RELEASE) => "released by a reader",
        (_, access::FREE) => "freed again",
        _ => "used",
    }
}

/// What it is that is freed; nothing for a variable and an object, which reports
/// call by their names alone.
pub(super) fn what(subject: Subject, namesakes: &Namesakes) -> &'static str {
    let used = match subject {
        Subject::Lock(l) => Some(Used::Lock(l)),
        Subject::Condvar(c) => Some(Used::Condvar(c)),
        Subject::Variable(x) => namesakes.of(x).first().copied(),
        Subject::Object(_) => None,
    };
    match used {
        Some(Used::Lock(_)) => "lock ",
        Some(Used::Condvar(_)) => "condition variable ",
        None => "",
    }
}

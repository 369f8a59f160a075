//! Sections of a lock: what is inside has no specification, but who takes the lock reads
//! it, and who gives it back may have changed it.

use commute_model::Value;

use super::parts;
use crate::act::Act;
use crate::model::Called;

pub(super) fn act(call: Called<'_>) -> Act {
    let key = Value::unit();
    let leaves = |left: Option<&Value>, goes: bool| Act::Leaves {
        key: Value::unit(),
        left: left.cloned(),
        goes,
    };
    match (call.method, parts(call.result)) {
        (
            "lock" | "try_lock" | "read" | "try_read" | "upgradable" | "try_upgradable",
            [version, ..],
        ) => Act::Takes {
            key,
            found: version.clone(),
            more: false,
        },
        // To wait for a condition variable is to give it up.
        ("unlock" | "wait", _) => leaves(call.args.get(1), true),
        ("unread" | "unupgradable", _) => leaves(None, true),
        ("downgrade" | "downgrade_to_upgradable", _) => leaves(call.args.get(1), false),
        ("upgrade" | "downgrade_upgradable", _) => leaves(None, false),
        _ => Act::Unknown,
    }
}

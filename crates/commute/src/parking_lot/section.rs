//! Sections of locks whose guards are lock_api's, which do not say what is done with
//! the value inside: who has the lock alone counts as one who reads and writes it, who
//! shares it as one who reads it.

use commute_record::{LockOp, Order, Tag, access, lock};

use super::place::At;

/// The lock was just taken.
pub(super) fn begin(tag: &Tag, how: LockOp, at: At) {
    lock(tag, how, at);
    begun(tag, how, at);
}

/// The lock was just taken, which was recorded already.
pub(super) fn begun(tag: &Tag, how: LockOp, at: At) {
    match how {
        LockOp::Acquire => {
            access(tag, false, Order::Alone, at);
            access(tag, true, Order::Alone, at);
        }
        LockOp::ReadAcquire => access(tag, false, Order::AmongOthers, at),
        LockOp::Release | LockOp::ReadRelease => {}
    }
}

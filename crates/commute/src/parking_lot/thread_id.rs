//! Who a thread is, for mutexes that it can take again.

use std::num::NonZeroUsize;

use ::parking_lot as original;
use original::lock_api::GetThreadId;

/// As [`parking_lot::RawThreadId`](original::RawThreadId). Threads of a test that is
/// explored are several on one of the operating system.
pub struct RawThreadId;

/// No address: those are where the original has its numbers from.
const EXPLORED: usize = 1 << (usize::BITS - 1);

// SAFETY: numbers of the original are addresses of what a thread has, which do not have
// this bit; threads of one test have different numbers, and there is one test at a time
// on a thread of the operating system, with whose other users they share nothing.
#[expect(unsafe_code, reason = "who answers wrongly lets two threads in")]
unsafe impl GetThreadId for RawThreadId {
    const INIT: RawThreadId = RawThreadId;

    fn nonzero_thread_id(&self) -> NonZeroUsize {
        match commute_explore::runtime::current_thread() {
            Some(thread) => NonZeroUsize::MIN.saturating_add(EXPLORED | thread.index()),
            None => original::RawThreadId::INIT.nonzero_thread_id(),
        }
    }
}

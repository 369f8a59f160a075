//! What happens to the process as a whole.

use crate::collector;
use crate::mode;

/// At the end of the process everything is written; a forked child, which has no
/// collector, is not recorded.
#[expect(unsafe_code, reason = "the C library calls us")]
pub(crate) fn watch() {
    extern "C" fn at_exit() {
        collector::finish();
    }
    extern "C" fn in_child() {
        mode::turn_off();
    }
    // SAFETY: both functions are of the type that is asked for, live for ever, and
    // do not unwind: `finish` catches panics of what it calls by waiting for another
    // thread, `turn_off` stores a byte, which is allowed after a fork.
    unsafe {
        libc::atexit(at_exit);
        libc::pthread_atfork(None, None, Some(in_child));
    }
}

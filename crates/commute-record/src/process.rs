//! What happens to the process as a whole.

use std::mem::MaybeUninit;

use crate::collector;
use crate::mode;
use crate::output::Output;

/// At the end of the process everything is written; a forked child, which has no
/// collector, is not recorded.
#[expect(unsafe_code, reason = "the C library calls us")]
pub(crate) fn watch() {
    extern "C" fn at_exit() {
        collector::finish();
    }
    extern "C" fn in_child() {
        mode::turn_off_in_child();
        Output::leave_to_parent();
    }
    // SAFETY: both functions are of the type that is asked for, live for ever, and
    // do not unwind: `finish` catches panics of what it calls by waiting for another
    // thread; a byte may be stored and a file closed after a fork.
    unsafe {
        libc::atexit(at_exit);
        libc::pthread_atfork(None, None, Some(in_child));
    }
}

/// Calls `f` while this thread takes no signals; threads that it starts never do.
///
/// Signals of the program are not for a thread of ours: what a handler does is recorded,
/// and may have to wait for that very thread. And a file that has got too long for a limit
/// is an error, not the end of the program.
#[expect(unsafe_code, reason = "the C library has the signals")]
pub(crate) fn without_signals<R>(f: impl FnOnce() -> R) -> R {
    /// Also if `f` panics.
    struct Restore(MaybeUninit<libc::sigset_t>);
    impl Drop for Restore {
        fn drop(&mut self) {
            // SAFETY: the set was written when the signals were blocked.
            unsafe {
                libc::pthread_sigmask(libc::SIG_SETMASK, self.0.as_ptr(), std::ptr::null_mut());
            }
        }
    }
    let mut all = MaybeUninit::uninit();
    let mut before = MaybeUninit::uninit();
    // SAFETY: the first call writes the set that the second one reads; that one writes the
    // other, because it cannot fail with these arguments.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
    }
    let _restore = Restore(before);
    f()
}

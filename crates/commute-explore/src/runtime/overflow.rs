//! Stacks that are too small, said in words.
//!
//! Below the stack of a coroutine is a page that nobody may touch. Whoever does is
//! told what happened; any other fault is left to whoever handled it before.

use std::sync::OnceLock;

use super::fiber::current;

/// From now on.
#[cfg(unix)]
pub(super) fn listen() {
    BEFORE.get_or_init(|| [libc::SIGSEGV, libc::SIGBUS].map(install));
}

#[cfg(not(unix))]
pub(super) fn listen() {}

#[cfg(unix)]
static BEFORE: OnceLock<[libc::sigaction; 2]> = OnceLock::new();

#[cfg(unix)]
#[expect(unsafe_code, reason = "only the operating system knows of faults")]
fn install(signal: libc::c_int) -> libc::sigaction {
    // SAFETY: zeros are a valid `sigaction`, and both are ours. The handler runs on the
    // stack that std has set up for such cases.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        let mut before: libc::sigaction = std::mem::zeroed();
        let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) = fault;
        action.sa_sigaction = handler as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        libc::sigaction(signal, &raw const action, &raw mut before);
        before
    }
}

#[cfg(unix)]
#[expect(unsafe_code, reason = "a signal handler")]
extern "C" fn fault(signal: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: the operating system gives valid information.
    let address = unsafe { (*info).si_addr() }.addr();
    let is_ours = current(|fiber| fiber.guard.contains(&address));
    if is_ours == Some(true) {
        let text = "commute: a thread of the test has overflowed its stack; RUST_MIN_STACK, in \
                    bytes, makes it larger (2097152 if it is not set)\n";
        // SAFETY: both may be called in a handler.
        unsafe {
            libc::write(2, text.as_ptr().cast(), text.len());
            libc::abort();
        }
    }
    // What was there before has its turn, when the fault happens again.
    if let Some(before) = BEFORE.get() {
        let before = &before[usize::from(signal == libc::SIGBUS)];
        // SAFETY: what the operating system gave us.
        unsafe {
            libc::sigaction(signal, before, std::ptr::null_mut());
        }
    }
}

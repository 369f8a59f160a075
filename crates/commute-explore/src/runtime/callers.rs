//! The addresses on the stack, which are quicker to find than the names of functions.

/// Return addresses of all callers, the innermost first; none where that is not known.
#[cfg(any(all(target_os = "linux", target_env = "gnu"), target_os = "macos"))]
#[expect(unsafe_code, reason = "a function of the C library")]
pub(super) fn callers() -> Vec<usize> {
    const MOST: usize = 256;
    let mut found = [std::ptr::null_mut(); MOST];
    // SAFETY: as many pointers as there is room for are written.
    let count = unsafe { libc::backtrace(found.as_mut_ptr(), MOST as libc::c_int) };
    let count = usize::try_from(count).unwrap_or(0);
    found[..count]
        .iter()
        .map(|address| address.addr())
        .collect()
}

#[cfg(not(any(all(target_os = "linux", target_env = "gnu"), target_os = "macos")))]
pub(super) fn callers() -> Vec<usize> {
    Vec::new()
}

//! Memory that may not be there.

/// Copies memory from an address of which nobody knows whether something is there; false
/// if not all of it is.
///
/// The operating system is asked to copy it, which refuses where a program would crash.
#[cfg(unix)]
pub fn copy_from(address: usize, into: &mut [u8]) -> bool {
    let mut ends = [0; 2];
    // More would have to be read before all is written.
    if into.len() > 4096 {
        return false;
    }
    // SAFETY: room for two; the descriptors are ours, and the system checks the address.
    #[expect(unsafe_code, reason = "a program cannot ask otherwise")]
    unsafe {
        if libc::pipe(ends.as_mut_ptr()) != 0 {
            return false;
        }
        let from = std::ptr::without_provenance::<libc::c_void>(address);
        let written = libc::write(ends[1], from, into.len());
        let is_whole = usize::try_from(written) == Ok(into.len())
            && libc::read(ends[0], into.as_mut_ptr().cast(), into.len()) == written;
        libc::close(ends[0]);
        libc::close(ends[1]);
        is_whole
    }
}

/// The same where nobody can be asked.
#[cfg(not(unix))]
pub fn copy_from(_address: usize, _into: &mut [u8]) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_there_is_copied() {
        let there = [1_u8, 2, 3];
        let mut copy = [0; 3];
        assert!(copy_from(there.as_ptr().addr(), &mut copy));
        assert_eq!(copy, there);
        assert!(!copy_from(8, &mut copy));
        assert!(!copy_from(usize::MAX - 1, &mut copy));
    }
}

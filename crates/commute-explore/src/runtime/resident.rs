//! How much memory there is.

/// Of this process, as the operating system counts it; none where that is not known.
#[cfg(target_os = "linux")]
pub(super) fn bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    // SAFETY: always.
    #[expect(unsafe_code, reason = "std does not say it")]
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    Some(pages * u64::try_from(page).ok()?)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn bytes() -> Option<u64> {
    None
}

/// For people.
pub(super) fn shown(bytes: u64) -> String {
    let mebibytes = bytes as f64 / f64::from(1 << 20);
    match mebibytes {
        m if m < 1024.0 => format!("{m:.0} MiB"),
        m => format!("{:.1} GiB", m / 1024.0),
    }
}

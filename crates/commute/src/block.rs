//! Blocks that should be atomic.

/// Runs `f`, which should look to other threads as if it happened at once; what is
/// recorded says so, and is checked. In a normal build this calls `f`.
///
/// ```
/// use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};
///
/// let visits = AtomicU32::new(0);
/// let visit = commute::atomic("visit", || visits.fetch_add(1, SeqCst));
/// assert_eq!(visit, 0);
/// ```
#[cfg(not(commute))]
#[inline(always)]
pub fn atomic<R>(name: &'static str, f: impl FnOnce() -> R) -> R {
    let _ = name;
    f()
}

/// Runs `f`, which should look to other threads as if it happened at once.
#[cfg(commute)]
#[track_caller]
pub fn atomic<R>(name: &'static str, f: impl FnOnce() -> R) -> R {
    use crate::hidden::{Block, Region};

    let _region = match commute_record::is_on() {
        true => Some(Region::enter(Block::named(name))),
        false => None,
    };
    f()
}

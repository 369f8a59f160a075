//! The limit of open descriptors (`RLIMIT_NOFILE`), and how many connections fit below it.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Descriptors that are left for files which are open for a moment: source code, the
/// report, what threads and the C library need.
const SPARE: u64 = 4;
/// More is not asked for: every connection has threads, too.
const MOST: u64 = 1 << 16;
/// Taken for the number of open descriptors where the system does not list them.
const USUAL: u64 = 16;

/// The limit of open descriptors, raised as far as the system allows until this is
/// dropped.
///
/// Raise it after a program was started: the program would inherit it.
pub(super) struct RaisedLimit {
    before: Rlimit,
    now: Rlimit,
}

impl RaisedLimit {
    /// Raises the limit, or leaves it as it is if that is not allowed.
    pub(super) fn raise() -> RaisedLimit {
        let before = getrlimit(Resource::Nofile);
        let mut now = before;
        let wanted = before.maximum.map_or(MOST, |maximum| maximum.min(MOST));
        if before.current.is_some_and(|current| current < wanted) {
            now.current = Some(wanted);
            if setrlimit(Resource::Nofile, now).is_err() {
                now = before;
            }
        }
        RaisedLimit { before, now }
    }

    /// How many connections may be open at once if each has `each` descriptors.
    pub(super) fn connections(&self, each: usize) -> usize {
        let limit = self.now.current.unwrap_or(MOST).min(MOST);
        let free = limit.saturating_sub(open() + SPARE);
        usize::try_from(free).unwrap_or(usize::MAX) / each.max(1)
    }
}

impl Drop for RaisedLimit {
    fn drop(&mut self) {
        if self.now != self.before {
            // Programs that are started later have the limit that the user has set.
            let _ = setrlimit(Resource::Nofile, self.before);
        }
    }
}

/// How many descriptors are open.
fn open() -> u64 {
    match std::fs::read_dir("/dev/fd") {
        // One of them reads the directory.
        Ok(entries) => entries.count().saturating_sub(1) as u64,
        Err(_) => USUAL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(current: u64) -> RaisedLimit {
        let limit = Rlimit {
            current: Some(current),
            maximum: Some(current),
        };
        RaisedLimit {
            before: limit,
            now: limit,
        }
    }

    #[test]
    fn connections_share_what_is_left() {
        let unlimited = limit(MOST).connections(1);
        assert!(unlimited > 60_000, "{unlimited}");
        assert!(limit(MOST).connections(2).abs_diff(unlimited / 2) < 16);
        assert_eq!(limit(0).connections(1), 0);
    }
}

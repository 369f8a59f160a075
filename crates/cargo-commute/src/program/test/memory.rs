//! How much memory a test may have, if nobody says.

/// Half of what there is, for so many at once; none where that is not known.
pub(super) fn share(tests: usize) -> Option<u64> {
    let tests = u64::try_from(tests.max(1)).ok()?;
    Some(all()? / 2 / tests)
}

/// What the machine has, or what this process may have of it.
fn all() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let machine = total(&text)?;
    let group = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let group = group.and_then(|text| text.trim().parse().ok());
    Some(group.map_or(machine, |group: u64| machine.min(group)))
}

fn total(text: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_there_is_is_read() {
        let text = "MemTotal:       24610000 kB\nMemFree: 1 kB\n";
        assert_eq!(total(text), Some(24_610_000 << 10));
        assert_eq!(total("MemFree: 1 kB"), None);
    }

    #[test]
    fn more_tests_have_less_each() {
        if let (Some(one), Some(two)) = (share(1), share(2)) {
            assert!(two <= one / 2);
        }
    }
}

//! `--max-memory`: how much memory the process may have.

use anyhow::{Result, bail};

/// The memory is looked up after so many batches, a few thousand events each.
const BATCHES: u32 = 4;

/// A bound on the memory of this process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryLimit {
    bytes: u64,
    batches: u32,
}

impl MemoryLimit {
    /// A limit of so many bytes.
    ///
    /// # Errors
    /// If the system does not say how much memory a process has.
    pub(crate) fn new(bytes: u64) -> Result<MemoryLimit> {
        if resident().is_none() {
            bail!(
                "--max-memory needs /proc/self/status, which this system does not have; limit the memory with `ulimit -v` instead"
            );
        }
        Ok(MemoryLimit { bytes, batches: 0 })
    }

    /// Whether the process has more, to be asked once a batch.
    pub(crate) fn is_reached(&mut self) -> bool {
        self.batches += 1;
        self.batches.is_multiple_of(BATCHES) && resident().is_some_and(|bytes| bytes > self.bytes)
    }

    /// Why the run is inconclusive that stopped after so many events.
    pub(crate) fn reason(self, events: u64) -> String {
        let mebibytes = self.bytes.div_ceil(1 << 20);
        format!(
            "reading stopped after {events} events: the process has more than {mebibytes} MiB of memory (--max-memory)"
        )
    }
}

/// The memory of this process that is in use, in bytes.
fn resident() -> Option<u64> {
    resident_of(&std::fs::read_to_string("/proc/self/status").ok()?)
}

fn resident_of(status: &str) -> Option<u64> {
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_and_compared() {
        let status = "VmHWM:\t  9 kB\nVmRSS:\t    7 kB\n";
        assert_eq!(resident_of(status), Some(7 << 10));
        assert_eq!(resident_of("Name: x\n"), None);
        if let Some(bytes) = resident() {
            for (most, expected) in [(1, true), (bytes * 1000, false)] {
                let mut limit = MemoryLimit::new(most).expect("the system says it");
                let reached = (0..BATCHES).any(|_| limit.is_reached());
                assert_eq!(reached, expected);
            }
        }
    }
}

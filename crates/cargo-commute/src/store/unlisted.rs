//! What a run has counted, and its file does not list: with `--max-findings` not all is
//! printed, and what is known or suppressed never is.

use super::read::{StoredRun, StoredTrace};

/// How much of it there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Unlisted {
    pub findings: u64,
    /// Of those that were known from a baseline.
    pub known: u64,
    pub suppressed: u64,
}

impl StoredRun {
    /// What its summary counts beyond its lines.
    pub(crate) fn unlisted(&self) -> Unlisted {
        let Some(summary) = &self.summary else {
            return Unlisted::default();
        };
        let listed = |of: fn(&StoredTrace) -> u64| self.traces.iter().map(of).sum::<u64>();
        let findings = listed(|trace| trace.findings.len() as u64);
        let known = listed(|trace| trace.known.len() as u64);
        let suppressed = listed(|trace| trace.trace.suppressed);
        Unlisted {
            findings: summary.findings.saturating_sub(findings),
            known: summary.known.unwrap_or_default().saturating_sub(known),
            suppressed: summary.suppressed.saturating_sub(suppressed),
        }
    }

    /// Why nobody knows all that it has found, if so.
    pub(crate) fn unlisted_reason(&self) -> Option<String> {
        let name = self.path.display();
        match (self.run.left_out, self.unlisted().findings) {
            (0, 0) => None,
            (0, 1) => Some(format!("1 more finding is not in {name}")),
            (0, n) => Some(format!("{n} more findings are not in {name}")),
            (n, _) => Some(format!("{n} more findings were too many to be stored")),
        }
    }
}

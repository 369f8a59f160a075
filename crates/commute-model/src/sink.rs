//! Where findings go.

use crate::finding::Finding;

/// Receives what an analysis finds. An analysis never prints.
pub trait Sink {
    /// Takes one finding.
    fn finding(&mut self, finding: Finding);
}

impl Sink for Vec<Finding> {
    fn finding(&mut self, finding: Finding) {
        self.push(finding);
    }
}

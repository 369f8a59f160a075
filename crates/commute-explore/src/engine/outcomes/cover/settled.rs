//! Operations that can return one thing only, because all that could matter has happened
//! before, in an order that does not: whoever has waited for all others reads a counter.

use super::Cover;
use crate::engine::outcomes::histories::Histories;
use crate::engine::outcomes::relations::Labelled;
use crate::engine::outcomes::ties::Ties;

impl Cover<'_, '_, '_> {
    /// Whether the operation at that place of a run returns what it did, whatever the
    /// order of all other operations of the run was.
    pub(super) fn is_settled(
        &mut self,
        run: &Histories,
        ties: &Ties<'_>,
        thread: usize,
        index: usize,
        of: Labelled,
    ) -> bool {
        let before = self.before(run, ties, thread, index);
        let known = &self.session.subject.known;
        ties.is_settled(known, &mut self.relations, thread, of, &before)
    }

    /// What has to happen before a thread comes there: all that it did, what started it,
    /// and what it could not have gone on without.
    fn before(
        &mut self,
        run: &Histories,
        ties: &Ties<'_>,
        thread: usize,
        index: usize,
    ) -> Vec<usize> {
        let known = &mut self.session.subject.known;
        let mut lengths = vec![0; run.threads.len()];
        let mut open = vec![(thread, index)];
        while let Some((thread, length)) = open.pop() {
            let from = lengths[thread];
            if from == 0
                && let Some((parent, index)) = run.threads[thread].started
            {
                open.push((parent, index + 1));
            }
            for at in from..length {
                let event = run.threads[thread].events[at];
                if let Some((other, needed)) = ties.requires(known, &mut self.relations, event) {
                    open.push((other, needed + 1));
                }
            }
            lengths[thread] = from.max(length);
        }
        lengths
    }
}

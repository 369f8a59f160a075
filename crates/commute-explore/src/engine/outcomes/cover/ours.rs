//! As much of the search as is ours, if others search, too.

use super::Cover;
use crate::code::NodeId;
use crate::engine::outcomes::histories::Histories;
use crate::engine::outcomes::partition::Partition;
use crate::engine::outcomes::session::Stop;

impl Cover<'_, '_, '_> {
    /// Decides whose what is, if that has to be.
    pub(super) fn find_share(&mut self) -> Result<(), Stop> {
        if let Some(shard) = self.session.share.shard
            && self.session.share.partition.is_none()
        {
            let partition = match self.session.subject.known.has_likes() {
                // Who is exchanged may have seen something else first.
                true => Partition::none(),
                false => Partition::new(self.session, shard.of)?,
            };
            self.session.share.partition = Some(partition);
            self.note();
        }
        Ok(())
    }

    /// As much of a run as it is ours to look at, and whether that is all of it.
    pub(super) fn ours_of(&mut self, end: usize) -> Option<(Histories, bool)> {
        let run = self.histories(end);
        let share = &self.session.share;
        let (Some(shard), Some(partition)) = (share.shard, &share.partition) else {
            return Some((run, true));
        };
        let known = &self.session.subject.known;
        let thread = partition.thread.index();
        let nodes = { run.threads.get(thread) }.map_or(&[][..], |history| &history.nodes);
        match partition.owner_of(known, nodes) {
            Some(owner) if owner != shard.index => {
                let run = run.cut(thread, partition.depth - 1);
                // Many runs are the same up to there.
                let ends = run
                    .threads
                    .iter()
                    .map(|history| history.nodes.last().copied());
                self.cut.insert(ends.collect()).then_some((run, false))
            }
            _ => Some((run, true)),
        }
    }

    /// Whether what a thread has come to is for others to look at.
    pub(super) fn is_left(&self, thread: usize, nodes: &[NodeId]) -> bool {
        let share = &self.session.share;
        let (Some(shard), Some(partition)) = (share.shard, &share.partition) else {
            return false;
        };
        let owner = partition.owner_of(&self.session.subject.known, nodes);
        partition.thread.index() == thread && owner.is_some_and(|owner| owner != shard.index)
    }
}

//! Atomic blocks are nested, and end under the name they began with.

use commute_model::{BlockId, Id, ThreadId};

use super::{At, Report, state};

/// Names of blocks that are nested more deeply are not kept.
const KEPT: usize = 1 << 12;

#[derive(Default, Debug)]
pub(super) struct Blocks {
    threads: Vec<Open>,
}

#[derive(Default, Debug)]
struct Open {
    blocks: Vec<(Option<BlockId>, At)>,
    /// How many more are open inside those.
    more: u64,
}

impl Blocks {
    pub(super) fn begin(
        &mut self,
        thread: ThreadId,
        block: Option<BlockId>,
        report: &mut Report<'_>,
    ) {
        let open = state(&mut self.threads, thread.index());
        if open.blocks.len() < KEPT {
            open.blocks.push((block, report.at));
            return;
        }
        if open.more == 0 {
            let name = report.names.threads.name(thread);
            report.warning(format!(
                "blocks of {name} are nested more than {KEPT} deep; names of inner ones are not checked"
            ));
        }
        open.more += 1;
    }

    pub(super) fn end(
        &mut self,
        thread: ThreadId,
        block: Option<BlockId>,
        report: &mut Report<'_>,
    ) {
        let open = state(&mut self.threads, thread.index());
        if open.more > 0 {
            open.more -= 1;
            return;
        }
        let name = report.names.threads.name(thread);
        let Some((begun, at)) = open.blocks.pop() else {
            report.error(format!("{name} ends a block, but none is open"));
            return;
        };
        if let Some(block) = block
            && begun != Some(block)
        {
            let (ended, line) = (report.names.blocks.name(block), at.line);
            report.error(match begun {
                Some(begun) => {
                    let begun = report.names.blocks.name(begun);
                    format!("{name} ends block `{ended}`, but `{begun}` of line {line} is open")
                }
                None => {
                    format!("{name} ends block `{ended}`, but the block of line {line} has no name")
                }
            });
        }
    }

    pub(super) fn finish(&self, report: &mut Report<'_>) {
        for (index, open) in self.threads.iter().enumerate() {
            let name = report.names.threads.name(ThreadId::from_index(index));
            if let Some(&(_, at)) = open.blocks.first() {
                let message = match open.blocks.len() as u64 + open.more {
                    1 => format!("a block of {name} is still open at the end"),
                    n => format!("{n} blocks of {name} are still open at the end"),
                };
                report.note(at, message);
            }
        }
    }
}

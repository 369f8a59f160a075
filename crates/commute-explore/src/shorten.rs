//! A failing schedule with fewer switches.
//!
//! Claims: what comes out fails in the same way, and has no more switches than what went
//! in. It need not be the best there is. Cost: at most as many runs as are allowed.

use crate::run::{Moment, Run};
use crate::story::switches;
use crate::subject::Subject;
use crate::words::ThreadId;

/// Looks for a run with fewer switches of which `same` is true too. How many runs that
/// took is the second.
pub(crate) fn shorten(
    subject: &mut Subject<'_>,
    run: Run,
    most: u64,
    same: &dyn Fn(&Run, &mut Subject<'_>) -> bool,
) -> (Run, u64) {
    let mut search = Search {
        subject,
        best: run,
        runs: 0,
        most,
        same,
    };
    search.drop_ends();
    while search.join_blocks() {}
    (search.best, search.runs)
}

struct Search<'a, 'b> {
    subject: &'a mut Subject<'b>,
    best: Run,
    runs: u64,
    most: u64,
    same: &'a dyn Fn(&Run, &mut Subject<'_>) -> bool,
}

impl Search<'_, '_> {
    /// Runs a schedule as far as it can be followed, and straight on after it. Whether
    /// that is better.
    fn attempt(&mut self, schedule: &[ThreadId]) -> bool {
        self.runs += 1;
        let mut left = schedule.iter().copied();
        let run = self.subject.run(&mut |moment: Moment<'_>| {
            let next = left.find(|thread| moment.enabled.contains(thread));
            Some(next.unwrap_or_else(|| moment.straight_on()))
        });
        let size = |run: &Run| (switches(&run.steps), run.steps.len());
        let better = size(&run) < size(&self.best) && (self.same)(&run, self.subject);
        if better {
            self.best = run;
        }
        better
    }

    fn schedule(&self) -> Vec<ThreadId> {
        self.best.steps.iter().map(|step| step.thread).collect()
    }

    /// The shortest beginning after which going straight on is enough.
    fn drop_ends(&mut self) {
        let schedule = self.schedule();
        let is_switch = |place: &usize| *place == 0 || schedule[place - 1] != schedule[*place];
        for length in (0..schedule.len()).filter(is_switch) {
            if self.runs >= self.most || self.attempt(&schedule[..length]) {
                return;
            }
        }
    }

    /// Does what a thread does later right after what it did before, or the other way
    /// round. Whether anything came of it.
    fn join_blocks(&mut self) -> bool {
        let schedule = self.schedule();
        let mut blocks: Vec<(ThreadId, usize)> = Vec::new();
        for thread in schedule {
            match blocks.last_mut() {
                Some((last, length)) if *last == thread => *length += 1,
                _ => blocks.push((thread, 1)),
            }
        }
        let flat = |blocks: &[(ThreadId, usize)]| -> Vec<ThreadId> {
            let each = blocks.iter();
            each.flat_map(|(thread, length)| vec![*thread; *length])
                .collect()
        };
        for first in 0..blocks.len() {
            let thread = blocks[first].0;
            let later = blocks[first + 1..].iter().position(|(t, _)| *t == thread);
            let Some(second) = later.map(|later| first + 1 + later) else {
                continue;
            };
            for (from, to) in [(second, first + 1), (first, second - 1)] {
                if self.runs >= self.most {
                    return false;
                }
                let mut moved = blocks.clone();
                let block = moved.remove(from);
                moved.insert(to, block);
                if self.attempt(&flat(&moved)) {
                    return true;
                }
            }
        }
        false
    }
}

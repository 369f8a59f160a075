//! How long the adversary takes.

use std::time::{Duration, Instant};

use commute::compose::{Checked, Outcome};

use crate::rows::Row;

/// Checks of one method, if they do not take too long. All do the same, so the quickest one
/// counts: the others were disturbed.
const TIMES: usize = 5;
const LONG: Duration = Duration::from_secs(1);

/// What a check took.
pub(crate) struct Took {
    pub(crate) time: Duration,
    pub(crate) checked: Checked,
}

pub(crate) fn check(row: &Row, steps: usize) -> Took {
    let mut all = Vec::new();
    let began = Instant::now();
    while all.is_empty() || all.len() < TIMES && began.elapsed() < LONG {
        let started = Instant::now();
        let checked = (row.ours)(steps);
        let time = started.elapsed();
        all.push(Took { time, checked });
    }
    let quickest = all.into_iter().min_by_key(|took: &Took| took.time);
    quickest.expect("there is at least one")
}

/// With as few operations of others as it takes to find that it is not atomic.
pub(crate) fn smallest(row: &Row) -> (usize, Took) {
    let mut steps = 1;
    loop {
        let took = check(row, steps);
        if took.checked.outcome == Outcome::NotAtomic || steps == 3 {
            return (steps, took);
        }
        steps += 1;
    }
}

impl Took {
    pub(crate) fn milliseconds(&self) -> f64 {
        self.time.as_secs_f64() * 1e3
    }

    /// So many of something in a second.
    pub(crate) fn rate(&self, count: u64) -> f64 {
        count as f64 / self.time.as_secs_f64()
    }
}

/// Beside a target, whether it is met.
pub(crate) fn verdict(is_met: bool) -> &'static str {
    if is_met { "met" } else { "NOT MET" }
}

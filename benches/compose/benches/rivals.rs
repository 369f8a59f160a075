//! Random tests of the same methods, and how much longer they take.

use std::time::{Duration, Instant};

use crate::options::Options;
use crate::ours;
use crate::rows::{Row, WRONG};

/// Keys and values are drawn out of so many: of a realistic number, and of as few as the
/// adversary uses, which is the best that can be done for a random test.
const KEYS: [usize; 2] = [1000, 2];

/// So many violations are enough to say how long it takes to find one.
const ENOUGH: u64 = 20;

/// How a random test goes about.
pub(crate) struct Search {
    /// Out of how many numbers arguments are made.
    pub(crate) keys: usize,
    /// How long it takes at most.
    pub(crate) patience: Duration,
    /// How many violations it looks for.
    pub(crate) enough: u64,
}

/// What came of a random test.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) violations: u64,
    pub(crate) runs: u64,
    pub(crate) time: Duration,
}

impl Search {
    /// Whether there is time for another run.
    pub(crate) fn goes_on(&self, found: &mut Found, started: Instant) -> bool {
        found.time = started.elapsed();
        found.time < self.patience && found.violations < self.enough
    }
}

impl Found {
    /// How long it takes to find one, on the average; at least so long, if none was found.
    fn seconds(&self) -> f64 {
        self.time.as_secs_f64() / self.violations.max(1) as f64
    }

    fn show(&self, ours: f64) -> String {
        let found = match self.violations {
            0 => format!("none in {:.1} s", self.seconds()),
            _ => format!("{:.3} ms", self.seconds() * 1e3),
        };
        let more = if self.violations == 0 { ">" } else { "" };
        let ratio = format!("{more}{:.2}", self.seconds() / ours);
        let rate = self.runs as f64 / self.time.as_secs_f64();
        format!("{found:>14} {ratio:>9} {rate:>9.0}")
    }
}

pub(crate) fn print(options: &Options) {
    if options.patience.is_zero() {
        return;
    }
    println!();
    println!(
        "time until a random test has found a violation, and how many times steps(2) that is \
         (at most {} s, at most {ENOUGH} violations)",
        options.patience.as_secs_f64()
    );
    println!(
        "{:<36} {:>9} {:>5}  {:>14} {:>9} {:>9}  {:>14} {:>9} {:>9}",
        "", "steps(2)", "keys", "two threads", "ratio", "runs/s", "injection", "ratio", "runs/s"
    );
    for row in WRONG.iter().filter(|row| options.has(row.name)) {
        print_row(row, options);
    }
}

fn print_row(row: &Row, options: &Options) {
    let ours = ours::check(row, 2);
    for keys in KEYS {
        let search = Search {
            keys,
            patience: options.patience,
            enough: ENOUGH,
        };
        let seconds = ours.time.as_secs_f64();
        println!(
            "{:<36} {:>6.2} ms {keys:>5}  {}  {}",
            row.name,
            ours.milliseconds(),
            (row.threads)(&search).show(seconds),
            (row.injection)(&search).show(seconds),
        );
    }
}

//! Random tests of the same methods, and how much longer they take.

use std::time::{Duration, Instant};

use crate::options::Options;
use crate::ours::{self, Took};
use crate::rows::{Row, WRONG};

/// Keys and values are drawn out of so many: of a realistic number, and of as few as the
/// adversary uses, which is the best that can be done for a random test.
const KEYS: [usize; 2] = [1000, 2];

/// So many violations are enough to say how long it takes to find one.
const ENOUGH: u64 = 20;

/// How much longer it may take if some of the time does not count.
const TRIES: u32 = 4;

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
    /// Time that does not count.
    pub(crate) lost: Duration,
}

impl Search {
    /// Whether there is time for another run.
    pub(crate) fn goes_on(&self, found: &mut Found, started: Instant) -> bool {
        let elapsed = started.elapsed();
        found.time = elapsed.saturating_sub(found.lost);
        elapsed < TRIES * self.patience
            && found.time < self.patience
            && found.violations < self.enough
    }
}

impl Found {
    /// How long it takes to find one, on the average; at least so long, if none was found.
    fn seconds(&self) -> f64 {
        self.time.as_secs_f64() / self.violations.max(1) as f64
    }

    /// Next to what the adversary took.
    fn show(&self, ours: [&Took; 2]) -> String {
        let found = match self.violations {
            0 if self.time < self.lost => return format!("{:>42}", "had no second processor"),
            0 => format!("none in {:.1} s", self.seconds()),
            _ => format!("{:.3} ms", self.seconds() * 1e3),
        };
        let more = if self.violations == 0 { ">" } else { "" };
        let [first, two] = ours.map(|took| {
            let ratio = self.seconds() / took.time.as_secs_f64();
            let digits = if ratio < 1.0 { 4 } else { 1 };
            format!("{more}{ratio:.digits$}")
        });
        let rate = self.runs as f64 / self.time.as_secs_f64();
        format!("{found:>13} {first:>9} {two:>9} {rate:>8.0}")
    }
}

pub(crate) fn print(options: &Options) {
    if options.patience.is_zero() {
        return;
    }
    println!();
    println!(
        "time until a random test has found a violation (at most {} s; the mean of at most \
         {ENOUGH}), and how many times that is what the adversary takes, with as few steps as it \
         needs and with two",
        options.patience.as_secs_f64()
    );
    let columns = format!("{:>9} {:>9} {:>8}", "/ fewest", "/ two", "runs/s");
    println!(
        "{:<36} {:>9} {:>9} {:>5}  {:>13} {columns}  {:>13} {columns}",
        "", "fewest", "two", "keys", "two threads", "injection"
    );
    for row in WRONG.iter().filter(|row| options.has(row.name)) {
        print_row(row, options);
    }
}

fn print_row(row: &Row, options: &Options) {
    let (_, first) = ours::smallest(row);
    let two = ours::check(row, 2);
    for keys in KEYS {
        let search = Search {
            keys,
            patience: options.patience,
            enough: ENOUGH,
        };
        println!(
            "{:<36} {:>6.2} ms {:>6.2} ms {keys:>5}  {}  {}",
            row.name,
            first.milliseconds(),
            two.milliseconds(),
            (row.threads)(&search).show([&first, &two]),
            (row.injection)(&search).show([&first, &two]),
        );
    }
}

//! How long it takes the adversary to find that a method is atomic.

use std::time::Duration;

use crate::options::Options;
use crate::ours::{self, verdict};
use crate::rivals::Search;
use crate::rows::{CORRECT, Row};

/// Operations of others, and how many milliseconds they may take.
const TARGETS: [(usize, f64); 2] = [(2, 20.0), (3, 200.0)];

/// Histories in a second.
const RATE: f64 = 100_000.0;

pub(crate) fn print(options: &Options) {
    println!();
    println!(
        "time of the whole check of a method that is atomic (target: {RATE} histories/s; of plain: \
         what a history takes, of what it takes on objects that nobody watches)"
    );
    println!(
        "{:<30} {:>5} {:>10} {:>7} {:<8} {:>6} {:>9} {:>11} {:<8} {:>8} {:>9}",
        "",
        "steps",
        "time",
        "target",
        "",
        "runs",
        "histories",
        "histories/s",
        "",
        "runs/s",
        "of plain"
    );
    for row in CORRECT.iter().filter(|row| options.has(row.name)) {
        let plain = plain_run(row);
        for (steps, target) in TARGETS {
            print_row(row, steps, target, plain);
        }
    }
}

fn print_row(row: &Row, steps: usize, target: f64, plain: f64) {
    let took = ours::check(row, steps);
    let (runs, histories) = (took.checked.executions, took.checked.histories);
    let in_time = match took.checked.is_atomic() {
        true => verdict(took.milliseconds() <= target),
        false => "NOT ATOMIC",
    };
    let per_second = took.rate(histories);
    println!(
        "{:<30} {steps:>5} {:>7.2} ms {target:>4} ms {in_time:<8} {runs:>6} {histories:>9} \
         {per_second:>11.0} {:<8} {:>8.0} {:>9.2}",
        row.name,
        took.milliseconds(),
        verdict(per_second >= RATE),
        took.rate(runs),
        1.0 / per_second / plain,
    );
}

/// How many seconds a run on plain objects takes, with its explanation: what a history costs
/// if nothing is known of the method.
fn plain_run(row: &Row) -> f64 {
    let search = Search {
        keys: 2,
        patience: Duration::from_millis(100),
        enough: 1,
    };
    // What random tests find elsewhere would mean nothing if they found something here.
    let threads = (row.threads)(&search);
    let alone = (row.alone)(&search);
    assert_eq!(threads.violations, 0, "{} is atomic", row.name);
    assert_eq!(alone.violations, 0, "{} is atomic", row.name);
    alone.time.as_secs_f64() / alone.runs as f64
}

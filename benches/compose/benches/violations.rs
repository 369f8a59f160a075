//! How long it takes the adversary to find that a method is not atomic.

use commute::compose::Outcome;

use crate::options::Options;
use crate::ours::{self, Took, verdict};
use crate::rows::WRONG;

/// A violation is to be found in so many milliseconds.
const TARGET: f64 = 10.0;

pub(crate) fn print(options: &Options) {
    println!("time until a violation is found (target: {TARGET} ms)");
    let columns = format!("{:>9} {:>6} {:>9} {:<8}", "time", "runs", "histories", "");
    println!(
        "{:<36} fewest steps                            two steps",
        ""
    );
    println!("{:<36} {:>5} {columns} {columns}", "", "steps");
    for row in WRONG.iter().filter(|row| options.has(row.name)) {
        let (steps, smallest) = ours::smallest(row);
        let two = ours::check(row, 2);
        let (smallest, two) = (show(&smallest), show(&two));
        println!("{:<36} {steps:>5} {smallest} {two}", row.name);
    }
}

fn show(took: &Took) -> String {
    let verdict = match took.checked.outcome {
        Outcome::NotAtomic => verdict(took.milliseconds() <= TARGET),
        _ => "NOTHING FOUND",
    };
    format!(
        "{:>6.2} ms {:>6} {:>9} {verdict:<8}",
        took.milliseconds(),
        took.checked.executions,
        took.checked.histories
    )
}

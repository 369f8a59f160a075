//! Traces of which large pages are made.

use std::fmt::Write;

/// Many findings, each on its own variable.
pub(crate) fn many(findings: usize) -> String {
    let mut trace = String::new();
    for number in 0..findings {
        let _ = writeln!(trace, "T1|w(x{number})|a.rs:{}", number + 1);
        let _ = writeln!(
            trace,
            "T{}|r(x{number})|b.rs:{}",
            2 + number % 3,
            number + 1
        );
    }
    trace
}

/// A run of 99,602 events. Two threads share a lock, and two meet at the first event and
/// the last.
pub(crate) fn long() -> String {
    let mut trace = "T3|w(x)|a.rs:1\n".to_owned();
    for number in 0..16_600 {
        let thread = 1 + number % 2;
        for (event, line) in [("acq(m)", 1), ("w(y)", 2), ("r(y)", 3), ("rel(m)", 4)] {
            let _ = writeln!(trace, "T{thread}|{event}|b.rs:{line}");
        }
        let _ = writeln!(trace, "T3|w(z3)|b.rs:5\nT4|w(z4)|b.rs:6");
    }
    trace += "T4|r(x)|a.rs:2\n";
    trace
}

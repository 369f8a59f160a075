//! How long a browser takes until a page shows something, as a ratio to a page with one
//! word in it, measured in the same browser; the best of five times each.
//!
//! ```text
//! cargo bench --bench paint
//! ```
//!
//! The bound is one second: of 500 findings, and of a run of 100,000 events that can be
//! unfolded. It takes Chromium; without it there is nothing to measure.

#![allow(clippy::print_stdout, clippy::print_stderr)]

#[path = "../crates/cargo-commute/tests/browser/chromium.rs"]
#[allow(dead_code, reason = "nobody clicks here")]
mod chromium;
#[path = "../crates/cargo-commute/tests/browser/traces.rs"]
mod traces;

use std::path::{Path, PathBuf};
use std::process::Command;

use chromium::Browser;

const RUNS: usize = 5;

fn main() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let word = place("word.html");
    std::fs::write(&word, "<!doctype html><title>a page</title><p>a word").expect("written");
    let pages = [
        ("a word", word),
        ("500 findings", page("findings", &traces::many(500))),
        ("99,602 events", page("events", &traces::long())),
    ];
    let mut yardstick = None;
    println!(
        "{:<14} {:>10} {:>9} {:>7}",
        "page", "bytes", "paint", "ratio"
    );
    for (name, page) in &pages {
        let times = (0..RUNS).map(|_| {
            browser.open(page);
            browser.first_paint()
        });
        let best = times.fold(f64::INFINITY, f64::min);
        let yardstick = *yardstick.get_or_insert(best);
        let bytes = std::fs::metadata(page).expect("a page").len();
        let ratio = best / yardstick;
        println!("{name:<14} {bytes:>10} {best:>6.0} ms {ratio:>6.1}x");
    }
}

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("paint-{name}"))
}

/// The page of a trace.
fn page(name: &str, trace: &str) -> PathBuf {
    let (path, page) = (
        place(&format!("{name}.std")),
        place(&format!("{name}.html")),
    );
    std::fs::write(&path, trace).expect("a file");
    let status = Command::new(env!("CARGO_BIN_EXE_commute"))
        .args(["check", "-q", "--no-store", "--message-format", "sarif"])
        .arg(&path)
        .arg("--html")
        .arg(&page)
        .output();
    assert_eq!(status.expect("commute runs").status.code(), Some(1));
    page
}

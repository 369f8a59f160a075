//! What the analysis of values says about a program, against runs of it.
//!
//! Random programs run with two threads, and every value knows on which reads
//! it depends, through data and through branches. A write of `x` is stale if it
//! depends on a read of `x` in an earlier region of the same lock that was left
//! since, and the other thread wrote `x` in between; `truth.rs` says what
//! excuses it. A stale write that was seen has to be reported ([`recall`]), and
//! a report has to be seen ([`precision`]).
//!
//! The machine knows nothing of the analysis: it shares the intermediate
//! representation with it, and no code. Known disagreements have names
//! ([`compare::Miss`]) and are counted.
#![allow(clippy::print_stderr, reason = "numbers are shown with --nocapture")]

mod body;
mod builder;
mod compare;
#[path = "../snippets/forgetting.rs"]
mod forgetting;
mod known;
mod machine;
mod memory;
mod postdominators;
mod random;
mod schedule;
mod step;
mod taint;
mod truth;
mod writer;

use std::ops::Range;

use compare::Tally;
use schedule::Effort;

/// All stale writes that are seen are reported, but for those with a name.
fn recall(seeds: Range<u64>) {
    let mut tally = Tally::default();
    for seed in seeds {
        let effort = Effort {
            values: 3,
            all: None,
            chance: false,
        };
        tally.recall(seed, &random::program(seed, true), effort);
        // A few say enough.
        if tally.examples.len() > 5 {
            break;
        }
    }
    eprintln!(
        "{} programs, {} found, missed {:?}",
        tally.programs, tally.found, tally.missed
    );
    for example in &tally.examples {
        eprintln!("{}", example.lines().next().unwrap_or_default());
    }
    // The shortest says most.
    if let Some(example) = tally.examples.iter().min_by_key(|text| text.len()) {
        panic!("{example}");
    }
    let known: usize = tally.missed.values().sum();
    assert!(
        tally.found > tally.programs / 2,
        "programs have something to find"
    );
    // Named ones are few: otherwise a name hides something else.
    assert!(
        known * 5 < tally.found,
        "{:?} of {}",
        tally.missed,
        tally.found
    );
}

#[test]
fn what_is_seen_is_reported_1() {
    recall(0..120);
}

#[test]
fn what_is_seen_is_reported_2() {
    recall(600..720);
}

/// Reports of high confidence about programs without loops are seen in a run
/// whose branches go anywhere: the analysis does not know values, so that
/// ways that exclude each other are no mistake of its.
fn precision(seeds: Range<u64>) {
    let mut tally = Tally::default();
    for seed in seeds {
        let effort = |values| Effort {
            values,
            all: None,
            chance: true,
        };
        tally.precision(&random::program(seed, false), &[effort(6), effort(60)]);
    }
    let Tally {
        programs,
        seen,
        unseen,
        arguments,
        ..
    } = tally;
    eprintln!("{programs} programs, {seen} reports seen, {arguments} by arguments, {unseen} not");
    assert!(
        seen > programs && arguments * 10 < seen,
        "{arguments} by arguments, {seen} seen"
    );
    // Rare ways through a function that no run took.
    assert!(unseen * 20 < seen, "{unseen} not seen, {seen} seen");
}

#[test]
fn what_is_reported_is_seen() {
    precision(100_000..100_020);
}

/// `COMMUTE_PROGRAMS=20000 cargo test --release -p commute-lint --test flow_oracle many_more`
#[test]
fn many_more() {
    let programs = std::env::var("COMMUTE_PROGRAMS");
    let Some(programs) = programs.ok().and_then(|text| text.parse::<u64>().ok()) else {
        return;
    };
    recall(10_000..10_000 + programs);
    precision(200_000..200_000 + programs / 7);
}

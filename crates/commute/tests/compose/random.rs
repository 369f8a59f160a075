//! Random methods: what `commute` says of them, with and without pruning, is what the
//! definition says.

mod author;
mod drawn;
mod oracle;
mod plain;
mod program;
mod shared;

use commute::compose::Outcome;
use drawn::Case;
use shared::How;

/// Histories of a case that is small enough to be compared.
const HISTORIES: usize = 1_500;

/// How many random methods: more where it is fast.
fn programs(debug: u64, release: u64) -> std::ops::Range<u64> {
    match std::env::var("COMMUTE_PROGRAMS") {
        Ok(count) => 0..count.parse().expect("a number of programs"),
        Err(_) if cfg!(debug_assertions) => 0..debug,
        Err(_) => 0..release,
    }
}

#[test]
fn random_methods_are_judged_as_defined() {
    let (mut compared, mut atomic) = (0, 0);
    for seed in programs(150, 3_000) {
        let case = Case::draw(seed);
        let expected = match oracle::is_atomic(&case, HISTORIES) {
            Some(true) => Outcome::Atomic,
            Some(false) => Outcome::NotAtomic,
            None => continue,
        };
        for how in [How::Pruned, How::Exhaustive, How::Elsewhere] {
            let checked = shared::checked(&case, how);
            assert_eq!(
                checked.outcome, expected,
                "{how:?}, seed {seed}: {case:?}\n{checked}"
            );
        }
        compared += 1;
        atomic += u64::from(expected == Outcome::Atomic);
    }
    assert!(
        atomic * 5 > compared && (compared - atomic) * 5 > compared,
        "{atomic} of {compared} methods are atomic"
    );
}

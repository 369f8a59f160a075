//! Fuzzing with fixed seeds: a parser is given many damaged inputs, and one
//! number reproduces a failure.
//!
//! | environment variable | meaning |
//! |---|---|
//! | `COMMUTE_FUZZ_ROUNDS` | inputs for each [`each`], in place of its own number |
//! | `COMMUTE_FUZZ_SECONDS` | no input is begun after so many seconds of one [`each`] |
//! | `COMMUTE_FUZZ_SEED` | first seed, in place of its own |
//! | `COMMUTE_FUZZ_INPUTS` | folder where the input at hand is kept: after a crash, the one that crashed |
//!
//! `.ci/fuzz` sets all four.

use std::env;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::random::Random;
use crate::tools::report;

/// Guard against an input that is never done with; an input takes milliseconds.
const LONG: Duration = Duration::from_secs(60);

/// Calls `check` with `rounds` inputs that `input` makes from a random stream each,
/// and says which input failed if `check` panics.
///
/// # Panics
/// If `check` panics or takes too long.
pub fn each(
    name: &str,
    rounds: u64,
    mut input: impl FnMut(&mut Random) -> Vec<u8>,
    check: impl Fn(&[u8]),
) {
    let rounds = number("COMMUTE_FUZZ_ROUNDS").unwrap_or(rounds);
    let seconds = number("COMMUTE_FUZZ_SECONDS").map(Duration::from_secs);
    let first = number("COMMUTE_FUZZ_SEED").unwrap_or(0x00c0_ffee);
    let kept = env::var_os("COMMUTE_FUZZ_INPUTS").map(|folder| PathBuf::from(folder).join(name));
    let begin = Instant::now();
    let mut done = 0;
    while done < rounds && seconds.is_none_or(|seconds| begin.elapsed() < seconds) {
        let seed = first.wrapping_add(done);
        let bytes = input(&mut Random::new(seed));
        if let Some(kept) = &kept {
            fs::write(kept, &bytes).expect("the folder of inputs can be written");
        }
        let start = Instant::now();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check(&bytes))) {
            let shown: String = String::from_utf8_lossy(&bytes).chars().take(2000).collect();
            report(&format!(
                "fuzz: {name} fails: COMMUTE_FUZZ_SEED={seed} COMMUTE_FUZZ_ROUNDS=1\n{shown:?}"
            ));
            resume_unwind(panic);
        }
        let took = start.elapsed();
        assert!(
            took < LONG,
            "{name}: COMMUTE_FUZZ_SEED={seed} takes {took:?}"
        );
        done += 1;
    }
    report(&format!("fuzz: {name}: {done} inputs"));
    if let Some(kept) = kept {
        // Only inputs that failed stay.
        let _ = fs::remove_file(kept);
    }
}

/// Changes a few places of an input: bits, bytes, runs of bytes, decimal numbers;
/// or inserts one of the pieces that mean something in its format.
pub fn damage(random: &mut Random, bytes: &mut Vec<u8>, pieces: &[&[u8]]) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        let end = (at + random.below(40)).min(bytes.len());
        match random.below(9) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => bytes[at] = random.number() as u8,
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(at..end)),
            4 => {
                let copy = bytes[at..end].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            5 => number_at(random, bytes, at),
            6 => {
                let mut lines = bytes.split_inclusive(|byte| *byte == b'\n');
                let count = lines.clone().count();
                let line = lines.nth(random.below(count)).unwrap_or_default().to_vec();
                bytes.splice(at..at, line);
            }
            _ if !pieces.is_empty() => {
                let piece = random.pick(pieces).to_vec();
                let piece = if random.chance(3) {
                    piece.repeat(1 + random.below(3000))
                } else {
                    piece
                };
                bytes.splice(at..at, piece);
            }
            _ => {}
        }
    }
}

/// Replaces the first decimal number at or behind `at` by an extreme one.
fn number_at(random: &mut Random, bytes: &mut Vec<u8>, at: usize) {
    const EXTREMES: [&str; 12] = [
        "0",
        "1",
        "-1",
        "64",
        "65535",
        "1000000",
        "2147483647",
        "2147483648",
        "4294967295",
        "4294967296",
        "18446744073709551615",
        "99999999999999999999999",
    ];
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let Some(begin) = bytes[at..].iter().position(is_digit) else {
        return;
    };
    let begin = at + begin;
    let length = bytes[begin..]
        .iter()
        .take_while(|byte| is_digit(byte))
        .count();
    let extreme = random.pick(&EXTREMES).bytes();
    bytes.splice(begin..begin + length, extreme);
}

fn number(variable: &str) -> Option<u64> {
    let value = env::var(variable).ok()?;
    Some(
        value
            .parse()
            .unwrap_or_else(|_| panic!("{variable} is a number, not {value:?}")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_input_again() {
        let make = |seed| {
            let mut random = Random::new(seed);
            let mut bytes = b"fn f(_1: u8) -> () {\n    let _17: u8;\n}\n".to_vec();
            damage(&mut random, &mut bytes, &[b"(", b"_1"]);
            bytes
        };
        let inputs: std::collections::BTreeSet<Vec<u8>> = (0..200).map(make).collect();
        assert!(inputs.len() > 150);
        assert_eq!(make(7), make(7));
    }

    #[test]
    fn numbers_become_extreme() {
        let mut bytes = b"a 17 b".to_vec();
        number_at(&mut Random::new(1), &mut bytes, 0);
        let text = String::from_utf8(bytes).expect("ASCII");
        assert!(text.starts_with("a ") && text.ends_with(" b") && text != "a 17 b");
    }

    #[test]
    #[should_panic(expected = "broken")]
    fn a_failure_is_passed_on() {
        each("own test", 3, |_| b"x".to_vec(), |_| panic!("broken"));
    }
}

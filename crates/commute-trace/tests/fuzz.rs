//! Both parsers on garbage and on damaged traces: no panic, no hang, an error
//! that says where, and the same answer from the quick and the careful way.
//!
//! `.ci/fuzz` makes many more cases; without its variables, they are always the same.
#![allow(missing_docs)]

mod support;

use std::io::Write;

use commute_model::Names;
use commute_testkit::fuzz;
use commute_trace::{ErrorKind, Format, Place};
use support::{Outcome, Random, events, read, read_carefully, write};

/// Gives `check` so many inputs, which `case` makes of a random stream each.
fn fuzz(
    name: &str,
    rounds: u64,
    mut case: impl FnMut(&mut Random) -> Vec<u8>,
    check: impl Fn(&[u8]),
) {
    fuzz::each(
        name,
        rounds,
        |random| case(&mut Random(random.number())),
        check,
    );
}

/// What holds for the outcome of reading anything.
fn check_outcome(bytes: &[u8], outcome: &Outcome) {
    if let Some(error) = &outcome.error {
        assert!(!error.message.is_empty());
        match &error.place {
            Place::Line {
                line,
                column,
                excerpt,
            } => {
                assert!(*line >= 1 && *column >= 1);
                assert!(*line > outcome.lines.last().copied().unwrap_or(0));
                assert!(excerpt.column >= 1 && excerpt.text.chars().count() <= 120);
                assert!(!excerpt.text.chars().any(char::is_control));
            }
            Place::Byte(offset) => assert!(*offset <= bytes.len() as u64 + 1),
            Place::Whole => assert_eq!(error.kind, ErrorKind::Empty),
        }
        assert!(!error.to_string().chars().any(char::is_control), "{error}");
    }
}

/// Like `assert_eq!`, but shows only what matters.
fn check_same(quick: &Outcome, careful: &Outcome) {
    if quick != careful {
        let both = quick.text.iter().zip(&careful.text);
        let same = both.take_while(|(a, b)| a == b).count();
        let (a, b) = (quick.text.get(same), careful.text.get(same));
        let (e, f) = (&quick.error, &careful.error);
        panic!("the two ways differ after {same} events: {a:?} or {b:?}, {e:?} or {f:?}");
    }
}

fn check_text(bytes: &[u8]) {
    let outcome = read(bytes);
    check_outcome(bytes, &outcome);
    check_same(&outcome, &read_carefully(bytes));
    check_round_trip(&outcome);
}

/// What was read can be written and read again.
fn check_round_trip(outcome: &Outcome) {
    if outcome.text.is_empty() {
        return;
    }
    let text: String = outcome
        .text
        .iter()
        .map(|line| format!("{line}\n"))
        .collect();
    let again = read(text.as_bytes());
    assert_eq!((&again.error, &again.text), (&None, &outcome.text));
}

fn check_any(bytes: &[u8]) {
    let outcome = read(bytes);
    check_outcome(bytes, &outcome);
    check_round_trip(&outcome);
}

fn mutate(random: &mut Random, bytes: &mut Vec<u8>, pieces: &[&[u8]]) {
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len() + 1);
        let to = (at + random.below(12)).min(bytes.len());
        match random.below(7) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => bytes[at] = random.next() as u8,
            2 => {
                bytes.drain(at..to);
            }
            3 => {
                let piece = bytes[at..to].to_vec();
                let there = random.below(bytes.len() + 1);
                bytes.splice(there..there, piece);
            }
            4 => bytes.truncate(at),
            _ => {
                let piece = random.pick(pieces).to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
}

const PIECES: [&[u8]; 34] = [
    b"|",
    b"\n",
    b"\r",
    b"\r\n",
    b"(",
    b")",
    b",",
    b"'",
    b"\\",
    b"\\x4",
    b"/",
    b":",
    b".",
    b" ",
    b"\t",
    b"#",
    b"\0",
    b"\x7f",
    b"\xff",
    b"\xc3",
    "\u{e9}".as_bytes(),
    b"\xef\xbb\xbf",
    b"nil",
    b"?",
    b"99999999999999999999",
    b"-",
    b"T1|",
    b"w(",
    b"o.put(",
    b"begin",
    b"|w(V1)|",
    b"()",
    b"new(o:map)",
    b"V123456",
];

#[test]
fn damaged_text() {
    fuzz(
        "damaged text",
        2000,
        |random| {
            let mut names = Names::default();
            let count = 1 + random.below(40);
            let events = events(random, count, &mut names);
            let mut bytes = write(Format::Std, &events, &names);
            mutate(random, &mut bytes, &PIECES);
            bytes
        },
        check_text,
    );
}

#[test]
fn text_from_pieces() {
    fuzz(
        "text from pieces",
        2000,
        |random| {
            let count = random.below(60);
            let pieces = (0..count).flat_map(|_| random.pick(&PIECES).to_vec());
            let mut bytes = b"T0|new(o:map)|1\n".to_vec();
            bytes.extend(pieces);
            bytes
        },
        check_text,
    );
}

#[test]
fn random_bytes() {
    fuzz(
        "random bytes",
        2000,
        |random| {
            let magic: &[u8] = match random.below(5) {
                0 => b"\x89CTR\r\n\x01\x00",
                1 => b"\x1f\x8b\x08\0",
                2 => b"\x28\xb5\x2f\xfd",
                3 => b"T1|w(x)|1\n",
                _ => b"",
            };
            let mut bytes = magic.to_vec();
            let ascii = random.chance(2);
            for _ in 0..random.below(300) {
                let byte = random.next() as u8;
                bytes.push(if ascii { byte & 0x7f } else { byte });
            }
            bytes
        },
        check_any,
    );
}

#[test]
fn damaged_binary() {
    let pieces: [&[u8]; 4] = [
        b"CTRf",
        b"\0\0\0\0",
        b"\xff\xff\xff\xff",
        b"\x89CTR\r\n\x01\x00",
    ];
    fuzz(
        "damaged binary",
        2000,
        |random| {
            let mut names = Names::default();
            let count = 1 + random.below(40);
            let events = events(random, count, &mut names);
            let mut bytes = write(Format::Ctr, &events, &names);
            mutate(random, &mut bytes, &pieces);
            bytes
        },
        check_any,
    );
}

/// Long lines, many names, and lines that cross the ends of buffers.
#[test]
fn large_text_is_read_the_same_both_ways() {
    fuzz(
        "large text",
        12,
        |random| {
            let mut text = b"T0|new(o:map)|1\n".to_vec();
            let stems = ["V", "x", "variable", "1"];
            let stem = random.pick(&stems);
            let numbers = [10, 1000, 200_000][random.below(3)];
            for _ in 0..9_000 {
                let line = match random.below(60) {
                    0 => format!("# {}\n", "-".repeat(random.below(300))),
                    1 => "\r\n".to_owned(),
                    2 => format!("T1|r( {stem}{} )|7\n", random.below(numbers)),
                    3 => format!("T1|alloc({stem}{})|7\n", random.below(numbers)),
                    4 => format!("T1|w({}{})|7\n", random.pick(&stems), random.below(numbers)),
                    5 => format!(
                        "T1|o.put('{}',{})/nil|7\n",
                        "k".repeat(random.below(40)),
                        random.below(99)
                    ),
                    6 => format!(
                        "T1|w({stem}{})|{}\n",
                        random.below(numbers),
                        "l".repeat(random.below(40))
                    ),
                    7 => format!("T1|dummy({stem}{})|x\n", random.below(numbers)),
                    n => format!(
                        "T{}|{}({stem}{})|a.rs:{}\n",
                        n % 7,
                        ["r", "w"][n % 2],
                        random.below(numbers),
                        n
                    ),
                };
                text.extend(line.bytes());
            }
            if random.chance(2) {
                mutate(random, &mut text, &PIECES);
            }
            text
        },
        |bytes| {
            let outcome = read(bytes);
            check_outcome(bytes, &outcome);
            check_same(&outcome, &read_carefully(bytes));
        },
    );
}

/// Compressed text, damaged before or after it was compressed.
#[test]
fn damaged_compressed_text() {
    fuzz(
        "damaged compressed text",
        1000,
        |random| {
            let mut names = Names::default();
            let count = 1 + random.below(40);
            let events = events(random, count, &mut names);
            let mut bytes = write(Format::Std, &events, &names);
            if random.chance(2) {
                mutate(random, &mut bytes, &PIECES);
            }
            let mut bytes = if random.chance(2) {
                let level = flate2::Compression::fast();
                let mut gzip = flate2::write::GzEncoder::new(Vec::new(), level);
                gzip.write_all(&bytes).expect("memory");
                gzip.finish().expect("memory")
            } else {
                zstd::encode_all(&bytes[..], 1).expect("memory")
            };
            mutate(
                random,
                &mut bytes,
                &[b"\x1f\x8b\x08\0", b"\xff\xff\xff\xff"],
            );
            bytes
        },
        check_any,
    );
}

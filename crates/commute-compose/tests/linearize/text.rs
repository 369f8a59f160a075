//! Histories as text.

use commute_compose::linearize::{History, Limits, check};
use commute_spec::models;
use proptest::prelude::*;

use crate::model;
use crate::random::{Random, Shape, history};

#[test]
fn what_is_printed_is_read_back() {
    let shape = Shape {
        processes: 3,
        calls: 20,
        wrong: 3,
        pending: true,
    };
    for seed in 0..100 {
        let map = models::named("map").unwrap();
        let methods = ["put", "get", "snapshot", "clear_"];
        let history = history(map, &methods, &shape, &mut Random::new(seed));
        assert_eq!(History::parse(history.to_string()).unwrap(), history);
    }
    let text = "T1 invoke a.b.c('it\\'s', (1,), ?)\nT1 point\nT1 return ()\n";
    let history = History::parse(text).unwrap();
    assert_eq!(history.calls()[0].object, "a.b");
    assert_eq!(history.to_string(), text.replace(" ()", ""));
}

#[test]
fn lines_that_mean_nothing_are_skipped() {
    let text = "\u{feff}# comment\r\n\r\n \t \n  T1\tinvoke  read( )  \r\nT1 return  7 \n#";
    let history = History::parse(text).unwrap();
    assert_eq!(history.to_string(), "T1 invoke read()\nT1 return 7\n");
}

#[test]
fn bad_lines_are_refused_at_the_spot() {
    for (text, place, message) in [
        ("T1", (1, 3), "expected `invoke`"),
        ("T1 call f()", (1, 4), "expected `invoke`"),
        ("\nT1 invoke", (2, 10), "expected a call"),
        ("T1 invoke f", (1, 11), "expected a call"),
        ("T1 invoke f(", (1, 12), "no closing"),
        ("T1 invoke f(1", (1, 12), "no closing"),
        ("T1 invoke f(1,", (1, 12), "no closing"),
        ("T1 invoke f(1, ", (1, 12), "no closing"),
        ("T1 invoke f(1 2)", (1, 15), "expected `,` or `)`"),
        ("T1 invoke f(,)", (1, 13), "expected a value"),
        ("T1 invoke f(1,)", (1, 15), "expected a value"),
        ("T1 invoke f('a)", (1, 13), "unterminated"),
        ("T1 invoke f('é', 0x1)", (1, 18), "not an integer"),
        ("T1 invoke f() 1", (1, 15), "expected the end"),
        ("T1 invoke (1)", (1, 11), "empty method name"),
        ("T1 invoke .f(1)", (1, 11), "empty object name"),
        ("T1 invoke m.(1)", (1, 13), "empty method name"),
        ("T1 invoke f()\nT1 return 1 2", (2, 13), "expected the end"),
        (
            "T1 invoke f()\n T1 invoke g()",
            (2, 2),
            "has not returned from `f()`",
        ),
        ("T1 invoke f()\nT2 return 1", (2, 1), "invoked nothing"),
        ("T1 point", (1, 1), "invoked nothing"),
        ("T|1 point", (1, 1), "in a thread name"),
    ] {
        let error = History::parse(text).expect_err(text);
        assert!(error.message.contains(message), "{text:?}: {error}");
        assert_eq!((error.line, error.column), place, "{text:?}: {error}");
    }
    let error = History::parse(b"T1 invoke f\xff(1)").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 1, column 11: the name of the method is not UTF-8"
    );
    let long = format!("T1 invoke f('{}')", "x".repeat(1 << 20));
    assert!(
        History::parse(long)
            .unwrap_err()
            .message
            .contains("a line of more than")
    );
    let deep = format!("T1 invoke f({}", "(".repeat(100_000));
    assert!(History::parse(deep).unwrap_err().message.contains("nested"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn random_bytes_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = History::parse(bytes);
    }

    /// Texts that look like histories: they are read or refused, and what is read makes
    /// sense and is answered.
    #[test]
    fn damaged_histories_are_answered(
        seed in 0u64..1000,
        damage in proptest::collection::vec((any::<proptest::sample::Index>(), 0usize..4, any::<u8>()), 0..6),
    ) {
        let shape = Shape { processes: 3, calls: 6, wrong: 3, pending: true };
        let map = models::named("map").unwrap();
        let methods = ["put", "get", "cas", "len"];
        let mut bytes = history(map, &methods, &shape, &mut Random::new(seed)).to_string().into_bytes();
        for (place, kind, byte) in damage {
            let place = place.index(bytes.len());
            match kind {
                0 => bytes[place] = byte,
                1 => drop(bytes.remove(place)),
                2 => bytes.insert(place, byte),
                _ => bytes.extend_from_within(place..),
            }
            if bytes.is_empty() { break }
        }
        match History::parse(&bytes) {
            Ok(history) => {
                prop_assert!(History::new(history.calls().to_vec()).is_ok());
                let again = History::parse(history.to_string());
                prop_assert_eq!(again.as_ref(), Ok(&history));
                let _ = check(&model("map"), &history, &Limits::default().steps(10_000));
            }
            Err(error) => {
                let lines: Vec<&[u8]> = bytes.split(|&b| b == b'\n').collect();
                prop_assert!((1..=lines.len()).contains(&error.line));
                prop_assert!(error.column <= lines[error.line - 1].len() + 1);
            }
        }
    }
}

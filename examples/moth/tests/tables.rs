//! The tables of the paper, by the analyses as they are. `UPDATE_EXPECT=1`
//! writes the printed tables anew.

#[path = "../examples/tables/rows/mod.rs"]
mod rows;

use std::sync::LazyLock;

use commute_testkit::tools;
use expect_test::{ExpectFile, expect_file};
use rows::Row;
use rows::judge::Verdict;

const MOTH: usize = 0;
const ARTHO: usize = 1;
const COMMUTE: usize = 2;
const ALL: usize = 3;
const EXTENDED: usize = 4;

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(rows::rows);

/// Returns the verdicts of an algorithm on a program, one for each language. The
/// programs in Java are skipped without a compiler.
#[track_caller]
fn verdicts(row: &Row, algorithm: usize) -> impl Iterator<Item = (&'static str, &Verdict)> {
    if row.java.is_none() {
        tools::skip("the programs in Java: `javac` is not installed");
    }
    let java = row.java.as_ref().map(|all| ("Java", &all[algorithm]));
    [("Rust", &row.rust[algorithm])].into_iter().chain(java)
}

#[test]
fn moth_misses_what_the_paper_says_it_misses_and_nothing_else() {
    for row in ROWS.iter() {
        // Of VectorFail the paper says that it is missed.
        let paper = row.known.numbers.map_or(1, |numbers| numbers.moth.missed);
        for (language, verdict) in verdicts(row, MOTH) {
            let (title, missed) = (row.known.title, &verdict.missed);
            assert_eq!(missed.len(), paper, "{title} in {language}: {missed:?}");
        }
    }
}

#[test]
fn moth_has_no_more_false_alarms_than_the_paper() {
    for row in ROWS.iter() {
        let numbers = row.known.numbers;
        let paper = numbers.map_or(0, |numbers| numbers.moth.false_alarms);
        for (language, verdict) in verdicts(row, MOTH) {
            let (title, alarms) = (row.known.title, &verdict.false_alarms);
            assert!(alarms.len() <= paper, "{title} in {language}: {alarms:?}");
        }
    }
}

#[test]
fn moth_finds_nothing_in_repaired_programs() {
    for row in ROWS.iter() {
        for (language, verdict) in verdicts(row, MOTH) {
            let (title, found) = (row.known.title, &verdict.repaired);
            assert!(found.is_empty(), "{title} in {language}: {found:?}");
        }
    }
}

#[test]
fn ours_misses_nothing_if_all_findings_are_shown() {
    for row in ROWS.iter() {
        for (language, verdict) in verdicts(row, ALL) {
            let (title, missed) = (row.known.title, &verdict.missed);
            assert!(missed.is_empty(), "{title} in {language}: {missed:?}");
        }
    }
}

#[test]
fn ours_has_fewer_false_alarms_than_the_paper() {
    for row in ROWS.iter() {
        let numbers = row.known.numbers;
        let paper = numbers.map_or(0, |numbers| numbers.moth.false_alarms);
        for (language, verdict) in verdicts(row, COMMUTE) {
            let (title, alarms) = (row.known.title, &verdict.false_alarms);
            assert!(alarms.len() <= paper, "{title} in {language}: {alarms:?}");
            if row.known.name == "double_check" {
                assert!(alarms.is_empty(), "{title} in {language}: {alarms:?}");
            }
            let (found, missed) = (&verdict.repaired, &verdict.missed);
            assert!(found.is_empty(), "{title} in {language}: {found:?}");
            if row.known.name == "vector_fail" {
                assert!(missed.is_empty(), "{title} in {language}: {missed:?}");
            }
        }
    }
}

#[track_caller]
fn check(algorithm: usize, expected: ExpectFile) {
    // The tables have a column for Java.
    if tools::require("javac").is_none() {
        return;
    }
    let tables = [1, 2, 0].map(|number| rows::table(&ROWS, number, algorithm));
    expected.assert_eq(&tables.join("\n"));
}

#[test]
fn moth() {
    check(MOTH, expect_file!["tables/moth.txt"]);
}

#[test]
fn artho() {
    check(ARTHO, expect_file!["tables/artho.txt"]);
}

#[test]
fn commute() {
    check(COMMUTE, expect_file!["tables/commute.txt"]);
}

#[test]
fn commute_with_all_findings() {
    check(ALL, expect_file!["tables/commute_all.txt"]);
}

#[test]
fn moth_extended() {
    check(EXTENDED, expect_file!["tables/moth_extended.txt"]);
}

#[test]
fn moth_extended_finds_what_the_paper_misses() {
    for row in ROWS.iter() {
        for (language, verdict) in verdicts(row, EXTENDED) {
            let (title, missed) = (row.known.title, &verdict.missed);
            assert!(missed.is_empty(), "{title} in {language}: {missed:?}");
        }
    }
}

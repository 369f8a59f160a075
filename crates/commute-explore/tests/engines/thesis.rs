//! How many runs engines need for the programs of chapter 4 of the thesis.

use std::time::Duration;

use commute_explore::thesis::{Row, further, rows, table};
use expect_test::expect;

/// No row takes longer than half a minute, without optimisation.
const LONG: Duration = Duration::from_secs(3600);

fn counts(rows: &[Row], table: &str, program: &str, engine: &str, upto: usize) -> Vec<u64> {
    let rows = rows
        .iter()
        .filter(|row| row.table == table && row.program == program && row.n <= upto);
    let counts = rows.map(|row| {
        let measured = row.measure(engine, 100_000, LONG).expect("an engine");
        assert!(measured.is_done, "{row:?}");
        measured.executions
    });
    counts.collect()
}

/// One run for each class of runs that differ by the order of commuting steps.
#[test]
fn dpor_needs_one_run_for_each_class() {
    let (rows, further) = (rows(), further());
    let of = |program: &str| counts(&further, "", program, "dpor", 7);
    assert_eq!(of("N-COUNTER-INC"), [1, 1, 1, 1]);
    assert_eq!(of("N-SET-ADD"), [1, 1, 1, 1]);
    assert_eq!(of("hashtable, put"), [2, 4, 8, 24]);
    assert_eq!(of("hashtable, mixed"), [3, 14]);
    let of = |table: &str, program: &str, n| counts(&rows, table, program, "dpor", n);
    assert_eq!(of("4.4", "set", 7), [1, 1, 1, 1]);
    assert_eq!(of("4.4", "hashtable", 7), [1, 1, 1, 1]);
    assert_eq!(of("4.4", "union-find", 7), [1, 1, 1, 1]);
    assert_eq!(of("4.5", "set", 7), [8, 16, 32, 64]);
    assert_eq!(of("4.5", "union-find", 7), [4, 4, 8, 8]);
    let most = if cfg!(debug_assertions) { 4 } else { 5 };
    assert_eq!(of("4.5", "hashtable", most), [120, 1296][..most - 3]);
    assert_eq!(of("4.3", "pthread-demo-datarace", 20), [1]);
}

/// One run for each class of changes and what the others return: where those who only
/// look do it in many places and see the same, fewer than there are semantic executions.
#[test]
fn ncmc_needs_one_run_for_what_is_returned() {
    let (rows, further) = (rows(), further());
    let of = |program: &str| counts(&further, "", program, "ncmc", 6);
    assert_eq!(of("N-COUNTER-INC"), [1, 1, 1]);
    assert_eq!(of("N-SET-ADD"), [1, 1, 1]);
    assert_eq!(of("hashtable, put"), [2, 4, 8]);
    assert_eq!(of("hashtable, mixed"), [3, 14]);
    let of = |table: &str, program: &str, n| counts(&rows, table, program, "ncmc", n);
    assert_eq!(of("4.3", "sigma", 16), [1]);
    assert_eq!(of("4.3", "pthread-demo-datarace", 20), [1]);
    assert_eq!(of("4.4", "union-find", 7), [1, 1, 1, 1]);
    assert_eq!(of("4.5", "set", 7), [4, 5, 6, 7]);
    assert_eq!(of("4.5", "union-find", 7), [4, 4, 8, 8]);
    assert_eq!(of("4.5", "hashtable", 4), [120]);
}

/// What does not know of commuting needs every order of what changes an object.
#[test]
fn mcr_needs_every_order_of_changes() {
    let (rows, further) = (rows(), further());
    assert_eq!(counts(&further, "", "N-COUNTER-INC", "mcr", 5), [24, 120]);
    assert_eq!(counts(&further, "", "N-SET-ADD", "mcr", 5), [24, 120]);
    assert_eq!(counts(&rows, "4.4", "set", "mcr", 7), [1, 1, 1, 1]);
    assert_eq!(counts(&rows, "4.5", "set", "mcr", 5), [24, 120]);
    assert_eq!(counts(&rows, "4.5", "union-find", "mcr", 6), [8, 24, 48]);
}

/// Of six programs, two fail and stop at the first failure.
#[test]
fn programs_of_verifiers() {
    let rows = rows();
    let of = |program: &str, engine: &str| counts(&rows, "4.3", program, engine, 50)[0];
    assert_eq!(of("sigma", "outcomes"), 1);
    assert!(of("fkp2013", "outcomes") <= 52);
    assert!(of("fkp2013", "ncmc") <= 52);
    assert_eq!(of("pthread-demo-datarace", "outcomes"), 1);
    assert_eq!(of("  adders alike", "outcomes"), 11);
    assert_eq!(of("ring_2w1r", "outcomes"), 1430);
}

/// What the rule of Algorithm 6 leaves out as it is printed: of the sizes that can be seen
/// while others add, all but the first and the last, and most of what tables can hold.
#[test]
fn the_printed_rule_misses_outcomes() {
    let rows = rows();
    let seen = |program: &str, n: usize| {
        let mut rows = rows.iter();
        let row = rows.find(|row| row.table == "4.5" && row.program == program && row.n == n);
        let row = row.expect("it is in the table");
        let [printed, all] = ["printed", "outcomes"].map(|engine| {
            let measured = row.measure(engine, 100_000, LONG).expect("an engine");
            assert!(measured.is_done, "{row:?}");
            measured.outcomes
        });
        (printed, all)
    };
    assert_eq!(
        [4, 5, 6, 7].map(|n| seen("set", n)),
        [(2, 4), (2, 5), (2, 6), (2, 7)]
    );
    assert_eq!(seen("hashtable", 4), (25, 120));
    assert_eq!(seen("union-find", 4), (4, 4));
}

#[test]
fn the_tables_are_printed_with_ours_beside() {
    let few: Vec<Row> = rows().into_iter().filter(|row| row.n == 4).collect();
    let few = &few[1..];
    let engines = ["outcomes", "dpor", "ncmc", "mcr", "printed"];
    let print = |engines: &[&str], runs| {
        let mut text = String::new();
        let line = &mut |line: &str| {
            // Without how long it took.
            text += line.split("  |").next().expect("executions");
            text += "\n";
        };
        table(few, engines, (runs, LONG), line).map(|()| text)
    };
    let text = print(&engines, 200).expect("engines");
    expect![[r#"
        table program                    N      JMCR      NCMC  outcomes      dpor      ncmc       mcr   printed
        4.4   set                        4         1         1         1         1         1         1     1 (1)
        4.4   hashtable                  4         1         1         1         1         1         1     1 (1)
        4.4   union-find                 4        32         4         1         1         1         1     1 (1)
        4.5   set                        4       306         5         4         8         4        24     2 (2)
        4.5   hashtable                  4        76        25       120       120       120      >200   33 (25)
        4.5   union-find                 4        44        26         4         4         4         8     5 (4)
    "#]]
    .assert_eq(&text);
    assert!(print(&["none"], 1).is_err());
}

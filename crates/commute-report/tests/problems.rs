//! What problems of traces look like. Bless with `UPDATE_EXPECT=1 cargo test -p commute-report`.

use commute_model::Severity;
use commute_report::problem::{Place, Problem, human, json, short};
use commute_report::{Style, github};
use expect_test::{Expect, expect};

fn check(problem: &Problem<'_>, expect: Expect) {
    let text = human(problem, &Style::default());
    expect.assert_eq(&format!(
        "{text}\n\n{}\n{}\n{}\n",
        short(problem),
        json(problem),
        github::problem(problem)
    ));
}

fn problem<'a>(place: Place<'a>, help: Option<&'a str>) -> Problem<'a> {
    Problem {
        severity: Severity::Error,
        code: None,
        message: "unknown operation `frok`",
        file: "t.std",
        place,
        help,
    }
}

#[test]
fn in_a_line() {
    let place = Place::Line {
        line: 3_000_000,
        column: 4,
        excerpt: "T0|frok(T1)|a.rs:1",
        mark: 4,
    };
    check(
        &problem(place, Some("did you mean `fork`?")),
        expect![[r#"
            error: unknown operation `frok`
                   --> t.std:3000000:4
                    |
            3000000 | T0|frok(T1)|a.rs:1
                    |    ^^^^
                    |
                    = help: did you mean `fork`?

            t.std:3000000:4: error: unknown operation `frok`
            {"schema":1,"reason":"diagnostic","code":null,"level":"error","message":"unknown operation `frok`","location":{"file":"t.std","line":3000000,"column":4},"help":"did you mean `fork`?"}
            ::error file=t.std,line=3000000,col=4::t.std:3000000:4: unknown operation `frok`%0Ahelp: did you mean `fork`?
        "#]],
    );
}

#[test]
fn in_a_line_of_which_only_a_part_is_known() {
    let place = Place::Line {
        line: 7,
        column: 1_000_000,
        excerpt: "…aaaé",
        mark: 6,
    };
    check(
        &problem(place, None),
        expect![[r#"
            error: unknown operation `frok`
             --> t.std:7:1000000
              |
            7 | …aaaé
              |      ^

            t.std:7:1000000: error: unknown operation `frok`
            {"schema":1,"reason":"diagnostic","code":null,"level":"error","message":"unknown operation `frok`","location":{"file":"t.std","line":7,"column":1000000},"help":null}
            ::error file=t.std,line=7,col=1000000::t.std:7:1000000: unknown operation `frok`
        "#]],
    );
}

#[test]
fn without_an_excerpt() {
    let place = Place::Line {
        line: 7,
        column: 9,
        excerpt: "",
        mark: 1,
    };
    check(
        &problem(place, None),
        expect![[r#"
            error: unknown operation `frok`
            --> t.std:7:9

            t.std:7:9: error: unknown operation `frok`
            {"schema":1,"reason":"diagnostic","code":null,"level":"error","message":"unknown operation `frok`","location":{"file":"t.std","line":7,"column":9},"help":null}
            ::error file=t.std,line=7,col=9::t.std:7:9: unknown operation `frok`
        "#]],
    );
}

#[test]
fn at_a_byte() {
    check(
        &problem(Place::Byte(17), Some("the last 40 bytes were lost")),
        expect![[r#"
            error: unknown operation `frok`
            --> t.std: byte 17
             |
             = help: the last 40 bytes were lost

            t.std: byte 17: error: unknown operation `frok`
            {"schema":1,"reason":"diagnostic","code":null,"level":"error","message":"unknown operation `frok`","location":{"file":"t.std","byte":17},"help":"the last 40 bytes were lost"}
            ::error file=t.std::t.std: byte 17: unknown operation `frok`%0Ahelp: the last 40 bytes were lost
        "#]],
    );
}

#[test]
fn in_the_whole_file() {
    check(
        &problem(Place::Whole, None),
        expect![[r#"
            error: unknown operation `frok`
            --> t.std

            t.std: error: unknown operation `frok`
            {"schema":1,"reason":"diagnostic","code":null,"level":"error","message":"unknown operation `frok`","location":{"file":"t.std"},"help":null}
            ::error file=t.std::t.std: unknown operation `frok`
        "#]],
    );
}

#[test]
fn hostile_text_is_spelled_out() {
    let place = Place::Line {
        line: u64::MAX,
        column: u64::MAX,
        excerpt: "\x1b\u{9b}|x",
        mark: usize::MAX,
    };
    let problem = Problem {
        message: "\x07",
        file: "\x1b",
        ..problem(place, Some("\x1b"))
    };
    check(
        &problem,
        expect![[r#"
            error: \x07
                                --> \x1b:18446744073709551615:18446744073709551615
                                 |
            18446744073709551615 | \x1b\u{9b}|x
                                 |             ^
                                 |
                                 = help: \x1b

            \x1b:18446744073709551615:18446744073709551615: error: \x07
            {"schema":1,"reason":"diagnostic","code":null,"level":"error","message":"\u0007","location":{"file":"\u001b","line":18446744073709551615,"column":18446744073709551615},"help":"\u001b"}
            ::error file=\x1b,line=18446744073709551615,col=18446744073709551615::\x1b:18446744073709551615:18446744073709551615: \x07%0Ahelp: \x1b
        "#]],
    );
}

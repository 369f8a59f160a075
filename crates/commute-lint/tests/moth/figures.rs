//! Figures 1(a) and 1(b).

use expect_test::expect;

use super::{check, paper, run};

const FIGURE_1A: &str = "
class Pair { a, b
    atomic getA() { t := this.a; return t }
    atomic getB() { t := this.b; return t }
    atomic setPair(a, b) { this.a := a; this.b := b }
    areEqual() { a := getA(); b := getB(); r := a == b; return r }
}
process reader { p := new Pair; e := p.areEqual() }
process writer { p := new Pair; p.setPair(1, 2) }
";

const FIGURE_1B: &str = "
class Cell { x
    atomic getX() { t := this.x; return t }
    atomic setX(p0) { this.x := p0 }
    incX(val) {
        tmp := getX();
        tmp := tmp + val;
        setX(tmp)
    }
}
process worker { c := new Cell; one := 1; c.incX(one) }
";

#[test]
fn figure_1a_is_a_high_level_data_race() {
    check(FIGURE_1A, &["TornRead Pair.getA Pair.getB"]);
    check(
        &FIGURE_1A
            .replace("areEqual()", "atomic areEqual()")
            .replace("p.atomic ", "p."),
        &[],
    );
}

#[test]
fn figure_1b_is_a_stale_value() {
    check(FIGURE_1B, &["StaleValue Cell.getX Cell.setX"]);
    check(&FIGURE_1B.replace("incX(val)", "atomic incX(val)"), &[]);
}

#[test]
fn the_way_of_the_value_is_told() {
    let outcome = run(FIGURE_1B, &paper());
    let violation = &outcome.violations[0];
    let stops = violation.path.iter().chain(&violation.others);
    let lines: Vec<String> = stops
        .map(|stop| format!("{}: {}\n", stop.site.line, stop.what))
        .collect();
    let text = format!("{}\n{}{}\n", violation.title, lines.concat(), violation.why);
    expect![[r#"
        a value of `Cell.x` that was read in `Cell.getX` is written in `Cell.setX`
        3: `Cell.x` is read in `Cell.getX`
        3: goes to `t`
        3: returned by `Cell.getX`
        6: goes to `tmp`
        7: goes to `tmp`
        4: passed to `Cell.setX`
        4: `Cell.x` is written in `Cell.setX`
        4: `Cell.x` is written in `Cell.setX` by `worker`
        between `Cell.getX` and `Cell.setX` others may write `Cell.x`, and the value is stale
    "#]]
    .assert_eq(&text);
}

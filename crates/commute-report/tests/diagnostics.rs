//! What diagnostics look like. Bless with `UPDATE_EXPECT=1 cargo test -p commute-report`.

use commute_model::{Code, Diagnostic, Severity, Span};
use commute_report::Style;
use commute_report::diagnostic::{Source, human, json, short};
use expect_test::{Expect, expect};

const SPEC: &str = "\
type set {
  add(v) -> was
  contains(v) -> is

  add(v1)/w1 ~ add(v2)/w2 : v1 != v2 || (w1 && w3)
  add(v1)/w1 ~ contains(v2)/i2 : v1 != v2
  add ~ contains : false
}
";

/// The bytes of the `n`-th occurrence of `word`.
fn span(word: &str, n: usize) -> Span {
    let (start, _) = SPEC.match_indices(word).nth(n).expect("the word is there");
    Span::new(start, start + word.len())
}

fn unknown() -> Diagnostic {
    Diagnostic::error(Code::CM902, span("w3", 0), "unknown name `w3`")
        .label("not a name of this pair")
        .help("the names are v1, w1, v2 and w2")
}

fn twice() -> Diagnostic {
    Diagnostic::error(
        Code::CM904,
        span("add ~ contains", 0),
        "condition of `add` and `contains` given twice",
    )
    .label("second")
    .related(span("add(v1)/w1 ~ contains(v2)/i2", 0), "first")
}

fn check(diagnostics: &[Diagnostic], expect: Expect) {
    let source = Source::new("specs/set.ecl", SPEC);
    let text = human(diagnostics, &source, &Style::default());
    expect.assert_eq(&(text + "\n"));
}

#[test]
fn the_place_is_shown() {
    check(
        &[unknown()],
        expect![[r#"
        error[CM902]: unknown name `w3`
         --> specs/set.ecl:5:48
          |
        5 |   add(v1)/w1 ~ add(v2)/w2 : v1 != v2 || (w1 && w3)
          |                                                ^^ not a name of this pair
          |
          = help: the names are v1, w1, v2 and w2
    "#]],
    );
}

#[test]
fn several_with_related_places() {
    check(
        &[unknown(), twice()],
        expect![[r#"
        error[CM902]: unknown name `w3`
         --> specs/set.ecl:5:48
          |
        5 |   add(v1)/w1 ~ add(v2)/w2 : v1 != v2 || (w1 && w3)
          |                                                ^^ not a name of this pair
          |
          = help: the names are v1, w1, v2 and w2

        error[CM904]: condition of `add` and `contains` given twice
         --> specs/set.ecl:7:3
          |
        6 |   add(v1)/w1 ~ contains(v2)/i2 : v1 != v2
          |   ---------------------------- first
        7 |   add ~ contains : false
          |   ^^^^^^^^^^^^^^ second
    "#]],
    );
}

#[test]
fn a_span_of_several_lines_is_marked_in_its_first() {
    let all = Span::new(0, SPEC.len());
    let missing = Diagnostic::warning(Code::CM905, all, "`contains ~ contains` has no condition");
    check(
        &[missing],
        expect![[r#"
        warning[CM905]: `contains ~ contains` has no condition
         --> specs/set.ecl:1:1
          |
        1 | type set {
          | ^^^^^^^^^^
    "#]],
    );
}

#[test]
fn the_end_of_the_text_is_a_place_too() {
    let end = Span::new(SPEC.len() + 9, SPEC.len() + 12);
    check(
        &[Diagnostic::error(Code::CM901, end, "expected `}`")],
        expect![[r#"
            error[CM901]: expected `}`
             --> specs/set.ecl:9:1
              |
            9 |
              | ^
        "#]],
    );
    let empty = Source::new("empty.ecl", "");
    let text = human(
        &[Diagnostic::error(Code::CM901, Span::new(0, 0), "no type")],
        &empty,
        &Style::default(),
    );
    expect![[r#"
        error[CM901]: no type
         --> empty.ecl:1:1
          |
        1 |
          | ^"#]]
    .assert_eq(&text);
}

#[test]
fn a_piece_of_a_file_keeps_its_line_numbers() {
    let mut bad = Diagnostic::error(Code::CM901, Span::new(3, 8), "unknown operation `frok`");
    bad.code = None;
    bad.severity = Severity::Note;
    let piece = Source::new("t.std", "T0|frok(T1)|a.rs:1\n").starting_at(1_000_000);
    let text = human(&[bad.clone()], &piece, &Style::default());
    expect![[r#"
        note: unknown operation `frok`
               --> t.std:1000000:4
                |
        1000000 | T0|frok(T1)|a.rs:1
                |    ^^^^^"#]]
    .assert_eq(&text);
    expect!["t.std:1000000:4: note: unknown operation `frok`"].assert_eq(&short(&bad, &piece));
}

#[test]
fn places_far_apart_have_excerpts_of_their_own() {
    let text = format!("first\n{}second\n", "\n".repeat(5000));
    let second = text.find("second").expect("there");
    let far = Diagnostic::error(Code::CM904, Span::new(second, second + 6), "declared twice")
        .related(Span::new(0, 5), "first here");
    let text = human(&[far], &Source::new("far.ecl", &text), &Style::default());
    expect![[r#"
        error[CM904]: declared twice
            --> far.ecl:5002:1
             |
        5002 | second
             | ^^^^^^
             |
            ::: far.ecl:1:1
             |
           1 | first
             | ----- first here"#]]
    .assert_eq(&text);
}

#[test]
fn a_huge_line_is_cut_around_the_place() {
    let text = format!("{}?{}", "(".repeat(5_000_000), ")".repeat(5_000_000));
    let bad =
        Diagnostic::error(Code::CM901, Span::new(5_000_000, 5_000_001), "too deep").label("here");
    let text = human(&[bad], &Source::new("deep.ecl", &text), &Style::default());
    expect![[r#"
        error[CM901]: too deep
         --> deep.ecl:1:5000001
          |
        1 | …((((((((((((((((((((((((?))))))))))))))))))))))))…
          |                          ^ here"#]]
    .assert_eq(&text);
}

#[test]
fn hostile_text_is_spelled_out() {
    let text = "type \x1b[31m\u{202e}x {\r\n";
    let bad = Diagnostic::error(Code::CM901, Span::new(5, 6), "unexpected `\x1b`").label("\x07");
    let text = human(&[bad], &Source::new("a\x1b.ecl", text), &Style::default());
    expect![[r#"
        error[CM901]: unexpected `\x1b`
         --> a\x1b.ecl:1:6
          |
        1 | type \x1b[31m\u{202e}x {
          |      ^^^^ \x07"#]]
    .assert_eq(&text);
}

#[test]
fn after_fifty_they_are_counted() {
    let many = vec![unknown(); 60];
    let source = Source::new("specs/set.ecl", SPEC);
    let text = human(&many, &source, &Style::default());
    assert!(
        text.ends_with("… and 10 more in specs/set.ecl: `-v` shows them"),
        "{text}"
    );
    let verbose = Style {
        verbose: true,
        ..Style::default()
    };
    assert_eq!(
        human(&many, &source, &verbose)
            .matches("unknown name")
            .count(),
        60
    );
}

#[test]
fn one_line_forms() {
    let source = Source::new("specs/set.ecl", SPEC);
    let lines = [unknown(), twice()].map(|d| short(&d, &source) + "\n" + &json(&d, &source) + "\n");
    expect![[r#"
        specs/set.ecl:5:48: error[CM902]: unknown name `w3`
        {"schema":1,"reason":"diagnostic","code":"CM902","level":"error","message":"unknown name `w3`","location":{"file":"specs/set.ecl","line":5,"column":48,"end_line":5,"end_column":50},"label":"not a name of this pair","related":[],"help":"the names are v1, w1, v2 and w2"}
        specs/set.ecl:7:3: error[CM904]: condition of `add` and `contains` given twice
        {"schema":1,"reason":"diagnostic","code":"CM904","level":"error","message":"condition of `add` and `contains` given twice","location":{"file":"specs/set.ecl","line":7,"column":3,"end_line":7,"end_column":17},"label":"second","related":[{"location":{"file":"specs/set.ecl","line":6,"column":3,"end_line":6,"end_column":31},"text":"first"}],"help":null}
    "#]].assert_eq(&lines.concat());
}

//! What the last line looks like. Bless with `UPDATE_EXPECT=1 cargo test -p commute-report`.

use commute_model::Code;
use commute_report::{Configured, Style, Summary, Verdict, json};
use expect_test::{Expect, expect};

fn check(summary: &Summary, expect: Expect) {
    expect.assert_eq(&format!("{summary}\n{}\n", json::summary(summary)));
}

fn clean() -> Summary {
    Summary {
        events: 1,
        threads: 1,
        seconds: 0.123_456_789,
        analyses: vec!["races".into(), "data-races".into()],
        ..Summary::default()
    }
}

#[test]
fn nothing_was_found() {
    check(
        &clean(),
        expect![[r#"
        commute: clean: no findings in 1 event, 1 thread, 0 objects [races, data-races]
        {"schema":1,"reason":"summary","verdict":"clean","findings":0,"events":1,"threads":1,"objects":0,"seconds":0.123457,"analyses":["races","data-races"]}
    "#]],
    );
}

#[test]
fn something_was_found() {
    let summary = Summary {
        verdict: Verdict::Violations,
        findings: 3,
        codes: vec![(Code::CM101, 2), (Code::CM102, 1)],
        suppressed: 4,
        events: 3_000_000,
        threads: 8,
        objects: 1,
        ..clean()
    };
    check(
        &summary,
        expect![[r#"
            commute: violations: 3 findings (CM101 x2, CM102 x1), 4 suppressed in 3000000 events, 8 threads, 1 object [races, data-races]
            {"schema":1,"reason":"summary","verdict":"violations","findings":3,"suppressed":4,"events":3000000,"threads":8,"objects":1,"seconds":0.123457,"analyses":["races","data-races"]}
        "#]],
    );
}

#[test]
fn a_configuration_file_kept_findings_out() {
    let summary = |suppressed, known| Summary {
        suppressed: 3,
        known: Some(2),
        configured: Some(Configured {
            file: "a/commute.toml".to_owned(),
            suppressed,
            known,
        }),
        ..clean()
    };
    check(
        &summary(3, 2),
        expect![[r#"
            commute: clean: no findings, 3 suppressed by a/commute.toml, 2 known from the baseline of a/commute.toml in 1 event, 1 thread, 0 objects [races, data-races]
            {"schema":1,"reason":"summary","verdict":"clean","findings":0,"known":2,"suppressed":3,"configured":{"file":"a/commute.toml","suppressed":3,"known":2},"events":1,"threads":1,"objects":0,"seconds":0.123457,"analyses":["races","data-races"]}
        "#]],
    );
    check(
        &summary(1, 0),
        expect![[r#"
            commute: clean: no findings, 3 suppressed (1 by a/commute.toml), 2 known from the baseline in 1 event, 1 thread, 0 objects [races, data-races]
            {"schema":1,"reason":"summary","verdict":"clean","findings":0,"known":2,"suppressed":3,"configured":{"file":"a/commute.toml","suppressed":1,"known":0},"events":1,"threads":1,"objects":0,"seconds":0.123457,"analyses":["races","data-races"]}
        "#]],
    );
}

#[test]
fn it_is_not_known() {
    let summary = Summary {
        verdict: Verdict::Inconclusive,
        reasons: vec!["the trace was cut at byte 17".into(), "\x1b".into()],
        seconds: f64::NAN,
        ..clean()
    };
    check(
        &summary,
        expect![[r#"
        commute: inconclusive: no findings in 1 event, 1 thread, 0 objects [races, data-races]: the trace was cut at byte 17; \x1b
        {"schema":1,"reason":"summary","verdict":"inconclusive","findings":0,"events":1,"threads":1,"objects":0,"seconds":0.0,"analyses":["races","data-races"],"reasons":["the trace was cut at byte 17","\u001b"]}
    "#]],
    );
}

#[test]
fn the_verdict_is_in_colour_when_asked_for() {
    let style = Style {
        color: true,
        ..Style::default()
    };
    let line = clean().line(&style).replace('\x1b', "ESC");
    expect!["commute: ESC[1mESC[92mcleanESC[0m: no findings in 1 event, 1 thread, 0 objects [races, data-races]"].assert_eq(&line);
    assert_eq!(clean().line(&Style::default()), clean().to_string());
}
